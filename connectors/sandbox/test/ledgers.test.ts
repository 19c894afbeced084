// Tests that the sandbox's data is consistent under any clock: advancing the clock only adds days, transactions stay the same,
// and balances are exact sums.

import { type BankTransaction, toDayNumber, toIsoDate } from '@bank-connection/connector-kit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { makeLargeAccount } from '../largeAccount.ts';
import { dayOf, decimalText, type Ledger, monthOf, sum, toBankTransactions } from '../ledger.ts';
import { makePersonaLedgers } from '../personaLedger.ts';
import { daysAfter, makeConnector, minorUnits, readAllAccounts, today, total } from './fixture.ts';

const connector = makeConnector();

const usernames = fc.constantFrom('good', 'usd', 'jpy', 'bhd', 'slow');
const moments = fc
  .integer({ min: 0, max: 3 * 365 * 24 })
  .map((hours) => new Date(today.getTime() + hours * 3_600_000));
const posted = (transactions: BankTransaction[]): BankTransaction[] =>
  transactions.filter(({ status }) => status === 'posted');

test('advancing the clock adds days and posts pending transactions, and changes nothing else', async () => {
  const check = async (username: string, now: Date, daysLater: number): Promise<void> => {
    const later = daysAfter(now, daysLater);
    const before = (await readAllAccounts(connector, { username, now })).seen;
    const after = (await readAllAccounts(connector, { username, now: later })).seen;
    expect(after.map(({ account }) => account.id)).toEqual(before.map(({ account }) => account.id));
    for (const [index, { account, transactions }] of before.entries()) {
      const byId = new Map(after[index]!.transactions.map((transaction) => [transaction.id, transaction]));
      const firstDate = toIsoDate(daysAfter(later, -729));
      for (const previous of transactions.filter(({ date }) => date >= firstDate)) {
        const current = byId.get(previous.id);
        if (!current) throw new Error(`${JSON.stringify(previous)} is missing.`);
        expect({ ...current, status: '' }).toEqual({ ...previous, status: '' });
        if (previous.status === 'posted') expect(current.status).toBe('posted');
        byId.delete(previous.id);
      }
      const added = [...byId.values()];
      expect(added.every(({ date }) => date > toIsoDate(now))).toBe(true);
      // The balance changed by exactly the newly posted transactions.
      const postedBefore = new Set(posted(transactions).map(({ id }) => id));
      const newlyPosted = posted(after[index]!.transactions).filter(({ id }) => !postedBefore.has(id));
      const change = minorUnits(after[index]!.account.balance.current) - minorUnits(account.balance.current);
      expect(change).toBe(total(newlyPosted));
    }
  };
  await fc.assert(fc.asyncProperty(usernames, moments, fc.integer({ min: 0, max: 100 }), check), {
    numRuns: 25,
  });
});

test('available is the sum of balance, limit and pending transactions', async () => {
  await fc.assert(
    fc.asyncProperty(usernames, moments, async (username, now) => {
      for (const { account, transactions } of (await readAllAccounts(connector, { username, now })).seen) {
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

test('a ledger of any seed adds up over any range of days', () => {
  const ranges = fc.tuple(fc.integer({ min: 0, max: 30_000 }), fc.integer({ min: 0, max: 70 }));
  fc.assert(
    fc.property(
      fc.string(),
      fc.constantFrom('EUR', 'JPY', 'BHD'),
      fc.boolean(),
      ranges,
      (seed, currency, twins, [from, length]) => {
        for (const ledger of ledgers(seed, currency, twins)) {
          const range = [...ledger.plannedTransactions(from, from + length)];
          expect(ledger.count(from, from + length)).toBe(range.length);
          expect(range.every(({ day }) => day >= from && day <= from + length)).toBe(true);
          expect(range.map(({ day }) => day)).toEqual(range.map(({ day }) => day).sort((a, b) => a - b));
          const change = ledger.balanceBefore(from + length + 1) - ledger.balanceBefore(from);
          expect(change).toBe(sum(range.map(({ minor }) => minor)));
          const ids = [...toBankTransactions(ledger, from, from + length)].map(({ id }) => id);
          expect(new Set(ids).size).toBe(ids.length);
        }
      },
    ),
    { numRuns: 60 },
  );
});

test('day and month numbers match the calendar', () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date('1900-01-01'), max: new Date('2199-12-31'), noInvalidDate: true }),
      (moment) => {
        expect(toDayNumber(toIsoDate(moment))).toBe(dayOf(moment));
        expect(monthOf(dayOf(moment))).toBe(moment.getUTCFullYear() * 12 + moment.getUTCMonth());
      },
    ),
  );
});

test('minor units are formatted with the decimals of their currency, without loss', () => {
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
