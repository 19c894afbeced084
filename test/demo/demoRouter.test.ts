// The demo's backend: who may ask it, what it keeps to itself, and what it says when the service says no.
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { demoRouter } from '../../src/demo/demoRouter.ts';
import { saveConnection, makeVisitorStore, visitorsMax } from '../../src/demo/visitors.ts';
import { respondProblem, type FakeService, startFakeService, respondJson } from '../client/fakeService.ts';

const apiKey = 'key-of-the-demo';
const scopedToken = 'sct_of-the-visitor';
let service: FakeService;
let server: Server;
let origin: string;
let logged: unknown[];

beforeEach(async () => {
  service = await startFakeService();
  logged = [];
  const app = express();
  server = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const log = (error: unknown) => logged.push(error);
  const options = { baseUrl: origin, serviceUrl: service.url, applicationId: 'app_1', apiKey, log };
  app.use('/demo', demoRouter(options));
});
afterEach(async () => {
  await new Promise((resolve) => {
    server.close(resolve);
    server.closeAllConnections();
  });
  await service.close();
});

const accountsOf = (connectionId: string) =>
  respondJson(`{"accounts":[{"id":"acc_1","connectionId":"${connectionId}","balance":{"current":10.50}}]}`);
const connection = (id: string) =>
  respondJson(`{"connection":{"id":"${id}","institution":{"id":"b","name":"Bank"}}}`);

