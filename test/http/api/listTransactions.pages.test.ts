// The property of pages: whatever a bank shows, in however many refreshes, every page size yields the same list,
// which is the list that is returned when no maximum is given.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { transactionPages } from '../../../client/index.ts';
import type { BankTransaction } from '../../../src/connectors/connector.ts';
import { days } from '../../../src/clock.ts';
import { scriptedAccount, scriptedTransaction } from '../../support/scriptedConnector.ts';
import { describeApi, directVariants, type LinkResult, type ApiFixture } from './fixture.ts';

const pageSizes = [1, 7, 100, 1000];
const runs = process.env.TEST_ALL ? 40 : 6;

/** What a bank shows at each refresh: all that it showed before, and more. Few dates, so that days are full. */
const histories: fc.Arbitrary<BankTransaction[][]> = fc
  .array(fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 70 }), {
    minLength: 1,
    maxLength: 3,
  })
  .map((batches) => {
    const shown: BankTransaction[] = [];
    return batches.map((batch) => {
      for (const day of batch) {
        const name = `entry ${shown.length}`;
        shown.push(scriptedTransaction({ id: name, date: `2024-03-0${day}`, description: name }));
      }
      return [...shown].sort((left, right) => left.date.localeCompare(right.date));
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

const importHistory = async (stage: ApiFixture, history: BankTransaction[][]): Promise<ImportedAccount> => {
  const username = `walk ${Math.random()}`;
  const show = (transactions: BankTransaction[]) =>
    stage.connector.setAccounts(username, [scriptedAccount({ transactions })]);
  show(history[0]!);
  const linked = await stage.link({ username });
  const accountId = linked.accounts[0]!.id;
  const newest = async (): Promise<string> => {
    const params = { path: { accountId } };
    const { data } = await stage.client(linked.scopedToken).GET('/accounts/{accountId}', { params });
    return data!.account.lastTransactionRefresh;
  };
  const refreshes = [await newest()];
  for (const entries of history.slice(1)) {
    show(entries);
    stage.service.advance(days(8));
    await expect.poll(newest, { timeout: 20_000, interval: 20 }).not.toBe(refreshes.at(-1));
    refreshes.push(await newest());
  }
  return { linked, accountId, refreshes };
};

const expectSamePages = async (
  stage: ApiFixture,
  { linked, accountId, refreshes }: ImportedAccount,
): Promise<void> => {
  const client = stage.client(linked.scopedToken);
  const params = { path: { accountId } };
  for (const query of queriesOf(refreshes)) {
    const whole = await client.GET('/accounts/{accountId}/transactions', { params: { ...params, query } });
    for (const pageSize of pageSizes) {
      const walked = [];
      for await (const { transactions } of transactionPages(client, accountId, { ...query, pageSize })) {
        walked.push(...transactions);
      }
      expect({ query, pageSize, walked }).toEqual({ query, pageSize, walked: whole.data!.transactions });
    }
  }
};

/** The whole list as it follows from what the bank showed: newest date first, newest first within a day. */
const expectComplete = async (
  stage: ApiFixture,
  { linked, accountId }: ImportedAccount,
  history: BankTransaction[][],
): Promise<void> => {
  const { data } = await stage
    .client(linked.scopedToken)
    .GET('/accounts/{accountId}/transactions', { params: { path: { accountId } } });
  const order = (
    { date, description }: { date: string; description: string },
    batch: BankTransaction[][],
  ) => {
    const refresh = batch.findIndex((entries) => entries.some((one) => one.description === description));
    return `${date} ${refresh} ${description.slice(6).padStart(6, '0')}`;
  };
  const expected = [...history.at(-1)!].sort((left, right) =>
    order(left, history) < order(right, history) ? 1 : -1,
  );
  expect(data!.transactions.map(({ description }) => description)).toEqual(
    expected.map(({ description }) => description),
  );
};

describeApi(
  'the pages of a list',
  (stage) => {
    describe('answers', () => {
      test('every page size yields the same list', { timeout: 600_000 }, async () => {
        await fc.assert(
          fc.asyncProperty(histories, async (history) => {
            const feed = await importHistory(stage, history);
            await expectComplete(stage, feed, history);
            await expectSamePages(stage, feed);
            const path = { connectionId: feed.linked.connectionId };
            await stage.client().DELETE('/connections/{connectionId}', { params: { path } });
          }),
          { numRuns: runs, endOnFailure: true },
        );
      });
    });
  },
  { wanted: directVariants },
);
