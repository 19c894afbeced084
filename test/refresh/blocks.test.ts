// The blocks of texts through refreshes: what changes gets a new place, and what nobody refers to any more is deleted.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Transaction } from '../../client/index.ts';
import { findAccessRows } from '../../src/accounts/store.ts';
import { days, seconds } from '../../src/clock.ts';
import type { BankTransaction } from '../../src/connectors/connector.ts';
import { makeBlockReader } from '../../src/transactions/blockReader.ts';
import { findTransactionsByDate } from '../../src/transactions/store.ts';
import { makeReader, parseScopedToken } from '../../src/vault/scopedToken.ts';
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
        .select('block', 'transactionCount', 'unusedSince');
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
      expect(await blocksOf(linked)).toMatchObject([
        { block: 0, transactionCount: 2, unusedSince: null },
        { block: 1, transactionCount: 1, unusedSince: null },
      ]);
      setTransactions('ada', three('all changed'));
      service.advance(days(8));
      await refresh(linked);
      expect((await blocksOf(linked)).map(({ transactionCount }) => transactionCount)).toEqual([0, 0, 3]);
      await sweepNow(service);
      expect(await blocksOf(linked)).toHaveLength(3);
      service.advance(seconds(61));
      expect(await sweepNow(service)).toMatchObject({ unusedBlocks: 2 });
      expect((await blocksOf(linked)).map(({ block }) => block)).toEqual([2]);
      const descriptions = (await read(linked)).map(({ description }) => description);
      expect(descriptions.sort()).toEqual(['all changed 1', 'all changed 2', 'all changed 3']);
    });

    test('rows that were read before their block was deleted are read again', async () => {
      setTransactions('cy', three('old'));
      const linked = await linkUser('cy');
      const { db } = service.service;
      const { endUserId, secret } = parseScopedToken(linked.scopedToken!)!;
      const key = { endUserId, accountId: linked.accounts[0]!.id };
      const { user, account } = (await findAccessRows(db.read, key))!;
      const reader = makeReader(user, secret)!;
      const filter = { endUserId, accountShortId: account!.shortId, date: {} };
      const findRows = () =>
        findTransactionsByDate(db.read, { ...filter, refreshedUpTo: 2 ** 48 - 1 }, undefined, 10);
      let reads = 0;
      const json = await makeBlockReader(db, reader, account!).read(async () => {
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
      for (const word of ['second', 'third']) {
        setTransactions('ben', three(word));
        service.advance(days(8));
        await refresh(linked);
        service.advance(seconds(61));
        await sweepNow(service);
      }
      expect((await blocksOf(linked)).map(({ block }) => block)).toEqual([2]);
    });
  });
}
