// Connections as the operator sees them: their history, the list with its filters and pages, and what can be done.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { days, seconds } from '../../../src/clock.ts';
import { revokeConnection } from '../../../src/connections/revokeConnection.ts';
import { insertConnection } from '../../../src/connections/store.ts';
import { databases } from '../../support/databases.ts';
import {
  driveToEnd,
  link,
  openLinkSession,
  startService,
  type TestService,
} from '../../support/testService.ts';
import { createMember, type DashboardUser } from './users.ts';

const one = '/dashboard/api/applications/{applicationId}/connections/{connectionId}';

for (const database of databases) {
  describe(`connections on ${database.name}`, () => {
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
    const detail = async (connectionId: string) =>
      (await developer.client.GET(one, params(connectionId))).data!;
    const kinds = async (connectionId: string) =>
      (await detail(connectionId)).events.map(({ kind, reason, actor }) =>
        [kind, reason ?? actor ?? ''].join(' ').trim(),
      );
    const until = async (connectionId: string, kind: string) =>
      vi.waitUntil(async () => (await kinds(connectionId))[0]?.startsWith(kind), { timeout: 20_000 });
    const refresh = async (connectionId: string) =>
      (await developer.client.POST(`${one}/refresh`, params(connectionId))).response.status;

    test('the history tells linking, refreshes, a refusal with its reason, the reconnection and the end', async () => {
      const { connectionId } = await link(service, { username: 'good', externalUserId: 'history' });
      expect(await kinds(connectionId)).toEqual(['linked']);
      expect(await refresh(connectionId)).toBe(204);
      await until(connectionId, 'refreshed');
      const broken = await developer.client.POST(`${one}/break-credentials`, params(connectionId));
      expect(broken.response.status).toBe(204);
      expect(await refresh(connectionId)).toBe(204);
      await until(connectionId, 'refresh_refused');
      expect(await detail(connectionId)).toMatchObject({
        connection: {
          state: 'needs_reconnect',
          reconnectReason: 'wrong_credentials',
          externalUserId: 'history',
        },
        nextRefreshAt: null,
        accountCount: 3,
      });
      expect(await refresh(connectionId)).toBe(409);
      const session = await openLinkSession(service, { connectionId });
      expect((await driveToEnd(session, { username: 'good' })).state).toBe('finished');
      await session.acknowledge();
      expect((await detail(connectionId)).connection).toMatchObject({
        state: 'active',
        reconnectReason: null,
      });
      await developer.client.DELETE(one, params(connectionId));
      await developer.client.DELETE(one, params(connectionId));
      expect(await kinds(connectionId)).toEqual([
        'revoked member',
        'reconnected',
        'refresh_refused wrong_credentials',
        'refresh_requested member',
        'credentials_broken member',
        'refreshed',
        'refresh_requested member',
        'linked',
      ]);
      expect((await detail(connectionId)).connection.state).toBe('revoked');
      expect(await refresh(connectionId)).toBe(409);
      // The log stays when the connection and its id are long forgotten.
      const logged = await service.service.db.read('audit_events').where({ action: 'connection_revoked' });
      expect(logged.map(({ subject }) => subject)).toContain(`con_…${connectionId.slice(-6)}`);
      expect(JSON.stringify(logged)).not.toContain(connectionId);
    });

    test('a bank that is down is in the history, and only the newest events are kept', async () => {
      const { connectionId } = await link(service, { username: 'good' });
      const { db } = service.service;
      const find = service.service.registry.find;
      // The institution is gone from this process, so that every refresh fails.
      service.service.registry.find = () => undefined;
      try {
        await refresh(connectionId);
        await until(connectionId, 'refresh_failed');
      } finally {
        service.service.registry.find = find;
      }
      expect((await kinds(connectionId))[0]).toBe('refresh_failed institution_down');
      for (let at = 0; at < 10; at++) await refresh(connectionId);
      const rows = await db.write('connection_events').where({ connection_id: connectionId });
      // An event of the worker's that is written at the same moment does not see ours yet, and may stay.
      expect(rows.length).toBeLessThanOrEqual(9);
    });

    test('only sandbox connections can be broken, and not those that wait for their user', async () => {
      const { connectionId } = await link(service, { username: 'good' });
      const attempt = () => developer.client.POST(`${one}/break-credentials`, params(connectionId));
      await attempt();
      await refresh(connectionId);
      await until(connectionId, 'refresh_refused');
      expect((await attempt()).response.status).toBe(409);
    });

    test('a connection of another application is not there', async () => {
      const { connectionId } = await link(service, { username: 'good' });
      const other = await service.addApplication();
      const elsewhere = { params: { path: { applicationId: other.id, connectionId } } };
      for (const response of [
        (await developer.client.GET(one, elsewhere)).response,
        (await developer.client.DELETE(one, elsewhere)).response,
        (await developer.client.POST(`${one}/refresh`, elsewhere)).response,
      ]) {
        expect(response.status).toBe(404);
      }
    });
  });

  describe(`the list of connections on ${database.name}`, () => {
    let service: TestService;
    let viewer: DashboardUser;
    const made = new Map<
      string,
      { user: string | null; institution: string; state: string; refreshed: string }
    >();

    beforeAll(async () => {
      service = await startService({ database, worker: false });
      viewer = await createMember(service, { role: 'viewer', email: 'viewer@example.com' });
      const { db, clock } = service.service;
      const now = clock.real().getTime();
      const states = ['active', 'pending', 'needs_reconnect', 'revoked', 'gone'];
      for (let at = 0; at < 60; at++) {
        const id = `con_${String(at).padStart(22, '0')}`;
        const state = states[at % states.length]!;
        const user = at % 3 === 0 ? null : `user-${at % 7}`;
        const institution = at % 2 === 0 ? 'sandbox-bank' : 'sandbox-savings';
        // Two of each moment: ties must be told apart too.
        const createdAt = new Date(now - days(1) - Math.floor(at / 2) * 1000).toISOString();
        const refreshed = new Date(now - (at % 10) * seconds(3600)).toISOString();
        const longAgo = new Date(now - days(40)).toISOString();
        await insertConnection(db.write, {
          id,
          endUserId: `usr_${at}`,
          applicationId: service.application.id,
          linkSessionId: `lks_${at}`,
          institutionId: institution,
          institutionName: institution,
          externalUserId: user,
          createdAt,
          revokedAt: state === 'revoked' ? createdAt : state === 'gone' ? longAgo : null,
          deliveryExpiresAt: state === 'pending' ? new Date(now + days(1)).toISOString() : null,
          reconnectReason: state === 'needs_reconnect' ? 'wrong_credentials' : null,
          credentials: null,
          refreshedAt: refreshed,
          refreshedFullyAt: refreshed,
        });
        await db
          .write('resource_owners')
          .insert({ id, application_id: service.application.id, end_user_id: `usr_${at}` });
        if (state !== 'gone') made.set(id, { user, institution, state, refreshed });
      }
    });
    afterAll(() => service.close());

    type Query = Record<string, string | number>;
    const path = () => `/dashboard/api/applications/${service.application.id}/connections`;
    const page = async (query: Query) => {
      const search = Object.entries(query)
        .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
        .join('&');
      const response = await viewer.fetch(`${path()}?${search}`);
      return { status: response.status, body: await response.json() };
    };
    const walk = async (query: Query, limit: number): Promise<string[]> => {
      const ids: string[] = [];
      let cursor: string | undefined;
      do {
        const { body } = await page({ ...query, limit, ...(cursor && { cursor }) });
        ids.push(...body.connections.map(({ id }: { id: string }) => id));
        cursor = body.nextCursor;
      } while (cursor);
      return ids;
    };
    const expected = (fits: (connection: NonNullable<ReturnType<typeof made.get>>) => boolean) =>
      [...made].filter(([, connection]) => fits(connection)).map(([id]) => id);

    const filters: [Query, (c: NonNullable<ReturnType<typeof made.get>>) => boolean][] = [
      [{}, () => true],
      [{ state: 'active' }, ({ state }) => state === 'active'],
      [{ state: 'pending' }, ({ state }) => state === 'pending'],
      [{ state: 'needs_reconnect' }, ({ state }) => state === 'needs_reconnect'],
      [{ state: 'revoked' }, ({ state }) => state === 'revoked'],
      [{ institutionId: 'sandbox-bank' }, ({ institution }) => institution === 'sandbox-bank'],
      [{ externalUserId: 'user-1' }, ({ user }) => user === 'user-1'],
      [{ search: 'user-' }, ({ user }) => user !== null],
      [{ search: 'user-\u{10ffff}' }, () => false],
      [
        { externalUserId: 'user-2', state: 'active' },
        ({ user, state }) => user === 'user-2' && state === 'active',
      ],
    ];
    test.each(filters)('%j: every page size gives the same, each once', async (query, fits) => {
      const wanted = expected(fits);
      for (const limit of [1, 7, 200]) expect((await walk(query, limit)).sort()).toEqual(wanted);
      expect(await walk(query, 7)).toEqual(await walk(query, 200));
    });

    test('the last refresh is filtered by, in any spelling of a moment, the longest ago first', async () => {
      const moments = [...made.values()].map(({ refreshed }) => refreshed).sort();
      const middle = moments[Math.floor(moments.length / 2)]!;
      const wanted = expected(({ refreshed }) => refreshed < middle);
      const ids = await walk({ refreshedBefore: middle }, 3);
      expect([...ids].sort()).toEqual(wanted);
      const order = ids.map((id) => made.get(id)!.refreshed);
      expect(order).toEqual([...order].sort());
      const eastern = new Date(Date.parse(middle) + 2 * seconds(3600)).toISOString().replace('Z', '+02:00');
      expect(await walk({ refreshedBefore: eastern }, 50)).toEqual(ids);
    });

    test('an id is found as a whole; a cursor of another list is refused', async () => {
      const [id] = [...made.keys()];
      expect(await walk({ search: ` ${id} ` }, 5)).toEqual([id]);
      const { body } = await page({ limit: 2 });
      const foreign = await page({ limit: 2, externalUserId: 'user', cursor: body.nextCursor });
      expect([foreign.status, foreign.body.code]).toEqual([400, 'invalid_cursor']);
      expect((await page({ cursor: 'nonsense' })).body.code).toBe('invalid_cursor');
    });

    test('the overview counts them by state', async () => {
      const response = await viewer.fetch(`/dashboard/api/applications/${service.application.id}/overview`);
      const { connections } = await response.json();
      expect(connections).toEqual({ pending: 12, active: 12, needsReconnect: 12, revoked: 12 });
      const { id } = service.application;
      const { db, clock, config } = service.service;
      const lifetime = { clock, environment: 'sandbox', retentionDays: 30 } as const;
      const active = expected(({ state }) => state === 'active')[0]!;
      const eventsMax = config.limits.connectionEventsMax;
      await revokeConnection(db, id, active, lifetime, { actor: 'operator', eventsMax });
      const after = await viewer.fetch(`/dashboard/api/applications/${id}/overview`);
      expect((await after.json()).connections).toMatchObject({ active: 11, revoked: 13 });
    });
  });
}
