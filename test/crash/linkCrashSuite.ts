// kill -9 of the service in every state of linking and of the first import, one kill for each link. Takes some minutes;
// crash.test.ts runs it.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databases } from '../support/databases.ts';
import { countByState, expectConsistent, formatStateCounts } from './crashAssertions.ts';
import { expectedStateOfRows, expectedStateOfUser, makeLoginRows } from './expectedState.ts';
import { type Installation, install } from './installation.ts';
import {
  allCrashCases,
  type CrashCase,
  type LinkUser,
  linkWithCrash,
  linkWithoutCrash,
} from './linkWithCrash.ts';

// Starts a new database after this many crashes, because copying a growing file would take longer than the kill.
const crashesPerDatabase = 12;
const importSteps = 44;
const expectedStates = [
  ...['no session', 'institution', 'credentials', 'challenge', 'accounts', 'credentials, step running'],
  ...['import queued', 'import claimed', 'published, not delivered', 'result delivered', 'ended'],
];

export const describeLinkCrashes = (): void => {
  for (const database of databases) {
    describe(`kills during linking on ${database.name}`, () => {
      const rows = makeLoginRows('long-login', [9000, 1200]);
      const users: Record<'challenged' | 'long' | 'slow', LinkUser> = {
        challenged: { username: 'otp', expected: new Map() },
        long: { username: 'long-login', expected: expectedStateOfRows(rows) },
        slow: { username: 'slow', expected: new Map() },
      };
      let installation: Installation;
      let connections = 0;
      const reinstall = async (): Promise<number> => {
        await installation?.query((db) => expectConsistent(db, connections));
        await installation?.close();
        installation = await install(database);
        await installation.load(rows);
        await installation.start();
        connections = 1;
        return (await linkWithoutCrash(installation, users.long)).importMs;
      };
      beforeAll(async () => {
        for (const user of [users.challenged, users.slow])
          user.expected = await expectedStateOfUser(user.username);
      });
      afterAll(() => installation?.close());

      test('every link ends with one complete connection and its scoped token', {
        timeout: 3_600_000,
      }, async () => {
        const crashStates: string[] = [];
        let crashCases: CrashCase[] = [];
        do {
          // The duration of an import depends on the load of the machine.
          if (crashStates.length % crashesPerDatabase === 0)
            crashCases = allCrashCases(users, await reinstall(), importSteps);
          crashStates.push(await linkWithCrash(installation, crashCases[crashStates.length]!));
          connections += 1;
        } while (crashStates.length < crashCases.length);
        await installation.query((db) => expectConsistent(db, connections));
        console.log(formatStateCounts(`on ${database.name}`, crashStates));
        expect(crashStates.length).toBeGreaterThan(59);
        expect([...countByState(crashStates).keys()]).toEqual(expect.arrayContaining(expectedStates));
      });
    });
  }
};
