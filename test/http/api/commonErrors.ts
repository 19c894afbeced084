// What all seven operations refuse in the same way, and the table of credentials: who is let in and who is not,
// with one same body for every reason of a 401 and one for every reason of a 403.
import { expect, test } from 'vitest';
import { makeId } from '../../../src/ids.ts';
import { invalidApiKeys, invalidScopedTokens } from './invalidCredentials.ts';
import { type ApiResponse, type Ids, type OperationId, operations } from './operations.ts';
import type { ApiFixture } from './fixture.ts';

const bodies = {
  401: {
    type: '/problems/unauthorized',
    title: 'Unauthorized',
    status: 401,
    detail: 'The API key is missing or not valid.',
    code: 'unauthorized',
  },
  403: {
    type: '/problems/forbidden',
    title: 'Forbidden',
    status: 403,
    detail: 'These credentials do not allow this.',
    code: 'forbidden',
  },
};

/** Nothing of the answer may tell one reason from another: not the body, and no header either. */
export const expectAuthError = (answer: ApiResponse, status: 401 | 403): void => {
  expect({ ...answer.body, requestId: undefined }).toEqual({ ...bodies[status], requestId: undefined });
  expect(answer.status).toBe(status);
  expect(answer.headers.get('WWW-Authenticate')).toBe(status === 401 ? 'Bearer' : null);
  const told = [...answer.headers.keys()].filter((name) => !commonHeaders.has(name));
  expect(told).toEqual(status === 401 ? ['www-authenticate'] : []);
};

// What an answer has that says nothing about it; Prism adds what it found wrong with the request.
const commonHeaders = new Set([
  ...['api-version', 'cache-control', 'connection', 'content-length', 'content-type', 'date', 'keep-alive'],
  ...['request-id', 'x-content-type-options', 'sl-violations', 'transfer-encoding'],
]);

/** A problem of any other status. */
export const expectProblem = (answer: ApiResponse, status: number, code: string): void => {
  expect({ status: answer.status, code: answer.body?.code }).toEqual({ status, code });
  expect(answer.body).toMatchObject({ type: `/problems/${code}`, status });
  const known = [
    'type',
    'title',
    'status',
    'detail',
    'code',
    'requestId',
    ...(status === 400 ? ['errors'] : []),
  ];
  expect(Object.keys(answer.body)).toEqual(known);
};

const prefixes = { connectionId: 'con', accountId: 'acc', transactionId: 'txn' } as const;
const unknownId = (name: keyof Ids): string => makeId(prefixes[name]);

const malformedIds: Record<string, (id: string) => string> = {
  'one character short': (id) => id.slice(0, -1),
  'one character long': (id) => `${id}0`,
  'of another prefix': (id) => `usr${id.slice(3)}`,
  'without its prefix': (id) => id.slice(4),
  'in another case': (id) => id.toUpperCase(),
  'with a character that no id has': (id) => `${id.slice(0, -1)}-`,
  'with a zero character in it': (id) => `${id.slice(0, -1)}\0`,
  'with a slash in it': (id) => `${id.slice(0, 8)}/${id.slice(9)}`,
  'very long': (id) => id + 'x'.repeat(4000),
  'a number': () => '1',
};

