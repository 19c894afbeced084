// What is stored of transactions and accounts through refreshes: what changes gets a new place in a block, and a block that
// nobody refers to any more is deleted.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Transaction } from '../../client/index.ts';
import type { BankTransaction } from '../../connectors/kit/contract.ts';
import { days, seconds } from '../../src/clock.ts';
import { transactionsToJson } from '../../src/codec/transaction.ts';
import { BankUnreachable } from '../../src/errors.ts';
import { readGrantRows } from '../../src/read/authorize.ts';
import { makeBlockReader } from '../../src/read/blocks.ts';
import { deleteBlock } from '../../src/retention/store.ts';
import { makeReader } from '../../src/vault/reader.ts';
import { parseScopedToken } from '../../src/vault/scopedToken.ts';
import { sweepNow } from '../retention/fixture.ts';
import { databases } from '../support/databases.ts';
import {
  makeScriptedConnector,
  northBank,
  scriptedAccount,
  scriptedTransaction,
} from '../support/scriptedConnector.ts';
import { link, startService, type TestApplication, type TestService } from '../support/testService.ts';

type Linked = Awaited<ReturnType<typeof link>>;

for (const database of databases) {
  describe(`blocks on ${database.name}`, () => {
    const connector = makeScriptedConnector({ chunkSize: 1000 });
    let service: TestService;
    let application: TestApplication;
    beforeAll(async () => {
      const limits = { workerPollMs: 50 };
      service = await startService({ database, connectors: [connector.module], limits });
      application = await service.addApplication({ environment: 'production' });
    });
    afterAll(() => service.close());

    const setTransactions = (username: string, transactions: BankTransaction[]): void =>
      connector.setAccounts(username, [scriptedAccount({ id: username, number: username, transactions })]);
    const linkUser = (username: string): Promise<Linked> =>
      link(service, { username, institutionId: northBank, applicationId: application.id });
    const read = async (linked: Linked): Promise<Transaction[]> => {
      const client = service.client(linked.scopedToken, application.apiKey);
      const path = { accountId: linked.accounts[0]!.id };
      const { data } = await client.GET('/accounts/{accountId}/transactions', { params: { path } });
      return data!.transactions;
    };
    const refresh = async (linked: Linked): Promise<void> => {
      const { db } = service.service;
      const job = () => db.read('jobs').where({ connectionId: linked.connectionId }).first();
      const before = (await job())!.dueAt;
      service.advance(seconds(8 * 3600));
      service.service.linking.wakeWorker();
      await expect
        .poll(async () => (await job())!.dueAt > before && (await job())!.leaseToken === null)
        .toBe(true);
    };
    const blocksOf = async (linked: Linked) => {
      const { read: db } = service.service.db;
      const account = await db('accounts').where({ id: linked.accounts[0]!.id }).first();
      const { endUserId, shortId } = account!;
      return db('transaction_blocks')
        .where({ endUserId, accountShortId: shortId })
        .orderBy('block')
        .select('block', 'transactionCount');
    };

    test('of 5,000 pending transactions of one amount none is voided or gets another id when they post', async () => {
      const count = 5000;
      const today = service.service.clock.real();
      const dayOf = (index: number): string =>
        new Date(today.getTime() - days(index % 5)).toISOString().slice(0, 10);
      const pending = Array.from({ length: count }, (_, index) =>
        scriptedTransaction({ date: dayOf(index), description: `pending ${index}`, status: 'pending' }),
      );
      setTransactions('many', pending);
      const linked = await linkUser('many');
      const before = await read(linked);
      expect(before).toHaveLength(count);
      const posted = Array.from({ length: count }, (_, index) =>
        scriptedTransaction({ date: dayOf(index + 2), description: `posted ${index}` }),
      );
      setTransactions('many', posted);
      await refresh(linked);
      const after = await read(linked);
      expect(new Set(after.map(({ status }) => status))).toEqual(new Set(['posted']));
      expect(after.map(({ id }) => id).sort()).toEqual(before.map(({ id }) => id).sort());
    });

    test('a pending transaction that is withdrawn beside 30 unrelated new ones becomes void', async () => {
      const date = new Date().toISOString().slice(0, 10);
      const withdrawn = scriptedTransaction({
        date,
        amount: '-20.00',
        description: 'held',
        status: 'pending',
      });
      const others = Array.from({ length: 30 }, (_, index) =>
        scriptedTransaction({ date, amount: `-20.${10 + index}`, description: `unrelated ${index}` }),
      );
      setTransactions('withdrawn', [withdrawn]);
      const linked = await linkUser('withdrawn');
      const [before] = await read(linked);
      setTransactions('withdrawn', others);
      await refresh(linked);
      const after = await read(linked);
      expect(after).toHaveLength(31);
      expect(after.filter(({ status }) => status === 'void')).toMatchObject([{ id: before!.id }]);
    });

    test('a pending transaction keeps its id when the bank renumbers it and then posts it with another text', async () => {
      const date = new Date().toISOString().slice(0, 10);
      const held = { date, amount: '-30.00', description: 'HELD', status: 'pending' as const };
      setTransactions('renumbered', [scriptedTransaction({ ...held, id: 'first' })]);
      const linked = await linkUser('renumbered');
      const [before] = await read(linked);
      setTransactions('renumbered', [scriptedTransaction({ ...held, id: 'second' })]);
      await refresh(linked);
      expect(await read(linked)).toEqual([before]);
      const posted = { date, amount: '-30.00', description: 'SHOP 17, LONDON' };
      setTransactions('renumbered', [scriptedTransaction({ ...posted, id: 'third' })]);
      await refresh(linked);
      expect(await read(linked)).toMatchObject([
        { ...posted, id: before!.id, amount: -30, status: 'posted' },
      ]);
    });

    test('the length of a sealed account does not tell how many digits its balance has', async () => {
      const accounts = ['0.00', '-1234.50', '98765432109.87'].map((current, at) =>
        scriptedAccount({ id: `b${at}`, number: `B${at}`, balance: { current, available: current } }),
      );
      connector.setAccounts('balances', accounts);
      const linked = await linkUser('balances');
      const { connectionId, scopedToken } = linked;
      const stored = await service.service.db.read('accounts').where({ connectionId }).select('sealed');
      expect(stored).toHaveLength(3);
      expect(new Set(stored.map(({ sealed }) => sealed.length)).size).toBe(1);
      const { data } = await service
        .client(scopedToken, application.apiKey)
        .GET('/connections/{connectionId}/accounts', { params: { path: { connectionId } } });
      expect(data!.accounts.map(({ balance }) => balance.current)).toEqual([0, -1234.5, 98765432109.87]);
    });

    const three = (word: string): BankTransaction[] =>
      [1, 2, 3].map((id) =>
        scriptedTransaction({ id: `e${id}`, date: '2024-02-01', description: `${word} ${id}` }),
      );

    test('a block is deleted when a minute ago the last of its texts was replaced', async () => {
      setTransactions('ada', three('first'));
      const linked = await linkUser('ada');
      const [, second, third] = three('first');
      setTransactions('ada', [three('changed')[0]!, second!, third!]);
      service.advance(days(8));
      await refresh(linked);
      expect((await blocksOf(linked)).map(({ transactionCount }) => transactionCount)).toEqual([2, 1]);
      setTransactions('ada', three('all changed'));
      service.advance(days(8));
      await refresh(linked);
      expect((await blocksOf(linked)).map(({ transactionCount }) => transactionCount)).toEqual([0, 0, 3]);
      await sweepNow(service);
      expect(await blocksOf(linked)).toHaveLength(3);
      service.advance(seconds(61));
      expect(await sweepNow(service)).toMatchObject({ unusedBlocks: 2 });
      expect((await blocksOf(linked)).map(({ transactionCount }) => transactionCount)).toEqual([3]);
      const descriptions = (await read(linked)).map(({ description }) => description);
      expect(descriptions.sort()).toEqual(['all changed 1', 'all changed 2', 'all changed 3']);
    });

    test('rows that were read before their block was deleted are read again', async () => {
      setTransactions('cy', three('old'));
      const linked = await linkUser('cy');
      const { db } = service.service;
      const { endUserId, secret } = parseScopedToken(linked.scopedToken!)!;
      const key = { endUserId, accountId: linked.accounts[0]!.id };
      const [grant] = (await readGrantRows(db, key)).rows;
      const reader = makeReader(grant!, secret)!;
      const account = { ...grant!, id: key.accountId, connectionId: linked.connectionId };
      const findRows = () =>
        db.read('transactions').where({ endUserId, accountShortId: account.shortId }).orderBy('seq');
      let reads = 0;
      const json = await makeBlockReader(
        { db },
        reader,
        account,
        transactionsToJson,
      )(async () => {
        const rows = await findRows();
        reads += 1;
        if (reads > 1) return rows;
        setTransactions('cy', three('new'));
        service.advance(days(8));
        await refresh(linked);
        service.advance(seconds(61));
        expect(await sweepNow(service)).toMatchObject({ unusedBlocks: 1 });
        return rows;
      });
      expect(reads).toBe(2);
      const read: Transaction[] = JSON.parse(`[${json}]`);
      expect(read.map(({ description }) => description).sort()).toEqual(['new 1', 'new 2', 'new 3']);
    });

    test('the number of a deleted block is not used again', async () => {
      setTransactions('ben', three('first'));
      const linked = await linkUser('ben');
      const numbers = [(await blocksOf(linked))[0]!.block];
      for (const word of ['second', 'third']) {
        setTransactions('ben', three(word));
        service.advance(days(8));
        await refresh(linked);
        service.advance(seconds(61));
        await sweepNow(service);
        const blocks = await blocksOf(linked);
        expect(blocks).toHaveLength(1);
        numbers.push(blocks[0]!.block);
      }
      expect(numbers).toEqual([...new Set(numbers)].sort((left, right) => left - right));
    });
  });

  describe(`blocks that are stored before they are published on ${database.name}`, () => {
    const connector = makeScriptedConnector({ chunkSize: 1000 });
    let service: TestService;
    let application: TestApplication;
    beforeAll(async () => {
      // Each transaction gets a block, which is stored at once.
      const merging = { mergeMemoryBytes: 0, blockSortBytes: 1 };
      const limits = { ...merging, workerPollMs: 50, importAttemptsMax: 1, leaseSeconds: 2 };
      service = await startService({ database, connectors: [connector.module], limits });
      application = await service.addApplication({ environment: 'production' });
      const transactions = Array.from({ length: 40 }, (_, id) => scriptedTransaction({ id: `e${id}` }));
      connector.setAccounts('eve', [scriptedAccount({ id: 'eve', number: 'eve', transactions })]);
    });
    afterAll(() => service.close());
    const blocks = () => service.service.db.read('transaction_blocks').select('block');
    const deletions = () => service.service.db.read('block_deletions').select('block');
    const options = () => ({ username: 'eve', institutionId: northBank, applicationId: application.id });

    test('stay when they are published', async () => {
      const linked = await link(service, { ...options(), externalUserId: 'eve' });
      expect(await blocks()).toHaveLength(40);
      expect(await deletions()).toEqual([]);
      const client = service.client(linked.scopedToken, application.apiKey);
      const path = { accountId: linked.accounts[0]!.id };
      const { data } = await client.GET('/accounts/{accountId}/transactions', { params: { path } });
      expect(data!.transactions).toHaveLength(40);
      // A second connection of the same end user: its blocks are stored for that user from the beginning.
      const second = await link(service, { ...options(), externalUserId: 'eve' });
      const again = { accountId: second.accounts[0]!.id };
      const list = await client.GET('/accounts/{accountId}/transactions', { params: { path: again } });
      expect(list.data!.transactions).toHaveLength(40);
      service.advance(seconds(2 * 1800 + 31));
      expect(await sweepNow(service)).toMatchObject({ unusedBlocks: 0 });
      expect(await blocks()).toHaveLength(80);
      const after = await client.GET('/accounts/{accountId}/transactions', { params: { path: again } });
      expect(after.data!.transactions).toHaveLength(40);
    });

    test('are deleted when their refresh can no longer publish them', async () => {
      const before = (await blocks()).length;
      const many = Array.from({ length: 1100 }, (_, id) => scriptedTransaction({ id: `e${id}` }));
      connector.setAccounts('eve', [scriptedAccount({ id: 'eve', number: 'eve', transactions: many })]);
      connector.fail('chunk', new BankUnreachable('down'));
      await expect(link(service, options())).rejects.toThrow();
      expect((await blocks()).length).toBeGreaterThan(before + 900);
      await sweepNow(service);
      expect((await blocks()).length).toBeGreaterThan(before + 900);
      service.advance(seconds(2 * 1800 + 31));
      await sweepNow(service);
      expect(await blocks()).toHaveLength(before);
      expect(await deletions()).toEqual([]);
    });

    test('are stored again when one of them was deleted before it was copied to its end user', async () => {
      const { db } = service.service;
      const ian = { ...options(), externalUserId: 'ian' };
      // More than a chunk.
      const transactions = Array.from({ length: 1001 }, (_, id) => scriptedTransaction({ id: `e${id}` }));
      connector.setAccounts('few', [scriptedAccount({ id: 'few', number: 'few' })]);
      connector.setAccounts('many', [scriptedAccount({ id: 'many', number: 'many', transactions })]);
      const { scopedToken } = await link(service, { ...ian, username: 'few' });
      const release = connector.hold('chunk');
      const linking = link(service, { ...ian, username: 'many' });
      const deletion = await vi.waitUntil(() => db.read('block_deletions').first('*'), { timeout: 30_000 });
      expect(await db.transaction((trx) => deleteBlock(trx, deletion))).toBe(1);
      release();
      const path = { accountId: (await linking).accounts[0]!.id };
      const client = service.client(scopedToken, application.apiKey);
      const { data } = await client.GET('/accounts/{accountId}/transactions', { params: { path } });
      expect(data?.transactions).toHaveLength(1001);
    });
  });
}
