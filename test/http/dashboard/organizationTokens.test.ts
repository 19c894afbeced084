// Organization tokens: returned once, stored as a keyed hash, valid until they are revoked or expire, and never combined with a
// session. With a token, the management client can do everything that CI needs.
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { linkSandbox, ProblemError, UsageError, unwrap } from '../../../client/index.ts';
import { createManagementClient } from '../../../client/management.ts';
import { days, seconds } from '../../../src/platform/values/clock.ts';
import { databases, oneDatabase } from '../../support/databases.ts';
import { hostOrigin, startService, type TestService } from '../../support/testService.ts';
import {
  addOrganization,
  auditEvents,
  createMember,
  createToken,
  type DashboardUser,
  memberIdOf,
  tokenScopes,
} from './users.ts';

const tokensPath = '/management/organizations/{organizationId}/tokens';
const applicationPath = '/management/applications/{applicationId}';
const connectionPath = `${applicationPath}/connections/{connectionId}` as const;
const endpointPath = `${applicationPath}/webhook-endpoints/{endpointId}` as const;

for (const database of databases)
  describe(`organization tokens on ${database.name}`, () => {
    let service: TestService;
    let owner: DashboardUser;
    const logged: string[] = [];
    beforeAll(async () => {
      service = await startService({
        ...{ database, env: { ALLOWED_NETWORKS: '127.0.0.0/8' }, limits: { webhookPollMs: 50 } },
        logTo: (line) => logged.push(line),
      });
      owner = await createMember(service, { role: 'owner', email: 'owner@example.com' });
    });
    afterAll(() => service.close());

    const ofOrganization = () => ({ params: { path: { organizationId: service.organizationId } } });
    const ofApplication = () => ({ params: { path: { applicationId: service.application.id } } });
    const clientOf = (token: string, options = {}) =>
      createManagementClient({ baseUrl: service.url, token, retries: 0, ...options });
    const statusWith = async (token: string) =>
      (await clientOf(token).GET(applicationPath, ofApplication())).response.status;
    const find = async (id: string) =>
      (await unwrap(owner.client.GET(tokensPath, ofOrganization()))).tokens.find((one) => one.id === id);
    const revoke = async (tokenId: string) =>
      owner.client.DELETE(`${tokensPath}/{tokenId}`, {
        params: { path: { organizationId: service.organizationId, tokenId } },
      });

    test('a token is returned once, is stored as a hash, has a last use, and is refused once it is revoked', async () => {
      const { token, secret } = await createToken(owner, service.organizationId, { role: 'viewer' });
      expect(secret).toMatch(/^ogt_[A-Za-z0-9_-]{72}$/);
      const unused = { role: 'viewer', state: 'active', createdBy: 'owner@example.com', lastUsedAt: null };
      expect(await find(token.id)).toEqual(token);
      expect(token).toMatchObject({ ...unused, scopes: [...tokenScopes], revokedAt: null });
      expect(await statusWith(secret)).toBe(200);
      const used = (await find(token.id))!.lastUsedAt;
      expect(used).not.toBeNull();
      service.advance(seconds(59));
      await statusWith(secret);
      expect((await find(token.id))!.lastUsedAt).toBe(used);
      service.advance(seconds(2));
      await statusWith(secret);
      expect((await find(token.id))!.lastUsedAt).not.toBe(used);
      const row = await service.service.db.read('organization_tokens').where({ id: token.id }).first('*');
      expect(Object.values(row!).map(String).join()).not.toContain(secret.slice('ogt_'.length + 24, -8));
      for (const _time of [1, 2]) expect((await revoke(token.id)).response.status).toBe(204);
      expect(await statusWith(secret)).toBe(401);
      expect((await find(token.id))?.state).toBe('revoked');
      const events = await auditEvents(service, { subject: token.id });
      expect(events.map(({ action, email, details }) => ({ action, email, details }))).toEqual([
        {
          ...{ action: 'organization_token_created', email: 'owner@example.com' },
          details: { name: 'CI', role: 'viewer', scopes: tokenScopes.join(' '), expiresAt: token.expiresAt },
        },
        { action: 'organization_token_revoked', email: 'owner@example.com', details: { name: 'CI' } },
      ]);
      expect(logged.length).toBeGreaterThan(0);
      expect(logged.join('\n')).not.toContain(secret);
    });

    test('a token that differs from the returned one is refused, and so is one used as an API key', async () => {
      const { secret } = await createToken(owner, service.organizationId);
      const other = secret.at(10) === 'A' ? 'B' : 'A';
      const { apiKey } = service.application;
      const wrong = [
        `${secret.slice(0, 10)}${other}${secret.slice(11)}`,
        secret.slice(0, -1),
        'ogt_',
        apiKey,
      ];
      for (const token of wrong) {
        const { error, response } = await clientOf(token).GET(applicationPath, ofApplication());
        expect(response.status).toBe(401);
        expect(response.headers.get('WWW-Authenticate')).toBe('Bearer');
        expect(error!.detail).toBe('The organization token is not valid.');
      }
      const asApiKey = service.client(undefined, secret).GET('/connections/{connectionId}', {
        params: { path: { connectionId: 'con_0123456789012345678901' } },
      });
      expect((await asApiKey).response.status).toBe(401);
    });

    test('a row with another role, scope, organization or end is refused', async () => {
      const { token, secret } = await createToken(owner, service.organizationId, {
        role: 'viewer',
        scopes: ['read'],
      });
      const rows = () => service.service.db.write('organization_tokens').where({ id: token.id });
      const before = (await rows().first('*'))!;
      const elsewhere = await addOrganization(service, 'Elsewhere');
      const changes = [
        ...[{ role: 'owner' as const }, { scopes: 'read applications' }, { organizationId: elsewhere }],
        ...[
          { expiresAt: '2099-01-01T00:00:00.000Z' },
          { hash: Buffer.alloc(16) },
          { signingSecretId: 'none' },
        ],
      ];
      for (const change of changes) {
        await rows().update(change);
        expect({ change, status: await statusWith(secret) }).toEqual({ change, status: 401 });
        await rows().update(before);
      }
      expect(await statusWith(secret)).toBe(200);
    });

    test('a token has an end, at most 366 days away, after which it is refused', async () => {
      const { clock } = service.service;
      const at = (ms: number) => new Date(clock.real().getTime() + ms).toISOString();
      const { token, secret } = await createToken(owner, service.organizationId, {
        expiresAt: at(seconds(3600)),
      });
      for (const [expiresAt, message] of [
        [at(-seconds(1)), 'must be in the future'],
        [at(days(367)), 'must be at most 366 days from now'],
      ] as const) {
        const body = { name: 'CI', role: 'viewer' as const, scopes: ['read' as const], expiresAt };
        const { error } = await owner.client.POST(tokensPath, { ...ofOrganization(), body });
        expect(error).toMatchObject({ status: 400, errors: [{ path: '/body/expiresAt', message }] });
      }
      expect(await statusWith(secret)).toBe(200);
      service.advance(seconds(3600));
      expect(await statusWith(secret)).toBe(401);
      expect((await find(token.id))?.state).toBe('expired');
    });

    test('a request with a token never uses the session, and does not need its headers', async () => {
      const viewer = await createToken(owner, service.organizationId, { role: 'viewer' });
      const developer = await createToken(owner, service.organizationId, { role: 'developer' });
      const path = `/management/applications/${service.application.id}`;
      const body = JSON.stringify({ name: 'Renamed' });
      const send = (headers: Record<string, string>) =>
        fetch(`${service.url}${path}`, {
          ...{ method: 'PATCH', body },
          headers: { 'Content-Type': 'application/json', Cookie: owner.cookie()!, ...headers },
        });
      expect((await send({})).status).toBe(403);
      const page = { Origin: service.url, 'Dashboard-Request': '1' };
      expect((await send(page)).status).toBe(200);
      expect((await send({ ...page, Authorization: `Bearer ${viewer.secret}` })).status).toBe(403);
      for (const wrong of ['Bearer', 'Bearer none', 'bearer none'])
        expect((await send({ ...page, Authorization: wrong })).status).toBe(401);
      // A proxy in front of the dashboard may require its own password.
      expect((await send({ ...page, Authorization: 'Basic b3duZXI6cHJveHk=' })).status).toBe(200);
      const withToken = await send({ Authorization: `Bearer ${developer.secret}` });
      expect(withToken.status).toBe(200);
      expect(withToken.headers.get('API-Version')).toBe('2026-11-28');
      expect(withToken.headers.getSetCookie()).toEqual([]);
      // A page from another origin would need a preflight, which is refused.
      const preflight = await fetch(`${service.url}${path}`, {
        method: 'OPTIONS',
        headers: { Origin: 'https://evil.example', 'Access-Control-Request-Method': 'PATCH' },
      });
      expect(preflight.headers.get('Access-Control-Allow-Origin')).toBeNull();
    });

    test('changes by a token are recorded with its id, which outlives the member who created it', async () => {
      const maker = await createMember(service, { role: 'owner', email: 'maker@example.com' });
      const { token, secret } = await createToken(maker, service.organizationId);
      const memberId = await memberIdOf(maker);
      const path = { organizationId: service.organizationId, memberId };
      await unwrap(
        owner.client.DELETE('/management/organizations/{organizationId}/members/{memberId}', {
          params: { path },
        }),
      );
      const management = clientOf(secret);
      const created = await unwrap(
        management.POST(`${applicationPath}/api-keys`, { ...ofApplication(), body: { name: 'By CI' } }),
      );
      expect(created.apiKey.createdBy).toBe(token.id);
      const [event] = await auditEvents(service, { subject: created.apiKey.id });
      expect(event).toMatchObject({
        action: 'api_key_created',
        tokenId: token.id,
        memberId: null,
        email: null,
      });
      const { events } = await unwrap(
        management.GET('/management/organizations/{organizationId}/audit', {
          params: { ...ofOrganization().params, query: { action: 'api_key_created', limit: 1 } },
        }),
      );
      expect(events[0]!.actor).toEqual({ memberId: null, tokenId: token.id, email: null });
    });

    test('CI links, breaks, refreshes, gets webhooks, replays them and moves the clock, without a browser or a shell', async () => {
      const { secret } = await createToken(owner, service.organizationId, {
        role: 'developer',
        scopes: ['read', 'connections', 'webhooks', 'sandbox'],
      });
      const management = clientOf(secret);
      const { id: applicationId } = service.application;
      const { organizationId } = await unwrap(management.GET(applicationPath, ofApplication()));
      const url = 'http://127.0.0.1:9/webhooks';
      const { webhookEndpoint } = await unwrap(
        management.POST(`${applicationPath}/webhook-endpoints`, { ...ofApplication(), body: { url } }),
      );
      const { connectionId } = await linkSandbox({
        ...{ baseUrl: service.url, applicationId, origin: hostOrigin, user: 'good' },
      });
      const params = { path: { applicationId, connectionId } };
      await unwrap(management.POST(`${connectionPath}/break-credentials`, { params }));
      await unwrap(management.POST(`${connectionPath}/refresh`, { params }));
      const read = async () => unwrap(management.GET(connectionPath, { params }));
      await expect.poll(async () => (await read()).connection.state).toBe('needs_reconnect');
      expect((await read()).events.find(({ kind }) => kind === 'refresh_requested')?.actor).toBe('token');

      const ofEndpoint = { applicationId, endpointId: webhookEndpoint.id };
      const deliveries = async () => {
        const list = management.GET(`${endpointPath}/deliveries`, { params: { path: ofEndpoint } });
        return (await unwrap(list)).deliveries;
      };
      await expect.poll(async () => (await deliveries())[0]?.attempts ?? 0).toBeGreaterThan(0);
      const { eventId } = (await deliveries())[0]!;
      const replay = management.POST(`${endpointPath}/deliveries/{eventId}/replay`, {
        params: { path: { ...ofEndpoint, eventId } },
      });
      expect((await replay).response.status).toBe(204);

      const clock = await unwrap(
        management.POST('/management/organizations/{organizationId}/sandbox/clock', {
          ...{ params: { path: { organizationId } }, body: { seconds: 86_400 } },
        }),
      );
      expect(clock.clock.offsetSeconds).toBe(86_400);
      const file = management.POST('/management/organizations/{organizationId}/sandbox/files', {
        params: { path: { organizationId }, query: { name: 'none.csv' } },
        headers: { 'Content-Type': 'application/octet-stream' },
        ...{ body: 'nothing,known\n', bodySerializer: (body) => body },
      });
      await expect(unwrap(file)).rejects.toThrow(ProblemError);
      const sessions = management.GET(`${applicationPath}/link-sessions`, ofApplication());
      expect((await unwrap(sessions)).linkSessions.map((one) => one.connectionId)).toContain(connectionId);
      const requests = await management.GET(`${applicationPath}/requests`, ofApplication());
      expect(requests.response.status).toBe(200);
      const rename = management.PATCH(applicationPath, { ...ofApplication(), body: { name: 'No' } });
      await expect(unwrap(rename)).rejects.toThrow('The token lacks the scope applications.');
    });

    test('a refresh during the pause of the connection is a 429 with the remaining time', async () => {
      const { secret } = await createToken(owner, service.organizationId);
      const management = clientOf(secret);
      const { id: applicationId } = service.application;
      const { connectionId } = await linkSandbox({
        ...{ baseUrl: service.url, applicationId, origin: hostOrigin, user: 'good' },
      });
      const params = { path: { applicationId, connectionId } };
      const jobs = () => service.service.db.write('jobs').where({ connectionId });
      const dueAt = (await jobs().first('dueAt'))!.dueAt;
      const now = service.service.clock.now({
        environment: 'sandbox',
        organizationId: service.organizationId,
      });
      await jobs().update({ notBefore: new Date(now.getTime() + seconds(600)).toISOString() });
      const refresh = () => management.POST(`${connectionPath}/refresh`, { params });
      const { response } = await refresh();
      expect(response.status).toBe(429);
      const wait = Number(response.headers.get('Retry-After'));
      expect(wait).toBeGreaterThan(590);
      expect(wait).toBeLessThanOrEqual(600);
      expect((await jobs().first('dueAt'))!.dueAt).toBe(dueAt);
      service.advance(seconds(wait));
      expect((await refresh()).response.status).toBe(204);
    });
  });

