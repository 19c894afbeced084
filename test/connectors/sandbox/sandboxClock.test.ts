// The sandbox clock of each organization only moves forward, and is the same in every process within a second. The effects
// of moving it are tested in test/retention/timeTravel.test.ts and test/sandbox/organizations.test.ts.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { insertOrganization } from '../../../src/domain/applications/store.ts';
import {
  advanceSandboxClock,
  type SandboxClocks,
  watchSandboxClocks,
} from '../../../src/domain/institutions/sandbox/sandboxClock.ts';
import { type Database, openDatabase } from '../../../src/platform/db/open.ts';
import { days } from '../../../src/platform/values/clock.ts';
import { type DatabaseKind, databases, oneDatabase } from '../../support/databases.ts';

let db: Database;
let other: Database;
let watchers: SandboxClocks[];
let url: string;
let drop: () => Promise<void>;
const now = new Date('2026-03-01T10:00:00.000Z');
const [acme, globex] = ['org_acme', 'org_globex'] as const;
const openOn = (database: DatabaseKind): void => {
  beforeEach(async () => {
    ({ url, drop } = await database.create());
    db = await openDatabase(url);
    other = await openDatabase(url);
    for (const id of [acme, globex])
      await insertOrganization(db.write, { id, name: id, createdAt: now.toISOString() });
    watchers = [];
  });
  afterEach(async () => {
    for (const watcher of watchers) await watcher.stop();
    await db.close();
    await other.close();
    await drop();
  });
};

const advance = (milliseconds: number, { organizationId = acme as string, on = db } = {}) =>
  advanceSandboxClock(on, { organizationId, milliseconds, now });
const watch = async (on: Database, onMoved = () => {}): Promise<SandboxClocks> => {
  const watcher = await watchSandboxClocks(on, { everyMs: 20, onMoved });
  watchers.push(watcher);
  return watcher;
};
const offsetsOf = (watcher: SandboxClocks) => Object.fromEntries(watcher.offsets());

for (const database of oneDatabase) {
  describe(`the sandbox clocks on ${database.name}`, () => {
    openOn(database);

    test('refuse to go back, to stay at the same time and to exceed 10,000 days', async () => {
      for (const wrong of [0, -1, -days(1), Number.NaN]) {
        await expect(advance(wrong)).rejects.toThrow('The sandbox clock only goes forward');
      }
      await advance(days(10_000));
      for (const far of [1000, days(10_000), days(10_001), Number.POSITIVE_INFINITY]) {
        await expect(advance(far)).rejects.toThrow('The sandbox clock cannot be more than 10000 days ahead.');
      }
      expect(offsetsOf(await watch(db))).toEqual({ [acme]: days(10_000) });
    });
  });
}

for (const database of databases) {
  describe(`the sandbox clocks on ${database.name}`, () => {
    openOn(database);

    test('go forward in every process, and report each change once', async () => {
      let moves = 0;
      const here = await watch(db, () => {
        moves += 1;
      });
      const there = await watch(other);
      expect(await advance(days(3))).toBe(days(3));
      expect(await advance(3_600_000, { on: other })).toBe(days(3) + 3_600_000);
      expect(await advance(days(9), { organizationId: globex })).toBe(days(9));
      const expected = { [acme]: days(3) + 3_600_000, [globex]: days(9) };
      await expect.poll(() => offsetsOf(here)).toEqual(expected);
      await expect.poll(() => offsetsOf(there)).toEqual(expected);
      expect(moves).toBeLessThanOrEqual(3);
      expect(offsetsOf(await watch(db))).toEqual(expected);
    });

    test('add up concurrent changes', async () => {
      await Promise.all([1, 2, 3, 4, 5].map((count) => advance(days(count))));
      expect(offsetsOf(await watch(db))).toEqual({ [acme]: days(15) });
    });

    test('keep the last offset while the database does not respond', async () => {
      await advance(days(2));
      const third = await openDatabase(url);
      const watcher = await watch(third);
      let reads = 0;
      third.watch(() => {
        reads += 1;
      });
      await third.close();
      await expect.poll(() => reads).toBeGreaterThan(2);
      expect(offsetsOf(watcher)).toEqual({ [acme]: days(2) });
    });
  });
}
