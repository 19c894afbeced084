// Prism reports violations and accepts valid responses. Each test has a small upstream server.
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type PrismProxy, startPrismProxy } from './prismProxy.ts';

const requiredHeaders = { 'Request-Id': 'r', 'API-Version': '2024-01-01', 'Cache-Control': 'no-store' };
const headers = { Authorization: 'Bearer key', 'X-Scoped-Token': 'token' };
const list = '/accounts/acc_3nVnx3kVEcA4wxWXfIjhkr/transactions';
const transaction = {
  id: 'txn_4iVGq3BNAlvHL8RWkQTlFM',
  accountId: 'acc_3nVnx3kVEcA4wxWXfIjhkr',
  amount: -4.5,
  date: '2024-02-24',
  description: 'CAFÉ',
  reference: '',
  status: 'pending',
  transactionRefresh: 'txr_01HQ3Z8F6V9K2M4N7P0R5S8T1W',
};
const emptyPage = { transactions: [], pagination: { hasMore: false } };

let upstream: Server;
let respond: RequestListener;
let requestedUrl: string | undefined;
let prism: PrismProxy;

beforeAll(async () => {
  upstream = createServer((request, response) => {
    requestedUrl = request.url;
    respond(request, response);
  });
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
  prism = await startPrismProxy(`http://127.0.0.1:${(upstream.address() as AddressInfo).port}`);
});

afterAll(async () => {
  await prism.close();
  upstream.closeAllConnections();
  await new Promise((resolve) => upstream.close(resolve));
});

beforeEach(() => prism.reset());

const json =
  (status: number, body: unknown, more: Record<string, string> = {}): RequestListener =>
  (_request, response) =>
    response
      .writeHead(status, { 'Content-Type': 'application/json', ...requiredHeaders, ...more })
      .end(JSON.stringify(body));

const problem = (
  status: number,
  code: string,
  more: Record<string, string> = {},
  fields: object = {},
): RequestListener =>
  json(
    status,
    {
      type: `https://bank.example.com/problems/${code}`,
      title: 'T',
      status,
      detail: 'D',
      code,
      requestId: 'r',
      ...fields,
    },
    { 'Content-Type': 'application/problem+json', ...more },
  );

test('a list streamed in chunks passes', async () => {
  respond = async (_request, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json', ...requiredHeaders });
    for (const chunk of [
      '{"transactions":[',
      JSON.stringify(transaction),
      ',',
      JSON.stringify(transaction),
    ]) {
      response.write(chunk);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    response.end('],"pagination":{"hasMore":false}}');
  };
  const response = await fetch(prism.url + list, { headers });
  expect(await response.json()).toEqual({
    transactions: [transaction, transaction],
    pagination: { hasMore: false },
  });
  expect(prism.violations()).toEqual([]);
});

test('the date operators reach the server', async () => {
  respond = json(200, emptyPage);
  await fetch(`${prism.url}${list}?date[gte]=2024-01-01&date[lt]=2024-02-01&limit=5`, { headers });
  expect(decodeURIComponent(requestedUrl ?? '')).toBe(
    `${list}?date[gte]=2024-01-01&date[lt]=2024-02-01&limit=5`,
  );
  expect(prism.violations()).toEqual([]);
});

test('a 204 and a problem response pass', async () => {
  respond = (_request, response) => response.writeHead(204, requiredHeaders).end();
  expect((await fetch(`${prism.url}/connections/x`, { method: 'DELETE', headers })).status).toBe(204);
  respond = problem(404, 'not_found');
  expect((await fetch(`${prism.url}/connections/x`, { headers })).status).toBe(404);
  expect(prism.violations()).toEqual([]);
});

test.each([
  ['an undeclared field', { transactions: [{ ...transaction, more: 1 }], pagination: { hasMore: false } }],
  ['an undeclared field beside the list', { ...emptyPage, more: 1 }],
  ['an undeclared field of the pagination', { transactions: [], pagination: { hasMore: false, more: 1 } }],
  [
    'an amount as text',
    { transactions: [{ ...transaction, amount: '-4.5' }], pagination: { hasMore: false } },
  ],
  [
    'an unknown status',
    { transactions: [{ ...transaction, status: 'odd' }], pagination: { hasMore: false } },
  ],
  ['hasMore without a cursor', { transactions: [], pagination: { hasMore: true } }],
  ['a cursor without hasMore', { transactions: [], pagination: { hasMore: false, nextCursor: 'x' } }],
])('%s is a violation by the server', async (_what, body) => {
  respond = json(200, body);
  await fetch(prism.url + list, { headers });
  expect(prism.serverViolations()).toContainEqual(
    expect.objectContaining({ part: 'response', method: 'GET', path: list, status: 200 }),
  );
});

test.each([
  [
    'a header with another value',
    '/connections',
    json(200, { connections: [] }, { 'API-Version': '2023-01-01' }),
  ],
  ['the code of another status', '/connections', problem(403, 'not_found')],
  ['an undeclared field of a problem', '/connections', problem(403, 'forbidden', {}, { more: 1 })],
  ['a 429 without Retry-After', '/connections', problem(429, 'rate_limited')],
  ['a 400 without a parameter name', list, problem(400, 'invalid_request')],
  ['an undeclared status', '/connections', problem(418, 'not_found')],
  ['invalid JSON', list, (_request, response) => response.writeHead(200, requiredHeaders).end('{nope')],
] satisfies [string, string, RequestListener][])(
  '%s is a violation by the server',
  async (_what, path, listener) => {
    respond = listener;
    await fetch(prism.url + path, { headers });
    expect(prism.serverViolations()).not.toEqual([]);
  },
);

test('an invalid request is a violation by the server only if it is answered with success', async () => {
  respond = json(200, emptyPage);
  await fetch(`${prism.url}${list}?limit=0`, { headers });
  expect(prism.serverViolations()).toMatchObject([{ part: 'request', location: 'query.limit', status: 200 }]);
  prism.reset();
  respond = problem(401, 'unauthorized', { 'WWW-Authenticate': 'Bearer' });
  await fetch(prism.url + list);
  expect(prism.violations()).toMatchObject([{ part: 'request', status: 401 }]);
  expect(prism.serverViolations()).toEqual([]);
});
