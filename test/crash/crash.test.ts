// kill -9 at any time leaves a complete connection or none. The page continues and gets its scoped token, even if
// responses were lost; reconnects and refreshes end as if nothing had happened. By default one kill hits many concurrent
// link sessions; `npm run test:nightly -- kills` kills in every state, and prints the states.
import { describe, expect, test } from 'vitest';
import { lastDatabase } from '../support/databases.ts';
import { crashConcurrently } from './concurrentCrash.ts';
import { expectConsistent } from './crashAssertions.ts';
import { expectedStateOfRows, expectedStateOfUser, makeLoginRows } from './expectedState.ts';
import { type Installation, install } from './installation.ts';
import { describeLinkCrashes } from './linkCrashSuite.ts';
import { type LinkUser, linkWithoutCrash } from './linkWithCrash.ts';
import { describeRefreshCrashes } from './refreshCrashSuite.ts';

const counts = { short: [40, 20], long: [2200, 100], refreshed: [2100], reconnected: [2100] };

const linkBefore = async (installation: Installation, user: LinkUser) => {
  const { result, importMs } = await linkWithoutCrash(installation, user);
  const count = [...user.expected.values()][0]!.length;
  return { result, login: user.username, count, round: 0, importMs };
};

// kills.test.ts covers the first database.
for (const database of lastDatabase) {
  describe(`on ${database.name}`, () => {
    test('a kill during many link sessions', { timeout: 180_000 }, async () => {
      const installation = await install(database);
      try {
        const logins = Object.entries(counts).map(([login, transactionCounts]) =>
          makeLoginRows(login, transactionCounts),
        );
        await installation.load(logins.flat());
        await installation.start();
        const users = logins.map((rows) => ({
          username: rows[0]!.login,
          expected: expectedStateOfRows(rows),
        }));
        const [short, long, ...later] = users as [LinkUser, LinkUser, LinkUser, LinkUser];
        const [refreshed, reconnected] = await Promise.all(
          later.map((user) => linkBefore(installation, user)),
        );
        const crashStates = await crashConcurrently(installation, {
          ...{ short, long, challenged: { username: 'otp', expected: await expectedStateOfUser('otp') } },
          ...{ refreshed: refreshed!, reconnected: reconnected!, afterMs: refreshed!.importMs / 2 },
        });
        expect(crashStates).toEqual([
          ...['no session', 'institution', 'result delivered', 'ended', 'challenge', 'accounts'],
          // These three continue until the kill, at different speeds.
          ...[expect.any(String), expect.any(String), expect.stringMatching(/^refresh/)],
        ]);
        await installation.query((db) => expectConsistent(db, later.length + crashStates.length - 2));
      } finally {
        await installation.close();
      }
    });
  });
}

if (process.env.TEST_NIGHTLY) {
  describeLinkCrashes();
  describeRefreshCrashes();
}
