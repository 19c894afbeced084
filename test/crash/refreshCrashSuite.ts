// kill -9 of the service at many points of a reconnect and of a scheduled refresh. Takes some minutes; crash.test.ts runs it.
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

/** Delays from the start to shortly after the end. */
const crashDelays = (milliseconds: number): number[] =>
  Array.from({ length: steps }, (_, index) => (milliseconds * 1.3 * index) / steps);

export const describeRefreshCrashes = (): void => {
  for (const database of databases) {
    describe(`kills after linking on ${database.name}`, () => {
      let installation: Installation;
      let connection: TrackedConnection;
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
        connection = { result, login, count, round: 0 };
      });
      afterAll(() => installation?.close());

      const crashRepeatedly = async (
        name: string,
        crashOnce: (afterMs: number) => Promise<string>,
        durationMs: number,
      ) => {
        const crashStates: string[] = [];
        for (const afterMs of crashDelays(durationMs)) crashStates.push(await crashOnce(afterMs));
        console.log(
          formatStateCounts(`of a ${name} of ${Math.round(durationMs)} ms, on ${database.name}`, crashStates),
        );
        expect(countByState(crashStates).size).toBeGreaterThan(2);
      };

      test('a reconnect keeps the same connection', longTimeout, async () => {
        const durationMs = await reconnectWithoutCrash(installation, connection);
        await crashRepeatedly(
          'reconnect',
          (afterMs) => reconnectWithCrash(installation, connection, afterMs),
          durationMs,
        );
      });

      test('a refresh ends with the transactions of the bank', longTimeout, async () => {
        await makeRefreshDue(installation, connection);
        await untilRefresh(installation, connection, /claimed|staged/);
        const startedAt = performance.now();
        await untilRefresh(installation, connection, /published/);
        const durationMs = performance.now() - startedAt;
        await crashRepeatedly(
          'refresh',
          (afterMs) => refreshWithCrash(installation, connection, afterMs),
          durationMs,
        );
      });
    });
  }
};
