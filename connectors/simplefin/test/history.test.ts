// Tests of the requests, and of the resulting transactions: their days, order and amounts, and the days for which all are known.
import { describe, expect, test } from 'vitest';
import type { FakeServer, FakeTransaction } from './fakeServer.ts';
import {
  daysBefore,
  fakeAccount,
  fakeTransaction,
  noonOf,
  now,
  read,
  readAccount,
  sendAlways,
  startServer,
} from './fixture.ts';

const today = daysBefore(0);

/** Reads the only account of a server that has these transactions. */
const readTransactions = async (...transactions: FakeTransaction[]) =>
  (await readAccount(await startServer(fakeAccount('A1', transactions)), 'A1')).transactions;

/** The start of each request in days before today, newest first. Each ends at the start of the previous one. */
const windowsOf = ({ requests }: FakeServer): number[] => {
  const [first, end] = ['start-date', 'end-date'].map((name) =>
    requests.map(({ parameters }) => toDay(parameters.get(name))),
  );
  expect(end).toEqual([null, ...first!.slice(0, -1)]);
  return first!.map((day) => (Date.parse(today) - Date.parse(day!)) / 86_400_000);
};

const toDay = (seconds: string | null): string | null => {
  if (seconds === null) return null;
  const time = new Date(Number(seconds) * 1000).toISOString();
  expect(time).toMatch(/T00:00:00.000Z$/);
  return time.slice(0, 10);
};

describe('a reading', () => {
  test('of a refresh makes one request for all accounts', async () => {
    const server = await startServer(fakeAccount('A1'), fakeAccount('A2'), fakeAccount('A3'));
    const reading = await read(server, { since: daysBefore(14) });
    for (const { id } of reading.accounts) await reading.history(id);
    await reading.end();
    expect(windowsOf(server)).toEqual([14]);
    expect(Object.fromEntries(server.requests[0]!.parameters)).toEqual({
      ...{ version: '2', pending: '1', 'start-date': String(noonOf(daysBefore(14)) - 12 * 3600) },
    });
  });

  test('makes one request as far back as 90 days, and more for an earlier day', async () => {
    const server = await startServer(fakeAccount('A1'));
    await readAccount(server, 'A1', { since: daysBefore(89) });
    expect(windowsOf(server)).toEqual([89]);
    server.requests.length = 0;
    await readAccount(server, 'A1', { since: daysBefore(200) });
    expect(windowsOf(server)).toEqual([89, 178, 200]);
  });

  test('of everything ends after two windows without a transaction in any account', async () => {
    const server = await startServer(
      fakeAccount('A1', [fakeTransaction('T1', daysBefore(1))]),
      fakeAccount('A2', [fakeTransaction('T1', daysBefore(300))]),
    );
    const reading = await read(server);
    for (const { id } of reading.accounts) await reading.history(id);
    expect(windowsOf(server)).toEqual([89, 178, 267]);
    server.connections[0]!.accounts[1]!.transactions = [fakeTransaction('T1', daysBefore(200))];
    server.requests.length = 0;
    await readAccount(server, 'A2');
    expect(server.requests).toHaveLength(5);
  });

  test('of everything makes twelve requests at most', async () => {
    const transactions = Array.from({ length: 30 }, (_, index) =>
      fakeTransaction(`T${index}`, daysBefore(index * 60)),
    );
    const server = await startServer(fakeAccount('A1', transactions));
    const history = await readAccount(server, 'A1');
    expect(server.requests).toHaveLength(12);
    expect(history.completeFrom).toBe(history.transactions[0]!.date);
  });

  test('ends where a bank gives its newest transactions for every window', async () => {
    const transactions = [fakeTransaction('T1', daysBefore(1)), fakeTransaction('T2', daysBefore(2))];
    const server = await startServer(fakeAccount('A1', transactions));
    sendAlways(server, ...transactions);
    const history = await readAccount(server, 'A1');
    expect(server.requests).toHaveLength(3);
    expect(history.transactions).toHaveLength(2);
    expect(history.completeFrom).toBe(daysBefore(89));
    const { transactions: later } = await readAccount(server, 'A1', { since: daysBefore(1) });
    expect(later.map(({ date }) => date)).toEqual([daysBefore(1)]);
    sendAlways(server, ...transactions.map((transaction) => ({ ...transaction, id: undefined })));
    expect((await readAccount(server, 'A1')).transactions).toHaveLength(2);
  });

  test('asks for no window twice, and for none without a history', async () => {
    const server = await startServer(fakeAccount('A1'), fakeAccount('A2'));
    const reading = await read(server);
    expect(server.requests).toHaveLength(1);
    await Promise.all([reading.history('A1'), reading.history('A2')]);
    await reading.history('A1');
    expect(server.requests).toHaveLength(2);
  });
});

