// Applications and their API keys: normalized origins, secrets returned once, signed user ids, expiry and revocation.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signUser } from '../../../client/index.ts';
import { days, seconds } from '../../../src/platform/values/clock.ts';
import { jpeg, png } from '../../logos/files.ts';
import { type DatabaseKind, databases, oneDatabase } from '../../support/databases.ts';
import {
  hostOrigin,
  link,
  openLinkSession,
  startService,
  type TestService,
} from '../../support/testService.ts';
import { auditEvents, createMember, type DashboardUser } from './users.ts';

const listPath = '/management/organizations/{organizationId}/applications';
const onePath = '/management/applications/{applicationId}';

type Fixture = { service: TestService; owner: DashboardUser };

/** A service that is closed after the tests, and the operations of its owner. */
const useOwner = (database: DatabaseKind) => {
  const fixture = {} as Fixture;
  beforeAll(async () => {
    fixture.service = await startService({
      database,
      limits: { metricsFlushSeconds: 3600, apiRequestsPerMinute: 6000 },
    });

    fixture.owner = await createMember(fixture.service, { role: 'owner', email: 'owner@example.com' });
  });
  afterAll(() => fixture.service.close());

  const create = async (body: { name: string; environment: 'sandbox' | 'production'; origins?: string[] }) =>
    fixture.owner.client.POST(listPath, {
      params: { path: { organizationId: fixture.service.organizationId } },
      body,
    });
  const change = async (applicationId: string, body: Record<string, unknown>) =>
    fixture.owner.client.PATCH(onePath, { params: { path: { applicationId } }, body });
  const findKey = async (applicationId: string, keyId: string) => {
    const params = { path: { applicationId } };
    const { data } = await fixture.owner.client.GET(`${onePath}/api-keys`, { params });
    return data!.apiKeys.find(({ id }) => id === keyId);
  };
  const createKey = async (applicationId: string, body: { name: string; expiresAt?: string }) =>
    fixture.owner.client.POST(`${onePath}/api-keys`, { params: { path: { applicationId } }, body });
  return { fixture, create, change, findKey, createKey };
};

