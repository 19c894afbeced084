// Requirements of SimpleFIN applications beyond the text of the protocol.
import { beforeAll, expect, test } from 'vitest';
import { makeAccessUrl } from '../../src/flows/simplefin/tokens.ts';
import { days, seconds } from '../../src/platform/values/clock.ts';
import { scriptedAccount, scriptedTransaction } from '../support/scriptedConnector.ts';
import { link } from '../support/testService.ts';
import {
  type AccountSet,
  claim,
  claimAccessUrl,
  claimAddressOf,
  createSetupToken,
  daysAgo,
  describeSimplefin,
  type LinkedUser,
  readSet,
  readWith,
  splitAccessUrl,
} from './fixture.ts';

const noonOf = (date: string): number => Date.parse(`${date}T12:00:00Z`) / 1000;

const description = 'Café "Zum Löwen", 100 % \\ "description":"x","reference":"y"';

const accounts = () => [
  scriptedAccount({
    id: 'main',
    name: 'Main Account',
    number: 'XX00112233',
    balance: { current: '-55.5', asOf: '2024-01-15T12:00:00.000Z' },
    transactions: [
      scriptedTransaction({ id: 't1', date: daysAgo(100), amount: '-1' }),
      scriptedTransaction({ id: 't2', date: daysAgo(89), amount: '-2.5', reference: 'R "1"' }),
      scriptedTransaction({ id: 't3', date: daysAgo(2), amount: '1234567890123.4567', description }),
      scriptedTransaction({ id: 't4', date: daysAgo(1), amount: '-0.10', status: 'pending' }),
    ],
  }),
  scriptedAccount({
    ...{ id: 'yen', name: 'Yen', number: '', currency: 'JPY' },
    balance: { current: '1200', available: '1100', limit: '9', asOf: '2024-01-15T12:00:00.000Z' },
  }),
];

