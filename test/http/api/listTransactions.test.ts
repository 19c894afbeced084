// List transactions: order, filters, pages and what is refused of them. The property of all page sizes stands in
// listTransactions.pages.test.ts, and what a list of any length costs in listTransactions.stream.test.ts.
import { describe, expect, test } from 'vitest';
import { days } from '../../../src/clock.ts';
import { scriptedAccount, scriptedTransaction } from '../../support/scriptedConnector.ts';
import { commonErrorTests, credentialTests, expectProblem, expectAuthError } from './commonErrors.ts';
import { describeApi, type LinkResult, type ApiFixture } from './fixture.ts';

type ListedTransaction = { id: string; date: string; description: string; transactionRefresh: string };

const list = (stage: ApiFixture, query = '', more = {}) =>
  stage.request('listTransactions', { query, ...more });

const descriptions = async (stage: ApiFixture, query: string): Promise<string[]> => {
  const { status, body } = await list(stage, query);
  expect(status).toBe(200);
  return body.transactions.map(({ description }: ListedTransaction) => description);
};

/** The entries of Ada's account in the order of the interface. */
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

/** Every choice of operators, each with an early or a late date: 3 to the power of 4 filters. */
const filters = Object.keys(operators).reduce<Record<string, string>[]>(
  (known, operator) =>
    known.flatMap((filter) => [
      filter,
      { ...filter, [operator]: '2024-01-15' },
      { ...filter, [operator]: '2024-02-01' },
    ]),
  [{}],
);

const order = (stage: ApiFixture): void => {
  test('the newest date first, the newest first within a day, and every field', async () => {
    const { body } = await list(stage);
    const refresh = body.transactions[0].transactionRefresh;
    const shared = { id: expect.stringMatching(/^txn_/), accountId: stage.ids.accountId };
    const entry = (fields: object) => ({ ...shared, reference: '', ...fields, transactionRefresh: refresh });
    expect(body).toEqual({
      transactions: [
        entry({ amount: -30, date: '2024-02-10', description: 'BOOKS', status: 'pending' }),
        entry({ amount: -0.1, date: '2024-02-01', description: 'FEE', status: 'posted' }),
        entry({ amount: -4.5, date: '2024-01-15', description: 'COFFEE', status: 'posted' }),
        entry({ amount: -1250, date: '2024-01-15', description: 'RENT', status: 'posted' }),
        entry({
          ...{ amount: 2400, date: '2024-01-01', description: 'SALARY' },
          ...{ status: 'posted', reference: 'PAY 1' },
        }),
      ],
      pagination: { hasMore: false },
    });
  });

  test('an account without entries: an empty list', async () => {
    const card = { ...stage.ids, accountId: stage.ada.north.accounts[1]!.id };
    for (const query of ['', '?limit=5', '?refreshedSince=txr_00000000000000000000000000']) {
      const { body } = await list(stage, query, { ids: card });
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
      expect({ query, shown: await descriptions(stage, query) }).toEqual({ query, shown: expected });
    }
  });
};

