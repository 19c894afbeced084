// Walking an account: whatever the size of a page, the walk gives the same list once.
import { afterEach, beforeEach, expect, expectTypeOf, test } from 'vitest';
import {
  createClient,
  ProblemError,
  type Transaction,
  transactionPages,
  transactions,
} from '../../client/index.ts';
import {
  entry,
  respondProblem,
  refreshCursor,
  type FakeService,
  startFakeService,
  respondJson,
} from './fakeService.ts';

let service: FakeService;
beforeEach(async () => {
  service = await startFakeService(Array.from({ length: 23 }, (_, at) => entry(at, 1 + (at % 3))));
});
afterEach(() => service.close());
const clientOf = () => createClient({ baseUrl: service.url, apiKey: 'k', scopedToken: 'sct_a' });

const collect = async <Item>(items: AsyncIterable<Item>): Promise<Item[]> => {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
};

test('every page size gives the same list, each entry once', async () => {
  const whole = await collect(transactions(clientOf(), 'acc_1'));
  expect(whole.map(({ id }) => id).sort()).toEqual(service.transactions.map(({ id }) => id).sort());
  for (const pageSize of [1, 7, 22, 23, 1000]) {
    expect(await collect(transactions(clientOf(), 'acc_1', { pageSize }))).toEqual(whole);
  }
  expectTypeOf(whole).toEqualTypeOf<Transaction[]>();
});

test('a client that reads amounts exactly walks in text', async () => {
  service.nextResponders.push(
    respondJson('{"transactions":[{"amount":-4.50}],"pagination":{"hasMore":true,"nextCursor":"one"}}'),
    respondJson('{"transactions":[{"amount":10.000}],"pagination":{"hasMore":false}}'),
  );
  const client = createClient({ baseUrl: service.url, apiKey: 'k', exactAmounts: true });
  const walked = await collect(transactions(client, 'acc_1'));
  expect(walked.map(({ amount }) => amount)).toEqual(['-4.50', '10.000']);
  expectTypeOf(walked).toEqualTypeOf<Transaction<string>[]>();
});

test('five hundred are asked for where nothing is said', async () => {
  await collect(transactions(clientOf(), 'acc_1'));
  expect(service.requests.map(({ url }) => url)).toEqual(['/accounts/acc_1/transactions?limit=500']);
});

test('each page is asked for with the same filters, and with the cursor of the one before', async () => {
  const query = { pageSize: 10, refreshedSince: refreshCursor(1), date: { gte: '2024-01-01' } };
  const pages = await collect(transactionPages(clientOf(), 'acc_1', query));
  const asked = service.requests.map(({ url }) => new URL(url, 'http://host').searchParams);
  expect(asked.map((one) => one.get('cursor'))).toEqual([null, pages[0]?.pagination.nextCursor]);
  for (const one of asked) {
    expect([one.get('limit'), one.get('refreshedSince'), one.get('date[gte]')]).toEqual([
      '10',
      refreshCursor(1),
      '2024-01-01',
    ]);
  }
});

test('no page is asked for before the loop comes to it', async () => {
  for await (const _ of transactions(clientOf(), 'acc_1', { pageSize: 5 })) break;
  expect(service.requests).toHaveLength(1);
});

test('a busy service in the middle is waited for', async () => {
  const client = clientOf();
  const walked: string[] = [];
  for await (const { id } of transactions(client, 'acc_1', { pageSize: 10 })) {
    if (walked.push(id) === 10)
      service.nextResponders.push(respondProblem(429, 'rate_limited', { 'retry-after': '0' }));
  }
  expect(new Set(walked).size).toBe(23);
  expect(service.requests).toHaveLength(4);
});

test('a refusal in the middle ends the walk with an error, never as if it were complete', async () => {
  const walk = async () => {
    for await (const _ of transactions(clientOf(), 'acc_1', { pageSize: 10 })) {
      service.nextResponders = [respondProblem(403, 'forbidden')];
    }
  };
  await expect(walk()).rejects.toBeInstanceOf(ProblemError);
});

test('an answer that breaks off is an error', async () => {
  service.nextResponders.push((response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('{"transactions":[');
    setTimeout(() => response.destroy(), 20);
  });
  await expect(collect(transactions(clientOf(), 'acc_1'))).rejects.toThrow();
});

test.each([
  ['names no cursor', '{"hasMore":true}'],
  ['stays where it is', '{"hasMore":true,"nextCursor":"same"}'],
])('an answer that has more and %s ends the walk with an error', async (_, pagination) => {
  const page = respondJson(`{"transactions":[],"pagination":${pagination}}`);
  service.nextResponders.push(page, page, page);
  await expect(collect(transactions(clientOf(), 'acc_1'))).rejects.toThrow('no new nextCursor');
});

test('a walk can be stopped from outside', async () => {
  const stop = new AbortController();
  const walk = async () => {
    for await (const _ of transactions(clientOf(), 'acc_1', { pageSize: 5, signal: stop.signal }))
      stop.abort();
  };
  await expect(walk()).rejects.toThrow(/abort/i);
  expect(service.requests).toHaveLength(1);
});