describeSimplefin('the SimpleFIN server', (fixture) => {
  let linked: LinkedUser;
  let accessUrl: string;
  beforeAll(async () => {
    linked = await fixture.link('ada', accounts());
    accessUrl = await fixture.createAccessUrl(linked.scopedToken);
  });

  const accountOf = (set: AccountSet, name = 'Main Account (2233)') =>
    set.accounts.find((account) => account.name === name)!;
  const amountsOf = (set: AccountSet): string[] => accountOf(set).transactions.map(({ amount }) => amount);

  test('lists its versions', async () => {
    const response = await fetch(`${fixture.service.url}/simplefin/info?x=1`);
    expect(await response.json()).toEqual({ versions: ['1.0', '2.0'] });
  });

  test('returns a setup token for any base64 decoder, and an access URL without encoded characters', async () => {
    const setupToken = await fixture.createSetupToken(linked.scopedToken);
    expect(setupToken).toMatch(/^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/);
    expect(claimAddressOf(setupToken)).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/simplefin\/claim\/[\w-]{72}$/);
    const response = await claim(setupToken);
    expect(response.headers.get('Content-Type')).toMatch(/^text\/plain/);
    const { user, password, address } = splitAccessUrl(await response.text());
    expect(user).toMatch(/^sfa_[0-9A-Za-z]{22}$/);
    expect(password).toMatch(/^[A-Za-z0-9_-]{72}$/);
    expect(address).toBe(`${fixture.service.url}/simplefin`);
  });

  test('responds in the formats of versions 1 and 2 at once', async () => {
    const set = await readSet(accessUrl, '?version=2&pending=1');
    const sfinUrl = `${fixture.service.url}/simplefin`;
    const connection = { conn_id: linked.connectionId, name: 'North Bank', org_id: 'north-bank' };
    expect(set).toMatchObject({
      errors: [],
      errlist: [],
      connections: [{ ...connection, org_name: 'North Bank', sfin_url: sfinUrl }],
    });
    const { transactions, ...account } = accountOf(set);
    const { id } = linked.accounts.find(({ name }) => name === 'Main Account')!;
    expect(account).toEqual({
      org: { id: 'north-bank', domain: '', name: 'North Bank', 'sfin-url': sfinUrl },
      ...{ id, conn_id: linked.connectionId, name: 'Main Account (2233)', currency: 'EUR' },
      ...{ balance: '-55.50', 'available-balance': '-55.50', 'balance-date': 1705320000 },
    });
    const params = { path: { accountId: id } };
    const list = await fixture.service
      .client(linked.scopedToken, fixture.application.apiKey)
      .GET('/accounts/{accountId}/transactions', { params });
    const expected = [
      { age: 1, amount: '-0.10', text: 'TRANSACTION', pending: true },
      { age: 2, amount: '1234567890123.4567', text: description, pending: false },
      { age: 89, amount: '-2.50', text: 'TRANSACTION', pending: false },
    ].map(({ age, amount, text, pending }, at) => ({
      ...{ id: list.data!.transactions[at]!.id, amount, pending, memo: '' },
      ...{
        posted: noonOf(daysAgo(age)),
        transacted_at: noonOf(daysAgo(age)),
        description: text,
        payee: text,
      },
    }));
    expect(transactions).toEqual(expected);
  });

  test('returns money of every currency with two digits after the point', async () => {
    expect(accountOf(await readSet(accessUrl), 'Yen')).toMatchObject({
      ...{ balance: '1200.00', 'available-balance': '1100.00', transactions: [] },
    });
  });

  test.each([
    { query: '', amounts: ['1234567890123.4567', '-2.50'], because: 'the last 90 days, posted' },
    { query: '?pending=0', amounts: ['1234567890123.4567', '-2.50'], because: 'the same' },
    { query: '?utm=1&foo[bar]=%FF', amounts: ['1234567890123.4567', '-2.50'], because: 'ignores others' },
    {
      query: `?start-date=0&pending=1`,
      ...{ amounts: ['-0.10', '1234567890123.4567', '-2.50', '-1.00'], because: 'all' },
    },
    {
      query: `?start-date=${noonOf(daysAgo(2))}`,
      ...{ amounts: ['1234567890123.4567'], because: 'a start date is included' },
    },
    {
      query: `?start-date=${noonOf(daysAgo(2)) + 1}&pending=1`,
      ...{ amounts: ['-0.10'], because: 'later than noon begins the next day' },
    },
    {
      query: `?start-date=0&end-date=${noonOf(daysAgo(2))}`,
      ...{ amounts: ['-2.50', '-1.00'], because: 'an end date is not included' },
    },
    { query: '?balances-only=1', amounts: [], because: 'no transactions' },
  ])('with $query it returns $amounts: $because', async ({ query, amounts }) => {
    expect(amountsOf(await readSet(accessUrl, query))).toEqual(amounts);
  });

  test('returns only the requested accounts, even by several parameters', async () => {
    const [first, second] = linked.accounts.map(({ id }) => id);
    const idsWith = async (query: string) =>
      (await readSet(accessUrl, query)).accounts.map(({ id }) => id).toSorted();
    expect(await idsWith(`?account=${first}`)).toEqual([first]);
    expect(await idsWith(`?account=${first}&account=${second}`)).toEqual([first, second].toSorted());
  });

  test('returns the same error for an account that does not exist, is another user’s, or is not covered', async () => {
    const [first, second] = linked.accounts.map(({ id }) => id);
    const stranger = await fixture.link('stranger', accounts());
    const named = { label: 'One account', accountIds: [first!] };
    const url = await fixture.createAccessUrl(linked.scopedToken, named);
    const asked = ['unknown', 'acc_3nVnx3kVEcA4wxWXfIjhkr', stranger.accounts[0]!.id, second!];
    const query = new URLSearchParams([first!, ...asked].map((id) => ['account', id]));
    const set = await readSet(url, `?${query}`);
    expect(set.accounts.map(({ id }) => id)).toEqual([first]);
    const msg = 'A requested account does not exist, or this access does not cover it';
    expect(set.errors).toEqual([msg]);
    expect(set.errlist).toEqual(asked.map((id) => ({ code: 'act.', msg, account_id: id })));
  });

  test('returns an institution’s domain if its connector has a help page, otherwise an empty one', async () => {
    const domainsOf = ({ accounts: found }: AccountSet) => new Set(found.map(({ org }) => org.domain));
    expect(domainsOf(await readSet(accessUrl))).toEqual(new Set(['']));
    const { url, application } = fixture.service;
    const { scopedToken } = await link(fixture.service, { username: 'good' });
    const access = { url, apiKey: application.apiKey, scopedToken: scopedToken! };
    const ofSandbox = await claimAccessUrl(await createSetupToken(access));
    expect(domainsOf(await readSet(ofSandbox))).toEqual(new Set(['example.com']));
  });

  const requests = {
    'a second claim': async () => {
      const setupToken = await fixture.createSetupToken(linked.scopedToken);
      await claim(setupToken);
      return claim(setupToken);
    },
    'a claim with another token': () =>
      fetch(`${fixture.service.url}/simplefin/claim/${'A'.repeat(72)}`, { method: 'POST' }),
    'no credentials': () => fetch(`${fixture.service.url}/simplefin/accounts`),
    'a malformed password': () => readWith(accessUrl.replace(/.@/, '.@')),
    'a wrong password': () =>
      readWith(makeAccessUrl(fixture.service.url, splitAccessUrl(accessUrl).user).accessUrl),
    'the password of another access': async () => {
      const other = splitAccessUrl(await fixture.createAccessUrl(linked.scopedToken));
      return readWith(accessUrl.replace(splitAccessUrl(accessUrl).password, other.password));
    },
    'a date that is no number': () => readWith(accessUrl, '?start-date=yesterday'),
    'a date that is infinite': () => readWith(accessUrl, '?start-date=1e309'),
  };
  const isNoNumber = /^Invalid request: \/query\/start-date must be number\.$/;
  test.each(Object.entries(requests))('refuses %s in text', async (name, request) => {
    const response = await request();
    const [status, text] = name.startsWith('a date') ? [400, isNoNumber] : [403, /^Forbidden/];
    expect(response.status).toBe(status);
    expect(response.headers.get('Content-Type')).toMatch(/^text\/plain/);
    expect(await response.text()).toMatch(text);
  });

  test('names a bank that needs its user, in both formats', async () => {
    const user = await fixture.link('needed', accounts());
    const url = await fixture.createAccessUrl(user.scopedToken);
    // The bank no longer knows the login.
    fixture.connector.remove('needed');
    fixture.service.advance(seconds(7 * 3600));
    await expect.poll(async () => (await readSet(url)).errors).not.toEqual([]);
    const set = await readSet(url);
    expect(set.errors).toEqual(['Connection to North Bank may need attention']);
    expect(set.errlist).toEqual([{ code: 'con.auth', msg: set.errors[0], conn_id: user.connectionId }]);
    expect(set.accounts).toHaveLength(2);
  });

  test('names an account for which the bank did not respond, in both formats', async () => {
    const user = await fixture.link('lagging', accounts());
    const url = await fixture.createAccessUrl(user.scopedToken);
    const [main, yen] = accounts();
    fixture.connector.setAccounts('lagging', [main!, { ...yen!, isSilent: true }]);
    fixture.service.advance(seconds(7 * 3600));
    await expect.poll(async () => (await readSet(url)).errors).not.toEqual([]);
    const { errors, errlist } = await readSet(url);
    expect(errors).toEqual(['North Bank did not answer for Yen']);
    const { id } = user.accounts.find(({ name }) => name === 'Yen')!;
    const conn_id = user.connectionId;
    expect(errlist).toEqual([{ code: 'act.failed', msg: errors[0], conn_id, account_id: id }]);
  });

  test('returns an account without a balance from the bank as zero at the Unix epoch', async () => {
    const [main] = accounts();
    const user = await fixture.link('unknown', [{ ...main!, balance: undefined }]);
    const { errlist, accounts: shown } = await readSet(await fixture.createAccessUrl(user.scopedToken));
    expect(shown).toMatchObject([{ balance: '0.00', 'available-balance': '0.00', 'balance-date': 0 }]);
    const msg = 'North Bank provides no balance for Main Account';
    const account_id = user.accounts[0]!.id;
    expect(errlist).toEqual([{ code: 'act.missingdata', msg, conn_id: user.connectionId, account_id }]);
  });

  test('never returns a transaction that the bank has removed', async () => {
    const user = await fixture.link('remover', accounts());
    const url = await fixture.createAccessUrl(user.scopedToken);
    expect(amountsOf(await readSet(url, '?start-date=0'))).toHaveLength(3);
    const [main, yen] = accounts();
    const transactions = main!.transactions.filter(({ id }) => id !== 't3');
    fixture.connector.setAccounts('remover', [{ ...main!, transactions }, yen!]);
    // The second refresh without the transaction voids it.
    const amountsNextDay = async () => {
      fixture.service.advance(days(1));
      return amountsOf(await readSet(url, '?start-date=0'));
    };
    await expect.poll(amountsNextDay, { timeout: 30_000, interval: 500 }).toEqual(['-2.50', '-1.00']);
  });
});