describe('the days of which all transactions are known', () => {
  const old = fakeTransaction('OLD', daysBefore(150));
  const recent = fakeTransaction('RECENT', daysBefore(5));

  test('are those of the newest window', async () => {
    const server = await startServer(fakeAccount('A1'), fakeAccount('A2', [recent]));
    for (const id of ['A1', 'A2']) {
      const { completeFrom, completeTo } = await readAccount(server, id);
      expect({ completeFrom, completeTo }).toEqual({ completeFrom: daysBefore(89), completeTo: today });
    }
  });

  test('reach back to the oldest transaction of the account itself', async () => {
    const server = await startServer(fakeAccount('A1', [recent]), fakeAccount('A2', [recent, old]));
    expect((await readAccount(server, 'A1')).completeFrom).toBe(daysBefore(89));
    expect((await readAccount(server, 'A2')).completeFrom).toBe(daysBefore(150));
  });

  test.each([
    [20, 20],
    [150, 150],
    [170, 150],
    [-1, -1],
  ])('begin %i days ago, as was asked, or with the oldest transaction %i days ago', async (asked, first) => {
    const server = await startServer(fakeAccount('A1', [recent, old]));
    const { completeFrom } = await readAccount(server, 'A1', { since: daysBefore(asked) });
    expect(completeFrom).toBe(daysBefore(first));
  });

  test.each([1, 2] as const)('end where a server of version %i has left out days', async (version) => {
    const server = await startServer(fakeAccount('A1', [recent, old]), fakeAccount('A2'));
    const errors = version === 1 ? ['Requested date range was capped.'] : [{ code: 'gen.api' }];
    Object.assign(server, { version, errors });
    const { completeFrom, completeTo, transactions } = await readAccount(server, 'A1');
    expect({ completeFrom, completeTo }).toEqual({ completeFrom: daysBefore(5), completeTo: today });
    expect(transactions).toHaveLength(2);
    expect(await readAccount(server, 'A2')).toEqual({ count: 0, transactions: [] });
  });

  test.each([
    ['of today', noonOf(today), 0],
    ['of the future', noonOf(daysBefore(-3)), 0],
    ['that nobody knows', 0, 0],
    ['of an account that went on under another id', noonOf(daysBefore(40)), 40],
    ['as old as one request reaches', noonOf(daysBefore(89)), 89],
  ])('end on the day of a balance %s', async (_, date, last) => {
    const server = await startServer(fakeAccount('A1', [], { 'balance-date': date }));
    for (const since of [undefined, daysBefore(14)])
      expect((await readAccount(server, 'A1', { since })).completeTo).toBe(daysBefore(last));
  });

  test('are none where the balance is older than one request reaches, which no refresh then repeats', async () => {
    const server = await startServer(fakeAccount('A1', [old], { 'balance-date': noonOf(daysBefore(90)) }));
    const history = await readAccount(server, 'A1');
    expect(history).toEqual({ count: 1, transactions: [expect.objectContaining({ id: 'OLD' })] });
  });

  test('do not reach back to a pending transaction that is older than what was read', async () => {
    const pending = { ...recent, id: 'PENDING', posted: 0, transacted_at: noonOf(daysBefore(1000)) };
    const server = await startServer(fakeAccount('A1'));
    sendAlways(server, pending);
    expect(await readAccount(server, 'A1')).toMatchObject({
      ...{ completeFrom: daysBefore(89), transactions: [{ id: 'PENDING', date: daysBefore(1000) }] },
    });
  });
});

