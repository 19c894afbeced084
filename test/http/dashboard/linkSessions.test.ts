// Link sessions in the dashboard: their outcomes, the filters and pages, and the counts by step and by bank.
import { describe, expect, onTestFinished, test } from 'vitest';
import type { components } from '../../../generated/management.ts';
import { days, seconds } from '../../../src/platform/values/clock.ts';
import { sweepNow } from '../../retention/fixture.ts';
import { type DatabaseKind, databases, oneDatabase } from '../../support/databases.ts';
import {
  driveToEnd,
  driveToImport,
  type LinkOptions,
  link,
  openLinkSession,
  startService,
  type TestLinkSession,
  type TestService,
} from '../../support/testService.ts';
import { createMember, type DashboardUser, readPages, signIn, wrongCursors } from './users.ts';

type LinkSession = components['schemas']['LinkSession'];
type Filters = { outcome?: LinkSession['outcome']; institutionId?: string; linkSessionId?: string };
type Query = Filters & { cursor?: string; limit?: number };

const path = '/management/applications/{applicationId}/link-sessions';
const statisticsPath = '/management/applications/{applicationId}/link-session-statistics';

const operationsOf = ({ client }: DashboardUser, applicationId: string) => ({
  list: (query: Query = {}) => client.GET(path, { params: { path: { applicationId }, query } }),
  count: async (query: { days?: 7 | 30 } = {}) =>
    (await client.GET(statisticsPath, { params: { path: { applicationId }, query } })).data!,
});

type Operations = ReturnType<typeof operationsOf>;

const listAll = ({ list }: Operations, query: Query = {}): Promise<LinkSession[]> =>
  readPages(async (cursor) => {
    const { linkSessions, nextCursor } = (await list({ ...query, cursor })).data!;
    return { items: linkSessions, nextCursor };
  });

/** Ends the session as the page does when the user closes the widget. */
const cancel = async ({ url }: TestService, { id, secret }: TestLinkSession): Promise<void> => {
  const headers = { Authorization: `Bearer ${secret}` };
  const response = await fetch(`${url}/connect/api/link-sessions/${id}`, { method: 'DELETE', headers });
  expect(response.status).toBe(204);
};

const creditUnion = 'sandbox-credit-union';

const startOn = async (database: DatabaseKind) => {
  const service = await startService({ database });
  onTestFinished(() => service.close());
  const viewer = await createMember(service, { role: 'viewer', email: 'view@example.com' });
  const operations = operationsOf(viewer, service.application.id);
  const open = (options?: LinkOptions) => openLinkSession(service, options);
  return { service, viewer, operations, open };
};

