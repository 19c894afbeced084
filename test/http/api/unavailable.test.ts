// Rate limits, internal errors and an unreachable database: every operation responds in the same way, and recovers
// afterwards.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { claim, createSetupToken } from '../../simplefin/fixture.ts';
import { databases } from '../../support/databases.ts';
import {
  makeScriptedConnector,
  northBank,
  scriptedAccount,
  scriptedTransaction,
} from '../../support/scriptedConnector.ts';
import { startTcpProxy } from '../../support/tcpProxy.ts';
import { link, startService, type TestApplication, type TestService } from '../../support/testService.ts';
import { expectProblem } from './commonErrors.ts';
import { describeApi, toRequest, variantsOfEach } from './fixture.ts';
import { type Ids, type OperationId, operationIds, operations, sendRequest } from './operations.ts';

describeApi(
  'an application over its rate limit',
  (fixture) => {
    test('429 for every operation with Retry-After, and other applications are not limited', async () => {
      let status = 200;
      while (status !== 429) ({ status } = await fixture.request('getAccount'));
      for (const operation of operationIds) {
        const response = await fixture.request(operation);
        expectProblem(response, 429, 'rate_limited');
        const seconds = response.headers.get('Retry-After');
        expect(seconds).toMatch(/^([1-9]|[1-5]\d|60)$/);
        expect(response.headers.get('RateLimit')).toBe(`"default";r=0;t=${seconds}`);
        expect(response.headers.get('RateLimit-Policy')).toBe('"default";q=20;w=60');
      }
      const { apiKey } = fixture.otherApplication;
      const request = { ...toRequest(fixture, fixture.cleo.north), apiKey };
      expect((await fixture.request('getConnection', request)).status).toBe(200);
    });

    test('invalid credentials are refused as such, and the limit comes before the parameters', async () => {
      expect((await fixture.request('getAccount', { apiKey: null })).status).toBe(401);
      expect((await fixture.request('getAccount', { scopedToken: null })).status).toBe(403);
      expect((await fixture.request('getAccount', { query: '?page=1' })).status).toBe(429);
    });
  },
  { limits: { apiRequestsPerMinute: 20 } },
);

describeApi(
  'an internal error',
  (fixture) => {
    /** Sends a request of each operation while a table is renamed. */
    const requestAllWithout = async (table: string) => {
      const { db } = fixture.service.service;
      await db.write.raw(`alter table ${table} rename to elsewhere`);
      const answers = [];
      try {
        for (const operation of operationIds)
          answers.push({ ...(await fixture.request(operation)), logs: fixture.takeErrorLogs() });
      } finally {
        await db.write.raw(`alter table elsewhere rename to ${table}`);
      }
      return answers;
    };

    test('is 500 for every operation, and only the log has the details, with the request id', async () => {
      for (const { logs, ...response } of await requestAllWithout('connections')) {
        expectProblem(response, 500, 'internal_error');
        expect(response.text).not.toMatch(/connections|select|sql/i);
        const requestId = response.headers.get('Request-Id');
        expect(logs).toMatchObject([{ msg: 'request failed', requestId }]);
      }
      expect((await fixture.request('listConnections')).status).toBe(200);
    });

    test('is 500 instead of a response that does not fit the contract', async () => {
      const { db } = fixture.service.service;
      const rows = () => db.write('connections').where({ id: fixture.ids.connectionId });
      const { refreshedAt } = (await rows().first())!;
      await rows().update({ refreshedAt: 'yesterday' });
      expectProblem(await fixture.request('getConnection'), 500, 'internal_error');
      expect(fixture.takeErrorLogs()).toMatchObject([{ operation: 'getConnection' }]);
      await rows().update({ refreshedAt });
      expect((await fixture.request('getConnection')).status).toBe(200);
    });

    test('is also 500 if the API key cannot be looked up', async () => {
      for (const { logs, ...response } of await requestAllWithout('api_keys')) {
        expectProblem(response, 500, 'internal_error');
        expect(logs).toMatchObject([{ msg: 'request failed', err: { code: expect.any(String) } }]);
      }
      expect((await fixture.request('getAccount')).status).toBe(200);
    });
  },
  { only: variantsOfEach },
);