describe.each(oneDatabase)('applications on $name', (database) => {
  const { fixture, create, change, findKey, createKey } = useOwner(database);

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
    // Moves the clock to the start of a minute, so that all requests are in the same minute.
    service.advance(60_001 - (service.service.clock.real().getTime() % 60_000));
    const credentials = {
      Authorization: `Bearer ${service.application.apiKey}`,
      'X-Scoped-Token': scopedToken!,
    };
    const read = async () => {
      // The client waits after a 429 and retries.
      const response = await fetch(`${service.url}/connections`, { headers: credentials });
      await response.text();
      return { status: response.status, policy: response.headers.get('RateLimit-Policy') };
    };
    expect((await read()).policy).toBe('"default";q=6000;w=60');
    expect((await set(2)).data).toEqual({ requestsPerMinute: 2, operatorRequestsPerMinute: 6000 });
    expect([await read(), await read()]).toEqual([
      { status: 200, policy: '"default";q=2;w=60' },
      { status: 429, policy: '"default";q=2;w=60' },
    ]);
    const field = { path: '/body/requestsPerMinute' };
    const tooMany = { ...field, message: "must be at most 6000, the operator's limit" };
    expect((await set(6001)).error).toMatchObject({ code: 'invalid_request', errors: [tooMany] });
    expect((await set(0)).error).toMatchObject({ errors: [field] });
    await set(null);
    expect((await read()).policy).toBe('"default";q=6000;w=60');
    expect(await auditEvents(service, { subject: id, action: 'rate_limit_changed' })).toMatchObject([
      { details: { before: '', after: '2' } },
      { details: { before: '2', after: '' } },
    ]);
  });

  test('an application can be created and changed; its origins are normalized', async () => {
    const { owner, service } = fixture;
    const { data: created } = await create({
      ...{ name: ' Shop ', environment: 'production', origins: ['https://a.example/'] },
    });
    expect(created).toMatchObject({
      ...{ name: 'Shop', environment: 'production', origins: ['https://a.example'] },
      ...{ nativeAllowed: false, returnAddresses: [], identity: { secretCreatedAt: null, required: false } },
    });
    const refused = await change(created!.id, { origins: ['https://b.example', 'https://b.example/path'] });
    expect(refused.error).toMatchObject({ code: 'invalid_request', errors: [{ path: '/body/origins/1' }] });
    const store = { name: 'Store', origins: ['https://b.example'], nativeAllowed: true };
    const twice = ['https://b.example', 'https://b.example/'];
    const { data: changed } = await change(created!.id, { ...store, origins: twice });
    expect(changed).toMatchObject(store);
    for (const body of [{}, { environment: 'sandbox' }, { name: '   ' }]) {
      expect((await change(created!.id, body)).response.status).toBe(400);
    }
    const path = { organizationId: service.organizationId };
    const { data: all } = await owner.client.GET(listPath, { params: { path } });
    expect(all?.applications.find(({ id }) => id === created!.id)).toEqual(changed);
  });

  test('an owner sets and removes the company, which needs a name and https addresses', async () => {
    const { service, owner } = fixture;
    const params = { path: { organizationId: service.organizationId } };
    const path = '/management/organizations/{organizationId}/company';
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
    const [named, removed, ...more] = await auditEvents(service, { action: 'company_changed' });
    expect(named!.details).toEqual(company);
    expect([removed!.details.name, more]).toEqual([undefined, []]);
  });

  test('an origin has a scheme, a host and perhaps a port, and nothing else', async () => {
    const { service } = fixture;
    for (const origin of [
      ...['https://a.example;script-src', 'https://a.example,https://b.example', "https://'self'"],
      ...['https://*.example', 'https://*', 'https://a.example:*', '*', 'null', ''],
      ...['https://a.example https://b.example', 'https://user@a.example', 'https://A.example'],
      'ftp://a.example',
    ]) {
      const { error } = await change(service.application.id, { origins: [origin] });
      expect(error?.errors, origin).toMatchObject([{ path: '/body/origins/0' }]);
    }
    const loopback = ['http://localhost:8080', 'http://[::1]:8080', 'http://127.0.0.1'];
    const origins = ['https://a-b.example', ...loopback];
    const { data } = await change((await service.addApplication()).id, { origins });
    expect(data?.origins).toEqual(origins);
  });

  test('return addresses of native applications are registered, each once, and recorded', async () => {
    const { service } = fixture;
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
    expect(await auditEvents(service, { action: 'return_addresses_changed' })).toMatchObject([
      { subject: id, details: { before: '', after: `${address} ${link}` } },
    ]);
  });

  test('an API key is returned once, works until it is revoked, and has a last use', async () => {
    const { service, owner } = fixture;
    const { id } = service.application;
    const { data: created } = await createKey(id, { name: 'Backend' });
    const { connectionId } = await link(service, { username: 'good' });
    const requestStatus = async () => {
      const client = service.client(undefined, created!.secret);
      const params = { path: { connectionId } };
      return (await client.GET('/connections/{connectionId}', { params })).response.status;
    };
    const find = () => findKey(id, created!.apiKey.id);
    expect(await requestStatus()).toBe(200);
    const unused = { state: 'active', createdBy: 'owner@example.com', lastUsedAt: null };
    expect(await find()).toMatchObject(unused);
    await service.service.metrics.flush();
    expect((await find())?.lastUsedAt).toMatch(/:00\.000Z$/);
    expect(JSON.stringify(await find())).not.toContain(created!.secret);
    const params = { path: { applicationId: id, keyId: created!.apiKey.id } };
    for (const _time of [1, 2]) {
      const { response } = await owner.client.DELETE(`${onePath}/api-keys/{keyId}`, { params });
      expect(response.status).toBe(204);
    }
    expect(await requestStatus()).toBe(401);
    expect((await find())?.state).toBe('revoked');
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
    fixture.owner = await createMember(service, { role: 'owner', email: 'later@example.com' });
    expect((await findKey(id, created!.apiKey.id))?.state).toBe('expired');
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
    const sign = (secret: string) =>
      signUser(secret, { externalUserId: 'ann', at: service.service.clock.real() });
    const startWith = (secret: string) => start({ externalUserId: 'ann', userSignature: sign(secret) });
    const rotateSecret = async () => {
      const params = { path: { applicationId } };
      return (await owner.client.POST(`${onePath}/identity-secret`, { params })).data!.secret;
    };
    expect((await change(applicationId, { identityRequired: true })).response.status).toBe(409);
    const secret = await rotateSecret();
    expect(await start({ externalUserId: 'ann' })).toBe(201);
    const { data } = await change(applicationId, { identityRequired: true });
    expect(data?.identity.required).toBe(true);
    expect([await start({}), await start({ externalUserId: 'ann' })]).toEqual([201, 403]);
    expect(await startWith(secret)).toBe(201);
    const next = await rotateSecret();
    expect([await startWith(secret), await startWith(next)]).toEqual([403, 201]);
    expect((await change(applicationId, { identityRequired: false })).data?.identity.required).toBe(false);
  });

  test('an archived application cannot link, read or refresh until it is restored', async () => {
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
    await expect.poll(isPostponed).toBe(true);
    expect((await findJob())!.dueAt > job!.dueAt).toBe(true);
    expect(await findRefreshedAt()).toBe(refreshedAt);

    const { data: restored } = await owner.client.POST(`${onePath}/restore`, { params });
    expect(restored?.archivedAt).toBeNull();
    await owner.client.POST(`${onePath}/restore`, { params });
    expect(await readStatus()).toBe(200);
    await openLinkSession(service);
    service.advance(seconds(8 * 3600));
    await expect.poll(findRefreshedAt).not.toBe(refreshedAt);
    const events = await auditEvents(service, { subject: service.application.id });
    const actions = events.map(({ action }) => action).filter((action) => /archived|restored/.test(action));
    expect(actions).toEqual(['application_archived', 'application_restored']);
  });
});

