// The request log in the dashboard: its requests and their fields, their retention, and its readers.
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { components } from '../../../generated/management.ts';
import { days } from '../../../src/platform/values/clock.ts';
import { databases, oneDatabase } from '../../support/databases.ts';
import { link, startService, type TestService, type TestServiceOptions } from '../../support/testService.ts';
import { addOrganization, createMember, type DashboardUser, readPages, signIn } from './users.ts';

type LoggedRequest = components['schemas']['LoggedRequest'];
type Filters = { requestId?: string; outcome?: LoggedRequest['outcome']; operation?: string };
type Query = Filters & { cursor?: string; limit?: number };

const path = '/management/applications/{applicationId}/requests';

const list = ({ client }: DashboardUser, applicationId: string, query: Query = {}) =>
  client.GET(path, { params: { path: { applicationId }, query } });

const listAll = (user: DashboardUser, applicationId: string, query: Query = {}) =>
  readPages(async (cursor) => {
    const { requests, nextCursor } = (await list(user, applicationId, { ...query, cursor })).data!;
    return { items: requests, nextCursor };
  });

const unknownConnection = 'con_0000000000000000000000';

const start = async (options: TestServiceOptions) => {
  const service = await startService(options);
  onTestFinished(() => service.close());
  const viewer = await createMember(service, { role: 'viewer', email: 'view@example.com' });
  const linkUser = async () => {
    const { connectionId, scopedToken } = await link(service);
    return { connectionId, headers: { 'X-Scoped-Token': scopedToken! } };
  };
  return { service, viewer, linkUser, ...requestsTo(service, viewer) };
};

/** Sends requests with an API key, and finds them in the log. */
const requestsTo = (service: TestService, viewer: DashboardUser) => {
  const { id: applicationId, apiKey } = service.application;
  const send = async (target: string, init: { method?: string; headers?: object } = {}) => {
    const headers = { Authorization: `Bearer ${apiKey}`, ...init.headers };
    const response = await fetch(`${service.apiUrl}${target}`, { ...init, headers });
    await response.text();
    return { status: response.status, requestId: response.headers.get('Request-Id')! };
  };
  /** A request is recorded shortly after its response is received. */
  const find = ({ requestId }: { requestId: string }): Promise<LoggedRequest> =>
    vi.waitUntil(async () => {
      await service.service.requestLog.flush();
      return (await list(viewer, applicationId, { requestId })).data!.requests[0];
    }, 30_000);
  return { send, find, applicationId };
};

