// What an operator sees of credentials that end: the bank is asked once and no more, the user restores the connection
// in the browser, and a consumer reads on with the cursor and the token that it had.
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type SyncState, syncTransactions, type Transaction } from '../../client/index.ts';
import { signInsKey } from '../../src/connectors/sandbox/sandboxStorage.ts';
import { days, seconds } from '../../src/clock.ts';
import { makeDatabaseStorage } from '../../src/connectors/sandbox/storage/databaseStorage.ts';
import { type WidgetFixture, startWidgetFixture, openHostPage } from './hostPage.ts';
import { selectInstitution, press, shareAll, signIn } from './widgetSteps.ts';

let stage: WidgetFixture;
beforeAll(async () => {
  stage = await startWidgetFixture({ limits: { workerPollMs: 50 } });
});
afterAll(() => stage.close());

const connect = async (connectionId?: string) => {
  const host = await openHostPage(stage, connectionId === undefined ? {} : { connectionId });
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

/** A consumer's copy of the one account, read on from where it stands. */
const startCopy = async (scopedToken: string, connectionId: string) => {
  const client = stage.service.client(scopedToken);
  const { data } = await client.GET('/connections/{connectionId}/accounts', {
    params: { path: { connectionId } },
  });
  const accountId = data!.accounts[0]!.id;
  const entries = new Map<string, Transaction>();
  const shown: string[] = [];
  let state: SyncState = {};
  return {
    entries,
    everything: async () => {
      const params = { path: { accountId } };
      return (await client.GET('/accounts/{accountId}/transactions', { params })).data!.transactions;
    },
    readOn: async (): Promise<string[]> => {
      shown.length = 0;
      await syncTransactions(client, accountId, state, {
        apply: (page, next) => {
          for (const transaction of page) {
            entries.set(transaction.id, transaction);
            shown.push(transaction.id);
          }
          state = next;
        },
      });
      return [...shown];
    },
  };
};

test('a connection whose credentials ended is left alone, restored in the browser, and read on', async () => {
  const { service } = stage.service;
  const memory = makeDatabaseStorage(service.db, service.secrets.sandbox);
  const asked = async () => (await memory.list(signInsKey('sandbox-bank', 'expires'))).length;
  const made = await connect();
  const copy = await startCopy(made.scopedToken!, made.connectionId);
  const first = await copy.readOn();
  expect(first.length).toBeGreaterThan(0);

  const before = await asked();
  stage.service.advance(seconds(7 * 3600));
  await vi.waitUntil(async () => (await asked()) === before + 1, { timeout: 30_000 });
  stage.service.advance(days(3));
  // Several looks of the worker for what is due.
  await new Promise((resolve) => setTimeout(resolve, 10 * service.config.limits.workerPollMs));
  expect(await asked()).toBe(before + 1);
  expect(await copy.readOn()).toEqual([]);

  const restored = await connect(made.connectionId);
  expect(restored.connectionId).toBe(made.connectionId);
  expect(restored).not.toHaveProperty('scopedToken');
  const second = await copy.readOn();
  expect(second.length).toBeGreaterThan(0);
  expect([...copy.entries.keys()].slice(0, first.length)).toEqual(first);
  expect(await copy.readOn()).toEqual([]);
  expect(new Set(copy.entries.values())).toEqual(new Set(await copy.everything()));
});
