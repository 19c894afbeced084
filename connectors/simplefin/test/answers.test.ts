// Tests the effect of each response from a SimpleFIN server: on the whole connection, on one account, or on none. Errors contain
// no part of a response.
import { inspect } from 'node:util';
import { BankRefused, BankUnreachable, type Reading } from '@bank-connection/connector-kit';
import { readHistory } from '@bank-connection/connector-kit/conformance';
import { describe, expect, test } from 'vitest';
import type { FakeAnswer, FakeServer } from './fakeServer.ts';
import {
  call,
  callAt,
  daysBefore,
  fakeAccount,
  fakeTransaction,
  institutionId,
  makeModule,
  noonOf,
  now,
  read,
  startServer,
} from './fixture.ts';

/** The outcome of a call: `ok`, or the reason for the error. */
const outcomeOf = async (calling: Promise<unknown>): Promise<string> => {
  const error: unknown = await calling.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error === undefined) return 'ok';
  if (error instanceof BankUnreachable) return error.reason;
  if (!(error instanceof BankRefused)) throw error;
  return error.repairedElsewhere ? `${error.reason}, repaired elsewhere` : error.reason;
};

/** The outcome of each account's history. */
const outcomesOf = async (reading: Reading): Promise<Record<string, string>> => {
  const outcomes: Record<string, string> = {};
  for (const { id } of reading.accounts) outcomes[id] = await outcomeOf(reading.history(id));
  return outcomes;
};

const repair = 'user_action_required, repaired elsewhere';

const secret = 'SECRET OF THE SERVER';

const html = { 'Content-Type': 'text/html; charset=utf-8' };

describe('an answer to a request for accounts', () => {
  const empty = { errlist: [], connections: [], accounts: [] };
  const serverError = (code: unknown) => ({ body: { ...empty, errlist: [{ code, msg: secret }] } });
  const answers: [name: string, answer: FakeAnswer, outcome: string][] = [
    ['401', { status: 401, body: secret }, 'wrong_credentials'],
    ['403', { status: 403, body: secret }, 'wrong_credentials'],
    ['403 of a proxy', { status: 403, headers: html, body: `<html>${secret}</html>` }, 'down'],
    ['403 as HTML without a page', { status: 403, headers: html, body: 'Forbidden' }, 'wrong_credentials'],
    ['402', { status: 402, body: secret }, 'user_action_required, repaired elsewhere'],
    ['429', { status: 429, body: secret }, 'rate_limited'],
    ['503 with a time', { status: 503, headers: { 'Retry-After': '60' } }, 'rate_limited'],
    ['500', { status: 500, body: secret }, 'down'],
    ['503', { status: 503, body: secret }, 'down'],
    ['400', { status: 400, body: secret }, 'incomplete'],
    ['404', { status: 404, body: secret }, 'incomplete'],
    ['302', { status: 302, headers: { Location: 'http://127.0.0.1/' } }, 'incomplete'],
    ['206', { status: 206, body: empty }, 'incomplete'],
    ['no JSON', { body: `${secret}{` }, 'incomplete'],
    ['JSON of another type', { body: JSON.stringify([secret]) }, 'incomplete'],
    ['no accounts', { body: { errlist: [] } }, 'incomplete'],
    ['an account without an id', { body: { ...empty, accounts: [{ name: secret }] } }, 'incomplete'],
    ['an account that is none', { body: { ...empty, accounts: [secret] } }, 'incomplete'],
    ['an empty list', { body: empty }, 'ok'],
    ['gen.auth', serverError('gen.auth'), 'wrong_credentials'],
    ['gen.api and no account', serverError('gen.api'), 'down'],
    ['an unknown gen. code and no account', serverError('gen.new'), 'down'],
    ['a code without a known prefix and no account', serverError('other'), 'down'],
    ['an error without a code and no account', serverError(undefined), 'down'],
    ['a sentence and no account', { body: { errors: [secret], accounts: [] } }, 'down'],
  ];
  test.each(answers)('%s ends as it should', async (_, answer, outcome) => {
    const server = await startServer(fakeAccount('A1'));
    server.intercept = () => answer;
    const { connector } = makeModule();
    const accessUrl = server.makeAccessUrl();
    for (const calling of [
      () => connector.accounts(accessUrl, call),
      () => connector.read(accessUrl, {}, call),
    ]) {
      expect(await outcomeOf(calling())).toBe(outcome);
      const error = await calling().catch((thrown: unknown) => thrown);
      expect(inspect(error, { depth: 5, showHidden: true })).not.toContain(outcome === 'ok' ? '\0' : secret);
    }
  });

  test('of too many bytes is incomplete', async () => {
    const server = await startServer(fakeAccount('A1', [], { name: 'x'.repeat(5000) }));
    const readWith = (answerBytesMax: number) =>
      makeModule(undefined, { answerBytesMax }).connector.read(server.makeAccessUrl(), {}, call);
    expect(await outcomeOf(readWith(4000))).toBe('incomplete');
    expect(await outcomeOf(readWith(6000))).toBe('ok');
  });

  test('that is cut off makes the server unreachable', async () => {
    const server = await startServer(fakeAccount('A1'));
    server.intercept = () => ({ headers: { 'Content-Length': '1000' }, body: '{', isCutOff: true });
    expect(await outcomeOf(read(server))).toBe('down');
  });

  test('that does not come in time is a time-out, as is one after the call was aborted', async () => {
    const server = await startServer(fakeAccount('A1'));
    const { promise: never, resolve: release } = Promise.withResolvers<undefined>();
    const { promise: received, resolve: onReceived } = Promise.withResolvers<void>();
    server.intercept = () => {
      onReceived();
      return never;
    };
    const { connector } = makeModule(undefined, { timeoutMs: 50 });
    expect(await outcomeOf(connector.accounts(server.makeAccessUrl(), call))).toBe('timeout');
    const abort = new AbortController();
    const reading = makeModule().connector.read(server.makeAccessUrl(), {}, callAt(now, abort.signal));
    await received;
    abort.abort();
    expect(await outcomeOf(reading)).toBe('timeout');
    release(undefined);
  });
});