const databaseRequestMs = 30_000;

for (const database of databases.filter(({ name }) => name === 'PostgreSQL')) {
  describe('an unreachable PostgreSQL server', () => {
    let service: TestService;
    let shop: TestApplication;
    let token: string;
    let proxy: Awaited<ReturnType<typeof startTcpProxy>>;
    let requestOperation: (operation: OperationId) => ReturnType<typeof sendRequest>;
    let drop: () => Promise<void>;
    beforeAll(async () => {
      const created = await database.create();
      drop = created.drop;
      const url = new URL(created.url);
      proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port) });
      url.port = String(proxy.port);
      url.hostname = '127.0.0.1';
      const connector = makeScriptedConnector();
      connector.setAccounts('ada', [scriptedAccount({ transactions: [scriptedTransaction()] })]);
      service = await startService({
        existing: { databaseUrl: url.href },
        connectors: [connector.module],
        limits: { databaseRequestMs },
      });
      shop = await service.addApplication({ environment: 'production' });
      const { scopedToken, connectionId, accounts } = await link(service, {
        ...{ username: 'ada', institutionId: northBank, applicationId: shop.id },
      });
      token = scopedToken!;
      const accountId = accounts[0]!.id;
      const { data } = await service
        .client(scopedToken, shop.apiKey)
        .GET('/accounts/{accountId}/transactions', { params: { path: { accountId } } });
      const ids: Ids = { connectionId, accountId, transactionId: data!.transactions[0]!.id };
      const { apiKey } = shop;
      requestOperation = (operation) =>
        sendRequest(service.url, operations[operation], { ids, apiKey, scopedToken: token });
    });
    afterAll(async () => {
      await service.close();
      await proxy.stop();
      await drop();
    });

    test('makes the process not ready as soon as it freezes, and the process stays alive', async () => {
      proxy.freeze();
      // Much shorter than the time that requests wait for the database.
      const signal = AbortSignal.timeout(databaseRequestMs / 3);
      const ready = await fetch(`${service.url}/health/ready`, { signal });
      expect([ready.status, ready.headers.get('Retry-After')]).toEqual([503, '5']);
      expect((await fetch(`${service.url}/health/live`)).status).toBe(200);
      proxy.resume();
      await expect.poll(async () => (await fetch(`${service.url}/health/ready`)).status).toBe(200);
    });

    test('gives 503 for every operation until it is reachable again', async () => {
      await proxy.stop();
      for (const operation of operationIds) {
        const response = await requestOperation(operation);
        expectProblem(response, 503, 'unavailable');
        expect(response.headers.get('Retry-After')).toMatch(/^[1-9]\d*$/);
      }
      expect((await fetch(`${service.url}/health`)).status).toBe(503);
      await proxy.start();
      // The connection is revoked before some of the other requests, but stays readable.
      for (const operation of operationIds) {
        const { status } = await requestOperation(operation);
        const expected = operation === 'revokeConnection' ? 204 : 200;
        expect({ operation, status }).toEqual({ operation, status: expected });
      }
      expect((await fetch(`${service.url}/health`)).status).toBe(200);
    });

    test('gives 503 in text to applications that speak SimpleFIN', async () => {
      const credentials = { url: service.url, apiKey: shop.apiKey, scopedToken: token };
      const setupToken = await createSetupToken(credentials);
      await proxy.stop();
      const refused = await claim(setupToken);
      expect(refused.status).toBe(503);
      expect(refused.headers.get('Content-Type')).toMatch(/^text\/plain/);
      expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
      expect(await refused.text()).toMatch(/^Unavailable/);
      await proxy.start();
      expect((await claim(setupToken)).status).toBe(200);
    });
  });
}
