// Applications and their API keys: normalized origins, secrets returned once, signed user ids, expiry and revocation.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { signUser } from '../../../client/index.ts';
import { days, seconds } from '../../../src/clock.ts';
import { jpeg, png } from '../../logos/files.ts';
import { type DatabaseKind, databases, oneDatabase } from '../../support/databases.ts';
import {
  hostOrigin,
  link,
  openLinkSession,
  startService,
  type TestService,
} from '../../support/testService.ts';
import { createMember, type DashboardUser, onlyOrganization } from './users.ts';

const listPath = '/dashboard/api/organizations/{organizationId}/applications';
const onePath = '/dashboard/api/applications/{applicationId}';

type Fixture = { service: TestService; owner: DashboardUser; organizationId: string };

/** A service with an owner, which is closed after the tests, and what the owner does. */
const useOwner = (database: DatabaseKind) => {
  const fixture = {} as Fixture;
  beforeAll(async () => {
    fixture.service = await startService({
      database,
      limits: { metricsFlushSeconds: 3600, apiRequestsPerMinute: 6000 },
    });
    fixture.organizationId = await onlyOrganization(fixture.service);
    fixture.owner = await createMember(fixture.service, { role: 'owner', email: 'owner@example.com' });
  });
  afterAll(() => fixture.service.close());

  const create = async (body: { name: string; environment: 'sandbox' | 'production'; origins?: string[] }) =>
    fixture.owner.client.POST(listPath, {
      params: { path: { organizationId: fixture.organizationId } },
      body,
    });
  const change = async (applicationId: string, body: Record<string, unknown>) =>
    fixture.owner.client.PATCH(onePath, { params: { path: { applicationId } }, body });
  const keys = async (applicationId: string) => {
    const { data } = await fixture.owner.client.GET(`${onePath}/api-keys`, {
      params: { path: { applicationId } },
    });
    return data!.apiKeys;
  };
  const createKey = async (applicationId: string, body: { name: string; expiresAt?: string }) =>
    fixture.owner.client.POST(`${onePath}/api-keys`, { params: { path: { applicationId } }, body });
  return { fixture, create, change, keys, createKey };
};