describe('an error in an answer', () => {
  /** Two connections: one with the accounts A1 and A2, one with B1. */
  const startTwoConnections = async (version: 1 | 2, errors: unknown[]): Promise<FakeServer> => {
    const server = await startServer(
      fakeAccount('A1', [fakeTransaction('T1', daysBefore(1))]),
      fakeAccount('A2'),
    );
    server.connections.push({ id: 'CON-2', bank: 'Second Bank', accounts: [fakeAccount('B1')] });
    return Object.assign(server, { version, errors });
  };
  const all = { A1: 'ok', A2: 'ok', B1: 'ok' };
  const allOf = (outcome: string) => ({ A1: outcome, A2: outcome, B1: outcome });
  /** The failures of the accounts that an error concerns; all others are read. */
  const errors: [error: object, failing: Record<string, string>][] = [
    [
      { code: 'con.auth', conn_id: 'CON-1' },
      { A1: repair, A2: repair },
    ],
    [{ code: 'con.auth', conn_id: 'CON-2' }, { B1: repair }],
    [{ code: 'con.auth' }, {}],
    [
      { code: 'con.', conn_id: 'CON-1' },
      { A1: 'down', A2: 'down' },
    ],
    [{ code: 'con.new', conn_id: 'CON-2' }, { B1: 'down' }],
    [{ code: 'act.failed', account_id: 'A1' }, { A1: 'incomplete' }],
    [{ code: 'act.missingdata', account_id: 'A2' }, { A2: 'incomplete' }],
    [{ code: 'act.', account_id: 'B1' }, { B1: 'incomplete' }],
    [{ code: 'act.new', account_id: 'B1', conn_id: 'CON-2' }, { B1: 'incomplete' }],
    [{ code: 'act.failed' }, {}],
    [{ code: 'gen.' }, {}],
    [{ code: 'gen.api' }, {}],
    [{ code: 'other' }, {}],
  ];
  test.each(errors)('%j concerns those accounts only', async (error, failing) => {
    const server = await startTwoConnections(2, [{ msg: secret, ...error }]);
    const reading = await read(server);
    expect(await outcomesOf(reading)).toEqual({ ...all, ...failing });
    const listed = await makeModule().connector.accounts(server.makeAccessUrl(), call);
    expect(listed.map(({ id }) => id)).toEqual(['A1', 'A2', 'B1']);
  });

  const unmatched: [error: object, outcome: string][] = [
    [{ code: 'con.auth', conn_id: 'CON-3' }, repair],
    [{ code: 'con.', conn_id: 'CON-3' }, 'down'],
    [{ code: 'act.failed', account_id: 'B1', conn_id: 'CON-1' }, 'incomplete'],
    [{ code: 'act.missingdata', account_id: 'C1' }, 'incomplete'],
  ];
  test.each(unmatched)('%j, which names none of the accounts, concerns all', async (error, outcome) => {
    const server = await startTwoConnections(2, [error]);
    expect(await outcomesOf(await read(server))).toEqual(allOf(outcome));
  });

  test('that names a connection concerns all accounts of a server that does not say whose they are', async () => {
    const server = await startServer();
    const accounts = [fakeAccount('A1'), fakeAccount('A2')];
    server.intercept = () => ({ body: { errlist: [{ code: 'con.auth', conn_id: 'CON-1' }], accounts } });
    expect(await outcomesOf(await read(server))).toEqual({ A1: repair, A2: repair });
  });

  test('of a bank that was not asked for only says that something may be missing', async () => {
    const error = { code: 'con.auth', conn_id: 'CON-2' };
    const server = await startTwoConnections(2, [error]);
    const reading = await read(server, { accountIds: ['A1', 'A2'] });
    expect(await reading.history('A1')).toMatchObject({ completeFrom: daysBefore(1) });
    expect(await reading.history('A2')).not.toHaveProperty('completeFrom');
  });

  test('that the user repairs comes before one that needs only time', async () => {
    const server = await startTwoConnections(2, [
      { code: 'act.failed', account_id: 'A1' },
      { code: 'con.auth', conn_id: 'CON-1' },
    ]);
    const reading = await read(server);
    expect(await outcomeOf(reading.history('A1'))).toBe(repair);
    // No useless request for older days.
    expect(server.requests).toHaveLength(1);
    expect(await outcomesOf(reading)).toEqual({ ...all, A1: repair, A2: repair });
  });

  test('may come with the answer for an older window only', async () => {
    const server = await startTwoConnections(2, []);
    const reading = await read(server);
    server.errors = [{ code: 'act.missingdata', account_id: 'A1' }];
    expect(await outcomesOf(reading)).toEqual({ ...all, A1: 'incomplete' });
  });

  const sentences: [sentence: string, outcomes: Record<string, string>][] = [
    ['Connection to First Bank may need attention', { ...all, A1: repair, A2: repair }],
    ['connection to SECOND BANK may need attention. Auth required', { ...all, B1: repair }],
    ['Connection to Third Bank may need attention', allOf(repair)],
    ['You are making too many requests', all],
  ];
  test.each(sentences)('%j of version 1 concerns those accounts', async (sentence, outcomes) => {
    expect(await outcomesOf(await read(await startTwoConnections(1, [sentence])))).toEqual(outcomes);
  });
});

