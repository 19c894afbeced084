// GET /accounts/{accountId}/transactions: order, filters, pages and errors. See also listTransactions.pages.test.ts and
// listTransactions.stream.test.ts.
import { expect, test } from 'vitest';
import { days } from '../../../src/platform/values/clock.ts';
import { scriptedAccount, scriptedTransaction } from '../../support/scriptedConnector.ts';
import { describeOperation, expectProblem } from './commonErrors.ts';
import { type ApiFixture, toRequest } from './fixture.ts';

type ListedTransaction = { id: string; date: string; description: string; transactionRefresh: string };

const list = (fixture: ApiFixture, query = '', more = {}) =>
  fixture.request('listTransactions', { query, ...more });

const descriptionsIn = ({ status, body }: Awaited<ReturnType<typeof list>>): string[] => {
  expect(status).toBe(200);
  return body.transactions.map(({ description }: ListedTransaction) => description);
};

/** The transactions of Ada's account in the order of a response. */
const allDescriptions = ['BOOKS', 'FEE', 'COFFEE', 'RENT', 'SALARY'];

const dates: Record<string, string> = {
  BOOKS: '2024-02-10',
  FEE: '2024-02-01',
  COFFEE: '2024-01-15',
  RENT: '2024-01-15',
  SALARY: '2024-01-01',
};

const operators: Record<string, (date: string, limit: string) => boolean> = {
  gte: (date, limit) => date >= limit,
  lte: (date, limit) => date <= limit,
  gt: (date, limit) => date > limit,
  lt: (date, limit) => date < limit,
};

/** Every combination of operators, each with an early or a late date: 3 to the power of 4 filters. */
const filters = Object.keys(operators).reduce<Record<string, string>[]>(
  (combinations, operator) =>
    combinations.flatMap((filter) => [
      filter,
      { ...filter, [operator]: '2024-01-15' },
      { ...filter, [operator]: '2024-02-01' },
    ]),
  [{}],
);

const orderTests = (fixture: ApiFixture): void => {
  test('newest date first, newest first within a day, with every field', async () => {
    const { body } = await list(fixture);
    const refresh = body.transactions[0].transactionRefresh;
    const shared = { id: expect.stringMatching(/^txn_/), accountId: fixture.ids.accountId };
    const transaction = (fields: object) => ({
      ...{ ...shared, reference: '', ...fields, transactionRefresh: refresh },
    });
    expect(body).toEqual({
      transactions: [
        transaction({ amount: -30, date: '2024-02-10', description: 'BOOKS', status: 'pending' }),
        transaction({ amount: -0.1, date: '2024-02-01', description: 'FEE', status: 'posted' }),
        transaction({ amount: -4.5, date: '2024-01-15', description: 'COFFEE', status: 'posted' }),
        transaction({ amount: -1250, date: '2024-01-15', description: 'RENT', status: 'posted' }),
        transaction({
          ...{ amount: 2400, date: '2024-01-01', description: 'SALARY' },
          ...{ status: 'posted', reference: 'PAY 1' },
        }),
      ],
      pagination: { hasMore: false },
    });
  });

  test('an account without transactions: an empty list', async () => {
    const card = { ...fixture.ids, accountId: fixture.ada.north.accounts[1]!.id };
    for (const query of ['', '?limit=5', '?refreshedSince=txr_00000000000000000000000000']) {
      const { body } = await list(fixture, query, { ids: card });
      expect(body).toEqual({ transactions: [], pagination: { hasMore: false } });
    }
  });

  test('every combination of the four date operators', async () => {
    for (const filter of filters) {
      const query = `?${Object.entries(filter)
        .map(([operator, date]) => `date[${operator}]=${date}`)
        .join('&')}`;
      const expected = allDescriptions.filter((description) =>
        Object.entries(filter).every(([operator, limit]) => operators[operator]!(dates[description]!, limit)),
      );
      const listed = descriptionsIn(await list(fixture, query));
      expect({ query, listed }).toEqual({ query, listed: expected });
    }
  });
};

const pageTests = (fixture: ApiFixture): void => {
  test('date operators with pages', async () => {
    const query = '?date[gte]=2024-01-15&date[lt]=2024-02-10&limit=2';
    const first = await list(fixture, query);
    expect(descriptionsIn(first)).toEqual(['FEE', 'COFFEE']);
    const { hasMore, nextCursor } = first.body.pagination;
    expect(hasMore).toBe(true);
    const rest = await list(fixture, `${query}&cursor=${nextCursor}`);
    expect(descriptionsIn(rest)).toEqual(['RENT']);
    expect(rest.body.pagination).toEqual({ hasMore: false });
  });

  test('the last page has no nextCursor, even if it is full', async () => {
    for (const limit of [5, 6, 1000]) {
      const { body } = await list(fixture, `?limit=${limit}`);
      expect(body.transactions).toHaveLength(5);
      expect(body.pagination).toEqual({ hasMore: false });
    }
    const { pagination } = (await list(fixture, '?limit=4')).body;
    expect(pagination).toEqual({ hasMore: true, nextCursor: expect.any(String) });
  });

  test('the limit may change between pages, or be omitted for the rest', async () => {
    const { body } = await list(fixture, '?limit=1');
    const rest = await list(fixture, `?cursor=${body.pagination.nextCursor}`);
    expect(descriptionsIn(rest)).toEqual(allDescriptions.slice(1));
    expect(rest.body.pagination).toEqual({ hasMore: false });
    const two = await list(fixture, `?limit=2&cursor=${body.pagination.nextCursor}`);
    expect(two.body.transactions).toEqual(rest.body.transactions.slice(0, 2));
  });

  test('the same cursor gives the same page again', async () => {
    const { nextCursor } = (await list(fixture, '?limit=2')).body.pagination;
    const page = async () => (await list(fixture, `?limit=2&cursor=${nextCursor}`)).body;
    expect(await page()).toEqual(await page());
  });
};