describe('a transaction', () => {
  test('has id, day, amount, texts and status', async () => {
    const more = { amount: '-12.50', description: 'COFFEE', payee: 'Coffee Shop', memo: 'Card 1' };
    expect(await readTransactions(fakeTransaction('T1', daysBefore(1), more))).toEqual([
      {
        ...{ id: 'T1', date: daysBefore(1), amount: '-12.50', status: 'posted' },
        ...{ description: 'COFFEE', reference: 'Card 1' },
      },
    ]);
  });

  test('has the payee where it has no description, or neither', async () => {
    const payee = { description: '', payee: 'Coffee Shop' };
    const none = { description: undefined, payee: undefined, memo: undefined };
    expect(
      await readTransactions(
        fakeTransaction('T1', daysBefore(2), payee),
        fakeTransaction('T2', daysBefore(1), none),
      ),
    ).toMatchObject([{ description: 'Coffee Shop' }, { description: '', reference: '' }]);
  });

  test('has texts that are cut at whole characters', async () => {
    const [transaction] = await readTransactions(
      fakeTransaction('T1', today, {
        ...{ description: `${'x'.repeat(1999)}\u{1F600}`, memo: 'm'.repeat(501) },
      }),
    );
    expect(transaction).toMatchObject({ description: 'x'.repeat(1999), reference: 'm'.repeat(500) });
  });

  test.each([
    ['1', '1'],
    ['+1.50', '1.50'],
    ['-0012.30', '-12.30'],
    ['.5', '0.5'],
    ['-.5', '-0.5'],
    ['5.', '5'],
    ['000', '0'],
    [' 7.00 ', '7.00'],
    [`-${'9'.repeat(39)}`, `-${'9'.repeat(39)}`],
    [`${'0'.repeat(50)}1`, '1'],
  ])('with the amount %j has the amount %j', async (sent, amount) => {
    expect(await readTransactions(fakeTransaction('T1', today, { amount: sent }))).toMatchObject([
      { amount },
    ]);
  });

  test.each([
    ['amount', ''],
    ['amount', '.'],
    ['amount', '-'],
    ['amount', '1e3'],
    ['amount', '1,234.00'],
    ['amount', '1.2.3'],
    ['amount', 'NaN'],
    ['amount', '1'.repeat(41)],
    ['amount', 12.5],
    ['amount', undefined],
    ['posted', 'yesterday'],
    ['posted', -1],
    ['posted', now.getTime() * 1000],
    ['transacted_at', {}],
  ])('with the %s %j makes its account incomplete, and no other', async (name, value) => {
    const server = await startServer(fakeAccount('A1'), fakeAccount('A2', [fakeTransaction('T1', today)]));
    sendAlways(
      server,
      fakeTransaction('T1', today, { ...(name !== 'amount' && { posted: 0 }), [name]: value }),
    );
    await expect(readAccount(server, 'A1')).rejects.toMatchObject({ reason: 'incomplete' });
    expect((await readAccount(server, 'A2')).transactions).toHaveLength(1);
  });

  const [first, second] = [noonOf(daysBefore(3)), noonOf(daysBefore(2))];
  test.each([
    ['posted', { posted: first, transacted_at: second }, daysBefore(3), 'posted'],
    ['posted, without time', { posted: 0, pending: false, transacted_at: second }, daysBefore(2), 'posted'],
    ['pending', { posted: 0, pending: true, transacted_at: second }, daysBefore(2), 'pending'],
    ['pending, with both', { posted: first, pending: true, transacted_at: second }, daysBefore(2), 'pending'],
    ['pending, by its time of posting', { posted: first, pending: true }, daysBefore(3), 'pending'],
    ['pending, without a time', { posted: 0, pending: true }, today, 'pending'],
    ['pending, by having no time of posting', { posted: 0, transacted_at: second }, daysBefore(2), 'pending'],
    ['posted, by leaving it out', { posted: undefined, transacted_at: second }, daysBefore(2), 'posted'],
    ['pending, without any value', { posted: undefined }, today, 'pending'],
    ['posted, with a time as text', { posted: String(first) }, daysBefore(3), 'posted'],
  ])('that is %s has its day and status', async (_, times, date, status) => {
    const server = await startServer(fakeAccount('A1'));
    sendAlways(server, fakeTransaction('T1', today, times));
    expect((await readAccount(server, 'A1')).transactions).toMatchObject([{ date, status }]);
  });

  test('has no id where the server gives none', async () => {
    const transactions = [fakeTransaction('', today, { description: 'A' }), fakeTransaction('', today)];
    const read = await readTransactions(...transactions);
    expect(read).toHaveLength(2);
    for (const transaction of read) expect(transaction).not.toHaveProperty('id');
  });
});

