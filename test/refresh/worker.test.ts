// The worker: what comes due is refreshed without anyone present, once, politely, and never after it should stop.
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type SyncState, syncTransactions, type Transaction } from '../../client/index.ts';
import { days, seconds } from '../../src/clock.ts';
import { signInsKey } from '../../src/connectors/sandbox/sandboxStorage.ts';
import { makeDatabaseStorage } from '../../src/connectors/sandbox/storage/databaseStorage.ts';
import { BankUnreachable } from '../../src/errors.ts';
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
// Soon, because what a worker leaves alone shows only after several looks.
const workerPollMs = 50;
/** Long enough for each worker to look for work several times. */
const severalPolls = () => new Promise((resolve) => setTimeout(resolve, 5 * workerPollMs));

for (const database of databases) {
  describe(`the worker on ${database.name}`, () => {
    const open: TestService[] = [];
    const start = async (options: Parameters<typeof startService>[0] = {}): Promise<TestService> => {
      const limits = { workerPollMs, ...options.limits };
      const service = await startService({ database, ...options, limits });
      open.push(service);
      return service;
    };
    afterEach(async () => {
      // The last opened is a guest on the database of the first.
      for (const service of open.splice(0).reverse()) await service.close();
    });

    const shopWith = async (bank: ReturnType<typeof makeScriptedConnector>, limits = {}) => {
      const service = await start({ connectors: [bank.connector], limits });
      return { service, shop: await service.addApplication({ environment: 'production' }) };
    };
    const linkAt = (
      service: TestService,
      shop: TestApplication,
      username: string,
      institutionId = northBank,
    ) => link(service, { username, institutionId, applicationId: shop.id });
    const listOf = async (
      service: TestService,
      shop: TestApplication,
      linked: Awaited<ReturnType<typeof link>>,
    ) => {
      const path = { accountId: linked.accounts[0]!.id };
      const { data } = await service
        .client(linked.scopedToken, shop.apiKey)
        .GET('/accounts/{accountId}/transactions', { params: { path } });
      return data?.transactions.map(({ description }) => description) ?? [];
    };

    test('refreshes a connection when it comes due, and not before', async () => {
      const bank = makeScriptedConnector();
      bank.setAccounts('ada', [
        scriptedAccount({ transactions: [scriptedTransaction({ description: 'OLD' })] }),
      ]);
      const { service, shop } = await shopWith(bank);
      const linked = await linkAt(service, shop, 'ada');
      const today = service.service.clock.now('production').toISOString().slice(0, 10);
      const transactions = [
        scriptedTransaction({ description: 'OLD' }),
        scriptedTransaction({ description: 'NEW', date: today }),
      ];
      bank.setAccounts('ada', [scriptedAccount({ transactions })]);
      service.advance(hours(5));
      await severalPolls();
      expect(bank.calls.signIn).toBe(1);
      service.advance(hours(2));
      await vi.waitUntil(async () => (await listOf(service, shop, linked)).length === 2, { timeout: 30_000 });
      expect(await listOf(service, shop, linked)).toEqual(['NEW', 'OLD']);
    });

    test('does each refresh once, however many processes there are', async () => {
      const bank = makeScriptedConnector();
      const { service, shop } = await shopWith(bank);
      for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) {
        bank.setAccounts(name, [scriptedAccount()]);
        await linkAt(service, shop, name);
      }
      const { config } = service.service;
      const existing = { databaseUrl: config.databaseUrl, secretsDir: config.secretsDir };
      const second = await start({ existing, connectors: [bank.connector] });
      const before = bank.calls.signIn;
      service.advance(interval);
      second.advance(interval);
      await vi.waitUntil(() => bank.calls.signIn >= before + 6, { timeout: 30_000 });
      await severalPolls();
      expect(bank.calls.signIn).toBe(before + 6);
    });

    test('asks one institution for a few at a time, and the others meanwhile', async () => {
      const bank = makeScriptedConnector();
      const { service, shop } = await shopWith(bank, {
        workerConcurrencyPerInstitution: 2,
        workerConcurrency: 4,
      });
      for (const name of ['a', 'b', 'c', 'd', 'e']) {
        bank.setAccounts(name, [scriptedAccount()]);
        await linkAt(service, shop, name);
      }
      bank.setAccounts('south', [scriptedAccount()]);
      await linkAt(service, shop, 'south', southBank);
      const before = bank.calls.history;
      const release = bank.hold('history');
      service.advance(interval);
      await vi.waitUntil(() => bank.calls.history === before + 3, { timeout: 30_000 });
      await severalPolls();
      // Two of the north and the one of the south.
      expect(bank.calls.history).toBe(before + 3);
      // A user who links now does not wait for any of them.
      bank.setAccounts('guest', [scriptedAccount()]);
      const session = await openLinkSession(service, { applicationId: shop.id });
      const linking = driveToEnd(session, { username: 'guest', institutionId: northBank });
      await vi.waitUntil(() => bank.calls.history === before + 4, { timeout: 30_000 });
      release();
      expect((await linking).state).toBe('finished');
      await vi.waitUntil(() => bank.calls.history === before + 7, { timeout: 30_000 });
    });

    test('tries again after growing pauses when the bank fails', async () => {
      const bank = makeScriptedConnector();
      bank.setAccounts('ada', [scriptedAccount()]);
      let down = false;
      const failing = {
        ...bank.connector,
        connector: {
          ...bank.connector.connector,
          signIn: async (...call: Parameters<typeof bank.connector.connector.signIn>) => {
            const answer = await bank.connector.connector.signIn(...call);
            if (down) throw new BankUnreachable('down');
            return answer;
          },
        },
      };
      const { service, shop } = await shopWith({ ...bank, connector: failing });
      const linked = await linkAt(service, shop, 'ada');
      down = true;
      service.advance(interval);
      const dueIn = async (): Promise<number> => {
        const row = await service.service.db
          .read('jobs')
          .where({ connection_id: linked.connectionId })
          .first();
        return row.lease_token
          ? 0
          : Date.parse(row.due_at) - service.service.clock.now('production').getTime();
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

    test('cuts a bank off that hangs, and lets others go on', async () => {
      const bank = makeScriptedConnector();
      bank.setAccounts('ada', [scriptedAccount()]);
      const { service, shop } = await shopWith(bank, { connectorTimeoutSeconds: 0.3 });
      const linked = await linkAt(service, shop, 'ada');
      const release = bank.hold('accounts');
      service.advance(interval);
      const failure = async () =>
        (await service.service.db.read('jobs').where({ connection_id: linked.connectionId }).first())
          .lease_token;
      await vi.waitUntil(async () => (await failure()) !== null, { timeout: 30_000 });
      await vi.waitUntil(async () => (await failure()) === null, { timeout: 30_000 });
      release();
    });

    test('stops within its limit, and leaves what it was doing to others', async () => {
      const bank = makeScriptedConnector();
      bank.setAccounts('ada', [scriptedAccount()]);
      const { service, shop } = await shopWith(bank);
      await linkAt(service, shop, 'ada');
      const release = bank.hold('history');
      const before = bank.calls.history;
      service.advance(interval);
      await vi.waitUntil(() => bank.calls.history === before + 1, { timeout: 30_000 });
      const started = performance.now();
      await service.service.worker!.stop();
      expect(performance.now() - started).toBeLessThan(
        seconds(service.service.config.limits.shutdownTimeoutSeconds),
      );
      const { config } = service.service;
      const at = { databaseUrl: config.databaseUrl, secretsDir: config.secretsDir };
      release();
      const second = await start({ existing: at, connectors: [bank.connector] });
      second.advance(interval);
      await vi.waitUntil(() => bank.calls.history === before + 2, { timeout: 30_000 });
    });

    test('publishes nothing of a refresh during which the connection was revoked', async () => {
      const bank = makeScriptedConnector();
      bank.setAccounts('ada', [scriptedAccount()]);
      const { service, shop } = await shopWith(bank);
      const linked = await linkAt(service, shop, 'ada');
      bank.setAccounts('ada', [
        scriptedAccount({ transactions: [scriptedTransaction({ date: '2026-01-01' })] }),
      ]);
      const release = bank.hold('history');
      const before = bank.calls.history;
      service.advance(days(8));
      await vi.waitUntil(() => bank.calls.history === before + 1, { timeout: 30_000 });
      const params = { path: { connectionId: linked.connectionId } };
      await service.client(undefined, shop.apiKey).DELETE('/connections/{connectionId}', { params });
      release();
      await service.service.worker!.stop();
      expect(await listOf(service, shop, linked)).toEqual([]);
      const db = service.service.db.read;
      expect(await db('jobs').where({ connection_id: linked.connectionId })).toEqual([]);
    });

    test('stops asking a bank that refuses, until the user reconnects; the cursor goes on', async () => {
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
      const held = [...copy.keys()];
      const memory = makeDatabaseStorage(service.service.db, service.service.secrets.sandbox);
      const asked = async (): Promise<number> =>
        (await memory.list(signInsKey('sandbox-bank', 'expires'))).length;
      const before = await asked();
      service.advance(interval);
      await vi.waitUntil(async () => (await asked()) === before + 1, { timeout: 30_000 });
      service.advance(days(3));
      await severalPolls();
      expect(await asked()).toBe(before + 1);
      const session = await openLinkSession(service, { connectionId: linked.connectionId });
      const view = await driveToEnd(session, { username: 'expires' });
      expect(view).toMatchObject({ state: 'finished', result: { connectionId: linked.connectionId } });
      expect(view.state === 'finished' && view.result.scopedToken).toBeFalsy();
      await session.acknowledge();
      await sync();
      expect([...copy.keys()].slice(0, held.length)).toEqual(held);
      expect(copy.size).toBeGreaterThan(held.length);
      const { data } = await client.GET('/accounts/{accountId}/transactions', {
        params: { path: { accountId } },
      });
      const live = [...copy.values()].filter(({ status }) => status !== 'void');
      expect(live.map(({ id }) => id).sort()).toEqual(
        data!.transactions
          .filter(({ status }) => status !== 'void')
          .map(({ id }) => id)
          .sort(),
      );
    });
  });
}
