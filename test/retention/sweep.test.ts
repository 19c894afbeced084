// A sweep deletes expired data and keeps the rest, even when it is aborted or when several run concurrently.
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type DeletedCounts, type SweepResult, sweep } from '../../src/operations/retention/sweep.ts';
import { addMilliseconds, days, seconds } from '../../src/platform/values/clock.ts';
import { resultOf } from '../linking/fixture.ts';
import { type CliRunner, cliSettingsOf, startCliServer } from '../support/cli.ts';
import { databases } from '../support/databases.ts';
import { driveToEnd, driveToImport, link, openLinkSession } from '../support/testService.ts';
import {
  advanceTo,
  allIdsOf,
  type LinkedUser,
  linkAll,
  readStatuses,
  revoke,
  startRetentionService,
  sweepNow,
  type TestService,
} from './fixture.ts';
import { findInFiles, findInTables } from './leftoverRows.ts';

const rewriteBytesMax = Number.POSITIVE_INFINITY;

/** Shares only the smallest account of each login, so that there is less to delete. */
const accounts = ['Rainy Day Savings'];
const usd = { username: 'usd', accounts };
const jpy = { username: 'jpy', accounts };
const bhd = { username: 'bhd', accounts };

// Separate processes, which sweep on both kinds of database.
let others: CliRunner[];
beforeAll(() => {
  others = [startCliServer(), startCliServer()];
});