describe('the order', () => {
  const atHour = (id: string, date: string, hour: number) =>
    fakeTransaction(id, date, { posted: noonOf(date) + (hour - 12) * 3600 });
  const descriptionsOf = (transactions: { description: string }[]): string[] =>
    transactions.map(({ description }) => description);

  describe.each([
    ['newest', true],
    ['oldest', false],
  ])('where a server lists the %s first', (_, isNewestFirst) => {
    const readDescriptions = async (...accounts: FakeTransaction[][]): Promise<string[]> => {
      const server = await startServer(...accounts.map((list, index) => fakeAccount(`A${index + 1}`, list)));
      server.isNewestFirst = isNewestFirst;
      return descriptionsOf((await readAccount(server, 'A1')).transactions);
    };

    test('is oldest first', async () => {
      const listed = [
        ...[atHour('b', daysBefore(2), 9), atHour('a', daysBefore(3), 15), atHour('c', daysBefore(2), 18)],
        ...[atHour('d', daysBefore(1), 1), atHour('old', daysBefore(120), 1)],
      ];
      expect(await readDescriptions(listed)).toEqual(['old', 'a', 'b', 'c', 'd']);
    });

    test('within a day follows the list of the server', async () => {
      // All transactions of a day have the same time; only the other account shows the server's order.
      const sameTime = ['a', 'b', 'c'].map((id) => fakeTransaction(id, daysBefore(1)));
      const other = [fakeTransaction('x', daysBefore(9)), fakeTransaction('y', daysBefore(2))];
      expect(await readDescriptions(isNewestFirst ? sameTime.toReversed() : sameTime, other)).toEqual([
        ...['a', 'b', 'c'],
      ]);
    });
  });

  test('is not decided by pending transactions, which may come first or last', async () => {
    const server = await startServer(fakeAccount('A1'));
    const pending = fakeTransaction('pending', today, { pending: true });
    sendAlways(server, pending, atHour('a', daysBefore(2), 9), atHour('b', daysBefore(2), 10));
    const { transactions } = await readAccount(server, 'A1');
    expect(descriptionsOf(transactions)).toEqual(['a', 'b', 'pending']);
  });
});

test('a transaction whose day moves between two requests is read once', async () => {
  const server = await startServer(
    fakeAccount('A1', [fakeTransaction('T1', daysBefore(80)), fakeTransaction('T2', daysBefore(1))]),
  );
  const reading = await read(server);
  server.connections[0]!.accounts[0]!.transactions[0]!.posted = noonOf(daysBefore(100));
  const { chunks } = await reading.history('A1');
  const ids: (string | undefined)[] = [];
  for await (const chunk of chunks) ids.push(...chunk.map(({ id }) => id));
  expect(ids).toEqual(['T1', 'T2']);
});

describe('an id', () => {
  const [first, second] = [daysBefore(3), daysBefore(2)];

  test('that two transactions of one answer have is none', async () => {
    const found = await readTransactions(
      fakeTransaction('0', first, { description: 'A' }),
      fakeTransaction('0', second, { description: 'B', amount: '-2.00' }),
      fakeTransaction('0', today, { description: 'C', pending: true }),
      fakeTransaction('T1', today, { description: 'D' }),
    );
    expect(found.map(({ description }) => description)).toEqual(['A', 'B', 'D', 'C']);
    expect(found.map(({ id }) => id)).toEqual([undefined, undefined, 'T1', undefined]);
  });

  test('that comes again in older answers, with other amounts, does not end the reading', async () => {
    const days = [1, 100, 190, 280].map(daysBefore);
    const transactions = days.map((day, index) => fakeTransaction('0', day, { amount: `${index}.00` }));
    const found = await readTransactions(...transactions);
    expect(found.map(({ date }) => date)).toEqual(days.toReversed());
  });

  test.each(['before', 'after'])(
    'of a pending copy %s the posted one is that of the posted one',
    async (at) => {
      const server = await startServer(fakeAccount('A1'));
      const pending = fakeTransaction('T1', first, { pending: true, amount: '-9.00' });
      const posted = fakeTransaction('T1', second);
      sendAlways(server, ...(at === 'before' ? [pending, posted] : [posted, pending]));
      expect((await readAccount(server, 'A1')).transactions).toMatchObject([
        { id: 'T1', date: second, amount: '-1.00', status: 'posted' },
      ]);
    },
  );
});

test('one id in two accounts is two transactions', async () => {
  const transactions = [fakeTransaction('T1', daysBefore(1))];
  const server = await startServer(fakeAccount('A1', transactions), fakeAccount('A2', transactions));
  const reading = await read(server);
  expect([(await reading.history('A1')).count, (await reading.history('A2')).count]).toEqual([1, 1]);
});

test('a long history comes in chunks', async () => {
  const listed = Array.from({ length: 2500 }, (_, index) => fakeTransaction(`T${index}`, daysBefore(1)));
  const server = await startServer(fakeAccount('A1', listed));
  const { count, transactions } = await readAccount(server, 'A1');
  expect([count, transactions.length]).toEqual([2500, 2500]);
});