describe.each(oneDatabase)('the log of requests on $name', (database) => {
  test('a request is found by its Request-Id, with its result and its API key', async () => {
    const { service, send, find, linkUser } = await start({ database });
    const { connectionId, headers } = await linkUser();
    const sent = await send(`/connections/${connectionId}`, { headers });
    expect(await find(sent)).toEqual({
      requestId: sent.requestId,
      at: expect.any(String),
      ...{ operation: 'getConnection', status: 200, outcome: 'succeeded', code: null, parameters: [] },
      apiKey: { id: service.application.keyId, name: 'test' },
      milliseconds: expect.any(Number),
    });
    const missing = await send(`/connections/${unknownConnection}`, { headers });
    const notFound = { operation: 'getConnection', status: 404, outcome: 'refused', code: 'not_found' };
    expect(await find(missing)).toMatchObject({ ...notFound, parameters: [] });
  });

  test('a refusal has the names of wrong parameters in the contract, but never a value', async () => {
    const { service, send, find, linkUser } = await start({ database });
    const { headers } = await linkUser();
    const target = '/connections?limit=canary1&cursor=canary2&limit=canary3&canary4=canary5';
    const wrong = await send(target, { headers });
    expect(wrong.status).toBe(400);
    const logged = await find(wrong);
    expect(logged).toMatchObject({ status: 400, outcome: 'refused', code: 'invalid_request' });
    expect(logged.parameters).toEqual(expect.arrayContaining(['limit', 'unknown']));
    expect(JSON.stringify(logged)).not.toContain('canary');
    const ofSimplefin = await send('/simplefin/accesses?externalUserId=canary6&externalUserId=canary7');
    expect(await find(ofSimplefin)).toMatchObject({
      ...{ operation: 'listSimplefinAccesses', status: 400, parameters: ['externalUserId'] },
    });
    const rows = await service.service.db.read('request_log').select('*');
    expect(JSON.stringify(rows)).not.toContain('canary');
    expect(JSON.stringify(rows)).not.toContain(headers['X-Scoped-Token']);
  });

  test('a request for the data of another application, or over the limit, is logged as refused', async () => {
    const { service, send, find } = await start({ database, limits: { apiRequestsPerMinute: 3 } });
    const other = await service.addApplication();
    const { connectionId } = await link(service, { applicationId: other.id });
    const forbidden = await send(`/connections/${connectionId}`, { method: 'DELETE' });
    expect(await find(forbidden)).toMatchObject({
      ...{ operation: 'revokeConnection', status: 403, outcome: 'refused', code: 'forbidden' },
    });
    let last = forbidden;
    for (let at = 0; at < 10 && last.status !== 429; at++) {
      last = await send(`/connections/${connectionId}`, { method: 'DELETE' });
    }
    expect(await find(last)).toMatchObject({ status: 429, outcome: 'refused', code: 'rate_limited' });
  });

  test('a stopping process writes its unwritten requests', async () => {
    const { service, viewer, applicationId } = await start({ database });
    const stopped = await startService({ existing: service.service.config, worker: false });
    const { send } = requestsTo({ ...stopped, application: service.application }, viewer);
    const { requestId } = await send('/connections');
    await stopped.close();
    expect(await listAll(viewer, applicationId)).toMatchObject([{ requestId, status: 403 }]);
  });

  test('a request without a valid API key is not logged', async () => {
    const { viewer, send, find, applicationId } = await start({ database });
    for (const Authorization of ['', 'Bearer sk_wrong', 'Basic x']) {
      expect((await send('/connections', { headers: { Authorization } })).status).toBe(401);
    }
    const refused = await send('/connections');
    expect(await find(refused)).toMatchObject({ status: 403, outcome: 'refused', code: 'forbidden' });
    expect(await listAll(viewer, applicationId)).toHaveLength(1);
  });

  test('members of other organizations see nothing, nor does another application', async () => {
    const { service, viewer, send, find, applicationId } = await start({ database });
    const sent = await send(`/connections/${unknownConnection}`, { method: 'DELETE' });
    await find(sent);
    const { requestId } = sent;
    const organizationId = await addOrganization(service, 'Elsewhere');
    const stranger = await createMember(service, { role: 'owner', email: 'a@example.com', organizationId });
    expect((await list(stranger, applicationId, { requestId })).response.status).toBe(404);
    const { id: otherId } = await service.addApplication();
    expect(await listAll(viewer, otherId, { requestId })).toEqual([]);
    expect(await listAll(viewer, applicationId, { requestId })).toHaveLength(1);
  });

  test('they are listed newest first in pages of any size, by outcome and operation', async () => {
    const { viewer, send, find, applicationId, linkUser } = await start({ database });
    const { headers } = await linkUser();
    const sent = [];
    for (let at = 0; at < 3; at++) {
      for (const target of ['/connections', `/connections/${unknownConnection}`]) {
        const one = await send(target, { headers });
        await find(one);
        sent.push(one);
      }
    }
    const all = await listAll(viewer, applicationId);
    const newestFirst = sent.map(({ requestId }) => requestId).toReversed();
    expect(all.map(({ requestId }) => requestId)).toEqual(newestFirst);
    for (const limit of [1, 4, 6]) expect(await listAll(viewer, applicationId, { limit })).toEqual(all);
    for (const outcome of ['succeeded', 'refused', 'failed'] as const) {
      const matching = all.filter((one) => one.outcome === outcome);
      expect(await listAll(viewer, applicationId, { outcome, limit: 2 })).toEqual(matching);
    }
    const lists = all.filter(({ operation }) => operation === 'listConnections');
    expect(await listAll(viewer, applicationId, { operation: 'listConnections' })).toEqual(lists);
    expect(lists).toHaveLength(3);
    const { error } = await list(viewer, applicationId, { requestId: 'short' });
    expect(error).toMatchObject({ errors: [{ path: '/query/requestId' }] });
    for (const cursor of ['nonsense', Buffer.from(all[0]!.requestId).toString('base64url')]) {
      const { error } = await list(viewer, applicationId, { cursor });
      expect(error).toMatchObject({ code: 'invalid_cursor' });
    }
  });

  test('only the newest are kept, of successes and of the others', async () => {
    const limits = { requestLogSuccessesMax: 2, requestLogFailuresMax: 3 };
    const { viewer, send, find, applicationId, linkUser } = await start({ database, limits });
    const { headers } = await linkUser();
    const sent = { succeeded: [] as string[], refused: [] as string[] };
    for (let at = 0; at < 5; at++) {
      for (const target of ['/connections', `/connections/${unknownConnection}`]) {
        const one = await send(target, { headers });
        const { outcome } = await find(one);
        sent[outcome as keyof typeof sent].unshift(one.requestId);
      }
    }
    const kept = await listAll(viewer, applicationId);
    const idsOf = (outcome: LoggedRequest['outcome']) =>
      kept.filter((one) => one.outcome === outcome).map(({ requestId }) => requestId);
    expect(idsOf('succeeded')).toEqual(sent.succeeded.slice(0, 2));
    expect(idsOf('refused')).toEqual(sent.refused.slice(0, 3));
  });

  test('they are gone after seven days', async () => {
    const { service, viewer, send, find, applicationId } = await start({
      database,
      limits: { metricsFlushSeconds: 0.05 },
    });
    await find(await send(`/connections/${unknownConnection}`, { method: 'DELETE' }));
    service.advance(days(7) + 60_000);
    const later = await signIn(service, viewer);
    await expect.poll(() => listAll(later, applicationId)).toEqual([]);
    expect(await service.service.db.read('request_log').select('*')).toEqual([]);
  });
});

describe.each(databases)('the log of requests on $name', (database) => {
  test('requests that the database refuses to store are logged once it accepts them', async () => {
    const { service, send, find } = await start({ database });
    const { db, requestLog } = service.service;
    const flush = () => requestLog.flush().catch(() => 'refused');
    await db.write.raw('alter table request_log rename to request_log_renamed');
    const first = await send('/connections');
    await expect.poll(flush).toBe('refused');
    const second = await send('/connections');
    await expect.poll(flush).toBe('refused');
    await db.write.raw('alter table request_log_renamed rename to request_log');
    expect(await find(second)).toMatchObject({ status: 403 });
    expect(await find(first)).toMatchObject({ status: 403 });
  });
});
