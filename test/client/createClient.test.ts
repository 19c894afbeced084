// The requests that the client sends and how it handles responses.
import { afterEach, beforeEach, describe, expect, expectTypeOf, test } from 'vitest';
import {
  type Account,
  createClient,
  linkSandbox,
  ProblemError,
  type Transaction,
  UsageError,
  unwrap,
} from '../../client/index.ts';
import { type FakeService, respondJson, respondProblem, startFakeService } from './fakeService.ts';

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
  test('are sent as headers', async () => {
    await clientOf({ scopedToken: 'sct_a' }).GET('/connections', {});
    expect(service.requests[0]?.headers).toMatchObject({
      authorization: `Bearer ${apiKey}`,
      'x-scoped-token': 'sct_a',
    });
  });

  test('a client without a scoped token sends no X-Scoped-Token', async () => {
    await clientOf().GET('/connections/{connectionId}', { params: { path: { connectionId: 'con_1' } } });
    expect(service.requests[0]?.headers).not.toHaveProperty('x-scoped-token');
  });

  test('withScopedToken returns a new client and does not change the first', async () => {
    const first = clientOf({ scopedToken: 'sct_a' });
    const second = first.withScopedToken('sct_b');
    await second.GET('/connections', {});
    await first.GET('/connections', {});
    expect(service.requests.map(({ headers }) => headers['x-scoped-token'])).toEqual(['sct_b', 'sct_a']);
    expect(service.requests[0]?.headers.authorization).toBe(`Bearer ${apiKey}`);
  });

  test('a redirect is not followed, so that no credential is sent to another host', async () => {
    const elsewhere = await startFakeService();
    service.nextResponders.push((response) =>
      response.writeHead(302, { location: `${elsewhere.url}/connections` }).end(),
    );
    const error = await failure(unwrap(clientOf({ scopedToken: 'sct_a' }).GET('/connections', {})));
    await elsewhere.close();
    expect(error).toMatchObject({ status: 302, code: undefined });
    expect(elsewhere.requests).toEqual([]);
  });

  test('no request may be answered by a cache, so that no data is kept', async () => {
    const asked: RequestCache[] = [];
    const fetch = (request: Request) => {
      asked.push(request.cache);
      return globalThis.fetch(request);
    };
    const client = createClient({ baseUrl: service.url, apiKey, fetch });
    await client.GET('/connections', {});
    await client.withScopedToken('sct_a').DELETE('/connections/{connectionId}', {
      params: { path: { connectionId: 'con_1' } },
    });
    const linking = { applicationId: 'app_1', origin: 'https://shop.example', user: 'good' };
    await linkSandbox({ baseUrl: service.url, ...linking, fetch }).catch(() => {});
    expect(asked).toEqual(['no-store', 'no-store', 'no-store']);
  });

  test('an invalid baseUrl and an empty API key throw', () => {
    expect(() => createClient({ baseUrl: 'localhost:3000', apiKey })).toThrow('baseUrl must start with');
    expect(() => createClient({ baseUrl: service.url, apiKey: '' })).toThrow('apiKey must not be empty');
    const wrong = [undefined, {}, { baseUrl: service.url }, { apiKey }, { baseUrl: 'https://', apiKey }];
    for (const options of [...wrong, { baseUrl: service.url, apiKey: Promise.resolve(apiKey) }])
      expect(() => createClient(options as never)).toThrow(UsageError);
  });
});

