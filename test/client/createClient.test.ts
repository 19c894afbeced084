// What leaves the client and how answers come back, seen on the wire.
import { afterEach, beforeEach, describe, expect, expectTypeOf, test } from 'vitest';
import { type Account, createClient, ProblemError, type Transaction, unwrap } from '../../client/index.ts';
import { respondProblem, type FakeService, startFakeService, respondJson } from './fakeService.ts';

let service: FakeService;
beforeEach(async () => {
  service = await startFakeService();
});
afterEach(() => service.close());

const apiKey = 'key.of.application';
const clientOf = (options: { scopedToken?: string; retries?: number } = {}) =>
  createClient({ baseUrl: service.url, apiKey, ...options });
const account = { path: { accountId: 'acc_1' } };

const failure = async (call: Promise<unknown>): Promise<ProblemError> => {
  const error = await call.then(
    () => undefined,
    (reason) => reason,
  );
  expect(error).toBeInstanceOf(ProblemError);
  return error as ProblemError;
};

describe('credentials', () => {
  test('both travel as headers', async () => {
    await clientOf({ scopedToken: 'sct_a' }).GET('/connections', {});
    expect(service.requests[0]?.headers).toMatchObject({
      authorization: `Bearer ${apiKey}`,
      'x-scoped-token': 'sct_a',
    });
  });

  test('without a scoped token there is no such header', async () => {
    await clientOf().GET('/connections/{connectionId}', { params: { path: { connectionId: 'con_1' } } });
    expect(service.requests[0]?.headers).not.toHaveProperty('x-scoped-token');
  });

  test('another token makes another client and leaves the first as it was', async () => {
    const first = clientOf({ scopedToken: 'sct_a' });
    const second = first.withScopedToken('sct_b');
    await second.GET('/connections', {});
    await first.GET('/connections', {});
    expect(service.requests.map(({ headers }) => headers['x-scoped-token'])).toEqual(['sct_b', 'sct_a']);
    expect(service.requests[0]?.headers.authorization).toBe(`Bearer ${apiKey}`);
  });

  test('a redirect is not followed, so that no credential reaches another host', async () => {
    const elsewhere = await startFakeService();
    service.nextResponders.push((response) =>
      response.writeHead(302, { location: `${elsewhere.url}/connections` }).end(),
    );
    const error = await failure(unwrap(clientOf({ scopedToken: 'sct_a' }).GET('/connections', {})));
    await elsewhere.close();
    expect(error).toMatchObject({ status: 302, code: undefined });
    expect(elsewhere.requests).toEqual([]);
  });

  test('a client without a usable address or key is refused at once', () => {
    expect(() => createClient({ baseUrl: 'localhost:3000', apiKey })).toThrow('baseUrl must start with');
    expect(() => createClient({ baseUrl: service.url, apiKey: '' })).toThrow('apiKey must not be empty');
  });
});

describe('on the wire', () => {
  test('dates are sent as date[gte], and each parameter under its own name', async () => {
    const query = { date: { gte: '2024-01-01', lt: '2024-02-01' }, limit: 10, refreshedSince: 'txr_1' };
    await clientOf().GET('/accounts/{accountId}/transactions', { params: { ...account, query } });
    expect(service.requests[0]?.url).toBe(
      '/accounts/acc_1/transactions?date[gte]=2024-01-01&date[lt]=2024-02-01&limit=10&refreshedSince=txr_1',
    );
  });

  test('an address with a path and a trailing slash keeps its path', async () => {
    await createClient({ baseUrl: `${service.url}/bank/`, apiKey }).GET('/connections', {});
    expect(service.requests[0]?.url).toBe('/bank/connections');
  });

  test('an id is escaped and cannot lead to another path', async () => {
    const params = { path: { accountId: '../connections?' } };
    await clientOf().GET('/accounts/{accountId}', { params });
    expect(service.requests[0]?.url).toBe('/accounts/..%2Fconnections%3F');
  });

  test('revoking is a DELETE, and 204 is success without data', async () => {
    service.nextResponders.push((response) => response.writeHead(204).end());
    const call = clientOf().DELETE('/connections/{connectionId}', {
      params: { path: { connectionId: 'con_1' } },
    });
    const data = await unwrap(call);
    expect(data).toBeUndefined();
    expectTypeOf(data).toEqualTypeOf<undefined>();
    expect(service.requests[0]).toMatchObject({ method: 'DELETE', url: '/connections/con_1' });
  });
});

