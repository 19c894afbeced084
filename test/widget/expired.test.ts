// A connection with expired credentials: the service stops calling the bank, the user reconnects in the browser, and the
// consumer continues with the same cursor and token.
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type SyncState, syncTransactions, type Transaction } from '../../client/index.ts';
import { signInsKey } from '../../connectors/sandbox/storage.ts';
import { days, seconds } from '../../src/clock.ts';
import { makeDatabaseStorage } from '../../src/institutions/sandbox/databaseStorage.ts';
import { openHostPage, startWidgetFixture, type WidgetFixture } from './hostPage.ts';
import { press, selectInstitution, shareAll, signIn } from './widgetSteps.ts';

let fixture: WidgetFixture;
beforeAll(async () => {
  fixture = await startWidgetFixture({ limits: { workerPollMs: 50 } });
});
afterAll(() => fixture.close());

const connect = async (connectionId?: string) => {
  const host = await openHostPage(fixture, connectionId === undefined ? {} : { connectionId });
  await host.open();
  if (connectionId === undefined) await selectInstitution(host.widget);
  await signIn(host.widget, 'expires');
  if (connectionId === undefined) await shareAll(host.widget);
  await host.expectEvents('onInit', 'onSuccess');
  const result = await host.result();
  await press(host.widget, 'Done');
  await host.close();
  return result;
};

/** A consumer's copy of the account. `sync` returns the ids of the received transactions. */
const startCopy = async (scopedToken: string, connectionId: string) => {
  const client = fixture.service.client(scopedToken);
  const { data } = await client.GET('/connections/{connectionId}/accounts', {
    params: { path: { connectionId } },
  });
  const accountId = data!.accounts[0]!.id;
  const stored = new Map<string, Transaction>();
  const received: string[] = [];
  let state: SyncState = {};
  return {
    stored,
    fetchAll: async () => {
      const params = { path: { accountId } };
      return (await client.GET('/accounts/{accountId}/transactions', { params })).data!.transactions;
    },
    sync: async (): Promise<string[]> => {
      received.length = 0;
      await syncTransactions(client, accountId, state, {
        apply: (page, next) => {
          for (const transaction of page) {
            stored.set(transaction.id, transaction);
            received.push(transaction.id);
          }
          state = next;
        },
      });
      return [...received];
    },
  };
};

test('a connection with expired credentials is not refreshed until the user reconnects it', async () => {
  const { service, organizationId } = fixture.service;
  const storage = makeDatabaseStorage(service.db, service.secrets.sandbox, organizationId);
  const signInCount = async () => (await storage.list(signInsKey('sandbox-bank', 'expires'))).length;
  const linked = await connect();
  const copy = await startCopy(linked.scopedToken!, linked.connectionId);
  const first = await copy.sync();
  expect(first.length).toBeGreaterThan(0);

  const before = await signInCount();
  fixture.service.advance(seconds(7 * 3600));
  await vi.waitUntil(async () => (await signInCount()) === before + 1, { timeout: 30_000 });
  fixture.service.advance(days(3));
  // Several polls of the worker.
  await new Promise((resolve) => setTimeout(resolve, 10 * service.config.limits.workerPollMs));
  expect(await signInCount()).toBe(before + 1);
  expect(await copy.sync()).toEqual([]);

  const restored = await connect(linked.connectionId);
  expect(restored.connectionId).toBe(linked.connectionId);
  expect(restored).not.toHaveProperty('scopedToken');
  const second = await copy.sync();
  expect(second.length).toBeGreaterThan(0);
  expect([...copy.stored.keys()].slice(0, first.length)).toEqual(first);
  expect(await copy.sync()).toEqual([]);
  expect(new Set(copy.stored.values())).toEqual(new Set(await copy.fetchAll()));
});
