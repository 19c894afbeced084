// What holds at the sandbox bank however its clock is moved: days are only added, an entry stays what it is, and
// balances add up to the last digit.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addMilliseconds, days, toIsoDate } from '../../src/clock.ts';
import type { BankTransaction } from '../../src/connectors/connector.ts';
import { dayOf, dayOfDate, monthOf } from '../../src/connectors/sandbox/calendar.ts';
import { makeLargeAccount } from '../../src/connectors/sandbox/largeAccount.ts';
import { type Ledger, toBankTransactions } from '../../src/connectors/sandbox/ledger.ts';
import { decimalText, sum } from '../../src/connectors/sandbox/money.ts';
import { makePersonaLedgers } from '../../src/connectors/sandbox/personaLedger.ts';
import {
  minorUnits,
  openSandbox,
  readAllAccounts,
  type TestSandbox,
  today,
  total,
} from '../support/sandboxConnector.ts';

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await openSandbox({ slowStepMs: 0 });
});
afterAll(() => sandbox.close());

const usernames = fc.constantFrom('good', 'usd', 'jpy', 'bhd', 'slow');
const moments = fc
  .integer({ min: 0, max: 3 * 365 * 24 })
  .map((hours) => addMilliseconds(today, hours * 3_600_000));
const posted = (entries: BankTransaction[]): BankTransaction[] =>
  entries.filter(({ status }) => status === 'posted');

test('a moved clock adds days and posts what was pending, and changes nothing else', async () => {
  const check = async (username: string, now: Date, daysLater: number): Promise<void> => {
    const later = addMilliseconds(now, days(daysLater));
    const before = (await readAllAccounts(sandbox.connector, { username, now })).seen;
    const then = (await readAllAccounts(sandbox.connector, { username, now: later })).seen;
    expect(then.map(({ account }) => account.id)).toEqual(before.map(({ account }) => account.id));
    for (const [at, { account, transactions }] of before.entries()) {
      const byId = new Map(then[at]!.transactions.map((entry) => [entry.id, entry]));
      const firstShown = toIsoDate(addMilliseconds(later, -days(729)));
      for (const was of transactions.filter(({ date }) => date >= firstShown)) {
        const is = byId.get(was.id);
        if (!is) throw new Error(`${JSON.stringify(was)} is gone.`);
        expect({ ...is, status: '' }).toEqual({ ...was, status: '' });
        if (was.status === 'posted') expect(is.status).toBe('posted');
        byId.delete(was.id);
      }
      const added = [...byId.values()];
      expect(added.every(({ date }) => date > toIsoDate(now))).toBe(true);
      // The balance has changed by exactly what has posted meanwhile.
      const settled = new Set(posted(transactions).map(({ id }) => id));
      const newly = posted(then[at]!.transactions).filter(({ id }) => !settled.has(id));
      const change = minorUnits(then[at]!.account.balance.current) - minorUnits(account.balance.current);
      expect(change).toBe(total(newly));
    }
  };
  await fc.assert(fc.asyncProperty(usernames, moments, fc.integer({ min: 0, max: 100 }), check), {
    numRuns: 25,
  });
});

test('what is available is the balance, the limit and what is pending', async () => {
  await fc.assert(
    fc.asyncProperty(usernames, moments, async (username, now) => {
      for (const { account, transactions } of (await readAllAccounts(sandbox.connector, { username, now }))
        .seen) {
        const { current, available, limit = '0' } = account.balance;
        const pending = transactions.filter(({ status }) => status === 'pending');
        expect(minorUnits(available!)).toBe(minorUnits(current) + minorUnits(limit) + total(pending));
      }
    }),
    { numRuns: 25 },
  );
});

const ledgers = (seed: string, currency: 'EUR' | 'JPY' | 'BHD', twins: boolean): Ledger[] => [
  ...makePersonaLedgers({ seed, currency, twins }, ['checking', 'savings', 'card']),
  makeLargeAccount(seed),
];

test('a ledger of any person adds up over any span of days', () => {
  const spans = fc.tuple(fc.integer({ min: 0, max: 30_000 }), fc.integer({ min: 0, max: 70 }));
  fc.assert(
    fc.property(
      fc.string(),
      fc.constantFrom('EUR', 'JPY', 'BHD'),
      fc.boolean(),
      spans,
      (seed, currency, twins, [from, length]) => {
        for (const ledger of ledgers(seed, currency, twins)) {
          const span = [...ledger.plannedTransactions(from, from + length)];
          expect(ledger.count(from, from + length)).toBe(span.length);
          expect(span.every(({ day }) => day >= from && day <= from + length)).toBe(true);
          expect(span.map(({ day }) => day)).toEqual(span.map(({ day }) => day).sort((a, b) => a - b));
          const change = ledger.balanceBefore(from + length + 1) - ledger.balanceBefore(from);
          expect(change).toBe(sum(span.map(({ minor }) => minor)));
          const ids = [...toBankTransactions(ledger, from, from + length)].map(({ id }) => id);
          expect(new Set(ids).size).toBe(ids.length);
        }
      },
    ),
    { numRuns: 60 },
  );
});

test('days and months are those of the calendar', () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date('1900-01-01'), max: new Date('2199-12-31'), noInvalidDate: true }),
      (moment) => {
        expect(dayOfDate(toIsoDate(moment))).toBe(dayOf(moment));
        expect(monthOf(dayOf(moment))).toBe(moment.getUTCFullYear() * 12 + moment.getUTCMonth());
      },
    ),
  );
});

test('minor units print with the decimals of their currency, and nothing is lost', () => {
  fc.assert(
    fc.property(fc.bigInt(), (minor) => {
      for (const currency of ['EUR', 'JPY', 'BHD'] as const) {
        expect(minorUnits(decimalText(currency, minor))).toBe(minor);
      }
    }),
  );
  expect(['EUR', 'JPY', 'BHD'].map((currency) => decimalText(currency as 'EUR', -5n))).toEqual([
    '-0.05',
    '-5',
    '-0.005',
  ]);
});