describe.each(oneDatabase)('limits of organization tokens on $name', (database) => {
  test('each token has its own limit of requests a minute, and refused ones count', async () => {
    const service = await startService({ database, limits: { dashboardRequestsPerMinute: 5 } });
    onTestFinished(service.close);
    const owner = await createMember(service, { role: 'owner', email: 'owner@example.com' });
    const [first, second] = [
      await createToken(owner, service.organizationId, { scopes: ['sandbox'] }),
      await createToken(owner, service.organizationId),
    ];
    const request = async (token: string) => {
      const client = createManagementClient({ baseUrl: service.url, token, retries: 0 });
      const params = { path: { applicationId: service.application.id } };
      return (await client.GET(applicationPath, { params })).response;
    };
    for (let count = 0; count < 5; count++) expect((await request(first.secret)).status).toBe(403);
    expect((await request(first.secret)).headers.get('RateLimit')).toContain('r=0');
    expect((await request(second.secret)).status).toBe(200);
  });
});

describe.each(oneDatabase)('failed authentications on $name', (database) => {
  test('of wrong tokens are limited by address, and valid tokens are not', async () => {
    const service = await startService({ database, limits: { authFailuresPerMinute: 2 } });
    onTestFinished(service.close);
    const owner = await createMember(service, { role: 'owner', email: 'owner@example.com' });
    const { secret } = await createToken(owner, service.organizationId);
    const statusWith = async (token: string) => {
      const client = createManagementClient({ baseUrl: service.url, token, retries: 0 });
      const params = { path: { applicationId: service.application.id } };
      return (await client.GET(applicationPath, { params })).response.status;
    };
    for (const status of [401, 401, 429]) expect(await statusWith('ogt_wrong')).toBe(status);
    expect(await statusWith(secret)).toBe(200);
  });
});

describe('the management client', () => {
  test('needs a base URL and a token', () => {
    for (const options of [
      { baseUrl: 'none', token: 'ogt_' },
      { baseUrl: 'https://bank.example', token: '' },
    ])
      expect(() => createManagementClient(options)).toThrow(UsageError);
  });

  test('retries a GET that must wait, but no changes', async () => {
    const sent: string[] = [];
    const management = createManagementClient({
      ...{ baseUrl: 'https://bank.example', token: 'ogt_' },
      fetch: async ({ method }) => {
        sent.push(method);
        return new Response('{}', { status: 503, headers: { 'Retry-After': '0' } });
      },
    });
    const path = { applicationId: 'app_1' };
    await management.GET(applicationPath, { params: { path } });
    await management.POST(`${applicationPath}/archive`, { params: { path } });
    expect(sent).toEqual(['GET', 'GET', 'GET', 'GET', 'POST']);
  });
});