/** A browser that has opened the page: it keeps its cookie and says where it is. */
const openPage = async () => {
  const setup = await fetch(`${origin}/demo/api/setup`);
  const setCookie = setup.headers.get('set-cookie') ?? '';
  const cookie = setCookie.split(';')[0] ?? '';
  const ask = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(`${origin}/demo/api${path}`, {
      method,
      headers: { cookie, origin, 'content-type': 'application/json', ...headers },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    return { status: response.status, body: await response.json() };
  };
  const connect = async (connectionId: string, given: object = { scopedToken }) => {
    service.nextResponders.push(accountsOf(connectionId));
    return ask('POST', '/connections', { connectionId, ...given });
  };
  return { ask, connect, setCookie, setup: await setup.json() };
};

describe('the page', () => {
  test('runs no script but its own and the widget’s, and says nothing of the key', async () => {
    const page = await fetch(`${origin}/demo`);
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain(`script-src 'self' ${origin}`);
    expect(policy).not.toMatch(/unsafe|\*/);
    const html = await page.text();
    expect(html).not.toMatch(/<script>|<style|\sstyle=|\son\w+=/);
    expect(html).not.toContain(apiKey);
  });

  test.each(['demo.js', 'demo.css', 'mark.svg'])('has its file %s', async (name) => {
    expect((await fetch(`${origin}/demo/${name}`)).status).toBe(200);
  });

  test('knows its visitor by a cookie that no script can read and no other site can send', async () => {
    const { setCookie, setup } = await openPage();
    expect(setCookie).toMatch(/^demo_visitor_\d+=[\w-]{24}; Path=\/demo; HttpOnly; SameSite=Strict$/);
    expect(setup).toEqual({
      baseUrl: origin,
      applicationId: 'app_1',
      externalUserId: expect.stringMatching(/^demo-/),
    });
  });

  test('keeps the visitor that it knows', async () => {
    const { ask, setup } = await openPage();
    expect((await ask('GET', '/setup')).body.externalUserId).toBe(setup.externalUserId);
  });
});

describe('connecting', () => {
  test('keeps the token here and reads with it and the key; amounts stay as they were sent', async () => {
    const { ask, connect } = await openPage();
    expect((await connect('con_1')).status).toBe(201);
    service.nextResponders.push(connection('con_1'), accountsOf('con_1'));
    const { body } = await ask('GET', '/connections');
    expect(body.connections[0].accounts[0].balance).toEqual({ current: '10.50' });
    expect(JSON.stringify(body)).not.toContain(scopedToken);
    expect(service.requests.at(-1)?.headers).toMatchObject({
      authorization: `Bearer ${apiKey}`,
      'x-scoped-token': scopedToken,
    });
  });

  test('a second connection comes without a token and is read with the first one', async () => {
    const { connect } = await openPage();
    await connect('con_1');
    expect((await connect('con_2', {})).status).toBe(201);
    expect(service.requests.at(-1)?.headers['x-scoped-token']).toBe(scopedToken);
  });

  test.each([403, 404])('a token that does not open the connection (%i) is not kept', async (status) => {
    const { ask } = await openPage();
    service.nextResponders.push(respondProblem(status, status === 403 ? 'forbidden' : 'not_found'));
    expect((await ask('POST', '/connections', { connectionId: 'con_1', scopedToken })).status).toBe(409);
    expect((await ask('GET', '/connections')).body).toEqual({ connections: [] });
  });

  test('nothing usable is refused without asking the service', async () => {
    const { ask } = await openPage();
    expect((await ask('POST', '/connections', { connectionId: 5 })).status).toBe(400);
    expect(service.requests).toEqual([]);
  });

  test.each([['https://elsewhere.example'], ['null'], ['']])(
    'from the origin %j it is refused',
    async (from) => {
      const { ask } = await openPage();
      const { status } = await ask(
        'POST',
        '/connections',
        { connectionId: 'con_1', scopedToken },
        { origin: from },
      );
      expect(status).toBe(403);
      expect(service.requests).toEqual([]);
    },
  );
});

describe('reading and revoking', () => {
  test('a page of transactions, and the next one by its cursor', async () => {
    const { ask, connect } = await openPage();
    await connect('con_1');
    const path = '/connections/con_1/accounts/acc_1/transactions';
    service.nextResponders.push(
      respondJson('{"transactions":[{"amount":-4.50}],"pagination":{"hasMore":true,"nextCursor":"n"}}'),
    );
    expect((await ask('GET', path)).body).toEqual({
      transactions: [{ amount: '-4.50' }],
      pagination: { hasMore: true, nextCursor: 'n' },
    });
    await ask('GET', `${path}?cursor=n`);
    expect(service.requests.slice(-2).map(({ url }) => url)).toEqual([
      '/accounts/acc_1/transactions?limit=25',
      '/accounts/acc_1/transactions?limit=25&cursor=n',
    ]);
  });

  test('another visitor’s connection is not there, and the service is not asked', async () => {
    await (await openPage()).connect('con_1');
    const { ask } = await openPage();
    const asked = service.requests.length;
    for (const [method, path] of [
      ['GET', '/connections/con_1/accounts/acc_1/transactions'],
      ['DELETE', '/connections/con_1'],
      ['POST', '/connections/con_1/scoped-token'],
    ] as const) {
      expect((await ask(method, path)).status).toBe(404);
    }
    expect(service.requests).toHaveLength(asked);
  });

  test('the token is shown to its own visitor, and only by a request of the page', async () => {
    const { ask, connect } = await openPage();
    await connect('con_1');
    expect((await ask('POST', '/connections/con_1/scoped-token')).body).toEqual({ scopedToken });
    const foreign = await ask('POST', '/connections/con_1/scoped-token', undefined, {
      origin: 'http://other.example',
    });
    expect(foreign.status).toBe(403);
  });

  test('revoking asks the service to', async () => {
    const { ask, connect } = await openPage();
    await connect('con_1');
    service.nextResponders.push((response) => response.writeHead(204).end());
    expect((await ask('DELETE', '/connections/con_1')).status).toBe(200);
    expect(service.requests.at(-1)).toMatchObject({ method: 'DELETE', url: '/connections/con_1' });
  });

  test('a connection that is gone disappears, one that cannot be read says why', async () => {
    const { ask, connect } = await openPage();
    await connect('con_1');
    service.nextResponders.push(respondProblem(500, 'internal_error'));
    expect((await ask('GET', '/connections')).body.connections).toEqual([
      { id: 'con_1', problem: { title: 'internal_error', detail: 'So it is.' } },
    ]);
    service.nextResponders.push(respondProblem(404, 'not_found'));
    expect((await ask('GET', '/connections')).body.connections).toEqual([]);
    expect((await ask('DELETE', '/connections/con_1')).status).toBe(404);
  });
});

describe('failures', () => {
  test('what the service says is passed on, with the request to ask the operator about', async () => {
    const { ask, connect } = await openPage();
    await connect('con_1');
    service.nextResponders.push(respondProblem(400, 'invalid_cursor'));
    expect(await ask('GET', '/connections/con_1/accounts/acc_1/transactions?cursor=x')).toEqual({
      status: 400,
      body: { title: 'invalid_cursor', detail: 'So it is.', requestId: 'r1' },
    });
  });

  test('a service that does not answer is said so, and logged', async () => {
    const { ask, connect } = await openPage();
    await connect('con_1');
    service.nextResponders.push((response) => response.destroy());
    expect(await ask('GET', '/connections/con_1/accounts/acc_1/transactions')).toMatchObject({
      status: 502,
      body: { title: 'The service did not answer' },
    });
    expect(logged).toHaveLength(1);
  });

  test('a visitor who is not known is told to reload', async () => {
    const response = await fetch(`${origin}/demo/api/connections`);
    expect([response.status, (await response.json()).title]).toEqual([
      404,
      expect.stringContaining('Reload'),
    ]);
  });

  test('a body that is no JSON, and a question that nobody knows', async () => {
    const { ask } = await openPage();
    const broken = await fetch(`${origin}/demo/api/connections`, {
      method: 'POST',
      headers: { origin, 'content-type': 'application/json' },
      body: '{',
    });
    expect(broken.status).toBe(400);
    expect((await ask('GET', '/nothing')).status).toBe(404);
  });
});

test('memory stays bounded: who was away longest is forgotten first', () => {
  const visitors = makeVisitorStore();
  const first = visitors.add();
  const second = visitors.add();
  for (let count = 2; count < visitorsMax; count++) visitors.add();
  expect(visitors.find(first.id)).toBe(first.visitor);
  visitors.add();
  expect(visitors.find(second.id)).toBeUndefined();
  expect(visitors.find(first.id)).toBe(first.visitor);
  for (let count = 0; count < 50; count++) saveConnection(first.visitor, `con_${count}`, 'sct_a');
  expect(first.visitor.connections.size).toBeLessThan(50);
  expect(first.visitor.connections.has('con_49')).toBe(true);
});
