// The steps that every request passes: authenticate, rate limit, validate. Also the log entries and counts of refused
// requests, and the responses to requests that are not valid HTTP.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { makeId } from '../../src/platform/values/ids.ts';
import { toIpKey } from '../../src/platform/values/ipKey.ts';
import { encodeScopedToken } from '../../src/platform/vault/scopedToken.ts';
import { oneDatabase } from '../support/databases.ts';
import { sendRaw } from '../support/sendRaw.ts';
import { link, startService, type TestService } from '../support/testService.ts';

type LogLine = { msg: string; requestId?: string; operation?: string; application?: string; status?: number };

const authFailuresPerMinute = 5;

describe.each(oneDatabase)('requests on $name', (database) => {
  const lines: LogLine[] = [];
  let service: TestService;
  let scopedToken: string;
  let apiKey: string;
  let applicationId: string;

  beforeAll(async () => {
    service = await startService({
      database,
      limits: { authFailuresPerMinute, metricsFlushSeconds: 3600 },
      logTo: (line) => lines.push(JSON.parse(line)),
    });
    ({ scopedToken = '' } = await link(service, { username: 'good' }));
    ({ apiKey, id: applicationId } = service.application);
  });
  afterAll(() => service?.close());

  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${service.apiUrl}${path}`, {
      headers: { Authorization: `Bearer ${apiKey}`, 'X-Scoped-Token': scopedToken, ...headers },
    });

  /** The log line about a request. */
  const lineOf = async (response: Response): Promise<LogLine> => {
    await response.text();
    const requestId = response.headers.get('Request-Id')!;
    const isItsLine = (line: LogLine) => line.msg === 'request' && line.requestId === requestId;
    return vi.waitUntil(() => lines.find(isItsLine), 30_000);
  };

  test('several mistakes in one query are all named', async () => {
    const response = await get(
      `/accounts/${makeId('acc')}/transactions?limit=0&date[gte]=2026-02-30&foo=1&cursor=`,
    );
    const body = await response.json();
    expect(response.status).toBe(400);
    const paths = body.errors.map(({ path }: { path: string }) => path);
    expect(paths.sort()).toEqual(['/query/cursor', '/query/date/gte', '/query/foo', '/query/limit']);
  });

  test('a value that must be percent-encoded is reported with the others', async () => {
    const response = await get(`/accounts/${makeId('acc')}/transactions?cursor=a/b&limit=x`);
    expect((await response.json()).errors).toEqual([
      { path: '/query/cursor', message: 'must be percent-encoded' },
      { path: '/query/limit', message: 'must be integer' },
    ]);
  });

  test('a path that cannot be decoded is refused like one with an unknown id', async () => {
    const path = '/connections/%E0';
    const responses = [await get(path), await fetch(`${service.apiUrl}${path}`)];
    expect(responses.map(({ status }) => status)).toEqual([404, 401]);
    const versions = responses.map(({ headers }) => headers.get('API-Version'));
    expect(versions).toEqual(['2024-01-01', '2024-01-01']);
    expect(responses[0]!.headers.get('RateLimit')).not.toBeNull();
  });

  test('the type of a problem is an absolute URL that leads to its explanation', async () => {
    const { type } = await (await get('/connections?foo=1')).json();
    expect(type).toBe(`${service.service.config.baseUrl}/problems/invalid_request`);
  });

  test('refused parameters and tokens are logged and counted by operation and application', async () => {
    await service.service.metrics.flush();
    const count = async () =>
      (await service.service.db.read('metrics_per_minute').where({ kind: 'operation' })).reduce(
        (sum: number, row: { refused: number }) => sum + row.refused,
        0,
      );
    const before = await count();
    const ofShop = { operation: 'listConnections', application: applicationId };
    expect(await lineOf(await get('/connections?foo=1'))).toMatchObject({ ...ofShop, status: 400 });
    const wrongToken = await get('/connections', { 'X-Scoped-Token': 'sct_wrong' });
    expect(await lineOf(wrongToken)).toMatchObject({ ...ofShop, status: 403 });
    await service.service.metrics.flush();
    expect(await count()).toBe(before + 2);
  });

  test('every response to an authenticated request has the remaining quota of the limit', async () => {
    const left = async (path: string) => {
      const response = await get(path);
      await response.text();
      expect(response.headers.get('RateLimit-Policy')).toBe('"default";q=1000000;w=60');
      return Number(/^"default";r=(\d+);t=\d+$/.exec(response.headers.get('RateLimit') ?? '')?.[1]);
    };
    const first = await left('/connections');
    expect(await left(`/connections/${makeId('con')}`)).toBe(first - 1);
    expect(await left('/connections?foo=1')).toBe(first - 2);
  });

  test('invalid credentials are limited by address, valid ones never', async () => {
    service.advance(60_000);
    const statuses: number[] = [];
    for (let attempt = 0; attempt < authFailuresPerMinute; attempt++) {
      const unknown = encodeScopedToken({ endUserId: makeId('usr'), secret: randomBytes(32) });
      const wrong: Record<string, string> =
        attempt % 2 === 0 ? { Authorization: 'Bearer wrong' } : { 'X-Scoped-Token': unknown };
      statuses.push((await get('/connections', wrong)).status);
    }
    expect(statuses).toEqual([401, 403, 401, 403, 401]);
    const refused = await get('/connections', { Authorization: 'Bearer wrong' });
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThanOrEqual(1);
    expect((await get('/connections', { 'X-Scoped-Token': 'sct_wrong' })).status).toBe(429);
    expect((await get('/connections')).status).toBe(200);
    expect((await fetch(`${service.apiUrl}/connections`)).status).toBe(401);
    service.advance(60_000);
    expect((await get('/connections', { Authorization: 'Bearer wrong' })).status).toBe(401);
  });

  test('requests that are not valid HTTP get a problem and a Request-Id', async () => {
    const cases: [request: string, status: number][] = [
      ['GET /connections HTTP/1.1\r\n\r\n', 400],
      ['no HTTP at all\r\n\r\n', 400],
      [`GET /connections HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
      ['GET /connections HTTP/1.1\r\nHost: a\r\nExpect: cake\r\nConnection: close\r\n\r\n', 417],
    ];
    for (const [request, status] of cases) {
      const { head, body } = await sendRaw(service.apiUrl, request);
      expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
      expect(head).toMatch(/^content-type: application\/problem\+json/im);
      expect(head).toMatch(/^cache-control: no-store/im);
      const requestId = /^request-id: ([0-9a-f]{32})/im.exec(head)?.[1];
      expect(JSON.parse(body)).toMatchObject({ status, code: 'invalid_request', requestId });
    }
  });

  test('failed preconditions and ranges of static files keep their status, and no failure is cached', async () => {
    for (const [headers, status] of [
      [{ 'If-Match': '"z"' }, 412],
      [{ Range: 'bytes=99999999-' }, 416],
    ] as const) {
      const response = await fetch(`${service.apiUrl}/connect.js`, { headers });
      expect(response.status).toBe(status);
      expect(response.headers.get('Cache-Control')).toBe('no-store');
      expect(await response.json()).toMatchObject({
        status,
        requestId: expect.stringMatching(/^[0-9a-f]{32}$/),
      });
    }
  });

  test('the start page links all available pages, and browsers find an icon', async () => {
    const page = await (await fetch(`${service.apiUrl}/`)).text();
    for (const path of ['/docs', '/dashboard', '/openapi.yaml']) {
      expect(page).toContain(`href="${path}"`);
      expect((await fetch(`${service.apiUrl}${path}`)).status).toBe(200);
    }
    expect(page).not.toContain('/demo');
    const icon = await fetch(`${service.apiUrl}/favicon.ico`);
    expect(icon.headers.get('Content-Type')).toBe('image/x-icon');
    expect((await icon.arrayBuffer()).byteLength).toBeGreaterThan(100);
  });

  test('static files and contracts are served compressed, data is not', async () => {
    for (const path of ['/connect.js', '/openapi.yaml', '/', '/dashboard']) {
      for (const encoding of ['br', 'gzip', 'identity']) {
        const headers = { 'Accept-Encoding': encoding };
        const response = await fetch(`${service.apiUrl}${path}`, { headers });
        const expected = encoding === 'identity' ? null : encoding;
        expect(response.headers.get('Content-Encoding'), path).toBe(expected);
        expect(response.headers.get('Vary')).toContain('Accept-Encoding');
        expect((await response.text()).length).toBeGreaterThan(300);
      }
    }
    const data = await get('/connections', { 'Accept-Encoding': 'br, gzip' });
    expect(data.headers.get('Content-Encoding')).toBeNull();
  });
});

test('addresses of one IPv6 network count together', () => {
  expect(toIpKey('192.0.2.7')).toBe('192.0.2.7');
  expect(toIpKey('::ffff:192.0.2.7')).toBe('192.0.2.7');
  expect(toIpKey('2001:db8:0:12::1')).toBe('2001:db8:0:12::/64');
  expect(toIpKey('2001:0DB8:0000:0012:ffff::9')).toBe('2001:db8:0:12::/64');
  expect(toIpKey('::1')).toBe('0:0:0:0::/64');
});
