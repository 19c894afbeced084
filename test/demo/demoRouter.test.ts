// The demo's backend: its sessions, its secrets and its error responses.
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { demoRouter } from '../../src/interfaces/demo/demoRouter.ts';
import type { DemoInside } from '../../src/interfaces/demo/inside.ts';
import { makeSessionStore, saveConnection, sessionsMax } from '../../src/interfaces/demo/sessions.ts';
import { type FakeService, respondJson, respondProblem, startFakeService } from '../client/fakeService.ts';

const apiKey = 'key-of-the-demo';
const scopedToken = 'sct_of-the-session';
const stored = [{ table: 'accounts', rows: [{ id: 'acc_1', sealed: { hex: '01ab', bytes: 2 } }] }];
const events = [
  { id: 'evt_1', type: 'connection.created', timestamp: '', data: { connectionId: 'con_1' } },
  { id: 'evt_2', type: 'connection.created', timestamp: '', data: { connectionId: 'con_2' } },
];
const inside: DemoInside = {
  logoOf: (institutionId) => `/logos/${institutionId}`,
  readStoredRows: async () => stored,
  makeBankAskAgain: async () => {},
  readEvents: async () => events,
};
let service: FakeService;
let server: Server;
let origin: string;
let loggedErrors: unknown[];

beforeEach(async () => {
  service = await startFakeService();
  loggedErrors = [];
  const app = express();
  server = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const log = (error: unknown) => loggedErrors.push(error);
  const options = { baseUrl: origin, serviceUrl: service.url, applicationId: 'app_1', apiKey, inside, log };
  app.use('/demo', demoRouter(options));
});
afterEach(async () => {
  await new Promise((resolve) => {
    server.close(resolve);
    server.closeAllConnections();
  });
  await service.close();
});

const anyTimes = { at: expect.any(String), milliseconds: expect.any(Number) };

const accountsOf = (connectionId: string) =>
  respondJson(`{"accounts":[{"id":"acc_1","connectionId":"${connectionId}","balance":{"current":10.50}}]}`);
const connection = (id: string) =>
  respondJson(`{"connection":{"id":"${id}","institution":{"id":"b","name":"Bank"}}}`);

