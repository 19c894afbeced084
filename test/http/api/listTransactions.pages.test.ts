// Property test of pages: after any number of refreshes, every page size returns the same list as a request without
// `limit`.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { transactionPages } from '../../../client/index.ts';
import type { BankTransaction } from '../../../connectors/kit/contract.ts';
import { days } from '../../../src/platform/values/clock.ts';
import { scriptedAccount, scriptedTransaction } from '../../support/scriptedConnector.ts';
import { type ApiFixture, describeApi, directVariantsOfEach, type LinkResult } from './fixture.ts';

const pageSizes = [1, 7, 100, 1000];
const runs = process.env.TEST_ALL ? 40 : 6;

/** A bank's transactions at each refresh, each time with new ones. Few dates, so that days have several. */
const histories: fc.Arbitrary<BankTransaction[][]> = fc
  .array(fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 70 }), {
    minLength: 1,
    maxLength: 3,
  })
  .map((batches) => {
    const transactions: BankTransaction[] = [];
    return batches.map((batch) => {
      for (const day of batch) {
        const name = `transaction ${transactions.length}`;
        transactions.push(scriptedTransaction({ id: name, date: `2024-03-0${day}`, description: name }));
      }
      return [...transactions].sort((left, right) => left.date.localeCompare(right.date));
    });
  });

const queriesOf = (refreshes: string[]) => [
  {},
  { date: { gte: '2024-03-03', lt: '2024-03-07' } },
  { refreshedSince: 'txr_00000000000000000000000000' },
  { refreshedSince: refreshes[0]! },
  { refreshedSince: 'txr_00000000000000000000000000', date: { gt: '2024-03-05' } },
];

type ImportedAccount = { linked: LinkResult; accountId: string; refreshes: string[] };

const importHistory = async (fixture: ApiFixture, history: BankTransaction[][]): Promise<ImportedAccount> => {
  const username = `pages ${Math.random()}`;
  const setTransactions = (transactions: BankTransaction[]) =>
    fixture.connector.setAccounts(username, [scriptedAccount({ transactions })]);
  setTransactions(history[0]!);
  const linked = await fixture.link({ username });
  const accountId = linked.accounts[0]!.id;
  const lastRefresh = async (): Promise<string> => {
    const params = { path: { accountId } };
    const { data } = await fixture.client(linked.scopedToken).GET('/accounts/{accountId}', { params });
    return data!.account.lastTransactionRefresh;
  };
  const refreshes = [await lastRefresh()];
  for (const transactions of history.slice(1)) {
    setTransactions(transactions);
    fixture.service.advance(days(8));
    await expect.poll(lastRefresh, { timeout: 20_000, interval: 20 }).not.toBe(refreshes.at(-1));
    refreshes.push(await lastRefresh());
  }
  return { linked, accountId, refreshes };
};

const expectSamePages = async (
  fixture: ApiFixture,
  { linked, accountId, refreshes }: ImportedAccount,
): Promise<void> => {
  const client = fixture.client(linked.scopedToken);
  const params = { path: { accountId } };
  for (const query of queriesOf(refreshes)) {
    const unpaged = await client.GET('/accounts/{accountId}/transactions', { params: { ...params, query } });
    for (const pageSize of pageSizes) {
      const listed = [];
      for await (const { transactions } of transactionPages(client, accountId, { ...query, pageSize })) {
        listed.push(...transactions);
      }
      expect({ query, pageSize, listed }).toEqual({ query, pageSize, listed: unpaged.data!.transactions });
    }
  }
};

/** Compares the unpaged list with the transactions of the bank: newest date first, newest first within a day. */
const expectComplete = async (
  fixture: ApiFixture,
  { linked, accountId }: ImportedAccount,
  history: BankTransaction[][],
): Promise<void> => {
  const { data } = await fixture
    .client(linked.scopedToken)
    .GET('/accounts/{accountId}/transactions', { params: { path: { accountId } } });
  const sortKey = ({ date, description }: BankTransaction): string => {
    const refresh = history.findIndex((batch) => batch.some((one) => one.description === description));
    return `${date} ${refresh} ${description.split(' ')[1]!.padStart(6, '0')}`;
  };
  const expected = [...history.at(-1)!].sort((left, right) => (sortKey(left) < sortKey(right) ? 1 : -1));
  expect(data!.transactions.map(({ description }) => description)).toEqual(
    expected.map(({ description }) => description),
  );
};

describeApi(
  'the pages of a list',
  (fixture) => {
    describe('responses', () => {
      test('every page size gives the same list', { timeout: 600_000 }, async () => {
        await fc.assert(
          fc.asyncProperty(histories, async (history) => {
            const account = await importHistory(fixture, history);
            await expectComplete(fixture, account, history);
            await expectSamePages(fixture, account);
            const path = { connectionId: account.linked.connectionId };
            await fixture.client().DELETE('/connections/{connectionId}', { params: { path } });
          }),
          { numRuns: runs, endOnFailure: true },
        );
      });
    });
  },
  { only: directVariantsOfEach },
);
