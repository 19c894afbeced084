// Tests of the errors that all seven operations share, and of invalid credentials: all 401 responses are identical, and so
// are all 403 responses.
import { describe, expect, test } from 'vitest';
import { makeId } from '../../../src/platform/values/ids.ts';
import { type ApiFixture, describeApi, toRequest } from './fixture.ts';
import { invalidApiKeys, invalidScopedTokens } from './invalidCredentials.ts';
import { type ApiResponse, type Ids, type OperationId, operations, sendRequest } from './operations.ts';

/** Defines the tests that all operations share, and then those of one operation. */
export const describeOperation = (operation: OperationId, defineTests: (fixture: ApiFixture) => void): void =>
  describeApi(operation, (fixture) => {
    describe('errors', () => commonErrorTests(fixture, operation));
    describe('credentials', () => credentialTests(fixture, operation));
    defineTests(fixture);
  });

const bodies = {
  401: { title: 'Unauthorized', detail: 'The API key is not valid.', code: 'unauthorized' },
  403: { title: 'Forbidden', detail: 'These credentials do not allow this.', code: 'forbidden' },
};

/** Neither the body nor a header may reveal the reason; only a missing header is named. */
export const expectAuthError = (response: ApiResponse, status: 401 | 403, missingHeader?: string): void => {
  const { code } = bodies[status];
  expectProblem(response, status, code);
  const detail = missingHeader && { detail: `The ${missingHeader} header is missing.` };
  expect(response.body).toMatchObject({ ...bodies[status], ...detail });
  expect(response.headers.get('WWW-Authenticate')).toBe(status === 401 ? 'Bearer' : null);
  const otherHeaders = [...response.headers.keys()].filter((name) => !commonHeaders.has(name));
  expect(otherHeaders).toEqual(status === 401 ? ['www-authenticate'] : ['ratelimit', 'ratelimit-policy']);
};

// Headers that reveal no reason. Prism adds the violations of the request.
const commonHeaders = new Set([
  ...['api-version', 'cache-control', 'connection', 'content-length', 'content-type', 'date', 'keep-alive'],
  ...['request-id', 'x-content-type-options', 'sl-violations', 'transfer-encoding'],
]);

/** Expects a problem with a different status. */
export const expectProblem = (response: ApiResponse, status: number, code: string): void => {
  expect({ status: response.status, code: response.body?.code }).toEqual({ status, code });
  expect(response.body).toMatchObject({
    type: expect.stringMatching(`^http://[^/]+/problems/${code}$`),
    status,
  });
  const fields = ['type', 'title', 'status', 'detail', 'code', 'requestId'];
  if (status === 400) fields.push('errors');
  expect(Object.keys(response.body)).toEqual(fields);
};

const prefixes = { connectionId: 'con', accountId: 'acc', transactionId: 'txn' } as const;
const unknownId = (name: keyof Ids): string => makeId(prefixes[name]);

const malformedIds: Record<string, (id: string) => string> = {
  'one character short': (id) => id.slice(0, -1),
  'one character long': (id) => `${id}0`,
  'of another prefix': (id) => `usr${id.slice(3)}`,
  'without its prefix': (id) => id.slice(4),
  'in another case': (id) => id.toUpperCase(),
  'with a character that ids do not have': (id) => `${id.slice(0, -1)}-`,
  'with a zero character in it': (id) => `${id.slice(0, -1)}\0`,
  'with a slash in it': (id) => `${id.slice(0, 8)}/${id.slice(9)}`,
  'very long': (id) => id + 'x'.repeat(4000),
  'a number': () => '1',
};

