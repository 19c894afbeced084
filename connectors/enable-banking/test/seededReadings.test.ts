// Tests that the seeded readings contain all disturbances.
import { expect, test } from 'vitest';
import type { FakeTransaction } from './fakeProvider/account.ts';
import { seededReadings } from './seededReadings.ts';

/** The content of a row that stays the same when it posts. */
const paymentOf = ({ booking_date, remittance_information }: FakeTransaction): string =>
  `${booking_date} ${remittance_information}`;
const postedOf = (row: FakeTransaction): string =>
  `${paymentOf(row)} ${row.balance_after_transaction?.amount}`;

const isPosted = ({ status }: FakeTransaction): boolean => status === 'BOOK';

test('the same seed gives the same readings, and another one others', () => {
  const texts = [1, 1, 2].map((seed) => JSON.stringify([...seededReadings(seed, 30)]));
  expect(texts[1]).toBe(texts[0]);
  expect(texts[2]).not.toBe(texts[0]);
});

test('rows come late, twice and under new references, and a posted one is missing once at a time', () => {
  const found = { late: 0, twice: 0, missing: 0, neverPosted: 0, renumbered: 0 };
  const seen = new Set<string>();
  let before: FakeTransaction[] = [];
  let missingBefore: string[] = [];
  for (const { at, transactions, posted } of seededReadings(1, 200)) {
    const today = at.toISOString().slice(0, 10);
    const earliest = new Date(at.getTime() - 89 * 86_400_000).toISOString().slice(0, 10);
    const references = new Set(transactions.map(({ entry_reference }) => entry_reference));
    expect(references.size).toBe(transactions.length);
    const isNumberedAnew = before.length > 0 && !before.some((row) => references.has(row.entry_reference));
    found.renumbered += Number(isNumberedAnew);

    const payments = new Set(transactions.map(paymentOf));
    found.late += [...payments].filter((payment) => !seen.has(payment) && payment < today).length;
    for (const payment of payments) seen.add(payment);
    const pendingBefore = before.filter((row) => !isPosted(row));
    found.neverPosted += pendingBefore.filter((row) => !payments.has(paymentOf(row))).length;

    const booked = transactions.filter(isPosted).map(postedOf);
    found.twice += booked.length - new Set(booked).size;
    const recent = posted.filter(({ booking_date }) => booking_date! >= earliest).map(postedOf);
    const missing = recent.filter((row) => !booked.includes(row));
    expect(missing.filter((row) => missingBefore.includes(row))).toEqual([]);
    found.missing += missing.length;
    before = transactions;
    missingBefore = missing;
  }
  expect(Object.entries(found).filter(([, count]) => count < 5)).toEqual([]);
});
