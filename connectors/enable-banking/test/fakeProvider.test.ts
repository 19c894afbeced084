// Tests that the fake provider refuses what Enable Banking refuses, so that tests of the connector can fail.
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { SignJWT } from 'jose';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type FakeAccount, fakeAccount, fakeTransaction } from './fakeProvider/account.ts';
import { type FakeBank, fakeBank } from './fakeProvider/bank.ts';
import type { Schemas } from './fakeProvider/contract.ts';
import { type FakeProvider, type ProviderOptions, startFakeProvider } from './fakeProvider/provider.ts';

const noon = new Date('2026-11-24T12:00:00Z');
const minutes = 60_000;
const days = 24 * 60 * minutes;
const redirectUrl = 'https://service.example/connect/return';
const present = { 'Psu-Ip-Address': '192.0.2.1', 'Psu-User-Agent': 'A browser' };

/** A provider whose clock moves only when the test moves it. */
const start = async (bank: FakeBank, options: Partial<ProviderOptions> = {}) => {
  const clock = { now: noon.getTime() };
  const now = () => new Date(clock.now);
  const provider = await startFakeProvider({ banks: [bank], now, redirectUrls: [redirectUrl], ...options });
  onTestFinished(provider.close);
  return { provider, clock };
};

type TokenOptions = { key?: KeyObject; kid?: string; audience?: string; seconds?: number };

const makeToken = (
  { application, privateKey }: FakeProvider,
  at: number,
  {
    key = privateKey,
    kid = application.kid,
    audience = 'api.enablebanking.com',
    seconds = 3600,
  }: TokenOptions = {},
): Promise<string> => {
  const issued = Math.floor(at / 1000);
  const token = new SignJWT({ iss: 'enablebanking.com', aud: audience, iat: issued, exp: issued + seconds });
  return token.setProtectedHeader({ typ: 'JWT', alg: 'RS256', kid }).sign(key);
};

type Service = Awaited<ReturnType<typeof start>>;
type Answer = { status: number; body: Record<string, unknown> & { error?: string } };