describe.each(oneDatabase)('link sessions on $name', (database) => {
  const start = () => startOn(database);

  test('each has an outcome: connected, failed with its reason, left, or open', async () => {
    const { service, operations, open } = await start();
    const waiting = await open();
    const { session: connected, connectionId } = await link(service);
    const locked = await open();
    await driveToEnd(locked, { username: 'locked', institutionId: creditUnion });
    const closed = await open();
    await driveToImport(closed, { username: 'otp' });
    await cancel(service, closed);
    const reconnect = await open({ connectionId });
    await driveToEnd(reconnect);
    await reconnect.acknowledge();

    const bank = { id: 'sandbox-bank', name: 'Sandbox Bank' };
    const none = { reason: null, connectionId: null };
    const first = { reconnect: false, createdAt: expect.any(String) };
    const expected = [
      {
        ...{ id: reconnect.id, createdAt: expect.any(String), reconnect: true, institution: bank },
        ...{ reached: 'finished', outcome: 'connected', reason: null, connectionId },
      },
      { ...first, ...none, id: closed.id, institution: bank, reached: 'challenge', outcome: 'left' },
      {
        ...{ ...first, ...none, id: locked.id, institution: expect.objectContaining({ id: creditUnion }) },
        ...{ reached: 'credentials', outcome: 'failed', reason: 'locked' },
      },
      {
        ...{ ...first, id: connected.id, institution: bank },
        ...{ reached: 'finished', outcome: 'connected', reason: null, connectionId },
      },
      { ...first, ...none, id: waiting.id, institution: null, reached: 'consent', outcome: 'open' },
    ];
    expect(await listAll(operations)).toEqual(expected);

    // The user closes the widget after the failure, which remains the reason.
    await cancel(service, locked);
    expect(await locked.refresh()).toMatchObject({ reason: 'locked', retryTargets: [] });
    service.advance(seconds(31 * 60));
    const later = expected.map((one) => (one.id === waiting.id ? { ...one, outcome: 'left' } : one));
    expect(await listAll(operations)).toEqual(later);
  });

  test('they are listed newest first in pages of any size, by outcome, institution and id', async () => {
    const { service, operations, open } = await start();
    for (let at = 0; at < 3; at++) await cancel(service, await open());
    for (const institutionId of ['sandbox-bank', creditUnion]) {
      await driveToEnd(await open(), { username: 'locked', institutionId });
      await driveToEnd(await open(), { username: 'empty', institutionId });
    }
    await open();
    const all = await listAll(operations);
    expect(all).toHaveLength(8);
    expect(all.toSorted((left, right) => (left.createdAt < right.createdAt ? 1 : -1))).toEqual(all);
    for (const limit of [1, 3, 8]) expect(await listAll(operations, { limit })).toEqual(all);
    for (const outcome of ['connected', 'failed', 'left', 'open'] as const) {
      const matching = all.filter((one) => one.outcome === outcome);
      expect(await listAll(operations, { outcome, limit: 2 })).toEqual(matching);
    }
    const ofUnion = all.filter(({ institution }) => institution?.id === creditUnion);
    expect(ofUnion).toHaveLength(2);
    expect(await listAll(operations, { institutionId: creditUnion, limit: 1 })).toEqual(ofUnion);
    expect(await listAll(operations, { linkSessionId: all[2]!.id })).toEqual([all[2]]);
    expect(await listAll(operations, { linkSessionId: 'lks_0000000000000000000000' })).toEqual([]);

    const { error } = await operations.list({ linkSessionId: 'con_0000000000000000000000' });
    expect(error).toMatchObject({ errors: [{ path: '/query/linkSessionId' }] });
    for (const cursor of wrongCursors(all[0]!.id))
      expect((await operations.list({ cursor })).error).toMatchObject({ code: 'invalid_cursor' });
  });

  test('the statistics count the furthest steps of sessions, and their outcomes by bank', async () => {
    const { service, viewer, operations, open } = await start();
    const zero = { institution: 0, credentials: 0, accounts: 0, importing: 0, finished: 0 };
    const nothing = { opened: 0, reconnects: 0, reached: zero, connected: 0, institutions: [] };
    expect(await operations.count()).toEqual(nothing);

    await open();
    await (await open()).step({ kind: 'consent' });
    const { connectionId } = await link(service);
    for (const username of ['empty', 'locked', 'locked']) {
      await driveToEnd(await open(), { username, institutionId: creditUnion });
    }
    await cancel(service, await open({ connectionId }));
    const challenged = await open();
    await driveToImport(challenged, { username: 'otp' });

    const expected = {
      ...{ opened: 8, reconnects: 1, connected: 1 },
      reached: { institution: 6, credentials: 6, accounts: 1, importing: 1, finished: 1 },
      institutions: [
        {
          institution: { id: creditUnion, name: expect.any(String) },
          ...{ sessions: 3, connected: 0, failed: 3, left: 0 },
          failures: [
            { reason: 'locked', sessions: 2 },
            { reason: 'no_accounts', sessions: 1 },
          ],
        },
        {
          institution: { id: 'sandbox-bank', name: 'Sandbox Bank' },
          ...{ sessions: 3, connected: 1, failed: 0, left: 1, failures: [] },
        },
      ],
    };
    const byId = (counted: Awaited<ReturnType<Operations['count']>>) => ({
      ...counted,
      institutions: counted.institutions.toSorted((left, right) => right.failed - left.failed),
    });
    expect(byId(await operations.count())).toEqual(expected);
    service.advance(days(8));
    const later = operationsOf(await signIn(service, viewer), service.application.id);
    expect(await later.count({ days: 7 })).toEqual(nothing);
    const { institutions, ...counted } = await later.count({ days: 30 });
    const { institutions: _, ...sameCounts } = expected;
    expect(counted).toEqual(sameCounts);
    // The open sessions have expired in the meantime.
    expect(institutions.find(({ institution }) => institution.id === 'sandbox-bank')).toMatchObject({
      left: 2,
    });
  });

  test('another application has nothing of them', async () => {
    const { service, viewer, open } = await start();
    const { id: linkSessionId } = await open();
    const other = operationsOf(viewer, (await service.addApplication()).id);
    expect(await listAll(other)).toEqual([]);
    expect(await listAll(other, { linkSessionId })).toEqual([]);
    expect(await other.count()).toMatchObject({ opened: 0 });
  });
});

describe.each(databases)('link sessions on $name', (database) => {
  test('sessions without a selected bank are listed for a day, then deleted but still counted', async () => {
    const { service, viewer, operations, open } = await startOn(database);
    await open();
    await (await open({ externalUserId: 'user-1' })).step({ kind: 'consent' });
    const { connectionId, session } = await link(service);
    const tried = await open();
    await driveToImport(tried, { username: 'otp' });
    const reconnect = await open({ connectionId });
    const before = await operations.count();
    expect(before).toMatchObject({ opened: 5, reached: { institution: 3, credentials: 3 } });
    service.advance(seconds(31 * 60));
    await sweepNow(service);
    service.advance(days(1) - seconds(60));
    await sweepNow(service);
    const later = operationsOf(await signIn(service, viewer), service.application.id);
    expect(await listAll(later)).toHaveLength(5);
    service.advance(seconds(120));
    // Concurrent sweeps count each session once.
    await Promise.all([sweepNow(service), sweepNow(service)]);
    expect((await listAll(later)).map(({ id }) => id)).toEqual([reconnect.id, tried.id, session.id]);
    const { institutions: _, ...counted } = await later.count();
    const { institutions: __, ...sameCounts } = before;
    expect(counted).toEqual(sameCounts);
  });
});
