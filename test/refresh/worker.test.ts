// The worker: it refreshes due connections once, limits the load on each institution, and stops in time.
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type SyncState, syncTransactions, type Transaction } from '../../client/index.ts';
import type { BankTransaction } from '../../connectors/kit/contract.ts';
import { signInsKey } from '../../connectors/sandbox/storage.ts';
import { makeDatabaseStorage } from '../../src/domain/institutions/sandbox/databaseStorage.ts';
import type { Limits } from '../../src/platform/settings/limits.ts';
import { days, seconds } from '../../src/platform/values/clock.ts';
import { BankUnreachable } from '../../src/platform/values/errors.ts';
import { databases } from '../support/databases.ts';
import {
  makeScriptedConnector,
  northBank,
  scriptedAccount,
  scriptedTransaction,
  southBank,
} from '../support/scriptedConnector.ts';
import { driveToEnd, link, openLinkSession, startService, type TestService } from '../support/testService.ts';

type Linked = Awaited<ReturnType<typeof link>>;

const hours = (count: number): number => seconds(count * 3600);
const interval = hours(7);
const workerPollMs = 50;
const timeouts = { timeout: 30_000, interval: 5 };

/** Waits until a worker has polled for due jobs, and claimed the jobs that it found, several times from now on. */
const untilLooked = async ({ service }: TestService): Promise<void> => {
  let looks = 0;
  const unwatch = service.db.watch((sql, values) => {
    // The first statement of each poll.
    if (/ from .jobs. /.test(sql) && values.includes('import') && values.includes('production')) looks += 1;
  });
  await vi.waitUntil(() => looks > 3, timeouts);
  unwatch();
};

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

    /** Starts a service with these users of North Bank, each with an account and a connection. */
    const startWith = async (users: string[], limits: Partial<Limits> = {}) => {
      const connector = makeScriptedConnector();
      const log: string[] = [];
      const service = await start({
        ...{ connectors: [connector.module], limits },
        logTo: (line) => log.push(line),
      });
      const application = await service.addApplication({ environment: 'production' });
      const setTransactions = (username: string, ...transactions: Partial<BankTransaction>[]) =>
        connector.setAccounts(username, [
          scriptedAccount({ transactions: transactions.map(scriptedTransaction) }),
        ]);
      const linkAt = (username: string, institutionId = northBank) => {
        setTransactions(username);
        return link(service, { username, institutionId, applicationId: application.id });
      };
      const linked: Linked[] = [];
      for (const username of users) linked.push(await linkAt(username));
      const { config, db } = service.service;
      const jobOf = ({ connectionId }: Linked) => db.read('jobs').where({ connectionId }).first();
      return {
        ...{ connector, service, application, log, linked, setTransactions, linkAt, jobOf },
        /** Starts a second process with its clock ahead by this many milliseconds. */
        startSecond: async (milliseconds: number) => {
          const existing = { databaseUrl: config.databaseUrl, secretsDir: config.secretsDir };
          const second = await start({ existing, connectors: [connector.module] });
          second.advance(milliseconds);
          return second;
        },
        /** The number of sign-ins of each of these users. */
        signInsOf: (names: string[]) => names.map((name) => connector.callsOf(name).signIn),
        readDescriptions: async ({ accounts, scopedToken }: Linked) => {
          const params = { path: { accountId: accounts[0]!.id } };
          const { data } = await service
            .client(scopedToken, application.apiKey)
            .GET('/accounts/{accountId}/transactions', { params });
          return data?.transactions.map(({ description }) => description) ?? [];
        },
      };
    };

    test('refreshes a connection when it is due, and not before', async () => {
      const { service, linked, setTransactions, jobOf, readDescriptions } = await startWith(['ada']);
      const [ada] = linked as [Linked];
      const date = service.service.clock.real().toISOString().slice(0, 10);
      setTransactions('ada', { description: 'NEW', date });
      const job = await jobOf(ada);
      service.advance(hours(5));
      await untilLooked(service);
      expect(await jobOf(ada)).toEqual(job);
      service.advance(hours(2));
      await vi.waitUntil(async () => (await readDescriptions(ada)).length > 0, timeouts);
      expect(await readDescriptions(ada)).toEqual(['NEW']);
    });

    test('runs each refresh once, with several processes', async () => {
      const users = ['a', 'b', 'c', 'd', 'e', 'f'];
      const { service, linked, jobOf, signInsOf, startSecond } = await startWith(users);
      const second = await startSecond(interval);
      service.advance(interval);
      const isDone = async (one: Linked) => {
        const job = (await jobOf(one))!;
        return job.leaseToken === null && job.dueAt > service.service.clock.real().toISOString();
      };
      await vi.waitUntil(async () => !(await Promise.all(linked.map(isDone))).includes(false), timeouts);
      for (const one of [service, second]) await untilLooked(one);
      expect(signInsOf(users)).toEqual(users.map(() => 2));
    });

    test('limits the concurrent refreshes of one institution, and continues with others', async () => {
      const north = ['a', 'b', 'c', 'd', 'e'];
      const south = ['south', 'south 2'];
      const { connector, service, application, linkAt, setTransactions } = await startWith(north, {
        workerConcurrencyPerInstitution: 2,
        workerConcurrency: 4,
      });
      for (const name of south) await linkAt(name, southBank);
      const releases = [...north, ...south].map((name) => connector.hold(name, 'history'));
      // Each connection read its history once, when it was linked.
      const countAgain = (names: string[]) =>
        names.reduce((sum, name) => sum + connector.callsOf(name).history - 1, 0);
      service.advance(interval);
      await vi.waitUntil(() => countAgain([...north, ...south]) === 3, timeouts);
      await untilLooked(service);
      // Two at one bank, and one at the other; the fourth slot is reserved.
      expect(await service.service.db.read('jobs').whereNotNull('leaseToken')).toHaveLength(3);
      expect([countAgain(north), countAgain(south)].sort()).toEqual([1, 2]);
      // An end user who links now does not wait for these refreshes.
      setTransactions('new-user');
      const session = await openLinkSession(service, { applicationId: application.id });
      const linking = driveToEnd(session, { username: 'new-user', institutionId: northBank });
      expect((await linking).state).toBe('finished');
      expect(countAgain([...north, ...south])).toBe(3);
      for (const release of releases) release();
      await vi.waitUntil(() => countAgain([...north, ...south]) === 7, timeouts);
    });

    test('retries with growing pauses when the bank fails', async () => {
      const { connector, service, linked, jobOf } = await startWith(['ada']);
      const failNext = () => connector.fail('ada', 'signIn', new BankUnreachable('down'));
      failNext();
      service.advance(interval);
      const dueIn = async (): Promise<number> => {
        const { leaseToken, dueAt } = (await jobOf(linked[0]!))!;
        return leaseToken ? 0 : Date.parse(dueAt) - service.service.clock.real().getTime();
      };
      for (const pause of [60, 120, 240]) {
        await vi.waitUntil(async () => (await dueIn()) > 0, timeouts);
        expect(await dueIn()).toBeLessThanOrEqual(seconds(pause));
        expect(await dueIn()).toBeGreaterThan(seconds(pause / 2 - 5));
        failNext();
        service.advance(seconds(pause));
      }
      await vi.waitUntil(async () => (await dueIn()) > 0, timeouts);
      service.advance(seconds(480));
      await vi.waitUntil(async () => (await dueIn()) > hours(5), timeouts);
    });

    test('times out when the bank does not respond, and releases the job', async () => {
      const { connector, service, linked, jobOf } = await startWith(['ada'], {
        connectorTimeoutSeconds: 0.3,
      });
      const release = connector.hold('ada', 'read');
      service.advance(interval);
      await vi.waitUntil(async () => (await jobOf(linked[0]!))!.leaseToken !== null, timeouts);
      await vi.waitUntil(async () => (await jobOf(linked[0]!))!.leaseToken === null, timeouts);
      release();
    });

    test('stops in time, and releases its jobs to other workers', async () => {
      const { connector, service, linked, jobOf, startSecond } = await startWith(['ada']);
      const release = connector.hold('ada', 'history');
      service.advance(interval);
      await vi.waitUntil(() => connector.callsOf('ada').history === 2, timeouts);
      await service.service.worker!.stop();
      // The bank has not responded yet.
      expect(await jobOf(linked[0]!)).toMatchObject({ leaseToken: null });
      release();
      await startSecond(interval);
      await vi.waitUntil(() => connector.callsOf('ada').history === 3, timeouts);
    });

    test('stops while it is claiming jobs, regardless of the number of due ones', async () => {
      const users = ['a', 'b', 'c', 'd', 'e', 'f'];
      // One free slot for each connection, so that the worker keeps claiming while the first jobs run.
      const limits = { workerConcurrency: 10, workerConcurrencyPerInstitution: 10 };
      const { service, signInsOf } = await startWith(users, limits);
      service.advance(interval);
      service.service.worker!.wake();
      await vi.waitUntil(() => signInsOf(users).includes(2), { ...timeouts, interval: 1 });
      await service.service.worker!.stop();
      expect(Math.max(...signInsOf(users))).toBe(2);
    });

    test('publishes nothing when the connection was revoked during the refresh', async () => {
      const { connector, service, application, log, linked, ...more } = await startWith(['ada']);
      const [ada] = linked as [Linked];
      more.setTransactions('ada', { date: '2026-01-01' });
      const release = connector.hold('ada', 'history');
      service.advance(days(8));
      await vi.waitUntil(() => connector.callsOf('ada').history === 2, timeouts);
      const params = { path: { connectionId: ada.connectionId } };
      await service.client(undefined, application.apiKey).DELETE('/connections/{connectionId}', { params });
      release();
      await vi.waitUntil(() => log.some((line) => line.includes('"kind":"refresh"')), timeouts);
      await service.service.worker!.stop();
      expect(await more.readDescriptions(ada)).toEqual([]);
      expect(await more.jobOf(ada)).toBeUndefined();
      // The institution did not fail.
      await service.service.metrics.flush();
      const metrics = service.service.db.read('metrics_per_minute').where({ kind: 'institution' });
      expect(await metrics.where('failed', '>', 0)).toEqual([]);
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
      // Waits beyond the sign-in, because a worker whose lease expires before it has saved the refusal signs in again.
      await vi.waitUntil(isRefused, timeouts);
      expect(await countSignIns()).toBe(before + 1);
      service.advance(days(3));
      await untilLooked(service);
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