describe('an account', () => {
  const accountOf = async (more: Record<string, unknown>) => {
    const server = await startServer(fakeAccount('A1', [], more));
    const [account] = await makeModule().connector.accounts(server.makeAccessUrl(), call);
    return account;
  };

  test('has name, currency, balance and the digits at the end of its name', async () => {
    const more = { 'available-balance': '90.5', 'balance-date': noonOf('2026-02-28') };
    expect(await accountOf({ name: 'Everyday Checking (4821)', ...more })).toEqual({
      ...{ id: 'A1', name: 'Everyday Checking (4821)', type: 'other', currency: 'USD' },
      number: 'First Bank 4821',
      balance: { current: '100.23', available: '90.5', asOf: '2026-02-28T12:00:00.000Z' },
    });
  });

  test.each([
    ['Visa 1234', 'First Bank 1234'],
    ['Visa ...1234 ', 'First Bank 1234'],
    ['Visa [001234]', 'First Bank 1234'],
    ['Visa 123', ''],
    ['1234 Visa', ''],
  ])('%j has the number %j', async (name, number) => {
    expect(await accountOf({ name })).toMatchObject({ number });
  });

  test('has texts that are cut at whole characters', async () => {
    const account = await accountOf({ name: `${'x'.repeat(199)}\u{1F600}` });
    expect(account!.name).toBe('x'.repeat(199));
  });

  test('has the name of its bank where it has none', async () => {
    expect(await accountOf({ name: '' })).toMatchObject({ name: 'First Bank' });
  });

  test.each([
    ['absent', undefined],
    ['0', 0],
    ['in the future', Date.parse('2026-03-02T00:00:00Z') / 1000],
    ['in milliseconds', now.getTime()],
    ['no time', 'yesterday'],
  ])('whose balance has a date that is %s has the balance of now', async (_, date) => {
    expect(await accountOf({ 'balance-date': date })).toMatchObject({
      balance: { current: '100.23', asOf: now.toISOString() },
    });
  });

  test('has no balance where the server tells none', async () => {
    for (const balance of [undefined, null, '', 'unknown', 100.23]) {
      expect(await accountOf({ balance })).not.toHaveProperty('balance');
    }
  });

  test('in a currency that is no currency of ISO 4217 is left out', async () => {
    for (const currency of ['https://simplefin.example/miles', 'MILES', '', undefined]) {
      expect(await accountOf({ currency })).toBeUndefined();
    }
    expect(await accountOf({ currency: 'eur' })).toMatchObject({ currency: 'EUR' });
  });
});

