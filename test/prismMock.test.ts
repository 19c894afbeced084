// `npm run mock` serves the examples of the contract. This test starts the script's own command on a free port.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from 'vitest';

const { scripts } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

let mock: ChildProcess;
let url: string;

beforeAll(async () => {
  const [command, ...options] = scripts.mock
    .replace(/^exec /, '')
    .replace('4010', '0')
    .split(' ');
  mock = spawn(command, options, {
    cwd: new URL('..', import.meta.url),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: mock.stdout! })) {
    url = /listening on (http:\S+)/.exec(line)?.[1] ?? '';
    if (url) break;
  }
  mock.stdout!.resume();
});

afterAll(async () => {
  const closed = once(mock, 'close');
  mock.kill();
  await closed;
});

const key = { Authorization: 'Bearer any-key' };
const token = { 'X-Scoped-Token': 'any-token' };
const account = '/accounts/acc_3nVnx3kVEcA4wxWXfIjhkr';

test('it listens on port 4010 of the loopback interface', () => {
  expect(scripts.mock).toContain('--host 127.0.0.1 --port 4010');
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
});

test.each([
  ['listConnections', 'GET', '/connections', { ...key, ...token }, 'connections'],
  ['getConnection', 'GET', '/connections/con_74tGOzxaRpxZZBf4B0T539', key, 'connection'],
  [
    'listAccounts',
    'GET',
    '/connections/con_74tGOzxaRpxZZBf4B0T539/accounts',
    { ...key, ...token },
    'accounts',
  ],
  ['getAccount', 'GET', account, { ...key, ...token }, 'account'],
  [
    'listTransactions',
    'GET',
    `${account}/transactions?date[gte]=2024-02-01&limit=5`,
    { ...key, ...token },
    'transactions',
  ],
  [
    'getTransaction',
    'GET',
    `${account}/transactions/txn_2AEyZCFZ0sUup7e6qARNuh`,
    { ...key, ...token },
    'transaction',
  ],
])('%s responds with an example', async (_operation, method, path, headers, field) => {
  const response = await fetch(url + path, { method, headers });
  expect(response.status).toBe(200);
  expect(response.headers.get('API-Version')).toBe('2024-01-01');
  expect(response.headers.get('Access-Control-Allow-Origin')).toBeNull();
  expect(Object.keys((await response.json()) as object)).toContain(field);
});

test('revokeConnection responds with 204', async () => {
  const response = await fetch(`${url}/connections/con_74tGOzxaRpxZZBf4B0T539`, {
    method: 'DELETE',
    headers: key,
  });
  expect(response.status).toBe(204);
});

test('the default page is the last one', async () => {
  const response = await fetch(`${url}${account}/transactions`, { headers: { ...key, ...token } });
  expect(await response.json()).toMatchObject({ pagination: { hasMore: false } });
});

test('a page with a next page can be requested', async () => {
  const response = await fetch(`${url}${account}/transactions`, {
    headers: { ...key, ...token, Prefer: 'example=page' },
  });
  expect(await response.json()).toMatchObject({ pagination: { hasMore: true } });
});

test('a request without an API key gets 401', async () => {
  const response = await fetch(`${url}/connections`, { headers: token });
  expect(response.status).toBe(401);
  expect(await response.json()).toMatchObject({ code: 'unauthorized' });
});

test('an error response can be requested', async () => {
  const response = await fetch(`${url}/connections`, { headers: { ...key, ...token, Prefer: 'code=429' } });
  expect(response.status).toBe(429);
  expect(response.headers.get('Retry-After')).toBe('7');
});