/** Requests of a browser that has opened the page, with its cookie and origin. */
const openPage = async () => {
  const setup = await fetch(`${origin}/demo/api/setup`);
  const setCookie = setup.headers.get('set-cookie') ?? '';
  const cookie = setCookie.split(';')[0] ?? '';
  const request = async (
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ) => {
    const response = await fetch(`${origin}/demo/api${path}`, {
      method,
      headers: { cookie, origin, 'content-type': 'application/json', ...headers },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    return { status: response.status, body: await response.json() };
  };
  const connect = async (connectionId: string, result: object = { scopedToken }) => {
    service.nextResponders.push(accountsOf(connectionId));
    return request('POST', '/connections', { connectionId, ...result });
  };
  return { request, connect, setCookie, setup: await setup.json() };
};

describe('the page', () => {
  test('allows only its own scripts and the widget’s, and does not contain the API key', async () => {
    const page = await fetch(`${origin}/demo`);
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain(`script-src 'self' ${origin}`);
    expect(policy).not.toMatch(/unsafe|\*/);
    const html = await page.text();
    expect(html).not.toMatch(/<script>|<style|\sstyle=|\son\w+=/);
    expect(html).not.toContain(apiKey);
  });

  test('starts a session, and keeps it, with a cookie that scripts cannot read and other sites cannot send', async () => {
    const { request, setCookie, setup } = await openPage();
    expect(setCookie).toMatch(/^demo_session_\d+=[\w-]{24}; Path=\/demo; HttpOnly; SameSite=Strict$/);
    expect(setup).toEqual({
      baseUrl: origin,
      applicationId: 'app_1',
      externalUserId: expect.stringMatching(/^demo-/),
      examples: [expect.anything(), expect.anything(), expect.anything()],
    });
    expect((await request('GET', '/setup')).body).toEqual(setup);
  });
});

describe('connecting', () => {
  test('stores the token and reads with it and the key; amounts stay exact', async () => {
    const { request, connect } = await openPage();
    expect((await connect('con_1')).status).toBe(201);
    service.nextResponders.push(connection('con_1'), accountsOf('con_1'));
    const { body } = await request('GET', '/connections');
    expect(body.connections[0].accounts[0].balance).toEqual({ current: '10.50' });
    expect(JSON.stringify(body)).not.toContain(scopedToken);
    expect(service.requests.at(-1)?.headers).toMatchObject({
      authorization: `Bearer ${apiKey}`,
      'x-scoped-token': scopedToken,
    });
  });

  test.each([403, 404])('does not store a token that cannot read the connection (%i)', async (status) => {
    const { request } = await openPage();
    service.nextResponders.push(respondProblem(status, status === 403 ? 'forbidden' : 'not_found'));
    expect((await request('POST', '/connections', { connectionId: 'con_1', scopedToken })).status).toBe(409);
    expect((await request('GET', '/connections')).body).toEqual({ connections: [] });
  });

  test('refuses an invalid body without a request to the service', async () => {
    const { request } = await openPage();
    expect((await request('POST', '/connections', { connectionId: 5 })).status).toBe(400);
    expect(service.requests).toEqual([]);
  });

  test.each([['https://elsewhere.example'], ['null'], ['']])('refuses the origin %j', async (from) => {
    const { request } = await openPage();
    const { status } = await request(
      'POST',
      '/connections',
      { connectionId: 'con_1', scopedToken },
      { origin: from },
    );
    expect(status).toBe(403);
    expect(service.requests).toEqual([]);
  });
});

describe('reading and revoking', () => {
  test('reads a page of transactions, and the next one by its cursor', async () => {
    const { request, connect } = await openPage();
    await connect('con_1');
    const path = '/connections/con_1/accounts/acc_1/transactions';
    service.nextResponders.push(
      respondJson('{"transactions":[{"amount":-4.50}],"pagination":{"hasMore":true,"nextCursor":"n"}}'),
    );
    const { exchange, ...page } = (await request('GET', path)).body;
    expect(page).toEqual({
      transactions: [{ amount: '-4.50' }],
      pagination: { hasMore: true, nextCursor: 'n' },
    });
    expect(exchange).toMatchObject({ method: 'GET', status: 200, hasToken: true });
    expect(exchange.body).toContain('"amount":-4.50');
    await request('GET', `${path}?cursor=n`);
    expect(service.requests.slice(-2).map(({ url }) => url)).toEqual([
      '/accounts/acc_1/transactions?limit=25',
      '/accounts/acc_1/transactions?limit=25&cursor=n',
    ]);
  });

  test('does not find a connection of another session, without a request to the service', async () => {
    await (await openPage()).connect('con_1');
    const { request } = await openPage();
    const requestsBefore = service.requests.length;
    for (const [method, path] of [
      ['GET', '/connections/con_1/accounts/acc_1/transactions'],
      ['DELETE', '/connections/con_1'],
      ['GET', '/connections/con_1/accounts/acc_1/transactions?token=none'],
      ['GET', '/connections/con_1/accounts/acc_1/stored'],
      ['POST', '/connections/con_1/ask-again'],
    ] as const) {
      expect((await request(method, path)).status).toBe(404);
    }
    expect(service.requests).toHaveLength(requestsBefore);
  });

  test('without the token, sends the same request and shows the refusal', async () => {
    const { request, connect } = await openPage();
    await connect('con_1');
    service.nextResponders.push(respondProblem(403, 'forbidden'));
    const path = '/connections/con_1/accounts/acc_1/transactions?token=none';
    const { exchange, ...page } = (await request('GET', path)).body;
    expect(page).toEqual({});
    expect(exchange).toMatchObject({ path: '/accounts/acc_1/transactions?limit=25', status: 403 });
    expect(service.requests.at(-1)?.headers).not.toHaveProperty('x-scoped-token');
  });

  test('lists the requests and webhooks of its own connections, without answers and credentials', async () => {
    const { request, connect } = await openPage();
    await connect('con_1');
    const { requests, webhooks } = (await request('GET', '/feed')).body;
    expect(webhooks).toEqual([events[0]]);
    const path = '/connections/con_1/accounts';
    expect(requests).toEqual([{ ...{ method: 'GET', path, status: 200, hasToken: true }, ...anyTimes }]);
    expect((await (await openPage()).request('GET', '/feed')).body).toEqual({ requests: [], webhooks: [] });
  });

  test('omits a deleted connection, and returns the problem of one that cannot be read', async () => {
    const { request, connect } = await openPage();
    await connect('con_1');
    service.nextResponders.push(respondProblem(500, 'internal_error'));
    expect((await request('GET', '/connections')).body.connections).toEqual([
      { id: 'con_1', problem: { title: 'internal_error', detail: 'A detail.' } },
    ]);
    service.nextResponders.push(respondProblem(404, 'not_found'));
    expect((await request('GET', '/connections')).body.connections).toEqual([]);
    expect((await request('DELETE', '/connections/con_1')).status).toBe(404);
  });
});

describe('failures', () => {
  test('passes the problem of the service on, with its request id', async () => {
    const { request, connect } = await openPage();
    await connect('con_1');
    service.nextResponders.push(respondProblem(400, 'invalid_cursor'));
    expect(await request('GET', '/connections/con_1/accounts/acc_1/transactions?cursor=x')).toEqual({
      status: 400,
      body: { title: 'invalid_cursor', detail: 'A detail.', requestId: 'r1' },
    });
  });

  test('responds 502 if the service does not respond, and logs the error', async () => {
    const { request, connect } = await openPage();
    await connect('con_1');
    service.nextResponders.push((response) => response.destroy());
    expect(await request('GET', '/connections/con_1/accounts/acc_1/transactions')).toMatchObject({
      status: 502,
      body: { title: 'The service did not respond' },
    });
    expect(loggedErrors).toHaveLength(1);
  });

  test('responds to an unknown session with a request to reload', async () => {
    const response = await fetch(`${origin}/demo/api/connections`);
    expect([response.status, (await response.json()).title]).toEqual([
      410,
      expect.stringContaining('Reload'),
    ]);
  });

  test('refuses a body that is not JSON, and an unknown path', async () => {
    const { request } = await openPage();
    const broken = await fetch(`${origin}/demo/api/connections`, {
      method: 'POST',
      headers: { origin, 'content-type': 'application/json' },
      body: '{',
    });
    expect(broken.status).toBe(400);
    expect((await request('GET', '/nothing')).status).toBe(404);
  });
});

test('the session store is bounded and deletes the least recently used session', () => {
  const sessions = makeSessionStore();
  const first = sessions.create();
  const second = sessions.create();
  for (let count = 2; count < sessionsMax; count++) sessions.create();
  expect(sessions.find(first.id)).toBe(first.session);
  sessions.create();
  expect(sessions.find(second.id)).toBeUndefined();
  expect(sessions.find(first.id)).toBe(first.session);
  for (let count = 0; count < 50; count++) saveConnection(first.session, `con_${count}`, 'sct_a');
  expect(first.session.connections.size).toBeLessThan(50);
  expect(first.session.connections.has('con_49')).toBe(true);
});