describe('an account that the server', () => {
  /** Reads a changed server after one read of two of its three accounts, and one that failed immediately. */
  const readAgain = async (change: (server: FakeServer) => void): Promise<Reading> => {
    const server = await startServer(fakeAccount('A1'), fakeAccount('A2'), fakeAccount('unshared'));
    const { connector } = makeModule();
    const first = await connector.read(server.makeAccessUrl(), {}, call);
    for (const id of ['A1', 'A2']) await first.history(id);
    const { access } = await first.end();
    expect(access).not.toContain('unshared');
    // A read without histories changes nothing.
    expect(await (await connector.read(access!, {}, call)).end()).toEqual({});
    change(server);
    const request = {
      institution: { id: institutionId },
      credentials: {},
      deviceToken: access,
      attended: false,
    };
    const signedIn = await connector.signIn(request, call);
    if (signedIn.kind !== 'signedIn') throw new Error('SimpleFIN has no challenges.');
    return connector.read(signedIn.access, { since: daysBefore(14) }, call);
  };

  test('no longer lists is missed, and the others are read', async () => {
    const reading = await readAgain(({ connections }) => connections[0]!.accounts.shift());
    expect(await outcomesOf(reading)).toEqual({ A2: 'ok', unshared: 'ok', A1: 'incomplete' });
    const [missed] = reading.accounts.slice(-1);
    expect(missed).toEqual({
      ...{ id: 'A1', name: 'First Bank', type: 'other', number: '', currency: 'USD' },
    });
    expect((await reading.end()).deviceToken).toContain('A1');
  });

  test('no longer lists is the only one that an error about it concerns', async () => {
    const reading = await readAgain((server) => {
      server.connections[0]!.accounts.shift();
      server.errors = [{ code: 'act.failed', account_id: 'A1' }];
    });
    expect(await outcomesOf(reading)).toEqual({ A2: 'ok', unshared: 'ok', A1: 'incomplete' });
  });

  test('no longer lists, because the user must sign in at its bank, says so', async () => {
    const reading = await readAgain((server) => {
      server.connections = [];
      server.errors = [{ code: 'con.auth', conn_id: 'CON-1' }];
    });
    expect(await outcomesOf(reading)).toEqual({ A1: repair, A2: repair });
  });

  test.each([undefined, null, {}])('sends with the transactions %j is incomplete', async (transactions) => {
    const server = await startServer(fakeAccount('A1'));
    const accounts = [{ ...fakeAccount('A1'), transactions }, fakeAccount('A2')];
    server.intercept = () => ({ body: { errlist: [], accounts } });
    expect(await outcomesOf(await read(server))).toEqual({ A1: 'incomplete', A2: 'ok' });
  });
});

describe('the ids of accounts', () => {
  /** Two connections, each with an account `1`. */
  const startSameIds = async (): Promise<FakeServer> => {
    const server = await startServer(fakeAccount('1', [fakeTransaction('first', daysBefore(1))]));
    const accounts = [fakeAccount('1', [fakeTransaction('second', daysBefore(1))])];
    server.connections.push({ id: 'CON-2', bank: 'Second Bank', accounts });
    return server;
  };

  test.each([
    [1, ['1', 'Second Bank/1']],
    [2, ['1', 'CON-2/1']],
  ] as const)('are told apart in version %i', async (version, ids) => {
    const server = Object.assign(await startSameIds(), { version });
    const accounts = await makeModule().connector.accounts(server.makeAccessUrl(), call);
    expect(accounts.map(({ id }) => id)).toEqual(ids);
    for (const [index, id] of ids.entries()) {
      const reading = await read(server, { accountIds: [id] });
      expect(reading.accounts.map((account) => account.id)).toEqual([id]);
      const transactions = await readHistory(await reading.history(id));
      expect(transactions).toMatchObject([{ description: ['first', 'second'][index] }]);
    }
  });

  test('stay the same where a server moves from version 1 to version 2', async () => {
    const server = await startServer(fakeAccount('A1'), fakeAccount('A2'));
    const idsOf = async (version: 1 | 2): Promise<string[]> => {
      server.version = version;
      return (await read(server)).accounts.map(({ id }) => id);
    };
    expect(await idsOf(2)).toEqual(await idsOf(1));
  });

  test('that are asked for are the only ones in the request, and have to be answered', async () => {
    const server = await startServer(fakeAccount('A1'), fakeAccount('A2'));
    await read(server, { accountIds: ['A2'] });
    expect(server.requests[0]!.parameters.getAll('account')).toEqual(['A2']);
    expect(await outcomeOf(read(server, { accountIds: ['A2', 'A3'] }))).toBe('incomplete');
  });
});
