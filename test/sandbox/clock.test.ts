// The sandbox's clock: forward only, the same in every process within a second, and nobody's but the sandbox's.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { days, systemClock } from '../../src/clock.ts';
import {
  advanceSandboxClock,
  type SandboxClock,
  watchSandboxClock,
} from '../../src/connectors/sandbox/storage/sandboxClock.ts';
import { type Database, openDatabase } from '../../src/db/open.ts';
import { databases } from '../support/databases.ts';

for (const database of databases) {
  describe(`the sandbox's clock on ${database.name}`, () => {
    let db: Database;
    let other: Database;
    let followers: SandboxClock[];
    let url: string;
    let drop: () => Promise<void>;
    beforeEach(async () => {
      const made = await database.create();
      ({ url, drop } = made);
      db = await openDatabase(url);
      other = await openDatabase(url);
      followers = [];
    });
    afterEach(async () => {
      for (const follower of followers) await follower.stop();
      await db.close();
      await other.close();
      await drop();
    });

    const now = new Date('2026-03-01T10:00:00.000Z');
    const advance = (milliseconds: number, on = db) => advanceSandboxClock(on, { milliseconds, now });
    const follow = async (on: Database, onMoved = () => {}): Promise<SandboxClock> => {
      const follower = await watchSandboxClock(on, { everyMs: 20, onMoved });
      followers.push(follower);
      return follower;
    };

    test('begins with real time', async () => {
      expect((await follow(db)).offset()).toBe(0);
    });

    test('goes forward in every process, and says so once', async () => {
      let moves = 0;
      const here = await follow(db, () => {
        moves += 1;
      });
      const there = await follow(other);
      expect(await advance(days(3))).toBe(days(3));
      expect(await advance(3_600_000, other)).toBe(days(3) + 3_600_000);
      await expect.poll(() => here.offset()).toBe(days(3) + 3_600_000);
      await expect.poll(() => there.offset()).toBe(days(3) + 3_600_000);
      expect(moves).toBeLessThanOrEqual(2);
      expect((await follow(db)).offset()).toBe(days(3) + 3_600_000);
    });

    test('adds up what is moved at once', async () => {
      await Promise.all([1, 2, 3, 4, 5].map((count) => advance(days(count))));
      expect((await follow(db)).offset()).toBe(days(15));
    });

    test('never goes back, stands still or runs out of years', async () => {
      for (const wrong of [0, -1, -days(1), Number.NaN]) {
        await expect(advance(wrong)).rejects.toThrow('The sandbox clock only goes forward');
      }
      await advance(days(10_000));
      for (const far of [1000, days(10_000), days(10_001), Number.POSITIVE_INFINITY]) {
        await expect(advance(far)).rejects.toThrow('The sandbox clock cannot be more than 10000 days ahead.');
      }
      expect((await follow(db)).offset()).toBe(days(10_000));
    });

    test('keeps the last time it knows while the database does not answer', async () => {
      await advance(days(2));
      const third = await openDatabase(url);
      const follower = await follow(third);
      await third.close();
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect(follower.offset()).toBe(days(2));
    });

    test('is nobody’s but the sandbox’s', async () => {
      await advance(days(40));
      const { offset } = await follow(db);
      const clock = systemClock(offset);
      const daysAhead = (moment: Date) => (moment.getTime() - Date.now()) / days(1);
      expect(daysAhead(clock.real())).toBeCloseTo(0);
      expect(daysAhead(clock.now('production'))).toBeCloseTo(0);
      expect(daysAhead(clock.now('sandbox'))).toBeCloseTo(40);
    });
  });
}
