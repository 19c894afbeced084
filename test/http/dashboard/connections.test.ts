// Connections in the dashboard: history, list with filters and pagination, and actions.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { revokeConnection } from '../../../src/domain/connections/revokeConnection.ts';
import { insertConnection } from '../../../src/domain/connections/store.ts';
import { days, seconds } from '../../../src/platform/values/clock.ts';
import { makeId } from '../../../src/platform/values/ids.ts';
import { databases } from '../../support/databases.ts';
import {
  driveToEnd,
  link,
  openLinkSession,
  startService,
  type TestService,
} from '../../support/testService.ts';
import { auditEvents, createMember, type DashboardUser, readPages } from './users.ts';

const one = '/management/applications/{applicationId}/connections/{connectionId}';

describe.each(databases)('connections on $name', (database) => {
  let service: TestService;
  let developer: DashboardUser;
  beforeAll(async () => {
    service = await startService({ database, limits: { connectionEventsMax: 8 } });
    developer = await createMember(service, { role: 'developer', email: 'dev@example.com' });
  });
  afterAll(() => service.close());

  const params = (connectionId: string) => ({
    params: { path: { applicationId: service.application.id, connectionId } },
  });
  const getDetail = async (connectionId: string) =>
    (await developer.client.GET(one, params(connectionId))).data!;
  const historyOf = async (connectionId: string) =>
    (await getDetail(connectionId)).events.map(({ kind, reason, actor }) =>
      [kind, reason ?? actor ?? ''].join(' ').trim(),
    );
  const waitFor = async (connectionId: string, event: string) =>
    expect.poll(async () => (await historyOf(connectionId))[0]).toBe(event);
  const refresh = async (connectionId: string) =>
    (await developer.client.POST(`${one}/refresh`, params(connectionId))).response.status;

  test('the history has linking, refreshes, a refusal with its reason, reconnecting and revocation', async () => {
    const { connectionId } = await link(service, { username: 'good', externalUserId: 'history' });
    expect(await historyOf(connectionId)).toEqual(['linked']);
    expect(await refresh(connectionId)).toBe(204);
    await waitFor(connectionId, 'refreshed');
    const broken = await developer.client.POST(`${one}/break-credentials`, params(connectionId));
    expect(broken.response.status).toBe(204);
    expect(await refresh(connectionId)).toBe(204);
    await waitFor(connectionId, 'refresh_refused wrong_credentials');
    expect(await getDetail(connectionId)).toMatchObject({
      connection: {
        state: 'needs_reconnect',
        reconnectReason: 'wrong_credentials',
        externalUserId: 'history',
      },
      ...{ nextRefreshAt: null, accountCount: 3 },
    });
    expect(await refresh(connectionId)).toBe(409);
    expect(
      (await developer.client.POST(`${one}/break-credentials`, params(connectionId))).response.status,
    ).toBe(409);
    const session = await openLinkSession(service, { connectionId });
    expect((await driveToEnd(session, { username: 'good' })).state).toBe('finished');
    await session.acknowledge();
    const { connection } = await getDetail(connectionId);
    expect(connection).toMatchObject({ state: 'active', reconnectReason: null });
    await developer.client.DELETE(one, params(connectionId));
    await developer.client.DELETE(one, params(connectionId));
    expect(await historyOf(connectionId)).toEqual([
      ...['revoked member', 'reconnected', 'refresh_refused wrong_credentials', 'refresh_requested member'],
      ...['credentials_broken member', 'refreshed', 'refresh_requested member', 'linked'],
    ]);
    expect((await getDetail(connectionId)).connection.state).toBe('revoked');
    expect(await refresh(connectionId)).toBe(409);
    // The audit log outlives the connection, so it has only the end of the id.
    const logged = await auditEvents(service, { action: 'connection_revoked' });
    expect(logged.map(({ subject }) => subject)).toContain(`con_…${connectionId.slice(-6)}`);
    expect(JSON.stringify(logged)).not.toContain(connectionId);
  });

  test('an unreachable institution is in the history, and only the newest events are kept', async () => {
    const { connectionId } = await link(service, { username: 'good' });
    const { db } = service.service;
    const find = service.service.registry.find;
    // This process no longer knows the institution, so every refresh fails.
    service.service.registry.find = () => undefined;
    try {
      await refresh(connectionId);
      await waitFor(connectionId, 'refresh_failed institution_down');
    } finally {
      service.service.registry.find = find;
    }
    for (let at = 0; at < 10; at++) await refresh(connectionId);
    const rows = await db.write('connection_events').where({ connectionId });
    // The worker may write an event concurrently without seeing ours. In that case one more remains.
    expect(rows.length).toBeLessThanOrEqual(9);
  });
});