for (const database of databases) {
  describe(`sweeping on ${database.name}`, () => {
    let service: TestService;
    beforeEach(async () => {
      service = await startRetentionService(database);
    });
    afterEach(() => service.close());

    const stopWorker = () => service.service.worker!.stop();
    const sweepDeps = () => {
      const { db, clock, config } = service.service;
      return { db, clock, limits: config.limits };
    };
    const revokeAndWait = async (...linked: LinkedUser[]): Promise<void> => {
      for (const one of linked) await revoke(service, one);
      service.advance(days(30) + 1000);
    };

    test('a connection is deleted with everything that refers to it, and the rest of its end user stays', async () => {
      const first = await linkAll(service, { username: 'usd', externalUserId: 'user-1' });
      const { scopedToken } = first;
      const second = await linkAll(service, { ...jpy, externalUserId: 'user-1', scopedToken });
      await stopWorker();
      const before = await readStatuses(service, second);
      await revokeAndWait(first);
      expect(await findInTables(service.service, allIdsOf(first))).not.toEqual([]);
      expect(await sweepNow(service)).toMatchObject({
        connections: 1,
        accounts: first.accountIds.length,
        transactions: first.transactionIds.length,
        endUsers: 0,
      });
      expect(await findInTables(service.service, allIdsOf(first))).toEqual([]);
      expect(await readStatuses(service, second)).toEqual({ ...before, connections: [second.connectionId] });
      expect(await sweepNow(service)).toMatchObject({ connections: 0, transactions: 0 });
    });

    test('an end user without connections is deleted, and the same external user id gets a new one', async () => {
      const first = await linkAll(service, { ...usd, externalUserId: 'user-1' });
      await revokeAndWait(first);
      expect(await sweepNow(service)).toMatchObject({ connections: 1, endUsers: 1 });
      expect(await findInTables(service.service, [...allIdsOf(first), first.endUserId, 'user-1'])).toEqual(
        [],
      );
      const renewed = await linkAll(service, { ...usd, externalUserId: 'user-1' });
      expect(renewed.endUserId).not.toBe(first.endUserId);
      expect((await readStatuses(service, renewed)).statuses).toEqual([200, 200, 200, 200, 200]);
      expect((await readStatuses(service, { ...renewed, scopedToken: first.scopedToken })).list).toBe(403);
    });

    test('a newer end user of the same external user id stays the current one', async () => {
      const old = await linkAll(service, { ...usd, externalUserId: 'user-1' });
      await revoke(service, old);
      const renewed = await linkAll(service, { ...jpy, externalUserId: 'user-1' });
      expect(renewed.scopedToken).not.toBe(old.scopedToken);
      service.advance(days(30) + 1000);
      expect(await sweepNow(service)).toMatchObject({ connections: 1, endUsers: 1 });
      expect((await readStatuses(service, renewed)).connections).toEqual([renewed.connectionId]);
      const third = await link(service, { ...bhd, externalUserId: 'user-1' });
      expect(third.user?.id).toBe(renewed.endUserId);
      expect(third.scopedToken).toBeUndefined();
    });

    test('a connection whose result was never delivered is deleted after ten minutes, with its new end user', async () => {
      const session = await openLinkSession(service, { externalUserId: 'user-1' });
      await driveToEnd(session, usd);
      const { connectionId, user, accounts: chosen } = resultOf(session);
      await stopWorker();
      advanceTo(service, Date.now() + 9 * 60_000);
      expect(await sweepNow(service)).toMatchObject({ connections: 0, linkSessions: 0 });
      advanceTo(service, Date.now() + 11 * 60_000);
      expect(await sweepNow(service)).toMatchObject({ connections: 1, endUsers: 1 });
      const ids = [connectionId, user!.id, session.id, ...chosen.map(({ id }) => id), 'user-1'];
      expect(await findInTables(service.service, ids)).toEqual([]);
    });

    test('a result that was fetched at the last moment is kept, even if swept late', async () => {
      const session = await openLinkSession(service, {});
      await driveToEnd(session, usd);
      const { scopedToken } = resultOf(session);
      const { real } = service.service.clock;
      advanceTo(service, real().getTime() + 9 * 60_000);
      expect((await session.acknowledge()).status).toBe(204);
      service.advance(days(2));
      expect(await sweepNow(service)).toMatchObject({ connections: 0, endUsers: 0, linkSessions: 1 });
      const { data } = await service.client(scopedToken).GET('/connections');
      expect(data?.connections).toHaveLength(1);
    });

    test('a second connection whose result was never delivered is deleted, and its end user stays', async () => {
      const first = await linkAll(service, { ...usd, externalUserId: 'user-1' });
      const session = await openLinkSession(service, { externalUserId: 'user-1' });
      await driveToEnd(session, jpy);
      const { connectionId } = resultOf(session);
      await stopWorker();
      service.advance(11 * 60_000);
      expect(await sweepNow(service)).toMatchObject({ connections: 1, endUsers: 0 });
      expect((await readStatuses(service, first)).connections).toEqual([first.connectionId]);
      expect(await findInTables(service.service, [connectionId])).toEqual([]);
    });

    test('expired link sessions are closed, except locked ones and those whose import has a job', async () => {
      await stopWorker();
      const expired = await openLinkSession(service, {});
      const locked = await openLinkSession(service, {});
      const importing = await openLinkSession(service, {});
      // The session's job is gone, and the connection has another one.
      const replaced = await openLinkSession(service, {});
      const db = service.service.db.write;
      service.advance(seconds(31 * 60));
      const open = await openLinkSession(service, {});
      const until = addMilliseconds(service.service.clock.real(), 60_000).toISOString();
      await db('link_sessions').where({ id: locked.id }).update({ lockedUntil: until });
      await db('link_sessions')
        .whereIn('id', [importing.id, replaced.id])
        .update({ state: 'importing', connectionId: 'con_coming' });
      await putImport(service, importing.id);
      expect(await sweepNow(service)).toMatchObject({ linkSessions: 2 });
      const closed = await db('link_sessions').whereNotNull('closedAt').select('*');
      const empty = { stateSealed: null, resultSealed: null, progress: null };
      expect(closed).toHaveLength(2);
      expect(closed.find(({ id }) => id === expired.id)).toMatchObject(empty);
      expect(closed.find(({ id }) => id === replaced.id)).toMatchObject({
        ...{ ...empty, state: 'failed', failure: 'session_expired' },
      });
      const remaining: string[] = await db('link_sessions').whereNull('closedAt').orderBy('id').pluck('id');
      expect(remaining).toEqual([locked.id, importing.id, open.id].sort());
      await expect(expired.refresh()).rejects.toThrow('session_expired');
      // The connection of the import does not exist yet, and its job stays.
      expect(await db('jobs').pluck('connectionId')).toEqual(['con_coming']);
    });

    test('closed link sessions are deleted after 30 days', async () => {
      const session = await openLinkSession(service, {});
      await driveToImport(session, { username: 'otp' });
      const { id } = session;
      service.advance(seconds(31 * 60));
      await sweepNow(service);
      service.advance(days(30) - seconds(60));
      await sweepNow(service);
      expect(await findInTables(service.service, [id])).toEqual([`link_sessions: ${id}`]);
      service.advance(seconds(120));
      await sweepNow(service);
      expect(await findInTables(service.service, [id])).toEqual([]);
    });

    test('closed link sessions go with their end user', async () => {
      const externalUserId = 'leaving';
      const { id } = await openLinkSession(service, { externalUserId });
      const { connectionId } = await linkAll(service, { externalUserId });
      const params = { path: { connectionId } };
      await service.client().DELETE('/connections/{connectionId}', { params });
      service.advance(seconds(31 * 60));
      await sweepNow(service);
      service.advance(days(31) - seconds(3600));
      await service.service.db.write('link_sessions').where({ id }).update({ closedAt: '3' });
      service.advance(seconds(2 * 3600));
      expect(await sweepNow(service)).toMatchObject({ endUsers: 1 });
      expect(await findInTables(service.service, [id])).toEqual([]);
    });

    test('staged texts are deleted when their refresh can no longer publish them', async () => {
      const now = service.service.clock.real();
      await stageRow(service, 'old', addMilliseconds(now, -seconds(2 * 1800 + 31)));
      await stageRow(service, 'new', addMilliseconds(now, -seconds(2 * 1800)));
      expect(await sweepNow(service)).toMatchObject({ stagedTexts: 1 });
      expect(await service.service.db.read('staged_texts').pluck('refreshId')).toEqual(['new']);
    });

    test('a sweep that is aborted at every step leaves nothing partly readable and nothing behind', async () => {
      const user = { ...usd, externalUserId: 'user-1' };
      const first = await linkAll(service, user);
      const second = await linkAll(service, { ...user, ...jpy, scopedToken: first.scopedToken });
      await stopWorker();
      const before = await readStatuses(service, second);
      await revokeAndWait(first);
      let runs = 0;
      for (let finished = false; !finished; runs++) {
        const stopping = new AbortController();
        let steps = 0;
        const onProgress = () => {
          if (steps++ === runs) stopping.abort();
        };
        finished = await sweep(sweepDeps(), { signal: stopping.signal, onProgress, rewriteBytesMax }).then(
          () => true,
          (error) => {
            if (!stopping.signal.aborted) throw error;
            return false;
          },
        );
        expect((await readStatuses(service, first)).statuses).toEqual([404, 404, 404, 404, 404]);
        expect(await readStatuses(service, second)).toEqual({
          ...before,
          connections: [second.connectionId],
        });
      }
      expect(runs).toBeGreaterThan(3);
      expect(await findInTables(service.service, allIdsOf(first))).toEqual([]);
    });

    test('several sweeps at the same time delete everything once', async () => {
      const linked: LinkedUser[] = [];
      for (const login of [usd, jpy, bhd]) linked.push(await linkAll(service, login));
      const { scopedToken } = linked[0]!;
      const user = { externalUserId: 'user-1' };
      const one = await linkAll(service, { ...user, username: 'twins' });
      const two = await linkAll(service, { ...user, username: 'twins', scopedToken: one.scopedToken });
      const kept = await linkAll(service, { username: 'twins' });
      linked.push(one, two);
      await stopWorker();
      // Revoked long ago in real time, because two of the sweeps run in separate processes.
      for (const one of linked) await revoke(service, one);
      const revokedAt = addMilliseconds(new Date(), -days(31)).toISOString();
      await service.service.db.write('connections').whereNotNull('revokedAt').update({ revokedAt });
      const settings = cliSettingsOf(service.service.config);
      const otherSweeps = others.map((runInOther) => runInOther(settings, 'retention', 'sweep', '--json'));
      // All of them mark, wait for the grace period, and then delete the same connections.
      const limits = { ...sweepDeps().limits, sweepGraceSeconds: 2 };
      const { signal } = new AbortController();
      const ownSweep = sweep({ ...sweepDeps(), limits }, { signal, rewriteBytesMax });
      const results = [
        await ownSweep,
        ...(await Promise.all(otherSweeps)).map((run) => run.json<SweepResult>()),
      ];
      const sum = (name: keyof DeletedCounts): number =>
        results.reduce((total, result) => total + result[name], 0);
      expect(sum('connections')).toBe(5);
      expect(sum('endUsers')).toBe(4);
      expect(sum('accounts')).toBe(linked.flatMap(({ accountIds }) => accountIds).length);
      expect(sum('transactions')).toBe(linked.flatMap(({ transactionIds }) => transactionIds).length);
      expect(await findInTables(service.service, linked.flatMap(allIdsOf))).toEqual([]);
      expect((await readStatuses(service, kept)).statuses).toEqual([200, 200, 200, 200, 200]);
      expect((await readStatuses(service, { ...kept, scopedToken })).list).toBe(403);
    });

    if (database.name !== 'SQLite') return;
    test('a file that a sweep did not rewrite is rewritten by the next sweep', async () => {
      const linked = await linkAll(service, { username: 'usd' });
      await stopWorker();
      await revokeAndWait(linked);
      const { signal } = new AbortController();
      const needsVacuum = async () =>
        (await service.service.db.read.raw('pragma user_version'))[0].user_version > 0;
      expect(await sweep(sweepDeps(), { signal, rewriteBytesMax: 0 })).toMatchObject({ vacuumed: false });
      expect(await needsVacuum()).toBe(true);
      expect(await sweep(sweepDeps(), { signal, rewriteBytesMax })).toMatchObject({ vacuumed: true });
      expect(await needsVacuum()).toBe(false);
      expect(await findInFiles(service.service, [...allIdsOf(linked), linked.endUserId])).toEqual([]);
    });

    test('no byte of the files contains deleted ids', async () => {
      const deleted: LinkedUser[] = [];
      const kept: LinkedUser[] = [];
      const logins = process.env.TEST_ALL ? ['usd', 'twins', 'jpy', 'good'] : ['usd', 'twins'];
      for (const username of logins) {
        deleted.push(await linkAll(service, { username, externalUserId: `deleted-${username}` }));
        kept.push(await linkAll(service, { username, externalUserId: `kept-${username}` }));
      }
      await stopWorker();
      const ids = deleted.flatMap((linked) => [...allIdsOf(linked), linked.endUserId]);
      const users = logins.map((username) => `deleted-${username}`);
      expect(await findInFiles(service.service, [...ids, ...users])).toHaveLength(ids.length + users.length);
      await revokeAndWait(...deleted);
      await sweepNow(service);
      expect(await findInFiles(service.service, [...ids, ...users])).toEqual([]);
      for (const linked of kept) {
        expect((await readStatuses(service, linked)).statuses).toEqual([200, 200, 200, 200, 200]);
      }
    });
  });
}

const jobRow = {
  endUserId: 'usr_any',
  applicationId: 'app_any',
  organizationId: 'org_any',
  environment: 'sandbox' as const,
  institutionId: 'sandbox-bank',
  dueAt: '2999-01-01T00:00:00.000Z',
  attempts: 0,
};

const putImport = async ({ service }: TestService, linkSessionId: string): Promise<void> => {
  const row = { ...jobRow, connectionId: 'con_coming', kind: 'import' as const, linkSessionId };
  await service.db.write('jobs').insert(row);
};

const stageRow = async ({ service }: TestService, refreshId: string, createdAt: Date): Promise<void> => {
  await service.db.write('staged_texts').insert({
    endUserId: 'usr_any',
    refreshId,
    accountId: 'acc_any',
    ordinal: 0,
    sealed: Buffer.alloc(32, 1),
    createdAt: createdAt.toISOString(),
  });
};