const pages = (stage: ApiFixture): void => {
  test('date operators with a limit, from page to page', async () => {
    const query = '?date[gte]=2024-01-15&date[lt]=2024-02-10&limit=2';
    const first = await list(stage, query);
    expect(first.body.transactions.map(({ description }: ListedTransaction) => description)).toEqual([
      'FEE',
      'COFFEE',
    ]);
    const { hasMore, nextCursor } = first.body.pagination;
    expect(hasMore).toBe(true);
    const rest = await list(stage, `${query}&cursor=${nextCursor}`);
    expect(rest.body.transactions.map(({ description }: ListedTransaction) => description)).toEqual(['RENT']);
    expect(rest.body.pagination).toEqual({ hasMore: false });
  });

  test('the last page says that nothing follows, also where it is full', async () => {
    for (const limit of [5, 6, 1000]) {
      const { body } = await list(stage, `?limit=${limit}`);
      expect(body.transactions).toHaveLength(5);
      expect(body.pagination).toEqual({ hasMore: false });
    }
    expect((await list(stage, '?limit=4')).body.pagination).toEqual({
      hasMore: true,
      nextCursor: expect.any(String),
    });
  });

  test('limit may change from page to page, and the rest may be asked for at once', async () => {
    const { body } = await list(stage, '?limit=1');
    const rest = await list(stage, `?cursor=${body.pagination.nextCursor}`);
    expect(rest.body.transactions.map(({ description }: ListedTransaction) => description)).toEqual(
      allDescriptions.slice(1),
    );
    expect(rest.body.pagination).toEqual({ hasMore: false });
    const two = await list(stage, `?limit=2&cursor=${body.pagination.nextCursor}`);
    expect(two.body.transactions).toEqual(rest.body.transactions.slice(0, 2));
  });

  test('the same cursor gives the same page again', async () => {
    const { nextCursor } = (await list(stage, '?limit=2')).body.pagination;
    const [first, again] = [
      await list(stage, `?limit=2&cursor=${nextCursor}`),
      await list(stage, `?limit=2&cursor=${nextCursor}`),
    ];
    expect(again!.body).toEqual(first!.body);
  });
};

/** A user of their own, whose bank shows more with each refresh. */
const linkChangingAccount = async (stage: ApiFixture): Promise<Feed> => {
  const entry = (id: string, date: string, more = {}) =>
    scriptedTransaction({ id, date, description: id, ...more });
  const before = [
    entry('a', '2024-01-01'),
    entry('b', '2024-01-02'),
    entry('c', '2024-01-03', { status: 'pending' }),
  ];
  stage.connector.setAccounts('feed', [scriptedAccount({ transactions: before })]);
  const linked = await stage.link({ username: 'feed' });
  const request = {
    ids: { ...stage.ids, accountId: linked.accounts[0]!.id },
    scopedToken: linked.scopedToken!,
  };
  const refreshTo = async (transactions: typeof before): Promise<string> => {
    const now = async () => (await stage.request('getAccount', request)).body.account.lastTransactionRefresh;
    const last = await now();
    stage.connector.setAccounts('feed', [scriptedAccount({ transactions })]);
    // Long enough for a refresh that asks for everything.
    stage.service.advance(days(8));
    await expect.poll(now, { timeout: 20_000 }).not.toBe(last);
    return now();
  };
  return { linked, request, before, entry, refreshTo };
};

type Feed = {
  linked: LinkResult;
  request: object;
  before: ReturnType<typeof scriptedTransaction>[];
  entry(id: string, date: string, more?: object): ReturnType<typeof scriptedTransaction>;
  refreshTo(entries: ReturnType<typeof scriptedTransaction>[]): Promise<string>;
};