describe.each(databases)('the list of connections on $name', (database) => {
  let service: TestService;
  let viewer: DashboardUser;
  type Fixture = { user: string | null; institution: string; state: string; refreshed: string };
  const fixtures = new Map<string, Fixture>();

  beforeAll(async () => {
    service = await startService({ database, worker: false });
    viewer = await createMember(service, { role: 'viewer', email: 'viewer@example.com' });
    const { db, clock } = service.service;
    const now = clock.real().getTime();
    const states = ['active', 'pending', 'needs_reconnect', 'revoked', 'purged'];
    for (let at = 0; at < 60; at++) {
      const id = `con_${String(at).padStart(22, '0')}`;
      const state = states[at % states.length]!;
      const user = at % 3 === 0 ? null : `user-${at % 7}`;
      const institution = at % 2 === 0 ? 'sandbox-bank' : 'sandbox-savings';
      // Two connections for each time, to test ties.
      const createdAt = new Date(now - days(1) - Math.floor(at / 2) * 1000).toISOString();
      const refreshed = new Date(now - (at % 10) * seconds(3600)).toISOString();
      const longAgo = new Date(now - days(40)).toISOString();
      await insertConnection(db.write, {
        ...{ id, endUserId: `usr_${at}`, applicationId: service.application.id, linkSessionId: `lks_${at}` },
        ...{ institutionId: institution, institutionName: institution, externalUserId: user, createdAt },
        ...{
          withdrawnTransactions: 0,
          doubtedReadings: 0,
          consentExpiresAt: null,
          consentDueAt: null,
          offeredFingerprints: null,
        },
        revokedAt: state === 'revoked' ? createdAt : state === 'purged' ? longAgo : null,
        deliveryExpiresAt: state === 'pending' ? new Date(now + days(1)).toISOString() : null,
        reconnectReason: state === 'needs_reconnect' ? 'wrong_credentials' : null,
        ...{
          refreshedAt: refreshed,
          refreshedFullyAt: refreshed,
          laggingAccountIds: null,
          duplicateOf: null,
        },
        ...{ signature: Buffer.alloc(64), credentials: null, fingerprintKey: null, fingerprintKeyId: '' },
      });
      const owner = { applicationId: service.application.id, endUserId: `usr_${at}` };
      await db.write('resource_owners').insert({ id, ...owner });
      if (state !== 'purged') fixtures.set(id, { user, institution, state, refreshed });
    }
  });
  afterAll(() => service.close());

  type Query = Record<string, string | number>;
  const page = async (query: Query) => {
    const search = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
    const path = `/management/applications/${service.application.id}/connections?${search.join('&')}`;
    const response = await viewer.fetch(path);
    return { status: response.status, body: await response.json() };
  };
  const listAll = (query: Query, limit: number): Promise<string[]> =>
    readPages(async (cursor) => {
      const { body } = await page({ ...query, limit, ...(cursor && { cursor }) });
      return { items: body.connections.map(({ id }: { id: string }) => id), nextCursor: body.nextCursor };
    });
  const expected = (matches: (connection: Fixture) => boolean) =>
    [...fixtures].filter(([, connection]) => matches(connection)).map(([id]) => id);

  const filters: [Query, (connection: Fixture) => boolean][] = [
    [{}, () => true],
    [{ state: 'active' }, ({ state }) => state === 'active'],
    [{ state: 'pending' }, ({ state }) => state === 'pending'],
    [{ state: 'needs_reconnect' }, ({ state }) => state === 'needs_reconnect'],
    [{ state: 'revoked' }, ({ state }) => state === 'revoked'],
    [{ institutionId: 'sandbox-bank' }, ({ institution }) => institution === 'sandbox-bank'],
    [{ externalUserId: 'user-1' }, ({ user }) => user === 'user-1'],
    [{ search: 'user-' }, ({ user }) => user !== null],
    [{ search: 'user-\u{10ffff}' }, () => false],
    [{ externalUserId: 'user-2', state: 'active' }, (one) => one.user === 'user-2' && one.state === 'active'],
  ];
  test.each(filters)(
    '%j: every page size returns the same connections, each once',
    async (query, matches) => {
      const expectedIds = expected(matches);
      for (const limit of [1, 7, 200]) expect((await listAll(query, limit)).sort()).toEqual(expectedIds);
      expect(await listAll(query, 7)).toEqual(await listAll(query, 200));
    },
  );

  test('the last refresh can be filtered by, in any time zone, least recent first', async () => {
    const times = [...fixtures.values()].map(({ refreshed }) => refreshed).sort();
    const middle = times[Math.floor(times.length / 2)]!;
    const expectedIds = expected(({ refreshed }) => refreshed < middle);
    const ids = await listAll({ refreshedBefore: middle }, 3);
    expect([...ids].sort()).toEqual(expectedIds);
    const order = ids.map((id) => fixtures.get(id)!.refreshed);
    expect(order).toEqual([...order].sort());
    const eastern = new Date(Date.parse(middle) + 2 * seconds(3600)).toISOString().replace('Z', '+02:00');
    expect(await listAll({ refreshedBefore: eastern }, 50)).toEqual(ids);
  });

  test('a complete id is found; a cursor of another list is rejected', async () => {
    const [id] = [...fixtures.keys()];
    expect(await listAll({ search: ` ${id} ` }, 5)).toEqual([id]);
    const { body } = await page({ limit: 2 });
    const foreign = await page({ limit: 2, externalUserId: 'user', cursor: body.nextCursor });
    expect([foreign.status, foreign.body.code]).toEqual([400, 'invalid_cursor']);
    const other = makeId('con');
    const made = [['\0', other], [null, other], ['', '\0'], ['']].map((position) =>
      Buffer.from(JSON.stringify(['createdAt', ...position])).toString('base64url'),
    );
    for (const cursor of ['nonsense', ...made]) {
      expect((await page({ cursor })).body.code).toBe('invalid_cursor');
    }
  });

  test('the overview counts connections by state', async () => {
    const { id } = service.application;
    const counts = async () =>
      (await (await viewer.fetch(`/management/applications/${id}/overview`)).json()).connections;
    expect(await counts()).toEqual({ pending: 12, active: 12, needsReconnect: 12, revoked: 12 });
    const { db, clock, config } = service.service;
    const application = { id, environment: 'sandbox', organizationId: service.organizationId } as const;
    const lifetime = { clock, application, limits: config.limits };
    const active = expected(({ state }) => state === 'active')[0]!;
    const eventsMax = config.limits.connectionEventsMax;
    await revokeConnection(db, lifetime, active, { eventsMax, canRevoke: () => false });
    expect(await counts()).toMatchObject({ active: 11, revoked: 13 });
  });
});