/** Refusals that do not depend on who asks. */
export const commonErrorTests = (stage: ApiFixture, operation: OperationId): void => {
  const { parameters, method, needsToken } = operations[operation];
  const withId = (name: keyof Ids, id: string) => ({ ids: { ...stage.ids, [name]: id } });

  for (const name of parameters) {
    test(`${name} that nothing has is not found`, async () => {
      expectProblem(await stage.request(operation, withId(name, unknownId(name))), 404, 'not_found');
    });

    test(`${name} of another form is not found`, async () => {
      for (const [what, spoil] of Object.entries(malformedIds)) {
        const answer = await stage.request(operation, withId(name, spoil(stage.ids[name])));
        expect(`${what}: ${answer.status}`).toBe(`${what}: 404`);
        expectProblem(answer, 404, 'not_found');
      }
    });
  }

  test('a parameter that nobody knows is refused, by its name', async () => {
    const answer = await stage.request(operation, { query: '?page=2' });
    expectProblem(answer, 400, 'invalid_request');
    expect(answer.body.errors).toEqual([{ path: '/query/page', message: expect.any(String) }]);
  });

  test('the key is judged first, then the token, then parameters, then the resource', async () => {
    const unknown = Object.fromEntries(parameters.map((name) => [name, unknownId(name)])) as Ids;
    const allWrong = { ids: unknown, query: '?page=2', scopedToken: 'wrong', apiKey: 'wrong' };
    expectAuthError(await stage.request(operation, allWrong), 401);
    const { apiKey: _key, ...tokenWrong } = allWrong;
    if (needsToken) expectAuthError(await stage.request(operation, tokenWrong), 403);
    const { scopedToken: _token, ...parameterWrong } = tokenWrong;
    expectProblem(await stage.request(operation, parameterWrong), 400, 'invalid_request');
    if (parameters.length > 0)
      expectProblem(await stage.request(operation, { ids: unknown }), 404, 'not_found');
  });

  test('a page of another origin is given nothing, not even the right to ask', async () => {
    const answer = await stage.request(operation, {
      apiKey: null,
      headers: { Origin: 'https://shop.example' },
    });
    expectAuthError(answer, 401);
  });

  const otherMethods = ['POST', 'PUT', 'PATCH', 'OPTIONS', 'HEAD'];
  const allowed = operation === 'getConnection' || operation === 'revokeConnection' ? 'GET, DELETE' : method;

  test('another method is refused with those that there are', async () => {
    // Prism itself answers OPTIONS, and cannot pass HEAD on.
    for (const other of stage.throughPrism ? otherMethods.slice(0, 3) : otherMethods) {
      const answer = await stage.request(operation, { method: other });
      expect(`${other}: ${answer.status}`).toBe(`${other}: 405`);
      expect(answer.headers.get('Allow')).toBe(allowed);
      if (other !== 'HEAD') expectProblem(answer, 405, 'method_not_allowed');
    }
  });
};

/** The table of credentials, for one operation. */
export const credentialTests = (stage: ApiFixture, operation: OperationId): void => {
  const { needsToken, parameters } = operations[operation];

  for (const [what, forge] of Object.entries(invalidApiKeys)) {
    test(`${what}: 401`, async () => {
      const { apiKey, headers } = await forge(stage);
      expectAuthError(await stage.request(operation, { apiKey, headers }), 401);
    });
  }

  test('the key of another application: 403', async () => {
    expectAuthError(await stage.request(operation, { apiKey: stage.otherApplication.apiKey }), 403);
  });

  if (!needsToken) {
    test('the key of another application with a token of its own: 403', async () => {
      const { apiKey } = stage.otherApplication;
      expectAuthError(await stage.request(operation, { apiKey, scopedToken: stage.cleo.token }), 403);
    });
    return;
  }

  for (const [what, forge] of Object.entries(invalidScopedTokens)) {
    test(`${what}: 403`, async () => {
      for (const scopedToken of forge(stage)) {
        expectAuthError(await stage.request(operation, { scopedToken }), 403);
      }
    });
  }

  test('the token of a user whose application asks, for what is another application’s: 403', async () => {
    const { apiKey } = stage.otherApplication;
    const answer = await stage.request(operation, { apiKey, scopedToken: stage.cleo.token });
    // Without an id in its address, the operation answers for whom the token is.
    if (parameters.length > 0) expectAuthError(answer, 403);
    else expect(answer.status).toBe(200);
  });

  if (parameters.length > 0) {
    test('another user’s token: 403', async () => {
      expectAuthError(await stage.request(operation, { scopedToken: stage.ben.token }), 403);
    });
  }
};
