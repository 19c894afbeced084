// The transactions of a large new account are stored in parts before it is published, so that no part blocks other writers for
// long. Nobody sees them until then, and an import that ends early leaves nothing behind.
import { expect, onTestFinished, test } from 'vitest';
import { limits, unpublishedMilliseconds } from '../../src/platform/settings/limits.ts';
import { seconds } from '../../src/platform/values/clock.ts';
import {
  cancel,
  connectionIdsOf,
  describeLinking,
  eventually,
  finishSession,
  type LinkFixture,
  linkOptionsOf,
  readTransactions,
  resultOf,
} from '../linking/fixture.ts';
import { sweepNow } from '../retention/fixture.ts';
import { scriptedAccount, scriptedTransaction } from '../support/scriptedConnector.ts';
import type { LinkOptions } from '../support/testService.ts';

const partRows = 10;
const count = 45;

/** A user with a large account, and a second account that the bank lists after it. */
const addUser = ({ connector }: LinkFixture, username: string): void => {
  const transactions = Array.from({ length: count }, (_, index) =>
    scriptedTransaction({ id: String(index), description: `number ${index}` }),
  );
  connector.setAccounts(username, [
    scriptedAccount({ id: `${username}-large`, number: `${username}-1`, transactions }),
    scriptedAccount({ id: `${username}-small`, number: `${username}-2` }),
  ]);
};

/** Opens a session whose import waits for the bank between its two accounts, after storing the large one. */
const openHeldSession = async (
  { connector, openDrivenSession }: LinkFixture,
  options: LinkOptions & { username: string },
) => {
  const { username } = options;
  const releaseChunk = connector.hold(username, 'chunk');
  onTestFinished(releaseChunk);
  const { chunk } = connector.callsOf(username);
  const session = await openDrivenSession(options);
  await eventually(() => expect(connector.callsOf(username).chunk).toBeGreaterThan(chunk));
  const release = connector.hold(username, 'history');
  onTestFinished(release);
  releaseChunk();
  return { session, release };
};

/** The rows that each database transaction inserts into `transactions` from now on. */
const watchInserts = ({ db }: LinkFixture): number[] => {
  const parts: number[] = [];
  let current = 0;
  const unwatch = db.watch((text, values) => {
    if (/^insert into "?transactions"? /.test(text))
      // SQLite gets a list of values for each row, PostgreSQL one list for all rows.
      current += Array.isArray(values[0]) ? values.length : text.split('), (').length;
    if (text === 'commit' && current > 0) {
      parts.push(current);
      current = 0;
    }
  });
  onTestFinished(unwatch);
  return parts;
};

const storedRows = ({ db }: LinkFixture) => db.read('transactions').select('endUserId');
const deletions = ({ db }: LinkFixture) => db.read('block_deletions').where('block', '<', 0);

/** Sweeps once the unpublished rows are old enough to be deleted. */
const sweepUnpublished = ({ service }: LinkFixture) => {
  service.advance(unpublishedMilliseconds(limits) + seconds(1));
  return sweepNow(service);
};

describeLinking(
  'a large new account',
  (fixture) => {
    test('is stored in parts, published as a whole, and kept by the sweep', async () => {
      addUser(fixture, 'ada');
      const parts = watchInserts(fixture);
      const linked = await fixture.link({ username: 'ada' });
      expect(parts).toEqual([10, 10, 10, 10, 5]);
      await sweepUnpublished(fixture);
      const transactions = await readTransactions(fixture, linked);
      expect(new Set(transactions.map(({ id }) => id)).size).toBe(count);
      expect(new Set(transactions.map(({ transactionRefresh }) => transactionRefresh))).toHaveLength(1);
      expect(await deletions(fixture)).toEqual([]);
    });

    test('leaves nothing if its import ends early', async () => {
      const before = (await storedRows(fixture)).length;
      addUser(fixture, 'ben');
      const { session, release } = await openHeldSession(fixture, { username: 'ben' });
      await eventually(async () => expect((await storedRows(fixture)).length).toBe(before + count));
      expect(await deletions(fixture)).toHaveLength(1);
      expect((await cancel(fixture, session)).status).toBe(204);
      release();
      await sweepUnpublished(fixture);
      expect((await storedRows(fixture)).length).toBe(before);
      expect(await deletions(fixture)).toEqual([]);
    });

    test('belongs to the end user that its import finds at its end', async () => {
      const before = (await storedRows(fixture)).length;
      const externalUserId = 'user-1';
      for (const username of ['cleo', 'dan']) addUser(fixture, username);
      const first = await fixture.openDrivenSession({ username: 'cleo', externalUserId });
      await eventually(async () => expect((await storedRows(fixture)).length).toBe(before + count));
      const { session, release } = await openHeldSession(fixture, { username: 'dan', externalUserId });
      await eventually(async () => expect((await storedRows(fixture)).length).toBe(before + 2 * count));
      await first.waitForImport();
      expect((await first.acknowledge()).status).toBe(204);
      release();
      const options = linkOptionsOf(fixture.application, { username: 'dan' });
      expect((await finishSession(fixture, session, options)).state).toBe('finished');
      expect((await session.acknowledge()).status).toBe(204);
      const { scopedToken } = resultOf(first);
      expect(await connectionIdsOf(fixture, scopedToken)).toHaveLength(2);
      await sweepUnpublished(fixture);
      const owners = (await storedRows(fixture)).slice(before).map(({ endUserId }) => endUserId);
      expect(owners).toHaveLength(2 * count);
      expect(new Set(owners).size).toBeLessThanOrEqual(2);
      for (const one of [first, session]) {
        const linked = { ...resultOf(one), scopedToken, session: one };
        expect(await readTransactions(fixture, linked)).toHaveLength(count);
      }
    });
  },
  { limits: { publishRowsMax: partRows } },
);
