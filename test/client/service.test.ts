// The client with the real service: cursors, dates and error responses.
import { afterAll, beforeAll, expect, expectTypeOf, test } from 'vitest';
import {
  createClient,
  type ProblemError,
  type SyncState,
  syncTransactions,
  type Transaction,
  transactions,
  unwrap,
} from '../../client/index.ts';
import { link, startService, type TestService } from '../support/testService.ts';
import { collect } from './collect.ts';

let service: TestService;
let scopedToken: string;
let exact: ReturnType<typeof exactClient>;
let accountId: string;
const exactClient = () =>
  createClient({
    baseUrl: service.url,
    apiKey: service.application.apiKey,
    scopedToken,
    exactAmounts: true,
    retries: 0,
  });

beforeAll(async () => {
  service = await startService();
  const linked = await link(service, { username: 'good' });
  accountId = linked.accounts[0]!.id;
  scopedToken = linked.scopedToken!;
  exact = exactClient();
});
afterAll(() => service.close());

const rejection = (call: Promise<unknown>): Promise<ProblemError> =>
  call.then(
    () => Promise.reject(new Error('The request succeeded.')),
    (error) => error,
  );

test('every page size returns the same list as one request', async () => {
  const call = exact.GET('/accounts/{accountId}/transactions', { params: { path: { accountId } } });
  const { transactions: everything } = await unwrap(call);
  expectTypeOf(everything).toEqualTypeOf<Transaction<string>[]>();
  expect(everything.length).toBeGreaterThan(100);
  for (const pageSize of [7, everything.length, 1000]) {
    expect(await collect(transactions(exact, accountId, { pageSize }))).toEqual(everything);
  }
});

test('amounts are the digits of the response', async () => {
  const { balance } = (await unwrap(exact.GET('/accounts/{accountId}', { params: { path: { accountId } } })))
    .account;
  expect(balance.current).toMatch(/^-?\d+\.\d{2}$/);
  const wire = await fetch(`${service.url}/accounts/${accountId}/transactions?limit=50`, {
    headers: { Authorization: `Bearer ${service.application.apiKey}`, 'X-Scoped-Token': scopedToken },
  });
  const texts = [...(await wire.text()).matchAll(/"amount":(-?[\d.]+)/g)].map(([, amount]) => amount);
  const read: string[] = [];
  for await (const { amount } of transactions(exact, accountId)) {
    if (read.push(amount) === 50) break;
  }
  expect(read).toEqual(texts);
});

test('a sync continues after a crash with the real cursor and is then complete', async () => {
  const rows = new Map<string, Transaction<string>>();
  let state: SyncState = {};
  let pages = 0;
  const store = (page: Transaction<string>[], next: SyncState) => {
    for (const transaction of page) rows.set(transaction.id, transaction);
    state = JSON.parse(JSON.stringify(next));
  };
  const crashing = (page: Transaction<string>[], next: SyncState) => {
    if (pages++ === 2) throw new Error('crash');
    store(page, next);
  };
  const sync = (apply: typeof store) => syncTransactions(exact, accountId, state, { apply, pageSize: 40 });
  await expect(sync(crashing)).rejects.toThrow('crash');
  expect([rows.size, state.refreshedSince]).toEqual([80, undefined]);
  await sync(store);
  const all = await collect(transactions(exact, accountId));
  expect([...rows.keys()]).toEqual(all.map(({ id }) => id));

  const account = await unwrap(exact.GET('/accounts/{accountId}', { params: { path: { accountId } } }));
  expect(state).toEqual({ refreshedSince: account.account.lastTransactionRefresh });
  const again: number[] = [];
  await sync((page, next) => {
    again.push(page.length);
    state = next;
  });
  expect(again).toEqual([0]);
});

test('a stored cursor that the service does not know restarts the sync', async () => {
  let count = 0;
  const apply = (page: Transaction<string>[]) => {
    count += page.length;
  };
  const state = await syncTransactions(exact, accountId, { inProgress: { cursor: 'forgotten' } }, { apply });
  expect(count).toBe((await collect(transactions(exact, accountId))).length);
  expect(state.inProgress).toBeUndefined();
});

test('error responses have the contract’s codes', async () => {
  const params = { path: { accountId } };
  const unknown = { path: { accountId: 'acc_0000000000000000000000' } };
  const withoutKey = createClient({ baseUrl: service.url, apiKey: 'none', scopedToken: 'sct_none' });
  const withoutToken = service.client('sct_none');
  const calls = [
    unwrap(withoutKey.GET('/accounts/{accountId}', { params })),
    unwrap(withoutToken.GET('/accounts/{accountId}', { params })),
    unwrap(exact.GET('/accounts/{accountId}', { params: unknown })),
    collect(transactions(exact, accountId, { pageSize: 1001 })),
  ];
  const errors = await Promise.all(calls.map(rejection));
  expect(errors.map(({ status, code }) => [status, code])).toEqual([
    [401, 'unauthorized'],
    [403, 'forbidden'],
    [404, 'not_found'],
    [400, 'invalid_request'],
  ]);
  for (const { requestId, detail } of errors) expect([requestId, detail]).not.toContain(undefined);
  expect(errors[3]?.errors).toEqual([{ path: '/query/limit', message: expect.any(String) }]);
});
