// kill -9 at any moment leaves a whole connection or none. The page goes on where it was and gets its token, however
// often that was lost between commit and page; reconnections and refreshes end as if nothing had happened. Every day
// one kill hits many conversations at once; TEST_ALL=1 goes through every moment, and prints where its kills landed.
import { describe, expect, test } from 'vitest';
import { databases } from '../support/databases.ts';
import { crashConcurrently } from './concurrentCrash.ts';
import { expectConsistent } from './crashAssertions.ts';
import { expectedStateOfRows, expectedStateOfUser, makeLoginRows } from './expectedState.ts';
import { type Installation, install } from './installation.ts';
import { describeLinkCrashes } from './linkCrashSuite.ts';
import { type LinkUser, linkWithoutCrash } from './linkWithCrash.ts';
import { describeRefreshCrashes } from './refreshCrashSuite.ts';

const counts = { short: [40, 20], long: [2200, 100], refreshed: [2100], reconnected: [2100] };

const linkFirst = async (installation: Installation, person: LinkUser) => {
  const { result, importMs } = await linkWithoutCrash(installation, person);
  const count = [...person.expected.values()][0]!.length;
  return { result, login: person.username, count, round: 0, importMs };
};

for (const database of databases) {
  describe(`on ${database.name}`, () => {
    test('a kill in the middle of many conversations', { timeout: 180_000 }, async () => {
      const installation = await install(database);
      try {
        const logins = Object.entries(counts).map(([login, ofLogin]) => makeLoginRows(login, ofLogin));
        await installation.load(logins.flat());
        await installation.start();
        const people = logins.map((rows) => ({
          username: rows[0]!.login,
          expected: expectedStateOfRows(rows),
        }));
        const [short, long, ...later] = people as [LinkUser, LinkUser, LinkUser, LinkUser];
        const [refreshed, reconnected] = await Promise.all(
          later.map((person) => linkFirst(installation, person)),
        );
        const landed = await crashConcurrently(installation, {
          ...{ short, long, asked: { username: 'otp', expected: await expectedStateOfUser('otp') } },
          ...{ refreshed: refreshed!, reconnected: reconnected!, afterMs: refreshed!.importMs / 2 },
        });
        expect(landed).toEqual([
          ...['no session', 'institution', 'result shown', 'ended', 'challenge', 'accounts'],
          // These three go on until the kill, one faster than the other.
          ...[expect.any(String), expect.any(String), expect.stringMatching(/^refresh/)],
        ]);
        await installation.query((db) => expectConsistent(db, later.length + landed.length - 2));
      } finally {
        await installation.close();
      }
    });
  });
}

if (process.env.TEST_ALL) {
  describeLinkCrashes();
  describeRefreshCrashes();
}
