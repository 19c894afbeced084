// The stored transactions and accounts across refreshes: a changed text goes into a new block, and a block without references
// is deleted.
import { expect, test, vi } from 'vitest';
import type { Transaction } from '../../client/index.ts';
import type { BankTransaction } from '../../connectors/kit/contract.ts';
import { transactionsToJson } from '../../src/domain/codec/transaction.ts';
import { readGrantRows } from '../../src/flows/read/authorize.ts';
import { makeReadBlocks } from '../../src/flows/read/blocks.ts';
import { deleteBlock } from '../../src/flows/refresh/purgeStore.ts';
import { seconds } from '../../src/platform/values/clock.ts';
import { BankUnreachable } from '../../src/platform/values/errors.ts';
import { makeEndUserKeys } from '../../src/platform/vault/endUserKeys.ts';
import { parseScopedToken } from '../../src/platform/vault/scopedToken.ts';
import {
  describeLinking,
  type LinkFixture,
  type LinkResult,
  readAccounts,
  readTransactions,
  refreshFully,
} from '../linking/fixture.ts';
import { sweepNow } from '../retention/fixture.ts';
import { scriptedAccount, scriptedTransaction } from '../support/scriptedConnector.ts';

/** Sets the transactions of the only account of a user. */
const setTransactions = (
  { connector }: LinkFixture,
  username: string,
  transactions: BankTransaction[],
): void =>
  connector.setAccounts(username, [scriptedAccount({ id: username, number: username, transactions })]);

const blocksOf = async ({ db }: LinkFixture, linked: LinkResult) => {
  const account = await db.read('accounts').where({ id: linked.accounts[0]!.id }).first();
  const { endUserId, shortId: accountShortId } = account!;
  const blocks = db.read('transaction_blocks').where({ endUserId, accountShortId });
  return blocks.orderBy('block').select('block', 'transactionCount');
};

const countsOf = async (fixture: LinkFixture, linked: LinkResult) =>
  (await blocksOf(fixture, linked)).map(({ transactionCount }) => transactionCount);

describeLinking('blocks', (fixture) => {
  const set = (username: string, transactions: BankTransaction[]) =>
    setTransactions(fixture, username, transactions);
  const refresh = async (linked: LinkResult) => expect(await refreshFully(fixture, linked)).toBeNull();

  test('a pending transaction keeps its id when the bank renumbers it and then posts it with another text', async () => {
    const date = new Date().toISOString().slice(0, 10);
    const held = { date, amount: '-30.00', description: 'HELD', status: 'pending' as const };
    set('renumbered', [scriptedTransaction({ ...held, id: 'first' })]);
    const linked = await fixture.link({ username: 'renumbered' });
    const [before] = await readTransactions(fixture, linked);
    set('renumbered', [scriptedTransaction({ ...held, id: 'second' })]);
    await refresh(linked);
    expect(await readTransactions(fixture, linked)).toEqual([before]);
    const posted = { date, amount: '-30.00', description: 'SHOP 17, LONDON' };
    set('renumbered', [scriptedTransaction({ ...posted, id: 'third' })]);
    await refresh(linked);
    expect(await readTransactions(fixture, linked)).toMatchObject([
      { ...posted, id: before!.id, amount: -30, status: 'posted' },
    ]);
  });

  test('the length of a sealed account does not reveal the number of digits of its balance', async () => {
    const told = ['0.00', '-1234.50', '98765432109.87'].map((current, at) =>
      scriptedAccount({ id: `b${at}`, number: `B${at}`, balance: { current, available: current } }),
    );
    fixture.connector.setAccounts('balances', told);
    const linked = await fixture.link({ username: 'balances' });
    const { connectionId } = linked;
    const stored = await fixture.db.read('accounts').where({ connectionId }).select('sealed');
    expect(stored).toHaveLength(3);
    expect(new Set(stored.map(({ sealed }) => sealed.length)).size).toBe(1);
    const accounts = await readAccounts(fixture, linked);
    expect(accounts.map(({ balance }) => balance.current)).toEqual([0, -1234.5, 98765432109.87]);
  });

  const three = (word: string): BankTransaction[] =>
    [1, 2, 3].map((id) =>
      scriptedTransaction({ id: `e${id}`, date: '2024-02-01', description: `${word} ${id}` }),
    );

  test('a block is deleted a minute after the last of its texts was replaced', async () => {
    set('ada', three('first'));
    const linked = await fixture.link({ username: 'ada' });
    const [, second, third] = three('first');
    set('ada', [three('changed')[0]!, second!, third!]);
    await refresh(linked);
    expect(await countsOf(fixture, linked)).toEqual([2, 1]);
    set('ada', three('all changed'));
    await refresh(linked);
    expect(await countsOf(fixture, linked)).toEqual([0, 0, 3]);
    await sweepNow(fixture.service);
    expect(await blocksOf(fixture, linked)).toHaveLength(3);
    fixture.service.advance(seconds(61));
    await sweepNow(fixture.service);
    expect(await countsOf(fixture, linked)).toEqual([3]);
    const descriptions = (await readTransactions(fixture, linked)).map(({ description }) => description);
    expect(descriptions.sort()).toEqual(['all changed 1', 'all changed 2', 'all changed 3']);
  });

  test('rows that were read before their block was deleted are read again', async () => {
    set('cy', three('old'));
    const linked = await fixture.link({ username: 'cy' });
    const { db } = fixture;
    const { endUserId, secret } = parseScopedToken(linked.scopedToken!)!;
    const key = { endUserId, accountId: linked.accounts[0]!.id };
    const [grant] = (await readGrantRows(db, key)).rows;
    const userKeys = makeEndUserKeys(grant!, secret)!;
    const account = { ...grant!, id: key.accountId, connectionId: linked.connectionId };
    const findRows = () =>
      db.read('transactions').where({ endUserId, accountShortId: account.shortId }).orderBy('seq');
    let reads = 0;
    const json = await makeReadBlocks(
      { db },
      userKeys,
      account,
      transactionsToJson,
    )(async () => {
      const rows = await findRows();
      reads += 1;
      if (reads > 1) return rows;
      set('cy', three('new'));
      await refresh(linked);
      fixture.service.advance(seconds(61));
      expect(await sweepNow(fixture.service)).toMatchObject({ unusedBlocks: 1 });
      return rows;
    });
    expect(reads).toBe(2);
    const read: Transaction[] = JSON.parse(`[${json}]`);
    expect(read.map(({ description }) => description).sort()).toEqual(['new 1', 'new 2', 'new 3']);
  });

  test('the number of a deleted block is not used again', async () => {
    set('ben', three('first'));
    const linked = await fixture.link({ username: 'ben' });
    const numbers = [(await blocksOf(fixture, linked))[0]!.block];
    for (const word of ['second', 'third']) {
      set('ben', three(word));
      await refresh(linked);
      fixture.service.advance(seconds(61));
      await sweepNow(fixture.service);
      const blocks = await blocksOf(fixture, linked);
      expect(blocks).toHaveLength(1);
      numbers.push(blocks[0]!.block);
    }
    expect(numbers).toEqual([...new Set(numbers)].sort((left, right) => left - right));
  });
});