const transaction = (id: string, date: string, more: object = {}) =>
  scriptedTransaction({ id, date, description: id, ...more });

/** Links a separate end user, whose transactions the test can change. */
const linkChangingAccount = async (fixture: ApiFixture) => {
  const before = [
    transaction('a', '2024-01-01'),
    transaction('b', '2024-01-02'),
    transaction('c', '2024-01-03', { status: 'pending' }),
  ] as const;
  fixture.connector.setAccounts('feed', [scriptedAccount({ transactions: [...before] })]);
  const request = toRequest(fixture, await fixture.link({ username: 'feed' }));
  const refreshTo = async (transactions: ReturnType<typeof transaction>[]): Promise<string> => {
    const lastRefresh = async () =>
      (await fixture.request('getAccount', request)).body.account.lastTransactionRefresh;
    const previous = await lastRefresh();
    fixture.connector.setAccounts('feed', [scriptedAccount({ transactions })]);
    // Long enough for a full refresh.
    fixture.service.advance(days(8));
    await expect.poll(lastRefresh).not.toBe(previous);
    return lastRefresh();
  };
  const page = async (query: string) => (await list(fixture, query, request)).body;
  const names = async (query: string) => descriptionsIn(await list(fixture, query, request));
  return { before, refreshTo, page, names };
};

const changeTests = (fixture: ApiFixture): void => {
  test('refreshedSince sorts by refresh, oldest first, then newest date first', async () => {
    const { before, refreshTo, page, names } = await linkChangingAccount(fixture);
    const [a, b, c] = before;
    const first = (await page('')).transactions[0].transactionRefresh;
    const posted = { ...c, status: 'posted' as const, description: 'c posted' };
    const second = await refreshTo([a, b, posted, transaction('d', '2023-12-01')]);
    const left = [a, posted, transaction('e', '2024-05-05')];
    const third = await refreshTo(left);
    // A transaction that the bank has left out twice is void.
    const fourth = await refreshTo(left);
    expect([first, second, third, fourth]).toEqual([first, second, third, fourth].sort());
    expect(await names('')).toEqual(['e', 'c posted', 'b', 'a', 'd']);
    const beginning = 'txr_00000000000000000000000000';
    expect(await names(`?refreshedSince=${beginning}`)).toEqual(['a', 'c posted', 'e', 'b', 'd']);
    expect(await names(`?refreshedSince=${first}`)).toEqual(['c posted', 'e', 'b', 'd']);
    expect(await names(`?refreshedSince=${second}`)).toEqual(['e', 'b', 'd']);
    expect(await names(`?refreshedSince=${third}`)).toEqual(['b', 'd']);
    expect(await names(`?refreshedSince=${fourth}`)).toEqual([]);
    expect(await names(`?refreshedSince=${first}&date[gte]=2024-01-01`)).toEqual(['c posted', 'e', 'b']);
  });

  test('a transaction that the bank no longer lists becomes void', async () => {
    const { before, refreshTo, page } = await linkChangingAccount(fixture);
    const [c, ...others] = (await page('')).transactions;
    const refresh = await refreshTo(before.slice(0, 2));
    const { transactions } = await page('');
    expect(transactions).toEqual([{ ...c, status: 'void', transactionRefresh: refresh }, ...others]);
  });

  test('later pages contain nothing of a later refresh, and nothing twice', async () => {
    const { before, refreshTo, page, names } = await linkChangingAccount(fixture);
    const [a, b, c] = before;
    const start = await page('?limit=1');
    expect(start.transactions).toMatchObject([{ description: 'c' }]);
    await refreshTo([{ ...a, description: 'a changed' }, b, c, transaction('new', '2024-01-02')]);
    // Changed transactions leave this list and appear in the next one.
    expect(await names(`?limit=10&cursor=${start.pagination.nextCursor}`)).toEqual(['b']);
    expect(await names('')).toEqual(['c', 'new', 'b', 'a changed']);
  });

  test('later pages of changes contain nothing of a later refresh, and nothing twice', async () => {
    const { before, refreshTo, page, names } = await linkChangingAccount(fixture);
    const [a, b, c] = before;
    const since = `refreshedSince=${(await page('')).transactions[0].transactionRefresh}`;
    const [changed, d] = [{ ...b, description: 'b changed' }, transaction('d', '2024-01-04')];
    const second = await refreshTo([a, changed, c, d]);
    const start = await page(`?${since}&limit=1`);
    expect(start.transactions).toMatchObject([{ description: 'd' }]);
    await refreshTo([a, changed, c, { ...d, description: 'd changed' }]);
    const rest = await page(`?${since}&limit=10&cursor=${start.pagination.nextCursor}`);
    expect(rest).toMatchObject({
      transactions: [{ description: 'b changed' }],
      pagination: { hasMore: false },
    });
    expect(await names(`?refreshedSince=${second}`)).toEqual(['d changed']);
  });
};