for (const database of oneDatabase) {
  describe(`applications on ${database.name}`, () => {
    const { fixture, create, change, keys, createKey } = useOwner(database);

    test('an owner limits the requests of an application below the limit of the operator', async () => {
      const { service, owner } = fixture;
      const { id } = service.application;
      const params = { path: { applicationId: id } };
      const path = `${onePath}/rate-limit` as const;
      const set = (requestsPerMinute: number | null) =>
        owner.client.PUT(path, { params, body: { requestsPerMinute } });
      expect((await owner.client.GET(path, { params })).data).toEqual({
        requestsPerMinute: null,
        operatorRequestsPerMinute: 6000,
      });
      const { scopedToken } = await link(service);
      // To the start of a minute, so that all requests fall into one.
      service.advance(60_001 - (service.service.clock.real().getTime() % 60_000));
      const read = async () => {
        // The client waits after 429 and sends the request again.
        const response = await fetch(`${service.url}/connections`, {
          headers: { Authorization: `Bearer ${service.application.apiKey}`, 'X-Scoped-Token': scopedToken! },
        });
        await response.arrayBuffer();
        return { status: response.status, policy: response.headers.get('RateLimit-Policy') };
      };
      expect((await read()).policy).toBe('"default";q=6000;w=60');
      expect((await set(2)).data).toEqual({ requestsPerMinute: 2, operatorRequestsPerMinute: 6000 });
      expect([await read(), await read()]).toEqual([
        { status: 200, policy: '"default";q=2;w=60' },
        { status: 429, policy: '"default";q=2;w=60' },
      ]);
      expect((await set(6001)).error).toMatchObject({
        code: 'invalid_request',
        errors: [
          { path: '/body/requestsPerMinute', message: 'must be at most 6000, which the operator allows' },
        ],
      });
      expect((await set(0)).error).toMatchObject({ errors: [{ path: '/body/requestsPerMinute' }] });
      await set(null);
      expect((await read()).policy).toBe('"default";q=6000;w=60');
      const events = await service.service.db.read('audit_events').where({ subject: id });
      const changes = events.filter(({ action }) => action === 'rate_limit_changed');
      expect(changes.map(({ details }) => JSON.parse(details))).toEqual([
        { before: '', after: '2' },
        { before: '2', after: '' },
      ]);
    });

    test('an application can be created and changed; its origins are normalized', async () => {
      const { owner, organizationId } = fixture;
      const { data: created } = await create({
        name: ' Shop ',
        environment: 'production',
        origins: ['https://a.example/'],
      });
      expect(created).toMatchObject({
        name: 'Shop',
        environment: 'production',
        origins: ['https://a.example'],
        nativeAllowed: false,
        returnAddresses: [],
        identity: { secretCreatedAt: null, required: false },
      });
      const refused = await change(created!.id, { origins: ['https://b.example', 'https://b.example/path'] });
      expect(refused.error).toMatchObject({ code: 'invalid_request', errors: [{ path: '/body/origins/1' }] });
      const { data: changed } = await change(created!.id, {
        name: 'Store',
        origins: ['https://b.example', 'https://b.example/'],
        nativeAllowed: true,
      });
      expect(changed).toMatchObject({ name: 'Store', origins: ['https://b.example'], nativeAllowed: true });
      for (const body of [{}, { environment: 'sandbox' }, { name: '   ' }]) {
        expect((await change(created!.id, body)).response.status).toBe(400);
      }
      const { data: all } = await owner.client.GET(listPath, { params: { path: { organizationId } } });
      expect(all?.applications.find(({ id }) => id === created!.id)).toEqual(changed);
    });

    test('an owner sets and removes the company, which needs a name and https addresses', async () => {
      const { service, owner, organizationId } = fixture;
      const params = { path: { organizationId } };
      const path = '/dashboard/api/organizations/{organizationId}/company';
      const set = (body: Record<string, string>) => owner.client.PUT(path, { params, body });
      const company = {
        name: 'Shop Ltd',
        privacyUrl: 'https://shop.example/privacy',
        termsUrl: 'https://shop.example/terms',
      };
      expect((await owner.client.GET(path, { params })).data).toEqual({});
      expect((await set({ ...company, name: ' Shop Ltd ' })).data).toEqual(company);
      const refusals: [body: Record<string, string>, path: string][] = [
        [{ ...company, privacyUrl: 'http://shop.example' }, '/body/privacyUrl'],
        [{ ...company, termsUrl: 'https://user:password@shop.example' }, '/body/termsUrl'],
        [{ ...company, termsUrl: 'https:///shop.example/terms' }, '/body/termsUrl'],
        [{ ...company, termsUrl: 'javascript:alert(1)' }, '/body/termsUrl'],
        [{ termsUrl: company.termsUrl }, '/body/name'],
        [{ ...company, name: '  ' }, '/body/name'],
      ];
      for (const [body, field] of refusals) {
        expect((await set(body)).error).toMatchObject({ code: 'invalid_request', errors: [{ path: field }] });
      }
      expect((await owner.client.GET(path, { params })).data).toEqual(company);
      expect((await set({})).data).toEqual({});
      const events = await service.service.db.read('audit_events').where({ action: 'company_changed' });
      expect(events.map(({ details }) => JSON.parse(details)).filter(({ name }) => name)).toEqual([company]);
      expect(events).toHaveLength(2);
    });

    test('an origin has a scheme, a host and perhaps a port, and nothing else', async () => {
      const { service } = fixture;
      for (const origin of [
        'https://a.example;script-src',
        'https://*.example',
        'https://*',
        'https://a.example,https://b.example',
        "https://'self'",
        'https://a.example https://b.example',
        'https://a.example:*',
        'https://user@a.example',
        'https://A.example',
        'ftp://a.example',
        '*',
        'null',
        '',
      ]) {
        const { error } = await change(service.application.id, { origins: [origin] });
        expect({ origin, errors: error?.errors }).toMatchObject({
          origin,
          errors: [{ path: '/body/origins/0' }],
        });
      }
      const origins = [
        'https://a-b.example',
        'http://localhost:8080',
        'http://[::1]:8080',
        'http://127.0.0.1',
      ];
      const { data } = await change((await service.addApplication()).id, { origins });
      expect(data?.origins).toEqual(origins);
    });

    test('return addresses of native applications are registered, each once, and recorded', async () => {
      const { service, owner, organizationId } = fixture;
      const { id } = await service.addApplication();
      const address = 'shop://bank-return';
      const link = 'https://shop.example/bank-return';
      const { data } = await change(id, { returnAddresses: [address, link, address] });
      expect(data?.returnAddresses).toEqual([address, link]);
      const { error } = await change(id, { returnAddresses: [address, 'javascript://bank-return'] });
      expect(error).toMatchObject({
        code: 'invalid_request',
        errors: [{ path: '/body/returnAddresses/1', message: expect.stringContaining('must look like') }],
      });
      const tooMany = Array.from({ length: 11 }, (_, at) => `shop://return-${at}`);
      expect((await change(id, { returnAddresses: tooMany })).response.status).toBe(400);
      expect((await change(id, { name: 'Store' })).data?.returnAddresses).toEqual([address, link]);
      const params = { path: { organizationId }, query: { action: 'return_addresses_changed' as const } };
      const path = '/dashboard/api/organizations/{organizationId}/audit';
      const { data: audit } = await owner.client.GET(path, { params });
      expect(audit?.events).toMatchObject([
        { subject: id, details: { before: '', after: `${address} ${link}` } },
      ]);
    });

    test('an API key is returned once, works until it is revoked, and has a last use', async () => {
      const { service, owner } = fixture;
      const { id } = service.application;
      const { data: created } = await createKey(id, { name: 'Backend' });
      const { connectionId } = await link(service, { username: 'good' });
      const requestStatus = async () => {
        const params = { path: { connectionId } };
        return (
          await service.client(undefined, created!.secret).GET('/connections/{connectionId}', { params })
        ).response.status;
      };
      expect(await requestStatus()).toBe(200);
      const before = (await keys(id)).find(({ id }) => id === created!.apiKey.id);
      expect(before).toMatchObject({ state: 'active', createdBy: 'owner@example.com', lastUsedAt: null });
      await service.service.metrics.flush();
      const used = (await keys(id)).find(({ id }) => id === created!.apiKey.id);
      expect(used?.lastUsedAt).toMatch(/:00\.000Z$/);
      expect(JSON.stringify(await keys(id))).not.toContain(created!.secret);
      const params = { path: { applicationId: id, keyId: created!.apiKey.id } };
      expect((await owner.client.DELETE(`${onePath}/api-keys/{keyId}`, { params })).response.status).toBe(
        204,
      );
      expect((await owner.client.DELETE(`${onePath}/api-keys/{keyId}`, { params })).response.status).toBe(
        204,
      );
      const deadline = Date.now() + 1000;
      let status = await requestStatus();
      while (status === 200 && Date.now() < deadline) status = await requestStatus();
      expect(status).toBe(401);
      expect((await keys(id)).find(({ id }) => id === created!.apiKey.id)?.state).toBe('revoked');
    });

    test('an API key expires', async () => {
      const { service } = fixture;
      const { id } = service.application;
      const soon = new Date(service.service.clock.real().getTime() + days(1)).toISOString();
      const { data: created } = await createKey(id, { name: 'Short', expiresAt: soon });
      expect(created?.apiKey).toMatchObject({ state: 'active', expiresAt: soon });
      const past = new Date(service.service.clock.real().getTime() - seconds(1)).toISOString();
      expect((await createKey(id, { name: 'Past', expiresAt: past })).response.status).toBe(400);
      service.advance(days(1) + 1);
      const back = await createMember(service, { role: 'owner', email: 'later@example.com' });
      const { data } = await back.client.GET(`${onePath}/api-keys`, {
        params: { path: { applicationId: id } },
      });
      expect(data?.apiKeys.find(({ id }) => id === created!.apiKey.id)?.state).toBe('expired');
      fixture.owner = back;
    });

    test('if signed user ids are required, link sessions need a valid signature', async () => {
      const { service, owner } = fixture;
      const { id: applicationId } = service.application;
      const start = async (body: object) => {
        const response = await fetch(`${service.url}/connect/api/link-sessions`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ applicationId, origin: hostOrigin, ...body }),
        });
        return response.status;
      };
      const sign = (secret: string, externalUserId: string) =>
        signUser(secret, { externalUserId, at: service.service.clock.real() });
      expect((await change(applicationId, { identityRequired: true })).response.status).toBe(409);
      const rotateSecret = async () => {
        const { data } = await owner.client.POST(`${onePath}/identity-secret`, {
          params: { path: { applicationId } },
        });
        return data!.secret;
      };
      const secret = await rotateSecret();
      expect(await start({ externalUserId: 'ann' })).toBe(201);
      expect(await start({ externalUserId: 'ann', userSignature: sign('wrong', 'ann') })).toBe(403);
      const { data } = await change(applicationId, { identityRequired: true });
      expect(data?.identity.required).toBe(true);
      expect(await start({})).toBe(201);
      expect(await start({ externalUserId: 'ann' })).toBe(403);
      expect(await start({ externalUserId: 'ben', userSignature: sign(secret, 'ann') })).toBe(403);
      expect(await start({ externalUserId: 'ann', userSignature: sign(secret, 'ann') })).toBe(201);
      const next = await rotateSecret();
      expect(next).not.toBe(secret);
      expect(await start({ externalUserId: 'ann', userSignature: sign(secret, 'ann') })).toBe(403);
      expect(await start({ externalUserId: 'ann', userSignature: sign(next, 'ann') })).toBe(201);
      expect((await change(applicationId, { identityRequired: false })).data?.identity.required).toBe(false);
    });

    test('an archived application links, answers and refreshes nothing until it is restored', async () => {
      const { service, owner } = fixture;
      const params = { path: { applicationId: service.application.id } };
      const { connectionId } = await link(service, { externalUserId: 'cay' });
      const session = await openLinkSession(service);
      const readStatus = async () => {
        const options = { params: { path: { connectionId } } };
        return (await service.client().GET('/connections/{connectionId}', options)).response.status;
      };
      const findJob = () => service.service.db.read('jobs').where({ connectionId }).first();
      const findRefreshedAt = async () => {
        const row = await service.service.db.read('connections').where({ id: connectionId }).first();
        return row!.refreshedAt;
      };
      expect(await readStatus()).toBe(200);

      const { data: archived } = await owner.client.POST(`${onePath}/archive`, { params });
      expect(Date.parse(archived!.archivedAt!)).not.toBeNaN();
      const again = await owner.client.POST(`${onePath}/archive`, { params });
      expect(again.data?.archivedAt).toBe(archived!.archivedAt);
      expect(await readStatus()).toBe(401);
      await expect(openLinkSession(service)).rejects.toThrow('not_found');
      await expect(session.refresh()).rejects.toThrow('session_expired');
      const [refreshedAt, job] = [await findRefreshedAt(), await findJob()];
      service.advance(seconds(8 * 3600));
      const isPostponed = async () => (await findJob())!.dueAt > service.service.clock.real().toISOString();
      await vi.waitUntil(isPostponed, { timeout: 30_000, interval: 50 });
      expect((await findJob())!.dueAt > job!.dueAt).toBe(true);
      expect(await findRefreshedAt()).toBe(refreshedAt);

      const { data: restored } = await owner.client.POST(`${onePath}/restore`, { params });
      expect(restored?.archivedAt).toBeNull();
      await owner.client.POST(`${onePath}/restore`, { params });
      expect(await readStatus()).toBe(200);
      await openLinkSession(service);
      service.advance(seconds(8 * 3600));
      const isRefreshed = async () => (await findRefreshedAt()) !== refreshedAt;
      await vi.waitUntil(isRefreshed, { timeout: 30_000, interval: 50 });
      const events = await service.service.db.read('audit_events').where({ subject: service.application.id });
      const actions = events.map(({ action }) => action).filter((action) => /archived|restored/.test(action));
      expect(actions.toSorted()).toEqual(['application_archived', 'application_restored']);
    });
  });
}