// Each transaction gets its own block, which is stored at once.
const merging = { mergeMemoryBytes: 0, blockSortBytes: 1 };

describeLinking(
  'blocks that are stored before they are published',
  (fixture) => {
    const blocks = () => fixture.db.read('transaction_blocks').select('block');
    const deletions = () => fixture.db.read('block_deletions').select('block');
    const transactionsOf = (count: number) =>
      Array.from({ length: count }, (_, id) => scriptedTransaction({ id: `e${id}` }));

    test('stay when they are published', async () => {
      setTransactions(fixture, 'eve', transactionsOf(40));
      const linked = await fixture.link({ username: 'eve', externalUserId: 'eve' });
      expect(await blocks()).toHaveLength(40);
      expect(await deletions()).toEqual([]);
      expect(await readTransactions(fixture, linked)).toHaveLength(40);
      // For a second connection of the same end user, blocks are stored for that user from the beginning.
      const second = await fixture.link({ username: 'eve', externalUserId: 'eve' });
      const again = { ...second, scopedToken: linked.scopedToken };
      expect(await readTransactions(fixture, again)).toHaveLength(40);
      fixture.service.advance(seconds(2 * 1800 + 31));
      expect(await sweepNow(fixture.service)).toMatchObject({ unusedBlocks: 0 });
      expect(await blocks()).toHaveLength(80);
      expect(await readTransactions(fixture, again)).toHaveLength(40);
    });

    test('are deleted when their refresh can no longer publish them', async () => {
      const before = (await blocks()).length;
      setTransactions(fixture, 'eve', transactionsOf(1100));
      fixture.connector.fail('eve', 'chunk', new BankUnreachable('down'));
      await expect(fixture.link({ username: 'eve' })).rejects.toThrow();
      expect((await blocks()).length).toBeGreaterThan(before + 900);
      await sweepNow(fixture.service);
      expect((await blocks()).length).toBeGreaterThan(before + 900);
      fixture.service.advance(seconds(2 * 1800 + 31));
      await sweepNow(fixture.service);
      expect(await blocks()).toHaveLength(before);
      expect(await deletions()).toEqual([]);
    });

    test('are stored again when one of them was deleted before it was copied to its end user', async () => {
      const { connector, db } = fixture;
      const externalUserId = 'ian';
      // More than one chunk.
      setTransactions(fixture, 'few', []);
      setTransactions(fixture, 'many', transactionsOf(1001));
      const { scopedToken } = await fixture.link({ externalUserId, username: 'few' });
      const release = connector.hold('many', 'chunk');
      const linking = fixture.link({ externalUserId, username: 'many' });
      const deletion = await vi.waitUntil(() => db.read('block_deletions').first('*'), { timeout: 30_000 });
      expect(await db.transaction((trx) => deleteBlock(trx, deletion))).toBe(1);
      release();
      const linked = { ...(await linking), scopedToken };
      expect(await readTransactions(fixture, linked)).toHaveLength(1001);
    });
  },
  { chunkSize: 1000, limits: { ...merging, importAttemptsMax: 1, leaseSeconds: 2 } },
);
