// The requirements of six SimpleFIN applications: their claims and reads, and the fields that they need. If a new release needs
// more, extend its row here.
import { beforeAll, describe, expect, test } from 'vitest';
import { scriptedAccount, scriptedTransaction } from '../support/scriptedConnector.ts';
import {
  type AccountSet,
  claimAddressOf,
  daysAgo,
  describeSimplefin,
  type LinkedUser,
  splitAccessUrl,
} from './fixture.ts';

type Application = {
  name: string;
  /** The headers of its claim and of its reads, besides those of every client. */
  claimHeaders?: Record<string, string>;
  readHeaders?: Record<string, string>;
  /** The claim addresses and access URLs that it accepts. */
  claimAddress?: RegExp;
  accessUrl?: RegExp;
  /** The parameters of its reads, by the ids of two accounts. */
  asks: ((first: string, second: string) => string)[];
  insistsOn: { set?: object; account: object; transaction: object };
};

const text = expect.any(String);
const number = expect.any(Number);
const decimal = expect.stringMatching(/^-?\d+(\.\d+)?$/);

const money = { id: text, posted: number, amount: decimal };
const transaction = { ...money, transacted_at: number, description: text };
const account = { id: text, currency: text, balance: decimal, 'balance-date': number };

const now = Math.floor(Date.now() / 1000);
const monthAgo = now - 30 * 24 * 3600;

const applications: Application[] = [
  {
    name: 'Actual',
    accessUrl: /^[^/]*\/\/[^:/@]*:[^:/@]*@[^:/@]*\/[^:@]*$/,
    asks: [
      () => 'balances-only=1',
      (first, second) =>
        `start-date=${monthAgo}&end-date=${now}&pending=1&account=${first}&account=${second}`,
    ],
    insistsOn: {
      set: { errors: [] },
      account: {
        ...{ ...account, org: { name: text }, transactions: expect.any(Array) },
        // The application drops the decimal point.
        balance: expect.stringMatching(/^-?\d+\.\d\d/),
      },
      transaction: { ...transaction, payee: text, pending: expect.any(Boolean) },
    },
  },
  {
    name: 'simplefin4py, which Home Assistant uses',
    claimHeaders: { Authorization: 'Basic Og==', 'Content-Type': 'application/octet-stream' },
    asks: [() => ''],
    insistsOn: {
      set: { errors: [] },
      account: {
        ...{ ...account, name: text, org: { domain: text, 'sfin-url': text, name: text } },
        ...{ 'available-balance': decimal, transactions: expect.any(Array) },
      },
      transaction: { ...transaction, payee: text, memo: text },
    },
  },
  {
    name: 'Firefly III',
    claimHeaders: { 'Content-Length': '0', 'User-Agent': 'FF3-data-importer/2.1 (2.1)' },
    claimAddress: /^https?:\/\/.+\/simplefin\/claim\/.+$/,
    asks: [
      () => 'balances-only=1',
      (id) => `pending=0&start-date=0&account=${id}`,
      (id) => `pending=1&start-date=${monthAgo}&end-date=${now}&account=${id}`,
    ],
    insistsOn: {
      account: {
        ...{ ...account, org: { domain: text, name: text, 'sfin-url': text } },
        ...{ name: text, currency: expect.stringMatching(/^[A-Z]{3}$/) },
      },
      transaction: { ...transaction, pending: expect.any(Boolean) },
    },
  },
  {
    name: 'Sure',
    readHeaders: { 'User-Agent': 'Sure Finance SimpleFin Client' },
    asks: [
      () => `start-date=${monthAgo}&pending=1`,
      () => `start-date=${monthAgo}&end-date=${now}&pending=0`,
    ],
    insistsOn: {
      account: {
        ...{ id: text, name: text, currency: text, balance: decimal, org: { name: text } },
        transactions: expect.any(Array),
      },
      transaction: { ...money, description: text },
    },
  },
  {
    name: 'simplefin-python',
    asks: [
      () => 'balances-only=1',
      (id) => `account=${id}&balances-only=1`,
      (id) => `account=${id}&start-date=${monthAgo}&end-date=${now}`,
    ],
    insistsOn: {
      account: {
        ...{ id: text, name: text, balance: decimal, org: { name: text } },
        transactions: expect.any(Array),
      },
      transaction: { posted: number, amount: decimal, payee: text },
    },
  },
  {
    name: 'ynab-simplefin-sync',
    claimHeaders: { 'Content-Length': '0' },
    readHeaders: { Accept: 'application/json' },
    claimAddress: /^https:\/\//,
    accessUrl: /^https:\/\/.+:.+@/,
    asks: [() => `balances-only=1&start-date=${now}`, () => `start-date=${monthAgo}`],
    insistsOn: {
      account: { id: expect.stringMatching(/./), balance: decimal, 'balance-date': number },
      transaction: {},
    },
  },
];

const accounts = () => [
  scriptedAccount({
    ...{ id: 'main', balance: { current: '-55.5' } },
    transactions: [
      scriptedTransaction({ id: 'posted', date: daysAgo(3) }),
      scriptedTransaction({ id: 'pending', date: daysAgo(2), status: 'pending' }),
    ],
  }),
  scriptedAccount({ id: 'dinar', number: '4444', currency: 'BHD', balance: { current: '1.234' } }),
];

const baseUrl = 'https://bank.example.com';

describeSimplefin(
  'an application that speaks SimpleFIN',
  (fixture) => {
    let linked: LinkedUser;
    beforeAll(async () => {
      linked = await fixture.link('ada', accounts());
    });

    /** Sends a request like a proxy at the base URL. */
    const send = (address: string, init: RequestInit): Promise<Response> =>
      fetch(address.replace(baseUrl, fixture.service.url), { ...init, redirect: 'error' });

    describe.each(applications)('$name', (application) => {
      const { claimHeaders, readHeaders, asks, insistsOn } = application;

      const claim = async (setupToken: string): Promise<Response> => {
        const address = claimAddressOf(setupToken);
        expect(address).toMatch(application.claimAddress ?? /^https:/);
        return send(address, { method: 'POST', headers: claimHeaders });
      };

      test('claims an access, once, reads, and finds the fields that it needs', async () => {
        const setupToken = await fixture.createSetupToken(linked.scopedToken);
        const accessUrl = await (await claim(setupToken)).text();
        expect(accessUrl).toMatch(application.accessUrl ?? /^https:/);
        const again = await claim(setupToken);
        expect([again.status, await again.text()]).toEqual([403, expect.stringMatching(/^Forbidden/)]);

        const { address, authorization } = splitAccessUrl(accessUrl);
        const headers = { ...readHeaders, Authorization: authorization };
        const found: AccountSet['accounts'] = [];
        const [first, second] = linked.accounts.map(({ id }) => id);
        for (const toQuery of asks) {
          const response = await send(`${address}/accounts?${toQuery(first!, second!)}`, { headers });
          expect(response.headers.get('Content-Type')).toMatch(/^application\/json/);
          const set = (await response.json()) as AccountSet;
          expect(set).toMatchObject({ accounts: expect.any(Array), ...insistsOn.set });
          found.push(...set.accounts);
        }
        for (const account of found) expect(account).toMatchObject(insistsOn.account);
        const transactions = found.flatMap((account) => account.transactions);
        expect(transactions.length).toBeGreaterThan(0);
        for (const transaction of transactions) expect(transaction).toMatchObject(insistsOn.transaction);
      });
    });
  },
  { env: { BASE_URL: baseUrl } },
);
