// The worker: it refreshes due connections once, limits the load on each institution, and stops in time.
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type SyncState, syncTransactions, type Transaction } from '../../client/index.ts';
import { signInsKey } from '../../connectors/sandbox/storage.ts';
import { days, seconds } from '../../src/clock.ts';
import { BankUnreachable } from '../../src/errors.ts';
import { makeDatabaseStorage } from '../../src/institutions/sandbox/databaseStorage.ts';
import { databases } from '../support/databases.ts';
import {
  makeScriptedConnector,
  northBank,
  scriptedAccount,
  scriptedTransaction,
  southBank,
} from '../support/scriptedConnector.ts';
import {
  driveToEnd,
  link,
  openLinkSession,
  startService,
  type TestApplication,
  type TestService,
} from '../support/testService.ts';

const hours = (count: number): number => seconds(count * 3600);
const interval = hours(7);
// Short, because a test has to wait several polls to see that a worker does nothing.
const workerPollMs = 50;
/** Waits for several polls of each worker. */
const severalPolls = () => new Promise((resolve) => setTimeout(resolve, 5 * workerPollMs));

for (const database of databases) {
  describe(`the worker on ${database.name}`, () => {
    const services: TestService[] = [];
    const start = async (options: Parameters<typeof startService>[0] = {}): Promise<TestService> => {
      const limits = { workerPollMs, ...options.limits };
      const service = await startService({ database, ...options, limits });
      services.push(service);
      return service;
    };
    afterEach(async () => {
      // The first service owns the database, so it is closed last.
      for (const service of services.splice(0).reverse()) await service.close();
    });

    const startWith = async (connector: ReturnType<typeof makeScriptedConnector>, limits = {}) => {
      const service = await start({ connectors: [connector.module], limits });
      return { service, application: await service.addApplication({ environment: 'production' }) };
    };
    const linkAt = (
      service: TestService,
      application: TestApplication,
      username: string,
      institutionId = northBank,
    ) => link(service, { username, institutionId, applicationId: application.id });
    const readDescriptions = async (
      service: TestService,
      application: TestApplication,
      linked: Awaited<ReturnType<typeof link>>,
    ) => {
      const path = { accountId: linked.accounts[0]!.id };
      const { data } = await service
        .client(linked.scopedToken, application.apiKey)
        .GET('/accounts/{accountId}/transactions', { params: { path } });
      return data?.transactions.map(({ description }) => description) ?? [];
    };

    test('refreshes a connection when it is due, and not before', async () => {
      const connector = makeScriptedConnector();
      connector.setAccounts('ada', [
        scriptedAccount({ transactions: [scriptedTransaction({ description: 'OLD' })] }),
      ]);
      const { service, application } = await startWith(connector);
      const linked = await linkAt(service, application, 'ada');
      const today = service.service.clock.real().toISOString().slice(0, 10);
      const transactions = [
        scriptedTransaction({ description: 'OLD' }),
        scriptedTransaction({ description: 'NEW', date: today }),
      ];
      connector.setAccounts('ada', [scriptedAccount({ transactions })]);
      service.advance(hours(5));
      await severalPolls();
      expect(connector.calls.signIn).toBe(1);
      service.advance(hours(2));
      await vi.waitUntil(async () => (await readDescriptions(service, application, linked)).length === 2, {
        timeout: 30_000,
      });
      expect(await readDescriptions(service, application, linked)).toEqual(['NEW', 'OLD']);
    });

    test('runs each refresh once, with several processes', async () => {
      const connector = makeScriptedConnector();
      const { service, application } = await startWith(connector);
      for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) {
        connector.setAccounts(name, [scriptedAccount()]);
        await linkAt(service, application, name);
      }
      const { config } = service.service;
      const existing = { databaseUrl: config.databaseUrl, secretsDir: config.secretsDir };
      const second = await start({ existing, connectors: [connector.module] });
      const before = connector.calls.signIn;
      service.advance(interval);
      second.advance(interval);
      await vi.waitUntil(() => connector.calls.signIn >= before + 6, { timeout: 30_000 });
      await severalPolls();
      expect(connector.calls.signIn).toBe(before + 6);
    });

    test('limits the concurrent refreshes of one institution, and continues with others', async () => {
      const connector = makeScriptedConnector();
      const { service, application } = await startWith(connector, {
        workerConcurrencyPerInstitution: 2,
        workerConcurrency: 4,
      });
      for (const name of ['a', 'b', 'c', 'd', 'e']) {
        connector.setAccounts(name, [scriptedAccount()]);
        await linkAt(service, application, name);
      }
      for (const name of ['south', 'south 2']) {
        connector.setAccounts(name, [scriptedAccount()]);
        await linkAt(service, application, name, southBank);
      }
      const before = connector.calls.history;
      const signedIn = connector.signIns.length;
      const release = connector.hold('history');
      service.advance(interval);
      await vi.waitUntil(() => connector.calls.history === before + 3, { timeout: 30_000 });
      await severalPolls();
      // Two at one bank, and one at the other: the fourth job is kept free.
      expect(connector.calls.history).toBe(before + 3);
      const banks = Map.groupBy(connector.signIns.slice(signedIn), ({ institutionId }) => institutionId);
      expect([...banks.values()].map(({ length }) => length).sort()).toEqual([1, 2]);
      // An end user who links now does not wait for them.
      connector.setAccounts('new-user', [scriptedAccount()]);
      const session = await openLinkSession(service, { applicationId: application.id });
      const linking = driveToEnd(session, { username: 'new-user', institutionId: northBank });
      await vi.waitUntil(() => connector.calls.history === before + 4, { timeout: 30_000 });
      release();
      expect((await linking).state).toBe('finished');
      await vi.waitUntil(() => connector.calls.history === before + 8, { timeout: 30_000 });
    });

    test('retries with growing pauses when the bank fails', async () => {
      const connector = makeScriptedConnector();
      connector.setAccounts('ada', [scriptedAccount()]);
      let down = false;
      const failing = {
        ...connector.module,
        connector: {
          ...connector.module.connector,
          signIn: async (...call: Parameters<typeof connector.module.connector.signIn>) => {
            const response = await connector.module.connector.signIn(...call);
            if (down) throw new BankUnreachable('down');
            return response;
          },
        },
      };
      const { service, application } = await startWith({ ...connector, module: failing });
      const linked = await linkAt(service, application, 'ada');
      down = true;
      service.advance(interval);
      const dueIn = async (): Promise<number> => {
        const row = await service.service.db
          .read('jobs')
          .where({ connectionId: linked.connectionId })
          .first();
        return row!.leaseToken ? 0 : Date.parse(row!.dueAt) - service.service.clock.real().getTime();
      };
      for (const pause of [60, 120, 240]) {
        await vi.waitUntil(async () => (await dueIn()) > 0, { timeout: 30_000 });
        expect(await dueIn()).toBeLessThanOrEqual(seconds(pause));
        expect(await dueIn()).toBeGreaterThan(seconds(pause / 2 - 5));
        service.advance(seconds(pause));
      }
      down = false;
      await vi.waitUntil(async () => (await dueIn()) > 0, { timeout: 30_000 });
      service.advance(seconds(480));
      await vi.waitUntil(async () => (await dueIn()) > hours(5), { timeout: 30_000 });
    });

    test('times out when the bank does not respond, and releases the job', async () => {
      const connector = makeScriptedConnector();
      connector.setAccounts('ada', [scriptedAccount()]);
      const { service, application } = await startWith(connector, { connectorTimeoutSeconds: 0.3 });
      const linked = await linkAt(service, application, 'ada');
      const release = connector.hold('read');
      service.advance(interval);
      const leaseToken = async () =>
        (await service.service.db.read('jobs').where({ connectionId: linked.connectionId }).first())!
          .leaseToken;
      await vi.waitUntil(async () => (await leaseToken()) !== null, { timeout: 30_000 });
      await vi.waitUntil(async () => (await leaseToken()) === null, { timeout: 30_000 });
      release();
    });

    test('stops in time, and releases its jobs to other workers', async () => {
      const connector = makeScriptedConnector();
      connector.setAccounts('ada', [scriptedAccount()]);
      const { service, application } = await startWith(connector);
      await linkAt(service, application, 'ada');
      const release = connector.hold('history');
      const before = connector.calls.history;
      service.advance(interval);
      await vi.waitUntil(() => connector.calls.history === before + 1, { timeout: 30_000 });
      const started = performance.now();
      await service.service.worker!.stop();
      expect(performance.now() - started).toBeLessThan(
        seconds(service.service.config.limits.shutdownTimeoutSeconds),
      );
      const { config } = service.service;
      const existing = { databaseUrl: config.databaseUrl, secretsDir: config.secretsDir };
      release();
      const second = await start({ existing, connectors: [connector.module] });
      second.advance(interval);
      await vi.waitUntil(() => connector.calls.history === before + 2, { timeout: 30_000 });
    });

    test('stops while it is claiming jobs, however many are due', async () => {
      const connector = makeScriptedConnector();
      // One free slot for each connection, so that the worker goes on claiming while the first jobs run.
      const limits = { workerConcurrency: 10, workerConcurrencyPerInstitution: 10 };
      const { service, application } = await startWith(connector, limits);
      for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) {
        connector.setAccounts(name, [scriptedAccount()]);
        await linkAt(service, application, name);
      }
      const before = connector.calls.signIn;
      service.advance(interval);
      service.service.worker!.wake();
      await vi.waitUntil(() => connector.calls.signIn > before, { timeout: 30_000, interval: 1 });
      await service.service.worker!.stop();
      expect(connector.calls.signIn - before).toBeLessThanOrEqual(6);
    });

    test('publishes nothing when the connection was revoked during the refresh', async () => {
      const connector = makeScriptedConnector();
      connector.setAccounts('ada', [scriptedAccount()]);
      const log: string[] = [];
      const service = await start({ connectors: [connector.module], logTo: (line) => log.push(line) });
      const application = await service.addApplication({ environment: 'production' });
      const linked = await linkAt(service, application, 'ada');
      connector.setAccounts('ada', [
        scriptedAccount({ transactions: [scriptedTransaction({ date: '2026-01-01' })] }),
      ]);
      const release = connector.hold('history');
      const before = connector.calls.history;
      service.advance(days(8));
      await vi.waitUntil(() => connector.calls.history === before + 1, { timeout: 30_000 });
      const params = { path: { connectionId: linked.connectionId } };
      await service.client(undefined, application.apiKey).DELETE('/connections/{connectionId}', { params });
      release();
      await vi.waitUntil(() => log.some((line) => line.includes('"kind":"refresh"')), { timeout: 30_000 });
      await service.service.worker!.stop();
      expect(await readDescriptions(service, application, linked)).toEqual([]);
      const db = service.service.db.read;
      expect(await db('jobs').where({ connectionId: linked.connectionId })).toEqual([]);
      // The institution has not failed.
      await service.service.metrics.flush();
      const failures = await db('metrics_per_minute').where({ kind: 'institution' }).where('failed', '>', 0);
      expect(failures).toEqual([]);
    });

    test('stops refreshing a connection that the bank refuses, until it is reconnected; the refresh cursor continues', async () => {
      const service = await start();
      const linked = await link(service, { username: 'expires' });
      const client = service.client(linked.scopedToken);
      const accountId = linked.accounts[0]!.id;
      const copy = new Map<string, Transaction>();
      let state: SyncState = {};
      const sync = () =>
        syncTransactions(client, accountId, state, {
          apply: (page, next) => {
            for (const transaction of page) copy.set(transaction.id, transaction);
            state = next;
          },
        });
      await sync();
      const idsBefore = [...copy.keys()];
      const { db, secrets } = service.service;
      const storage = makeDatabaseStorage(db, secrets.sandbox, service.organizationId);
      const countSignIns = async (): Promise<number> =>
        (await storage.list(signInsKey('sandbox-bank', 'expires'))).length;
      const before = await countSignIns();
      service.advance(interval);
      const isRefused = async (): Promise<boolean> => {
        const row = await service.service.db.read('connections').where({ id: linked.connectionId }).first();
        return row?.reconnectReason !== null;
      };
      // Not only until the sign-in: a worker whose lease expires before it has saved the refusal signs in again.
      await vi.waitUntil(isRefused, { timeout: 30_000 });
      expect(await countSignIns()).toBe(before + 1);
      service.advance(days(3));
      await severalPolls();
      expect(await countSignIns()).toBe(before + 1);
      const session = await openLinkSession(service, { connectionId: linked.connectionId });
      const view = await driveToEnd(session, { username: 'expires' });
      expect(view).toMatchObject({ state: 'finished', result: { connectionId: linked.connectionId } });
      expect(view.state === 'finished' && view.result.scopedToken).toBeFalsy();
      await session.acknowledge();
      await sync();
      expect([...copy.keys()].slice(0, idsBefore.length)).toEqual(idsBefore);
      expect(copy.size).toBeGreaterThan(idsBefore.length);
      const { data } = await client.GET('/accounts/{accountId}/transactions', {
        params: { path: { accountId } },
      });
      const valid = [...copy.values()].filter(({ status }) => status !== 'void');
      expect(valid.map(({ id }) => id).sort()).toEqual(
        data!.transactions
          .filter(({ status }) => status !== 'void')
          .map(({ id }) => id)
          .sort(),
      );
    });
  });
}
