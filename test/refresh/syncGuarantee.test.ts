// The sync guarantee: for any behavior of banks, refreshes, crashes and other consumers, a consumer that follows the three steps
// of the contract ends with exactly the bank's transactions.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { databases } from '../support/databases.ts';
import { type History, historyArbitrary } from './historyArbitrary.ts';
import { type HistoryFixture, runHistory, startHistoryFixture } from './runHistory.ts';

// Enough to find a broken rule quickly; `npm run test:all` runs the full number.
const runs: Record<string, number> = process.env.TEST_ALL
  ? { SQLite: 1000, PostgreSQL: 200 }
  : { SQLite: 100, PostgreSQL: 30 };

// Found by random search: a transaction may get another id.
const contentsExchanged: History = {
  ids: 'stable',
  accounts: 1,
  initialCount: 2,
  pageSizes: [1, 1],
  events: [
    { kind: 'crash', full: true, query: 1 },
    { kind: 'changeText', pick: 3, text: 0 },
    { kind: 'post', pick: 0, text: 1, days: -1 },
    { kind: 'refresh', full: true, responseMode: 'withoutFirstAccount' },
    { kind: 'lateRefresh', change: false },
  ],
};

for (const database of databases) {
  describe(`the sync guarantee on ${database.name}`, () => {
    let fixture: HistoryFixture;
    beforeAll(async () => {
      fixture = await startHistoryFixture(database);
    });
    afterAll(() => fixture.close());

    test('every consumer ends with the transactions of the bank', { timeout: 600_000 }, async () => {
      await fc.assert(
        fc.asyncProperty(historyArbitrary, (history) => runHistory(fixture, history)),
        {
          numRuns: runs[database.name]!,
          endOnFailure: !process.env.TEST_ALL,
          examples: [[contentsExchanged]],
        },
      );
    });
  });
}