describe('a refusal', () => {
  test('is a value for who looks at it, and a ProblemError for who unwraps it', async () => {
    const params = { params: account };
    service.nextResponders.push(respondProblem(404, 'not_found'), respondProblem(404, 'not_found'));
    const { data, error, response } = await clientOf().GET('/accounts/{accountId}', params);
    expect({ data, status: response.status }).toEqual({ data: undefined, status: 404 });
    expect(error?.code).toBe('not_found');
    expect(await failure(unwrap(clientOf().GET('/accounts/{accountId}', params)))).toMatchObject({
      name: 'ProblemError',
      message: 'not_found: So it is.',
      status: 404,
      code: 'not_found',
      title: 'not_found',
      detail: 'So it is.',
      requestId: 'r1',
      errors: [],
      retryAfterSeconds: undefined,
    });
  });

  test('names each parameter that was wrong', async () => {
    const errors = [{ path: '/query/limit', message: 'must be <= 1000' }];
    service.nextResponders.push((response) => {
      response.writeHead(400, { 'content-type': 'application/problem+json' });
      response.end(
        JSON.stringify({ title: 'Invalid request', status: 400, code: 'invalid_request', errors }),
      );
    });
    expect(await failure(unwrap(clientOf().GET('/connections', {})))).toMatchObject({ status: 400, errors });
  });

  test.each([
    ['a page of a proxy', 502, '<html>Bad gateway</html>'],
    ['an empty body', 500, ''],
    ['a text that is JSON and no object', 500, '"no"'],
  ])('that is %s is a ProblemError too', async (_, status, body) => {
    service.nextResponders.push((response) => response.writeHead(status, { 'request-id': 'r2' }).end(body));
    expect(await failure(unwrap(clientOf().GET('/connections', {})))).toMatchObject({
      message: `The service responded with ${status}`,
      status,
      code: undefined,
      requestId: 'r2',
    });
  });

  test('never carries a credential', async () => {
    service.nextResponders.push(respondProblem(403, 'forbidden'));
    const error = await failure(unwrap(clientOf({ scopedToken: 'sct_secret' }).GET('/connections', {})));
    expect(JSON.stringify({ ...error, stack: error.stack })).not.toMatch(/sct_secret|key\.of\.application/);
  });
});

describe('a busy service', () => {
  const busy = (status: 429 | 503, headers: Record<string, string>) =>
    respondProblem(status, status === 429 ? 'rate_limited' : 'unavailable', headers);

  test('is asked again, not before it said', async () => {
    service.nextResponders.push(busy(429, { 'retry-after': '1' }), busy(503, { 'retry-after': '0' }));
    const start = performance.now();
    expect((await clientOf().GET('/connections', {})).response.status).toBe(200);
    expect(performance.now() - start).toBeGreaterThanOrEqual(990);
    expect(service.requests).toHaveLength(3);
  });

  test('is asked again where it names a moment, and where it names nothing', async () => {
    service.nextResponders.push(
      busy(503, { 'retry-after': new Date(Date.now() - 5000).toUTCString() }),
      busy(503, {}),
    );
    expect((await clientOf().GET('/connections', {})).response.status).toBe(200);
  });

  test('is asked a bounded number of times', async () => {
    service.nextResponders.push(...Array.from({ length: 9 }, () => busy(429, { 'retry-after': '0' })));
    const error = await failure(unwrap(clientOf({ retries: 2 }).GET('/connections', {})));
    expect(error).toMatchObject({ status: 429, code: 'rate_limited', retryAfterSeconds: 0 });
    expect(service.requests).toHaveLength(3);
  });

  test('that wants a longer pause than a minute is reported at once', async () => {
    service.nextResponders.push(busy(503, { 'retry-after': '61' }));
    const error = await failure(unwrap(clientOf().GET('/connections', {})));
    expect(error).toMatchObject({ status: 503, retryAfterSeconds: 61 });
    expect(service.requests).toHaveLength(1);
  });

  test('is not waited for once the caller gave up', async () => {
    service.nextResponders.push(busy(429, { 'retry-after': '30' }));
    const stop = new AbortController();
    const call = clientOf().GET('/connections', { signal: stop.signal });
    await expect.poll(() => service.requests.length).toBe(1);
    setTimeout(() => stop.abort(), 50);
    await expect(call).rejects.toThrow(/abort/i);
    expect(service.requests).toHaveLength(1);
  });

  test('any other failure is not repeated', async () => {
    service.nextResponders.push(respondProblem(500, 'internal_error'));
    expect((await clientOf().GET('/connections', {})).response.status).toBe(500);
    expect(service.requests).toHaveLength(1);
  });
});

describe('types', () => {
  test('amounts are numbers, or text for a client that reads them exactly', async () => {
    const plain = clientOf();
    const exact = createClient({ baseUrl: service.url, apiKey, exactAmounts: true });
    const answer = respondJson('{"account":{"balance":{"current":-0.10,"limit":3000.00}}}');
    service.nextResponders.push(answer, answer);
    const one = await unwrap(plain.GET('/accounts/{accountId}', { params: account }));
    const two = await unwrap(exact.GET('/accounts/{accountId}', { params: account }));
    expect([one.account.balance, two.account.balance]).toEqual([
      { current: -0.1, limit: 3000 },
      { current: '-0.10', limit: '3000.00' },
    ]);
    expectTypeOf(one.account).toEqualTypeOf<Account>();
    expectTypeOf(one.account.balance.limit).toEqualTypeOf<number | undefined>();
    expectTypeOf(two.account).toEqualTypeOf<Account<string>>();
    expectTypeOf(two.account.balance.limit).toEqualTypeOf<string | undefined>();
    expectTypeOf<Transaction<string>['amount']>().toEqualTypeOf<string>();
    expectTypeOf<Transaction<string>['status']>().toEqualTypeOf<'pending' | 'posted' | 'void'>();
    expectTypeOf(exact.withScopedToken('sct_a')).toEqualTypeOf(exact);
  });
});