const send = async (
  { provider, clock }: Service,
  path: string,
  {
    body,
    headers = {},
    token,
  }: { body?: object; headers?: Record<string, string>; token?: TokenOptions } = {},
): Promise<Answer> => {
  const authorization = { Authorization: `Bearer ${await makeToken(provider, clock.now, token)}` };
  const response = await fetch(provider.url + path, {
    headers: { ...authorization, ...headers, ...(body && { 'Content-Type': 'application/json' }) },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Answer['body'] };
};

const outcomeOf = ({ status, body }: Answer): string => [status, body.error].join(' ').trim();

const startAuthorization = (service: Service, validSeconds = 90 * 86_400): Promise<Answer> => {
  const valid_until = new Date(service.clock.now + validSeconds * 1000).toISOString();
  const request = {
    aspsp: { name: 'First Bank', country: 'DE' },
    state: 'the state',
    redirect_url: redirectUrl,
  };
  return send(service, '/auth', { body: { ...request, access: { valid_until } } });
};

/** Links Ada's accounts and returns their ids. */
const link = async (service: Service): Promise<string[]> => {
  const { body } = await startAuthorization(service);
  const returned = await service.provider.decide(String(body.url), { user: 'ada' });
  const session = await send(service, '/sessions', { body: { code: returned.searchParams.get('code') } });
  return (session.body.accounts as Schemas['Account'][]).map(({ uid }) => uid!);
};

const startLinked = async (account: FakeAccount, more: Partial<FakeBank> = {}) => {
  const service = await start(fakeBank('First Bank', { ada: [account] }, more));
  const [uid] = await link(service);
  const read = (query: string, headers: Record<string, string> = present): Promise<Answer> =>
    send(service, `/accounts/${uid}/${query}`, { headers });
  return { ...service, read };
};

const rowsOf = ({ body }: Answer) => body.transactions as Schemas['Transaction'][];

const iban = 'DE00123456780000000001';
const threeRows = ['2026-11-22', '2026-11-23', '2026-11-24'].map((day, at) => fakeTransaction(`r${at}`, day));

test('a token of another key, application or audience, or for more than a day, gets 401', async () => {
  const service = await start(fakeBank('First Bank', {}));
  const outcome = async (token: TokenOptions) => outcomeOf(await send(service, '/application', { token }));
  const { privateKey: key } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  expect(await outcome({})).toBe('200');
  for (const token of [{ key }, { kid: 'another' }, { audience: 'api.example' }, { seconds: 86_401 }])
    expect(await outcome(token)).toBe('401 UNAUTHORIZED_ACCESS');
});

describe('consent', () => {
  test('the page returns the state with an error or a code, which is valid once', async () => {
    const service = await start(fakeBank('First Bank', { ada: [fakeAccount(iban)] }));
    const url = String((await startAuthorization(service)).body.url);
    const refused = await service.provider.decide(url, 'refuse');
    expect(Object.fromEntries(refused.searchParams)).toMatchObject({
      error: 'access_denied',
      state: 'the state',
    });
    const approved = await service.provider.decide(url, { user: 'ada' });
    const { code, state } = Object.fromEntries(approved.searchParams);
    expect(state).toBe('the state');
    expect(outcomeOf(await send(service, '/sessions', { body: { code } }))).toBe('200');
    expect(outcomeOf(await send(service, '/sessions', { body: { code } }))).toBe('422 ALREADY_AUTHORIZED');
  });

  test('its end is earlier than the maximum, and then nothing can be read', async () => {
    const { provider, clock, read } = await startLinked(fakeAccount(iban));
    const maximum = 180 * 86_400;
    expect(outcomeOf(await startAuthorization({ provider, clock }, maximum))).toBe(
      '422 WRONG_REQUEST_PARAMETERS',
    );
    expect(outcomeOf(await startAuthorization({ provider, clock }, maximum - 1))).toBe('200');
    clock.now += 90 * days;
    expect(outcomeOf(await read('balances'))).toBe('401 EXPIRED_SESSION');
  });
});

describe('transactions', () => {
  test('a next page needs all parameters of the first one', async () => {
    const { read } = await startLinked(fakeAccount(iban, threeRows, { pageSize: 2 }));
    const first = await read('transactions?date_from=2026-11-01&strategy=longest');
    const key = `continuation_key=${first.body.continuation_key}`;
    const wrong = ['date_from=2026-11-01', 'strategy=longest', 'date_from=2026-11-02&strategy=longest'];
    for (const parameters of wrong)
      expect(outcomeOf(await read(`transactions?${parameters}&${key}`))).toBe('422 WRONG_REQUEST_PARAMETERS');
    const second = await read(`transactions?date_from=2026-11-01&strategy=longest&${key}`);
    const references = [first, second].flatMap(rowsOf).map(({ entry_reference }) => entry_reference);
    expect(references).toEqual(['r2', 'r1', 'r0']);
    expect(second.body.continuation_key).toBeNull();
  });

  test('five minutes after the consent 90 days are given, today among them', async () => {
    const { clock, read } = await startLinked(fakeAccount(iban, [fakeTransaction('old', '2025-01-01')]));
    expect(rowsOf(await read('transactions?strategy=longest'))).toHaveLength(1);
    clock.now += 5 * minutes;
    expect(rowsOf(await read('transactions?strategy=longest'))).toEqual([]);
    const refused = await read('transactions?date_from=2026-08-26');
    expect(outcomeOf(refused)).toBe('422 WRONG_TRANSACTIONS_PERIOD');
    expect(refused.body.detail).toMatchObject({ date_from: '2026-08-27' });
    expect(outcomeOf(await read('transactions?date_from=2026-08-27'))).toBe('200');
  });

  test('a row has the fields that its bank makes of it', async () => {
    const options = { references: 'positional', sendsTwice: true, signsDebits: true } as const;
    const twice = [fakeTransaction('a', '2026-11-24'), fakeTransaction('b', '2026-11-24')];
    const { read } = await startLinked(fakeAccount(iban, twice, options));
    const rows = rowsOf(await read('transactions'));
    expect(rows.map((row) => `${row.entry_reference} ${row.transaction_amount.amount}`)).toEqual([
      '2026-11-24.0 -1.00',
      '2026-11-24.0-again -1.00',
      '2026-11-24.1 -1.00',
      '2026-11-24.1-again -1.00',
    ]);
    expect(new Set(rows.map(({ transaction_id }) => transaction_id)).size).toBe(1);
  });
});

test.each<[options: Partial<FakeAccount>, query: string, outcome: string]>([
  [{ refusedWith: 401 }, 'details', '401 ASPSP_ACCOUNT_NOT_ACCESSIBLE'],
  [{ refusedWith: 404 }, 'details', '404 ACCOUNT_DOES_NOT_EXIST'],
  [{ isLimited: true }, 'balances', '429 ASPSP_RATE_LIMIT_EXCEEDED'],
  [{ failsBalances: true }, 'balances', '400 ASPSP_ERROR'],
  [{ failsBalances: true }, 'transactions', 'r2 r1 r0'],
  [{ refusesPendingFilter: 422 }, 'transactions?transaction_status=PDNG', '422 WRONG_REQUEST_PARAMETERS'],
  [{ refusesPendingFilter: 400 }, 'transactions?transaction_status=PDNG', '400 ASPSP_ERROR'],
  [{ refusesPeriod: 'withText' }, 'transactions?date_from=2020-01-01', '422 WRONG_TRANSACTIONS_PERIOD'],
  [{ refusesPeriod: 'byOwnError' }, 'transactions?date_from=2020-01-01', '422'],
  [{ refusesPeriod: 'asUnknownError' }, 'transactions?date_from=2020-01-01', '400 ASPSP_ERROR'],
  [{ longestLagsDays: 1 }, 'transactions?strategy=longest', 'r1 r0'],
  [{ longestLagsDays: 1 }, 'transactions', 'r2 r1 r0'],
  [{ references: 'zero' }, 'transactions', '0 0 0'],
  [{ references: 'missingAtFirst' }, 'transactions', 'null null null'],
  [{ references: 'newEachTime', referencePrefix: 'v2-' }, 'transactions', 'v2-1-0 v2-1-1 v2-1-2'],
  [{ leavesOut: ['booking_date'] }, 'transactions?date_from=2026-11-23', 'r2 r1'],
  [{ emptyPages: 1 }, 'transactions', 'another page'],
  [{ repeatsFirstPage: true }, 'transactions', 'r2 r1 r0 another page'],
])('an account with %j answers %s by %s', async (options, query, outcome) => {
  const transactions = threeRows.map((row) => ({ ...row }));
  const { clock, read } = await startLinked(
    fakeAccount(iban, transactions, { limitsFirstHistory: true, ...options }),
  );
  clock.now += minutes;
  const answer = await read(query);
  const references = answer.status === 200 ? rowsOf(answer).map((row) => row.entry_reference ?? 'null') : [];
  const more = answer.body.continuation_key ? ['another page'] : [];
  expect(answer.status === 200 ? [...references, ...more].join(' ') : outcomeOf(answer)).toBe(outcome);
});

describe('reads without the user', () => {
  test('the fifth of an endpoint in 24 hours gets 429, and its next pages count as one', async () => {
    const { provider, clock, read } = await startLinked(fakeAccount(iban, threeRows, { pageSize: 2 }));
    const readAll = async (): Promise<string> => {
      const first = await read('transactions', {});
      const next = `transactions?continuation_key=${first.body.continuation_key}`;
      return outcomeOf(first.status === 200 ? await read(next, {}) : first);
    };
    for (let count = 0; count < 4; count++) expect(await readAll()).toBe('200');
    expect(await readAll()).toBe('429 ASPSP_RATE_LIMIT_EXCEEDED');
    expect(outcomeOf(await read('balances', {}))).toBe('200');
    expect(outcomeOf(await read('transactions', present))).toBe('200');
    clock.now += days;
    expect(await readAll()).toBe('200');
    const statuses = provider.requestsOf('ada').map(({ status }) => status);
    expect(statuses.filter((status) => status === 429)).toHaveLength(1);
    expect(provider.requestsPerMinuteMax()).toBe(2 + 8 + 3);
  });

  test('a part of the headers of the user is refused', async () => {
    const { read } = await startLinked(fakeAccount(iban));
    const half = { 'Psu-Ip-Address': '192.0.2.1' };
    expect(outcomeOf(await read('balances', half))).toBe('422 PSU_HEADER_NOT_PROVIDED');
  });
});

test('an answer that the contract does not allow is not sent, and closing the provider tells', async () => {
  const bank = fakeBank('First Bank', {});
  const provider = await startFakeProvider({ banks: [bank] });
  const service = { provider, clock: { now: Date.now() } };
  bank.aspsp.maximum_consent_validity = 1.5;
  expect(outcomeOf(await send(service, '/aspsps'))).toBe('500');
  await expect(provider.close()).rejects.toThrow('Response violates the contract: getAspsps.');
});
