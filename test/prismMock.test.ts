// `npm run mock` serves the contract to consumers who have no service yet. What is started here is that script's
// own command, on a free port.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from 'vitest';

const { scripts } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

let mock: ChildProcess;
let url: string;

beforeAll(async () => {
  const [command, ...options] = scripts.mock.replace('4010', '0').split(' ');
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
  const gone = once(mock, 'close');
  mock.kill();
  await gone;
});

const key = { Authorization: 'Bearer any-key' };
const token = { 'X-Scoped-Token': 'any-token' };
const account = '/accounts/acc_3nVnx3kVEcA4wxWXfIjhkr';

test('it listens where consumers expect it, and only on this machine', () => {
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
])('%s answers with an example', async (_operation, method, path, headers, field) => {
  const response = await fetch(url + path, { method, headers });
  expect(response.status).toBe(200);
  expect(response.headers.get('API-Version')).toBe('2024-01-01');
  expect(response.headers.get('Access-Control-Allow-Origin')).toBeNull();
  expect(Object.keys((await response.json()) as object)).toContain(field);
});

test('revokeConnection answers 204', async () => {
  const response = await fetch(`${url}/connections/con_74tGOzxaRpxZZBf4B0T539`, {
    method: 'DELETE',
    headers: key,
  });
  expect(response.status).toBe(204);
});

test('a walk through the pages ends', async () => {
  const response = await fetch(`${url}${account}/transactions`, { headers: { ...key, ...token } });
  expect(await response.json()).toMatchObject({ pagination: { hasMore: false } });
});

test('a page with more to come can be asked for', async () => {
  const response = await fetch(`${url}${account}/transactions`, {
    headers: { ...key, ...token, Prefer: 'example=page' },
  });
  expect(await response.json()).toMatchObject({ pagination: { hasMore: true } });
});

test('who forgets the key is refused as the service would', async () => {
  const response = await fetch(`${url}/connections`, { headers: token });
  expect(response.status).toBe(401);
  expect(await response.json()).toMatchObject({ code: 'unauthorized' });
});

test('a refusal can be asked for', async () => {
  const response = await fetch(`${url}/connections`, { headers: { ...key, ...token, Prefer: 'code=429' } });
  expect(response.status).toBe(429);
  expect(response.headers.get('Retry-After')).toBe('7');
});