/** Errors of requests with valid credentials. */
const commonErrorTests = (fixture: ApiFixture, operation: OperationId): void => {
  const { parameters, needsToken } = operations[operation];
  const withId = (name: keyof Ids, id: string) => ({ ids: { ...fixture.ids, [name]: id } });

  for (const name of parameters) {
    test(`an unknown ${name} is not found`, async () => {
      expectProblem(await fixture.request(operation, withId(name, unknownId(name))), 404, 'not_found');
    });

    test(`a malformed ${name} is not found`, async () => {
      for (const [kind, malform] of Object.entries(malformedIds)) {
        const response = await fixture.request(operation, withId(name, malform(fixture.ids[name])));
        expect(`${kind}: ${response.status}`).toBe(`${kind}: 404`);
        expectProblem(response, 404, 'not_found');
      }
    });
  }

  if (parameters.length > 0) {
    test('a resource of another application or end user: 403', async () => {
      // An API key alone is enough for each connection of its application.
      const owners = needsToken ? [fixture.ben, fixture.cleo] : [fixture.cleo];
      for (const { north } of owners) {
        const { ids } = toRequest(fixture, north);
        expectAuthError(await fixture.request(operation, { ids }), 403);
      }
    });
  }

  test('an unknown query parameter is named in the errors', async () => {
    const response = await fixture.request(operation, { query: '?page=2' });
    expectProblem(response, 400, 'invalid_request');
    expect(response.body.errors).toEqual([{ path: '/query/page', message: expect.any(String) }]);
  });

  test('the API key is checked first, then the token, then parameters, then the resource', async () => {
    const unknown = Object.fromEntries(parameters.map((name) => [name, unknownId(name)])) as Ids;
    const allWrong = { ids: unknown, query: '?page=2', scopedToken: 'wrong', apiKey: 'wrong' };
    expectAuthError(await fixture.request(operation, allWrong), 401);
    const { apiKey: _key, ...tokenWrong } = allWrong;
    if (needsToken) expectAuthError(await fixture.request(operation, tokenWrong), 403);
    const { scopedToken: _token, ...parameterWrong } = tokenWrong;
    expectProblem(await fixture.request(operation, parameterWrong), 400, 'invalid_request');
    if (parameters.length > 0)
      expectProblem(await fixture.request(operation, { ids: unknown }), 404, 'not_found');
  });

  test('a request from a page of another origin gets no CORS headers', async () => {
    const response = await fixture.request(operation, {
      apiKey: null,
      headers: { Origin: 'https://shop.example' },
    });
    expectAuthError(response, 401, 'Authorization');
  });

  test('HEAD on its path is answered like GET, without a body', async () => {
    const { ids, shop, ada, service } = fixture;
    // Not through Prism, which cannot forward HEAD.
    const send = (method: string) =>
      sendRequest(service.url, operations[operation], {
        ...{ ids, apiKey: shop.apiKey, scopedToken: ada.token, method },
      });
    const [get, head] = [await send('GET'), await send('HEAD')];
    expect(get.text).not.toBe('');
    expect({ status: head.status, text: head.text }).toEqual({ status: get.status, text: '' });
    expect(head.headers.get('Content-Type')).toBe(get.headers.get('Content-Type'));
  });

  const otherMethods = ['POST', 'PUT', 'PATCH', 'OPTIONS'];
  const hasBoth = operation === 'getConnection' || operation === 'revokeConnection';
  const allowed = hasBoth ? 'GET, HEAD, DELETE' : 'GET, HEAD';

  test('another method is refused, and Allow lists the methods', async () => {
    // Prism handles OPTIONS itself.
    for (const other of fixture.throughPrism ? otherMethods.slice(0, 3) : otherMethods) {
      const response = await fixture.request(operation, { method: other });
      expect(`${other}: ${response.status}`).toBe(`${other}: 405`);
      expect(response.headers.get('Allow')).toBe(allowed);
      expectProblem(response, 405, 'method_not_allowed');
    }
  });
};

/** Tests of invalid credentials for one operation. */
const credentialTests = (fixture: ApiFixture, operation: OperationId): void => {
  const { needsToken, parameters } = operations[operation];

  for (const [kind, makeInvalid] of Object.entries(invalidApiKeys)) {
    test(`${kind}: 401`, async () => {
      const { apiKey, headers } = await makeInvalid(fixture);
      const missing = apiKey === null && !headers ? 'Authorization' : undefined;
      expectAuthError(await fixture.request(operation, { apiKey, headers }), 401, missing);
    });
  }

  test('the key of another application: 403', async () => {
    expectAuthError(await fixture.request(operation, { apiKey: fixture.otherApplication.apiKey }), 403);
  });

  if (!needsToken) return;

  for (const [kind, makeInvalid] of Object.entries(invalidScopedTokens)) {
    test(`${kind}: 403`, async () => {
      for (const scopedToken of makeInvalid(fixture)) {
        const missing = scopedToken === null ? 'X-Scoped-Token' : undefined;
        expectAuthError(await fixture.request(operation, { scopedToken }), 403, missing);
      }
    });
  }

  if (parameters.length > 0) {
    test('another user’s token: 403', async () => {
      expectAuthError(await fixture.request(operation, { scopedToken: fixture.ben.token }), 403);
    });
  }
};
