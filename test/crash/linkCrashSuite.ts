// kill -9 of the service at every moment of linking and of the first import, one kill for each linking: a chapter of
// kill.test.ts that takes some minutes.
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

// Files of a database that grows and grows would take longer to look at than to kill.
const crashesPerDatabase = 12;
const importSteps = 44;
const expectedStates = [
  ...['no session', 'institution', 'credentials', 'challenge', 'accounts', 'credentials, step under way'],
  ...['import queued', 'import, some staged', 'import, all staged', 'published, not shown', 'result shown'],
  'ended',
];

export const describeLinkCrashes = (): void => {
  for (const database of databases) {
    describe(`killed at every moment, on ${database.name}`, () => {
      const rows = makeLoginRows('long-login', [9000, 1200]);
      const people: Record<'asked' | 'long' | 'slow', LinkUser> = {
        asked: { username: 'otp', expected: new Map() },
        long: { username: 'long-login', expected: expectedStateOfRows(rows) },
        slow: { username: 'slow', expected: new Map() },
      };
      let installation: Installation;
      let connections = 0;
      const renew = async (): Promise<number> => {
        await installation?.query((db) => expectConsistent(db, connections));
        await installation?.close();
        installation = await install(database);
        await installation.load(rows);
        await installation.start();
        connections = 1;
        return (await linkWithoutCrash(installation, people.long)).importMs;
      };
      beforeAll(async () => {
        for (const person of [people.asked, people.slow])
          person.expected = await expectedStateOfUser(person.username);
      });
      afterAll(() => installation?.close());

      test('a linking ends with one whole connection and its token', { timeout: 3_600_000 }, async () => {
        const landed: string[] = [];
        let moments: CrashCase[] = [];
        do {
          // How long an import takes changes with what else the machine does.
          if (landed.length % crashesPerDatabase === 0)
            moments = allCrashCases(people, await renew(), importSteps);
          landed.push(await linkWithCrash(installation, moments[landed.length]!));
          connections += 1;
        } while (landed.length < moments.length);
        await installation.query((db) => expectConsistent(db, connections));
        console.log(formatStateCounts(`on ${database.name}`, landed));
        expect(landed.length).toBeGreaterThan(59);
        expect([...countByState(landed).keys()]).toEqual(expect.arrayContaining(expectedStates));
      });
    });
  }
};
