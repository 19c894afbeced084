// An attacker with write access to the database changes one value: each column of each table in turn. After any change, nobody
// can read others' data, and no credential reaches another bank. Makes a sample of the changes; `npm run test:nightly --
// tampering` makes all, and compares the effects with outcomes.md.
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listedChanges } from '../support/columnsDocument.ts';
import { databases } from '../support/databases.ts';
import { admitted, admittedBy, unreachedColumns } from './admitted.ts';
import { type Change, listChanges } from './changes.ts';
import { describeOutcome } from './describeOutcome.ts';
import { makeFixture } from './fixture.ts';
import type { Fixture } from './fixtureTypes.ts';
import { type Outcome, storedDocument, toDocument } from './outcomes.ts';
import { openRawDatabase } from './rawDatabase.ts';
import { type Mode, modeOf, runChange } from './runChange.ts';
import { findViolations, type Played } from './violations.ts';

const sampleSize = 8;
/** The sample runs on SQLite. */
const played = databases.filter(
  ({ name }) => name === 'SQLite' || (process.env.TEST_NIGHTLY && name === 'PostgreSQL'),
);
const wholeRunMs = 2 * 3_600_000;

/** The same changes in each run. */
const sampleOf = (changes: Change[], size: number): Change[] => {
  const order = ({ table, column, kind, name }: Change): string =>
    createHash('sha256').update(['seed 1', table, column, kind, name].join()).digest('hex');
  return changes.toSorted((left, right) => (order(left) < order(right) ? -1 : 1)).slice(0, size);
};

const nameOf = ({ table, column, kind, name }: Change): string =>
  `${table}.${column}${kind && ` (${kind})`}: ${name}`;

for (const database of played) {
  describe(`a changed value on ${database.name}`, () => {
    let fixture: Fixture;
    let changes: Change[];
    let unreached: string[];
    const unchanged = new Map<Mode, Played>();

    beforeAll(async () => {
      fixture = await makeFixture(database);
      const raw = await openRawDatabase(fixture.database.url);
      ({ changes, unreached } = await listChanges(fixture, raw));
      await raw.close();
    });
    afterAll(() => fixture?.close());

    /** The outcome without a change. */
    const playUnchanged = async (mode: Mode): Promise<Played> => {
      const played = unchanged.get(mode) ?? (await runChange(fixture, mode));
      if (played.kind !== 'played') throw new Error(`The service does not start: ${played.kind}.`);
      unchanged.set(mode, played);
      return played;
    };

    test('every column is changed, unless a reason is given', () => {
      expect(unreached).toEqual(Object.keys(unreachedColumns));
    });

    test('accepted risks are listed as trusted in docs/columns.md', () => {
      const outcomes = new Map(listedChanges());
      const outcomeOf = (column: string) => outcomes.get(column) ?? outcomes.get(column.split('.')[0]!);
      expect(admitted.filter(({ column }) => !/trusted/i.test(outcomeOf(column) ?? ''))).toEqual([]);
    });

    test('without a change everybody reads their own data, and nothing else', async () => {
      const played = await playUnchanged('all');
      expect(findViolations(fixture, played)).toEqual([]);
      const refused = played.observations.filter(({ foreign, status }) => !foreign && status >= 300);
      expect(refused.map(({ by, request, status }) => `${by}: ${request}: ${status}`)).toEqual([]);
      expect(played.observations.filter(({ status }) => status >= 500)).toEqual([]);
    });

    test('shows nobody data of others, and sends no credential elsewhere', {
      timeout: wholeRunMs,
    }, async () => {
      const chosen = process.env.TEST_NIGHTLY ? changes : sampleOf(changes, sampleSize);
      const outcomes: Outcome[] = [];
      const forbidden: string[] = [];
      const happened = new Set<unknown>();
      for (const change of chosen) {
        const mode = modeOf(change);
        const expected = await playUnchanged(mode);
        try {
          const result = await runChange(fixture, mode, change);
          outcomes.push({ change, outcome: describeOutcome(fixture, change, result, expected) });
          if (result.kind !== 'played') continue;
          for (const violation of findViolations(fixture, result, change)) {
            const entry = admittedBy(change, violation);
            if (entry) happened.add(entry);
            else forbidden.push(`${nameOf(change)}: ${violation.kind}: ${violation.text}`);
          }
        } catch (error) {
          forbidden.push(`${nameOf(change)}: ${error}`);
        }
      }
      expect.soft(forbidden).toEqual([]);
      if (!process.env.TEST_NIGHTLY) return;
      expect.soft(admitted.filter((entry) => !happened.has(entry))).toEqual([]);
      // PostgreSQL refuses more values than SQLite.
      if (database.name !== 'SQLite') return;
      const document = toDocument(outcomes);
      expect(document).toBe(await storedDocument(document));
    });
  });
}