describe.each(databases)('applications on $name', (database) => {
  const { fixture, create, change, findKey, createKey } = useOwner(database);

  test('concurrent changes are all kept, and each audit event continues from the previous one', async () => {
    const { service, owner } = fixture;
    const { data: created } = await create({ name: 'Shop', environment: 'sandbox' });
    const { id } = created!;
    const params = { path: { applicationId: id } };
    await owner.client.POST(`${onePath}/identity-secret`, { params });
    const limit = (requestsPerMinute: number) =>
      owner.client.PUT(`${onePath}/rate-limit`, { params, body: { requestsPerMinute } });
    const logo = (body: Buffer) =>
      owner.fetch(`/management/applications/${id}/logo`, {
        ...{ method: 'PUT', headers: { 'Content-Type': 'application/octet-stream' } },
        body: body as BodyInit,
      });
    const responses = await Promise.all([
      ...[
        change(id, { identityRequired: true }),
        change(id, { nativeAllowed: true }),
        change(id, { name: 'Shop 2' }),
        change(id, { name: 'Shop 3', origins: ['https://a.example'] }),
        ...[limit(10), limit(20)],
      ].map(async (changing) => (await changing).response),
      ...[png, jpeg].map(logo),
    ]);
    expect(responses.map(({ status }) => status)).toEqual(Array(8).fill(200));
    const { data: changed } = await owner.client.GET(onePath, { params });
    expect(changed).toMatchObject({
      ...{ nativeAllowed: true, origins: ['https://a.example'], identity: { required: true } },
    });
    const { data: rate } = await owner.client.GET(`${onePath}/rate-limit`, { params });
    const events = await auditEvents(service, { subject: id });
    const follow = (action: string, start: string): string => {
      const left = events.filter((event) => event.action === action).map(({ details }) => details);
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
    // A use is recorded shortly after the response.
    await expect.poll(() => metrics.flush().catch(() => 'refused')).toBe('refused');
    await db.write.raw('alter table api_keys rename column last_used_at_renamed to last_used_at');
    await metrics.flush();
    expect((await findKey(id, created!.apiKey.id))?.lastUsedAt).toMatch(/:00\.000Z$/);
  });
});
