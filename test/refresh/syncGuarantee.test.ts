// The promise about reading, proved: whatever banks, refreshes, crashes and other readers do, a consumer who
// follows the three steps ends with exactly what the bank holds.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { databases } from '../support/databases.ts';
import { historyArbitrary } from './historyArbitrary.ts';
import { type HistoryFixture, runHistory, startHistoryFixture } from './runHistory.ts';

// Enough to find a broken rule at once; the promise itself is proved by the whole number (npm run test:all).
const runs: Record<string, number> = process.env.TEST_ALL
  ? { SQLite: 1000, PostgreSQL: 200 }
  : { SQLite: 100, PostgreSQL: 30 };

for (const database of databases) {
  describe(`the promise on ${database.name}`, () => {
    let stage: HistoryFixture;
    beforeAll(async () => {
      stage = await startHistoryFixture(database);
    });
    afterAll(() => stage.close());

    test('every reader ends with what the bank holds', { timeout: 600_000 }, async () => {
      await fc.assert(
        fc.asyncProperty(historyArbitrary, (history) => runHistory(stage, history)),
        { numRuns: runs[database.name]!, endOnFailure: !process.env.TEST_ALL },
      );
    });
  });
}