describe('requests', () => {
  test('date operators are sent as date[gte]', async () => {
    const query = { date: { gte: '2024-01-01', lt: '2024-02-01' }, limit: 10, refreshedSince: 'txr_1' };
    await clientOf().GET('/accounts/{accountId}/transactions', { params: { ...account, query } });
    expect(service.requests[0]?.url).toBe(
      '/accounts/acc_1/transactions?date[gte]=2024-01-01&date[lt]=2024-02-01&limit=10&refreshedSince=txr_1',
    );
  });

  test('baseUrl can have a path and a trailing slash', async () => {
    await createClient({ baseUrl: `${service.url}/bank/`, apiKey }).GET('/connections', {});
    expect(service.requests[0]?.url).toBe('/bank/connections');
  });

  test('ids are escaped in paths', async () => {
    const params = { path: { accountId: '../connections?' } };
    await clientOf().GET('/accounts/{accountId}', { params });
    expect(service.requests[0]?.url).toBe('/accounts/..%2Fconnections%3F');
  });

  test('revokeConnection is a DELETE, and 204 has no data', async () => {
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

describe('an error response', () => {
  test('is returned as `error`, and unwrap throws it as a ProblemError', async () => {
    const params = { params: account };
    service.nextResponders.push(respondProblem(404, 'not_found'), respondProblem(404, 'not_found'));
    const { data, error, response } = await clientOf().GET('/accounts/{accountId}', params);
    expect({ data, status: response.status }).toEqual({ data: undefined, status: 404 });
    expect(error?.code).toBe('not_found');
    expect(await failure(unwrap(clientOf().GET('/accounts/{accountId}', params)))).toMatchObject({
      ...{ name: 'ProblemError', message: 'not_found: A detail.', status: 404, code: 'not_found' },
      ...{ title: 'not_found', detail: 'A detail.', requestId: 'r1', errors: [] },
      retryAfterSeconds: undefined,
    });
  });

  test('has the invalid parameters', async () => {
    const errors = [{ path: '/query/limit', message: 'must be <= 1000' }];
    service.nextResponders.push(respondProblem(400, 'invalid_request', {}, { errors }));
    expect(await failure(unwrap(clientOf().GET('/connections', {})))).toMatchObject({ status: 400, errors });
  });

  test.each([
    ['an HTML page of a proxy', 502, '<html>Bad gateway</html>'],
    ['an empty body', 500, ''],
    ['JSON but not an object', 500, '"no"'],
  ])('with %s is also a ProblemError', async (_, status, body) => {
    service.nextResponders.push((response) => response.writeHead(status, { 'request-id': 'r2' }).end(body));
    expect(await failure(unwrap(clientOf().GET('/connections', {})))).toMatchObject({
      message: `The service responded with ${status}`,
      status,
      code: undefined,
      requestId: 'r2',
    });
  });

  test('never contains a credential', async () => {
    service.nextResponders.push(respondProblem(403, 'forbidden'));
    const error = await failure(unwrap(clientOf({ scopedToken: 'sct_secret' }).GET('/connections', {})));
    expect(JSON.stringify({ ...error, stack: error.stack })).not.toMatch(/sct_secret|key\.of\.application/);
  });
});

describe('retries', () => {
  const busy = (status: 429 | 503, headers: Record<string, string>) =>
    respondProblem(status, status === 429 ? 'rate_limited' : 'unavailable', headers);

  test('429 and 503 are retried after Retry-After', async () => {
    service.nextResponders.push(busy(429, { 'retry-after': '1' }), busy(503, { 'retry-after': '0' }));
    const start = performance.now();
    expect((await clientOf().GET('/connections', {})).response.status).toBe(200);
    expect(performance.now() - start).toBeGreaterThanOrEqual(990);
    expect(service.requests).toHaveLength(3);
  });

  test('Retry-After can be a date or missing', async () => {
    service.nextResponders.push(
      busy(503, { 'retry-after': new Date(Date.now() - 5000).toUTCString() }),
      busy(503, {}),
    );
    expect((await clientOf().GET('/connections', {})).response.status).toBe(200);
  });

  test('a body is sent again', async () => {
    service.nextResponders.push(busy(429, { 'retry-after': '0' }));
    const body = { label: 'Budget', allAccounts: true };
    const { response } = await clientOf({ scopedToken: 'sct_a' }).POST('/simplefin/accesses', { body });
    expect(response.status).toBe(200);
    expect(service.requests).toHaveLength(2);
  });

  test('the number of retries is limited', async () => {
    service.nextResponders.push(...Array.from({ length: 9 }, () => busy(429, { 'retry-after': '0' })));
    const error = await failure(unwrap(clientOf({ retries: 2 }).GET('/connections', {})));
    expect(error).toMatchObject({ status: 429, code: 'rate_limited', retryAfterSeconds: 0 });
    expect(service.requests).toHaveLength(3);
  });

  test('a Retry-After of more than a minute is not obeyed', async () => {
    service.nextResponders.push(busy(503, { 'retry-after': '61' }));
    const error = await failure(unwrap(clientOf().GET('/connections', {})));
    expect(error).toMatchObject({ status: 503, retryAfterSeconds: 61 });
    expect(service.requests).toHaveLength(1);
  });

  test('an abort signal ends the wait', async () => {
    service.nextResponders.push(busy(429, { 'retry-after': '30' }));
    const abortController = new AbortController();
    const call = clientOf().GET('/connections', { signal: abortController.signal });
    await expect.poll(() => service.requests.length).toBe(1);
    setTimeout(() => abortController.abort(), 50);
    await expect(call).rejects.toThrow(/abort/i);
    expect(service.requests).toHaveLength(1);
  });

  test('other errors are not retried', async () => {
    service.nextResponders.push(respondProblem(500, 'internal_error'));
    expect((await clientOf().GET('/connections', {})).response.status).toBe(500);
    expect(service.requests).toHaveLength(1);
  });
});

describe('types', () => {
  test('amounts are numbers, or strings with exactAmounts', async () => {
    const numeric = clientOf();
    const exact = createClient({ baseUrl: service.url, apiKey, exactAmounts: true });
    const responder = respondJson('{"account":{"balance":{"current":-0.10,"limit":3000.00}}}');
    service.nextResponders.push(responder, responder);
    const one = await unwrap(numeric.GET('/accounts/{accountId}', { params: account }));
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
