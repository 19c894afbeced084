// kill -9 of the service at many moments of a reconnection and of a scheduled refresh: a chapter of kill.test.ts that
// takes some minutes.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databases } from '../databases.ts';
import { linkInPeace } from './everyMoment.ts';
import { type Installation, install } from './installation.ts';
import {
  type Kept,
  makeRefreshDue,
  reconnectInPeace,
  reconnectThroughKill,
  refreshThroughKill,
  untilRefresh,
} from './later.ts';
import { printTally, tally } from './sight.ts';
import { rowsOf, truthOfRows } from './truth.ts';

const steps = 16;
const patient = { timeout: 1_800_000 };

/** So many moments from the beginning to a little more than the end. */
const through = (milliseconds: number): number[] =>
  Array.from({ length: steps }, (_, at) => (milliseconds * 1.3 * at) / steps);

export const describeEachLaterMoment = (): void => {
  for (const database of databases) {
    describe(`killed later, on ${database.name}`, () => {
      let installation: Installation;
      let kept: Kept;
      beforeAll(async () => {
        installation = await install(database);
        const [login, count] = ['later-login', 5000];
        const rows = rowsOf(login, [count]);
        await installation.load(rows);
        await installation.start();
        const { result } = await linkInPeace(installation, { username: login, truth: truthOfRows(rows) });
        kept = { result, login, count, round: 0 };
      });
      afterAll(() => installation?.close());

      const play = async (what: string, once: (afterMs: number) => Promise<string>, lasts: number) => {
        const landed: string[] = [];
        for (const afterMs of through(lasts)) landed.push(await once(afterMs));
        console.log(printTally(`of a ${what} of ${Math.round(lasts)} ms, on ${database.name}`, landed));
        expect(tally(landed).size).toBeGreaterThan(2);
      };

      test('a reconnection restores the same connection', patient, async () => {
        const lasts = await reconnectInPeace(installation, kept);
        await play('reconnection', (afterMs) => reconnectThroughKill(installation, kept, afterMs), lasts);
      });

      test('a refresh brings what the bank holds', patient, async () => {
        await makeRefreshDue(installation, kept);
        await untilRefresh(installation, kept, /claimed|staged/);
        const began = performance.now();
        await untilRefresh(installation, kept, /published/);
        const lasts = performance.now() - began;
        await play('refresh', (afterMs) => refreshThroughKill(installation, kept, afterMs), lasts);
      });
    });
  }
};