const invalidParameters: [query: string, path: string][] = [
  ['?limit=0', '/query/limit'],
  ['?limit=1001', '/query/limit'],
  ...['-1', '1.5', '1.0', 'ten', '', 'Infinity', '1e309', '-1e309', '1e2', '0x10', '9'.repeat(16)].map(
    (limit): [string, string] => [`?limit=${limit}`, '/query/limit'],
  ),
  ['?limit=1&limit=2', '/query/limit'],
  ['?cursor=', '/query/cursor'],
  [`?cursor=${'A'.repeat(2001)}`, '/query/cursor'],
  ['?refreshedSince=', '/query/refreshedSince'],
  ['?refreshedSince=yesterday', '/query/refreshedSince'],
  ['?refreshedSince=txr_01hq3z8f6v9k2m4n7p0r5s8t1w', '/query/refreshedSince'],
  ['?refreshedSince=txr_01HQ3Z8F6V9K2M4N7P0R5S8T1', '/query/refreshedSince'],
  ['?date=2024-01-01', '/query/date'],
  ['?date[foo]=2024-01-01', '/query/date/foo'],
  ['?date[constructor]=2024-01-01', '/query/date/constructor'],
  ['?date[gte]=2024-02-31', '/query/date/gte'],
  ['?date[lte]=2023-02-29', '/query/date/lte'],
  ['?date[gt]=2024-1-1', '/query/date/gt'],
  ['?date[lt]=', '/query/date/lt'],
  ['?date[gte]=2024-01-01T00:00:00Z', '/query/date/gte'],
  ['?date[gte]=2024-01-01&date[gte]=2024-01-02', '/query/date/gte'],
  ['?Limit=1', '/query/Limit'],
  ['?offset=10', '/query/offset'],
];

const errorTests = (fixture: ApiFixture): void => {
  test.each(invalidParameters)('%s is named in the errors', async (query, path) => {
    const response = await list(fixture, query);
    expectProblem(response, 400, 'invalid_request');
    expect(response.body.errors.map((problem: { path: string }) => problem.path)).toEqual([path]);
    // The response must not repeat the value, which the random id may contain.
    const sent = query.slice(query.indexOf('=') + 1);
    const text = response.text.replace(response.body.requestId, '');
    if (sent.length > 2) expect(text).not.toContain(sent);
  });

  test('a cursor with other filters or for another account', async () => {
    const { nextCursor } = (await list(fixture, '?limit=1&date[gte]=2024-01-01')).body.pagination;
    const since = '&refreshedSince=txr_00000000000000000000000000';
    const own = '&date[gte]=2024-01-01';
    const others = ['', '&date[gte]=2024-01-02', '&date[gt]=2024-01-01', `${own}&date[lte]=2024-12-31`];
    for (const other of [...others, own + since, since])
      await expectInvalidCursor(fixture, `?cursor=${nextCursor}${other}`);
    expect((await list(fixture, `?cursor=${nextCursor}${own}`)).status).toBe(200);
    const before = (await list(fixture, '?limit=1&date[lt]=2024-12-31')).body.pagination.nextCursor;
    for (const other of ['', '&date[lt]=2024-12-30', '&date[lte]=2024-12-31'])
      await expectInvalidCursor(fixture, `?cursor=${before}${other}`);
    const card = { ...fixture.ids, accountId: fixture.ada.north.accounts[1]!.id };
    for (const other of [{ ids: card }, toRequest(fixture, fixture.ben.north)])
      await expectInvalidCursor(fixture, `?cursor=${nextCursor}${own}`, other);
  });
};

const expectInvalidCursor = async (fixture: ApiFixture, query: string, more = {}): Promise<void> => {
  const response = await list(fixture, query, more);
  expect({ query, status: response.status }).toEqual({ query, status: 400 });
  expectProblem(response, 400, 'invalid_cursor');
  expect(response.body.errors.map(({ path }: { path: string }) => path)).toEqual(['/query/cursor']);
};

describeOperation('listTransactions', (fixture) => {
  orderTests(fixture);
  pageTests(fixture);
  changeTests(fixture);
  errorTests(fixture);
});
