// kill -9 of the service at many moments of a reconnection and of a scheduled refresh: a chapter of kill.test.ts that
// takes some minutes.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databases } from '../support/databases.ts';
import { countByState, formatStateCounts } from './crashAssertions.ts';
import { expectedStateOfRows, makeLoginRows } from './expectedState.ts';
import { type Installation, install } from './installation.ts';
import { linkWithoutCrash } from './linkWithCrash.ts';
import {
  makeRefreshDue,
  reconnectWithCrash,
  reconnectWithoutCrash,
  refreshWithCrash,
  type TrackedConnection,
  untilRefresh,
} from './refreshWithCrash.ts';

const steps = 16;
const longTimeout = { timeout: 1_800_000 };

/** So many moments from the beginning to a little more than the end. */
const crashDelays = (milliseconds: number): number[] =>
  Array.from({ length: steps }, (_, at) => (milliseconds * 1.3 * at) / steps);

export const describeRefreshCrashes = (): void => {
  for (const database of databases) {
    describe(`killed later, on ${database.name}`, () => {
      let installation: Installation;
      let kept: TrackedConnection;
      beforeAll(async () => {
        installation = await install(database);
        const [login, count] = ['later-login', 5000];
        const rows = makeLoginRows(login, [count]);
        await installation.load(rows);
        await installation.start();
        const { result } = await linkWithoutCrash(installation, {
          username: login,
          expected: expectedStateOfRows(rows),
        });
        kept = { result, login, count, round: 0 };
      });
      afterAll(() => installation?.close());

      const play = async (what: string, once: (afterMs: number) => Promise<string>, lasts: number) => {
        const landed: string[] = [];
        for (const afterMs of crashDelays(lasts)) landed.push(await once(afterMs));
        console.log(
          formatStateCounts(`of a ${what} of ${Math.round(lasts)} ms, on ${database.name}`, landed),
        );
        expect(countByState(landed).size).toBeGreaterThan(2);
      };

      test('a reconnection restores the same connection', longTimeout, async () => {
        const lasts = await reconnectWithoutCrash(installation, kept);
        await play('reconnection', (afterMs) => reconnectWithCrash(installation, kept, afterMs), lasts);
      });

      test('a refresh brings what the bank holds', longTimeout, async () => {
        await makeRefreshDue(installation, kept);
        await untilRefresh(installation, kept, /claimed|staged/);
        const began = performance.now();
        await untilRefresh(installation, kept, /published/);
        const lasts = performance.now() - began;
        await play('refresh', (afterMs) => refreshWithCrash(installation, kept, afterMs), lasts);
      });
    });
  }
};