const changes = (stage: ApiFixture): void => {
  test('refreshedSince is a feed: the oldest refresh first, then the newest date first', async () => {
    const { request, before, entry, refreshTo } = await linkChangingAccount(stage);
    const [a, b, c] = before;
    const show = async (query: string) =>
      (await list(stage, query, request)).body.transactions.map(
        ({ description }: ListedTransaction) => description,
      );
    const first = (await list(stage, '', request)).body.transactions[0].transactionRefresh;
    const second = await refreshTo([
      a!,
      b!,
      { ...c!, status: 'posted', description: 'c posted' },
      entry('d', '2023-12-01'),
    ]);
    const third = await refreshTo([
      a!,
      { ...c!, status: 'posted', description: 'c posted' },
      entry('e', '2024-05-05'),
    ]);
    expect([first, second, third]).toEqual([first, second, third].sort());
    expect(await show('')).toEqual(['e', 'c posted', 'b', 'a', 'd']);
    const beginning = 'txr_00000000000000000000000000';
    expect(await show(`?refreshedSince=${beginning}`)).toEqual(['a', 'c posted', 'e', 'b', 'd']);
    expect(await show(`?refreshedSince=${first}`)).toEqual(['c posted', 'e', 'b', 'd']);
    expect(await show(`?refreshedSince=${second}`)).toEqual(['e', 'b', 'd']);
    expect(await show(`?refreshedSince=${third}`)).toEqual([]);
    expect(await show(`?refreshedSince=${first}&date[gte]=2024-01-01`)).toEqual(['c posted', 'e', 'b']);
  });

  test('what the bank withdraws stays, as void', async () => {
    const { request: asking, before, refreshTo } = await linkChangingAccount(stage);
    const byName = async () =>
      Object.fromEntries(
        (await list(stage, '', asking)).body.transactions.map((entry: ListedTransaction) => [
          entry.description,
          entry,
        ]),
      );
    const held = await byName();
    const refresh = await refreshTo(before.slice(0, 2));
    expect(await byName()).toEqual({
      ...held,
      c: { ...held.c, status: 'void', transactionRefresh: refresh },
    });
  });

  test('a walk shows nothing of a refresh that came after it had begun, and nothing twice', async () => {
    const { request: asking, before, entry, refreshTo } = await linkChangingAccount(stage);
    const [a, b, c] = before;
    const page = async (query: string) => (await list(stage, query, asking)).body;
    const start = await page('?limit=1');
    expect(start.transactions[0].description).toBe('c');
    await refreshTo([{ ...a!, description: 'a changed' }, b!, c!, entry('new', '2024-01-02')]);
    const rest = await page(`?limit=10&cursor=${start.pagination.nextCursor}`);
    // What changed meanwhile is left out and comes with the next walk.
    expect(rest.transactions.map(({ description }: ListedTransaction) => description)).toEqual(['b']);
    const again = await page('');
    expect(again.transactions.map(({ description }: ListedTransaction) => description)).toEqual([
      'c',
      'new',
      'b',
      'a changed',
    ]);
  });
};

const badParameters: [query: string, path: string][] = [
  ['?limit=0', '/query/limit'],
  ['?limit=1001', '/query/limit'],
  ['?limit=-1', '/query/limit'],
  ['?limit=1.5', '/query/limit'],
  ['?limit=ten', '/query/limit'],
  ['?limit=', '/query/limit'],
  ['?limit=1&limit=2', '/query/limit'],
  ['?cursor=', '/query/cursor'],
  [`?cursor=${'A'.repeat(2001)}`, '/query/cursor'],
  ['?refreshedSince=', '/query/refreshedSince'],
  ['?refreshedSince=yesterday', '/query/refreshedSince'],
  ['?refreshedSince=txr_01hq3z8f6v9k2m4n7p0r5s8t1w', '/query/refreshedSince'],
  ['?refreshedSince=txr_01HQ3Z8F6V9K2M4N7P0R5S8T1', '/query/refreshedSince'],
  ['?date=2024-01-01', '/query/date'],
  ['?date[foo]=2024-01-01', '/query/date/foo'],
  ['?date[gte]=2024-02-31', '/query/date/gte'],
  ['?date[lte]=2023-02-29', '/query/date/lte'],
  ['?date[gt]=2024-1-1', '/query/date/gt'],
  ['?date[lt]=', '/query/date/lt'],
  ['?date[gte]=01.02.2024', '/query/date/gte'],
  ['?date[gte]=2024-01-01T00:00:00Z', '/query/date/gte'],
  ['?date[gte]=2024-01-01&date[gte]=2024-01-02', '/query/date/gte'],
  ['?Limit=1', '/query/Limit'],
  ['?offset=10', '/query/offset'],
];

