// The client against the whole service: what it promises must hold with the real cursors, dates and refusals.
import { afterAll, beforeAll, expect, test } from 'vitest';
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

let service: TestService;
let scopedToken: string;
let exact: ReturnType<typeof exactClient>;
let accountId: string;
let connectionId: string;
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
  connectionId = linked.connectionId;
  accountId = linked.accounts[0]!.id;
  scopedToken = linked.scopedToken!;
  exact = exactClient();
});
afterAll(() => service.close());

const collect = async <Item>(items: AsyncIterable<Item>): Promise<Item[]> => {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
};
const refusal = (call: Promise<unknown>): Promise<ProblemError> =>
  call.then(
    () => Promise.reject(new Error('It was not refused.')),
    (error) => error,
  );

test('every page size walks the same list as asking for everything', async () => {
  const call = exact.GET('/accounts/{accountId}/transactions', { params: { path: { accountId } } });
  const { transactions: everything } = await unwrap(call);
  expect(everything.length).toBeGreaterThan(100);
  for (const pageSize of [7, 100, 1000]) {
    expect(await collect(transactions(exact, accountId, { pageSize }))).toEqual(everything);
  }
});

test('amounts are the text of the wire, digit for digit', async () => {
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

test('dates narrow a walk', async () => {
  const all = await collect(transactions(exact, accountId));
  const [gte, lt] = [all.at(60)!.date, all.at(20)!.date];
  const within = await collect(transactions(exact, accountId, { pageSize: 10, date: { gte, lt } }));
  expect(within).toEqual(all.filter(({ date }) => date >= gte && date < lt));
});

test('a copy goes on after a crash with the real cursor, and then has nothing more to do', async () => {
  const rows = new Map<string, Transaction<string>>();
  let state: SyncState = {};
  let pages = 0;
  const store = (entries: Transaction<string>[], next: SyncState) => {
    for (const entry of entries) rows.set(entry.id, entry);
    state = JSON.parse(JSON.stringify(next));
  };
  const crashing = (entries: Transaction<string>[], next: SyncState) => {
    if (pages++ === 2) throw new Error('The power went.');
    store(entries, next);
  };
  const sync = (apply: typeof store) => syncTransactions(exact, accountId, state, { apply, pageSize: 40 });
  await expect(sync(crashing)).rejects.toThrow('The power went.');
  expect([rows.size, state.refreshedSince]).toEqual([80, undefined]);
  await sync(store);
  const all = await collect(transactions(exact, accountId));
  expect([...rows.keys()]).toEqual(all.map(({ id }) => id));

  const account = await unwrap(exact.GET('/accounts/{accountId}', { params: { path: { accountId } } }));
  expect(state).toEqual({ refreshedSince: account.account.lastTransactionRefresh });
  const again: number[] = [];
  await sync((entries, next) => {
    again.push(entries.length);
    state = next;
  });
  expect(again).toEqual([0]);
});

test('a stored place that is not the service’s starts the walk anew', async () => {
  let count = 0;
  const apply = (entries: Transaction<string>[]) => {
    count += entries.length;
  };
  const state = await syncTransactions(exact, accountId, { inProgress: { cursor: 'forgotten' } }, { apply });
  expect(count).toBe((await collect(transactions(exact, accountId))).length);
  expect(state.inProgress).toBeUndefined();
});

test('refusals arrive as the contract names them', async () => {
  const params = { path: { accountId } };
  const unknown = { path: { accountId: 'acc_0000000000000000000000' } };
  const keyless = createClient({ baseUrl: service.url, apiKey: 'none', scopedToken: 'sct_none' });
  const tokenless = service.client('sct_none');
  const calls = [
    unwrap(keyless.GET('/accounts/{accountId}', { params })),
    unwrap(tokenless.GET('/accounts/{accountId}', { params })),
    unwrap(exact.GET('/accounts/{accountId}', { params: unknown })),
    collect(transactions(exact, accountId, { pageSize: 1001 })),
  ];
  const refusals = await Promise.all(calls.map(refusal));
  expect(refusals.map(({ status, code }) => [status, code])).toEqual([
    [401, 'unauthorized'],
    [403, 'forbidden'],
    [404, 'not_found'],
    [400, 'invalid_request'],
  ]);
  for (const { requestId, detail } of refusals) expect([requestId, detail]).not.toContain(undefined);
  expect(refusals[3]?.errors).toEqual([{ path: '/query/limit', message: expect.any(String) }]);
});

test('revoking shows, and reading goes on', async () => {
  const params = { path: { connectionId } };
  await unwrap(exact.DELETE('/connections/{connectionId}', { params }));
  const { connection } = await unwrap(exact.GET('/connections/{connectionId}', { params }));
  expect(connection.revokedAt).toMatch(/^\d{4}-\d\d-\d\dT/);
  expect((await collect(transactions(exact, accountId))).length).toBeGreaterThan(100);
});
