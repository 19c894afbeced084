// When the service cannot answer: too many requests, a database that is away, a fault of ours. Every operation
// says so in the same way, and answers again as soon as it can.
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  makeScriptedConnector,
  northBank,
  scriptedAccount,
  scriptedTransaction,
} from '../../support/scriptedConnector.ts';
import { databases } from '../../support/databases.ts';
import { link, startService, type TestService } from '../../support/testService.ts';
import { sendRequest, type Ids, type OperationId, operationIds, operations } from './operations.ts';
import { expectProblem } from './commonErrors.ts';
import { describeApi } from './fixture.ts';

describeApi(
  'an application that asks too often',
  (stage) => {
    describe('answers', () => {
      test('429 at every operation, with when to ask again; and other applications are not held up', async () => {
        let status = 200;
        while (status !== 429) ({ status } = await stage.request('getAccount'));
        for (const operation of operationIds) {
          const answer = await stage.request(operation);
          expectProblem(answer, 429, 'rate_limited');
          const seconds = Number(answer.headers.get('Retry-After'));
          expect(seconds).toBeGreaterThanOrEqual(1);
          expect(seconds).toBeLessThanOrEqual(60);
          expect(answer.headers.get('RateLimit')).toBe(`"default";r=0;t=${seconds}`);
          expect(answer.headers.get('RateLimit-Policy')).toBe('"default";q=20;w=60');
        }
        const ids = { ...stage.ids, connectionId: stage.cleo.north.connectionId };
        expect(
          (await stage.request('getConnection', { ids, apiKey: stage.otherApplication.apiKey })).status,
        ).toBe(200);
      });

      test('who is refused anyway is told so, and counts for nothing', async () => {
        expect((await stage.request('getAccount', { apiKey: null })).status).toBe(401);
        expect((await stage.request('getAccount', { scopedToken: null })).status).toBe(403);
        expect((await stage.request('getAccount', { query: '?page=1' })).status).toBe(400);
      });
    });
  },
  { limits: { apiRequestsPerMinute: 20 } },
);

describeApi('a fault of ours', (stage) => {
  const rename = (from: string, to: string) => stage.service.service.db.write.schema.renameTable(from, to);

  test('is 500 at every operation, told to the log under the request’s name, and to nobody else', async () => {
    await rename('connections', 'connections_elsewhere');
    try {
      for (const operation of operationIds) {
        const answer = await stage.request(operation);
        expectProblem(answer, 500, 'internal_error');
        expect(answer.text).not.toMatch(/connections|select|sql/i);
        const requestId = answer.headers.get('Request-Id');
        expect(stage.takeErrorLogs()).toMatchObject([{ msg: 'request failed', requestId }]);
      }
    } finally {
      await rename('connections_elsewhere', 'connections');
    }
    expect((await stage.request('listConnections')).status).toBe(200);
  });

  test('is 500 also where it lies in looking up the key', async () => {
    await rename('api_keys', 'api_keys_elsewhere');
    try {
      for (const operation of operationIds) {
        expectProblem(await stage.request(operation), 500, 'internal_error');
        expect(stage.takeErrorLogs()).toMatchObject([
          { msg: 'request failed', err: { code: expect.any(String) } },
        ]);
      }
    } finally {
      await rename('api_keys_elsewhere', 'api_keys');
    }
    expect((await stage.request('getAccount')).status).toBe(200);
  });
});

/** A wire to a database server that can be cut, and joined again at the same address. */
const startTcpProxy = async (to: { host: string; port: number }) => {
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    // A cut wire is what this is for.
    return socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  };
  const open = (port: number): Promise<Server> =>
    new Promise((resolve) => {
      const server = createServer((near) => {
        const far = keep(connect(to));
        keep(near).pipe(far).pipe(near);
      }).listen(port, '127.0.0.1', () => resolve(server));
    });
  let server = await open(0);
  const { port } = server.address() as AddressInfo;
  const cut = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
  return {
    port,
    cut,
    join: async () => {
      server = await open(port);
    },
  };
};

for (const database of databases.filter(({ name }) => name === 'PostgreSQL')) {
  describe('a PostgreSQL server that is away', () => {
    let service: TestService;
    let wire: Awaited<ReturnType<typeof startTcpProxy>>;
    let askOne: (operation: OperationId) => ReturnType<typeof sendRequest>;
    let drop: () => Promise<void>;
    beforeAll(async () => {
      const made = await database.create();
      drop = made.drop;
      const url = new URL(made.url);
      wire = await startTcpProxy({ host: url.hostname, port: Number(url.port) });
      url.port = String(wire.port);
      url.hostname = '127.0.0.1';
      const bank = makeScriptedConnector();
      bank.setAccounts('ada', [scriptedAccount({ transactions: [scriptedTransaction()] })]);
      service = await startService({
        existing: { databaseUrl: url.href },
        connectors: [bank.connector],
      });
      const shop = await service.addApplication({ environment: 'production' });
      const { scopedToken, connectionId, accounts } = await link(service, {
        ...{ username: 'ada', institutionId: northBank, applicationId: shop.id },
      });
      const accountId = accounts[0]!.id;
      const { data } = await service
        .client(scopedToken, shop.apiKey)
        .GET('/accounts/{accountId}/transactions', { params: { path: { accountId } } });
      const ids: Ids = { connectionId, accountId, transactionId: data!.transactions[0]!.id };
      askOne = (operation) =>
        sendRequest(service.url, operations[operation], {
          ids,
          apiKey: shop.apiKey,
          scopedToken: scopedToken!,
        });
    });
    afterAll(async () => {
      await service.close();
      await wire.cut();
      await drop();
    });

    test('is 503 at every operation, until it is back', async () => {
      await wire.cut();
      for (const operation of operationIds) expectProblem(await askOne(operation), 503, 'unavailable');
      expect((await fetch(`${service.url}/health`)).status).toBe(503);
      await wire.join();
      // Revoking comes among the others, and what was revoked can be read.
      for (const operation of operationIds) {
        const { status } = await askOne(operation);
        expect({ operation, status }).toEqual({
          operation,
          status: operation === 'revokeConnection' ? 204 : 200,
        });
      }
      expect((await fetch(`${service.url}/health`)).status).toBe(200);
    });
  });
}