const refusals = (stage: ApiFixture): void => {
  commonErrorTests(stage, 'listTransactions');

  test.each(badParameters)('%s is refused by its name', async (query, path) => {
    const answer = await list(stage, query);
    expectProblem(answer, 400, 'invalid_request');
    expect(answer.body.errors.map((problem: { path: string }) => problem.path)).toEqual([path]);
    // What was sent may be anything; it does not come back.
    const sent = query.slice(query.indexOf('=') + 1);
    if (sent.length > 2) expect(answer.text).not.toContain(sent);
  });

  test('everything that is wrong is named at once', async () => {
    const { body } = await list(stage, '?limit=0&date[gte]=2024-02-31&date[lt]=x&refreshedSince=x');
    expect(body.errors.map(({ path }: { path: string }) => path).sort()).toEqual([
      ...['/query/date/gte', '/query/date/lt', '/query/limit', '/query/refreshedSince'],
    ]);
  });

  test('a cursor that is sent with other filters, or to another list', async () => {
    const { nextCursor } = (await list(stage, '?limit=1&date[gte]=2024-01-01')).body.pagination;
    const since = '&refreshedSince=txr_00000000000000000000000000';
    const own = '&date[gte]=2024-01-01';
    const others = [
      '',
      '&date[gte]=2024-01-02',
      '&date[gt]=2024-01-01',
      `${own}&date[lte]=2024-12-31`,
      own + since,
      since,
    ];
    for (const other of others) await expectNoCursor(stage, `?cursor=${nextCursor}${other}`);
    expect((await list(stage, `?cursor=${nextCursor}${own}`)).status).toBe(200);
    const card = { ...stage.ids, accountId: stage.ada.north.accounts[1]!.id };
    await expectNoCursor(stage, `?cursor=${nextCursor}${own}`, { ids: card });
  });

  test('another user’s cursor', async () => {
    const ids = { ...stage.ids, accountId: stage.ben.north.accounts[0]!.id };
    const theirs = { ids, scopedToken: stage.ben.token };
    const { nextCursor } = (await list(stage, '?limit=1', theirs)).body.pagination;
    await expectNoCursor(stage, `?limit=1&cursor=${nextCursor}`);
    expectAuthError(await list(stage, `?limit=1&cursor=${nextCursor}`, { ids }), 403);
  });

  test('a cursor with any one character changed, added or taken away', async () => {
    const cursor: string = (await list(stage, '?limit=1')).body.pagination.nextCursor;
    const changed = Array.from(
      cursor,
      (old, at) => cursor.slice(0, at) + (old === 'A' ? 'B' : 'A') + cursor.slice(at + 1),
    );
    const all = [...changed, `${cursor}A`, `${cursor}=`, cursor.slice(0, -1), 'A', '%00', 'null'];
    for (const other of stage.throughPrism ? all.slice(-3) : all)
      await expectNoCursor(stage, `?limit=1&cursor=${other}`);
  });

  test('the id of a connection is the id of no account', async () => {
    const answer = await list(stage, '', { ids: { ...stage.ids, accountId: stage.ids.connectionId } });
    expectProblem(answer, 404, 'not_found');
  });

  test('an account of somebody else', async () => {
    for (const { north } of [stage.ben, stage.cleo]) {
      expectAuthError(
        await list(stage, '', { ids: { ...stage.ids, accountId: north.accounts[0]!.id } }),
        403,
      );
    }
  });
};

const expectNoCursor = async (stage: ApiFixture, query: string, more = {}): Promise<void> => {
  const answer = await list(stage, query, more);
  expect({ query, status: answer.status }).toEqual({ query, status: 400 });
  expectProblem(answer, 400, 'invalid_cursor');
  expect(answer.body.errors.map(({ path }: { path: string }) => path)).toEqual(['/query/cursor']);
};

describeApi('listTransactions', (stage) => {
  describe('answers', () => {
    order(stage);
    pages(stage);
    changes(stage);
  });
  describe('refusals', () => refusals(stage));
  describe('credentials', () => credentialTests(stage, 'listTransactions'));
});
