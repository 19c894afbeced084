// Pagination of an account's transactions.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createClient, ProblemError, transactionPages, transactions } from '../../client/index.ts';
import { collect } from './collect.ts';
import {
  type FakeService,
  makeTransaction,
  refreshCursor,
  respondJson,
  respondProblem,
  startFakeService,
} from './fakeService.ts';

let service: FakeService;
beforeEach(async () => {
  service = await startFakeService(
    Array.from({ length: 23 }, (_, index) => makeTransaction(index, 1 + (index % 3))),
  );
});
afterEach(() => service.close());
const clientOf = () => createClient({ baseUrl: service.url, apiKey: 'k', scopedToken: 'sct_a' });

test('the default page size is 500', async () => {
  await collect(transactions(clientOf(), 'acc_1'));
  expect(service.requests.map(({ url }) => url)).toEqual(['/accounts/acc_1/transactions?limit=500']);
});

test('each request has the same filters and the previous page’s cursor', async () => {
  const query = { pageSize: 10, refreshedSince: refreshCursor(1), date: { gte: '2024-01-01' } };
  const pages = await collect(transactionPages(clientOf(), 'acc_1', query));
  const queries = service.requests.map(({ url }) => new URL(url, 'http://host').searchParams);
  expect(queries.map((query) => query.get('cursor'))).toEqual([null, pages[0]?.pagination.nextCursor]);
  for (const params of queries) {
    expect([params.get('limit'), params.get('refreshedSince'), params.get('date[gte]')]).toEqual([
      '10',
      refreshCursor(1),
      '2024-01-01',
    ]);
  }
});

test('a page is requested when the loop reaches it', async () => {
  for await (const _ of transactions(clientOf(), 'acc_1', { pageSize: 5 })) break;
  expect(service.requests).toHaveLength(1);
});

test('a 429 between pages is retried', async () => {
  const client = clientOf();
  const received: string[] = [];
  for await (const { id } of transactions(client, 'acc_1', { pageSize: 10 })) {
    if (received.push(id) === 10)
      service.nextResponders.push(respondProblem(429, 'rate_limited', { 'retry-after': '0' }));
  }
  expect(new Set(received).size).toBe(23);
  expect(service.requests).toHaveLength(4);
});

test('an error response between pages ends the loop with an error', async () => {
  const readAll = async () => {
    for await (const _ of transactions(clientOf(), 'acc_1', { pageSize: 10 })) {
      service.nextResponders = [respondProblem(403, 'forbidden')];
    }
  };
  await expect(readAll()).rejects.toBeInstanceOf(ProblemError);
});

test('a truncated response is an error', async () => {
  service.nextResponders.push((response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('{"transactions":[');
    setTimeout(() => response.destroy(), 20);
  });
  await expect(collect(transactions(clientOf(), 'acc_1'))).rejects.toThrow();
});

test.each([
  ['no cursor', '{"hasMore":true}'],
  ['the same cursor again', '{"hasMore":true,"nextCursor":"same"}'],
])('hasMore with %s is an error', async (_, pagination) => {
  const page = respondJson(`{"transactions":[],"pagination":${pagination}}`);
  service.nextResponders.push(page, page, page);
  await expect(collect(transactions(clientOf(), 'acc_1'))).rejects.toThrow('no new nextCursor');
});

test('an abort signal ends the loop', async () => {
  const abortController = new AbortController();
  const readAll = async () => {
    for await (const _ of transactions(clientOf(), 'acc_1', { pageSize: 5, signal: abortController.signal }))
      abortController.abort();
  };
  await expect(readAll()).rejects.toThrow(/abort/i);
  expect(service.requests).toHaveLength(1);
});
