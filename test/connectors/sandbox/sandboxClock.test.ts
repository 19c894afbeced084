// The sandbox clock only goes forward, is the same in every process within a second, and changes nothing in Production.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { days, systemClock } from '../../../src/clock.ts';
import {
  advanceSandboxClock,
  type SandboxClock,
  watchSandboxClock,
} from '../../../src/connectors/sandbox/storage/sandboxClock.ts';
import { type Database, openDatabase } from '../../../src/db/open.ts';
import { databases } from '../../support/databases.ts';

for (const database of databases) {
  describe(`the sandbox clock on ${database.name}`, () => {
    let db: Database;
    let other: Database;
    let watchers: SandboxClock[];
    let url: string;
    let drop: () => Promise<void>;
    beforeEach(async () => {
      ({ url, drop } = await database.create());
      db = await openDatabase(url);
      other = await openDatabase(url);
      watchers = [];
    });
    afterEach(async () => {
      for (const watcher of watchers) await watcher.stop();
      await db.close();
      await other.close();
      await drop();
    });

    const now = new Date('2026-03-01T10:00:00.000Z');
    const advance = (milliseconds: number, on = db) => advanceSandboxClock(on, { milliseconds, now });
    const watch = async (on: Database, onMoved = () => {}): Promise<SandboxClock> => {
      const watcher = await watchSandboxClock(on, { everyMs: 20, onMoved });
      watchers.push(watcher);
      return watcher;
    };

    test('starts at real time', async () => {
      expect((await watch(db)).offset()).toBe(0);
    });

    test('goes forward in every process, and reports each change once', async () => {
      let moves = 0;
      const here = await watch(db, () => {
        moves += 1;
      });
      const there = await watch(other);
      expect(await advance(days(3))).toBe(days(3));
      expect(await advance(3_600_000, other)).toBe(days(3) + 3_600_000);
      await expect.poll(() => here.offset()).toBe(days(3) + 3_600_000);
      await expect.poll(() => there.offset()).toBe(days(3) + 3_600_000);
      expect(moves).toBeLessThanOrEqual(2);
      expect((await watch(db)).offset()).toBe(days(3) + 3_600_000);
    });

    test('adds up concurrent changes', async () => {
      await Promise.all([1, 2, 3, 4, 5].map((count) => advance(days(count))));
      expect((await watch(db)).offset()).toBe(days(15));
    });

    test('refuses to go back, to stand still and to exceed 10,000 days', async () => {
      for (const wrong of [0, -1, -days(1), Number.NaN]) {
        await expect(advance(wrong)).rejects.toThrow('The sandbox clock only goes forward');
      }
      await advance(days(10_000));
      for (const far of [1000, days(10_000), days(10_001), Number.POSITIVE_INFINITY]) {
        await expect(advance(far)).rejects.toThrow('The sandbox clock cannot be more than 10000 days ahead.');
      }
      expect((await watch(db)).offset()).toBe(days(10_000));
    });

    test('keeps the last offset while the database does not respond', async () => {
      await advance(days(2));
      const third = await openDatabase(url);
      const watcher = await watch(third);
      await third.close();
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect(watcher.offset()).toBe(days(2));
    });

    test('changes the time of Sandbox only', async () => {
      await advance(days(40));
      const { offset } = await watch(db);
      const clock = systemClock(offset);
      const daysAhead = (moment: Date) => (moment.getTime() - Date.now()) / days(1);
      expect(daysAhead(clock.real())).toBeCloseTo(0);
      expect(daysAhead(clock.now('production'))).toBeCloseTo(0);
      expect(daysAhead(clock.now('sandbox'))).toBeCloseTo(40);
    });
  });
}
