// kill -9 of the service at every moment of linking and of the first import, one kill for each linking: a chapter of
// kill.test.ts that takes some minutes.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databases } from '../databases.ts';
import { everyMoment, type Killed, linkInPeace, linkThroughKill, type Person } from './everyMoment.ts';
import { type Installation, install } from './installation.ts';
import { expectOrder, printTally, tally } from './sight.ts';
import { rowsOf, truthOfRows, truthOfUser } from './truth.ts';

// Files of a database that grows and grows would take longer to look at than to kill.
const killsPerDatabase = 12;
const importSteps = 44;
const statesToHit = [
  ...['no session', 'bank', 'credentials', 'challenge', 'accounts', 'credentials, step under way'],
  ...['import queued', 'import, some staged', 'import, all staged', 'published, not shown', 'result shown'],
  'ended',
];

export const describeEachMoment = (): void => {
  for (const database of databases) {
    describe(`killed at every moment, on ${database.name}`, () => {
      const rows = rowsOf('long-login', [9000, 1200]);
      const people: Record<'asked' | 'long' | 'slow', Person> = {
        asked: { username: 'otp', truth: new Map() },
        long: { username: 'long-login', truth: truthOfRows(rows) },
        slow: { username: 'slow', truth: new Map() },
      };
      let installation: Installation;
      let connections = 0;
      const renew = async (): Promise<number> => {
        await installation?.ask((db) => expectOrder(db, connections));
        await installation?.close();
        installation = await install(database);
        await installation.load(rows);
        await installation.start();
        connections = 1;
        return (await linkInPeace(installation, people.long)).importMs;
      };
      beforeAll(async () => {
        for (const person of [people.asked, people.slow]) person.truth = await truthOfUser(person.username);
      });
      afterAll(() => installation?.close());

      test('a linking ends with one whole connection and its token', { timeout: 3_600_000 }, async () => {
        const landed: string[] = [];
        let moments: Killed[] = [];
        do {
          // How long an import takes changes with what else the machine does.
          if (landed.length % killsPerDatabase === 0)
            moments = everyMoment(people, await renew(), importSteps);
          landed.push(await linkThroughKill(installation, moments[landed.length]!));
          connections += 1;
        } while (landed.length < moments.length);
        await installation.ask((db) => expectOrder(db, connections));
        console.log(printTally(`on ${database.name}`, landed));
        expect(landed.length).toBeGreaterThan(59);
        expect([...tally(landed).keys()]).toEqual(expect.arrayContaining(statesToHit));
      });
    });
  }
};