for (const database of databases) {
  describe(`applications on ${database.name}`, () => {
    const { fixture, create, change, keys, createKey } = useOwner(database);

    test('changes made at the same time are all kept, and each audit event goes on from the one before', async () => {
      const { service, owner } = fixture;
      const { data: created } = await create({ name: 'Shop', environment: 'sandbox' });
      const { id } = created!;
      const params = { path: { applicationId: id } };
      await owner.client.POST(`${onePath}/identity-secret`, { params });
      const limit = (requestsPerMinute: number) =>
        owner.client.PUT(`${onePath}/rate-limit`, { params, body: { requestsPerMinute } });
      const logo = (body: Buffer) =>
        owner.fetch(`/dashboard/api/applications/${id}/logo`, {
          ...{ method: 'PUT', headers: { 'Content-Type': 'application/octet-stream' } },
          body: body as BodyInit,
        });
      const responses = await Promise.all([
        change(id, { identityRequired: true }).then(({ response }) => response),
        change(id, { nativeAllowed: true }).then(({ response }) => response),
        change(id, { name: 'Shop 2' }).then(({ response }) => response),
        change(id, { name: 'Shop 3', origins: ['https://a.example'] }).then(({ response }) => response),
        ...[10, 20].map((count) => limit(count).then(({ response }) => response)),
        ...[png, jpeg].map(logo),
      ]);
      expect(responses.map(({ status }) => status)).toEqual(Array(8).fill(200));
      const { data: changed } = await owner.client.GET(onePath, { params });
      expect(changed).toMatchObject({
        ...{ nativeAllowed: true, origins: ['https://a.example'], identity: { required: true } },
      });
      const { data: rate } = await owner.client.GET(`${onePath}/rate-limit`, { params });
      const events = await service.service.db.read('audit_events').where({ subject: id });
      const follow = (action: string, start: string): string => {
        const left = events
          .filter((event) => event.action === action)
          .map(({ details }) => JSON.parse(details));
        let value = start;
        while (left.length > 0) {
          const next = left.findIndex(({ before }) => before === value);
          expect(next, `${action} from ${value} in ${JSON.stringify(left)}`).not.toBe(-1);
          value = left.splice(next, 1)[0].after;
        }
        return value;
      };
      expect({
        name: follow('application_renamed', 'Shop'),
        origins: follow('origins_changed', ''),
        native: follow('native_use_changed', 'no'),
        identity: follow('identity_requirement_changed', 'no'),
        rate: follow('rate_limit_changed', ''),
        logo: follow('application_logo_changed', ''),
      }).toEqual({
        ...{ name: changed!.name, origins: 'https://a.example', native: 'yes', identity: 'yes' },
        ...{ rate: String(rate!.requestsPerMinute), logo: changed!.logo },
      });
    });

    test('a last use that the database refuses to store is stored once it accepts it', async () => {
      const { service } = fixture;
      const { id } = service.application;
      const { data: created } = await createKey(id, { name: 'Refused' });
      const { db, metrics } = service.service;
      await db.write.raw('alter table api_keys rename column last_used_at to last_used_at_renamed');
      await service.client(undefined, created!.secret).GET('/connections');
      // A use is recorded shortly after the response was received.
      const isRefused = () =>
        metrics.flush().then(
          () => false,
          () => true,
        );
      await expect.poll(isRefused).toBe(true);
      await db.write.raw('alter table api_keys rename column last_used_at_renamed to last_used_at');
      await metrics.flush();
      const used = (await keys(id)).find((key) => key.id === created!.apiKey.id);
      expect(used?.lastUsedAt).toMatch(/:00\.000Z$/);
    });
  });
}
