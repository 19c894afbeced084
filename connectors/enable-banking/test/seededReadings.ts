// Generates readings of an account whose bank renumbers, repeats, delays and drops rows. The same seed gives the same readings.
import { createHash } from 'node:crypto';
import { fromDayNumber, toDayNumber } from '@bank-connection/connector-kit';
import { type FakeTransaction, fakeTransaction } from './fakeProvider/account.ts';

export type SeededReading = {
  /** Noon on the day after the previous reading. */
  at: Date;
  /** The bank's rows of the last 90 days, oldest first, for `FakeAccount.transactions`. */
  transactions: FakeTransaction[];
  /** The ledger's rows that have been delivered as posted so far, each once. */
  posted: readonly FakeTransaction[];
};

type Entry = {
  key: string;
  /** The row once it is posted. */
  row: FakeTransaction;
  /** Days since 1970. Some rows are delivered days late; some are pending first, and some of those never post. */
  day: number;
  deliveredOn: number;
  postedOn: number;
};

const firstDay = toDayNumber('2024-01-01');
const historyDays = 90;
const merchants = ['Corner Pantry', 'Night Bus', 'Harbour Books'];

/** At least 0 and less than 1; the same for the same parts. */
const chance = (...parts: (string | number)[]): number =>
  createHash('sha256').update(parts.join(' ')).digest().readUInt32BE() / 2 ** 32;
const below = (limit: number, ...parts: (string | number)[]): number => Math.floor(chance(...parts) * limit);

const euros = (cents: number) => {
  const amount = `${Math.trunc(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
  return { currency: 'EUR', amount };
};

/** A day's entries, starting from a balance in cents. One in five payments is made twice; only the balance distinguishes them. */
const makeDay = (seed: number, day: number, balance: number): { entries: Entry[]; balance: number } => {
  const payments = Array.from({ length: below(3, seed, day, 'payments') }, (_, index) => index);
  const made = payments.flatMap((index) =>
    chance(seed, day, index, 'twice') < 0.2 ? [index, index] : [index],
  );
  let after = balance;
  const entries = made.map((payment, index): Entry => {
    const draw = (name: string, limit: number): number => below(limit, seed, day, payment, name);
    const key = `${day}.${index}`;
    const drawOne = (name: string, limit: number): number => below(limit, seed, key, name);
    const cents = 1 + draw('cents', 5000);
    const isDebit = draw('direction', 4) > 0 && after > 10_000;
    after += isDebit ? -cents : cents;
    const name = merchants[draw('merchant', merchants.length)]!;
    const row = fakeTransaction('', fromDayNumber(day), {
      ...{ transaction_amount: euros(cents), credit_debit_indicator: isDebit ? 'DBIT' : 'CRDT' },
      ...{ creditor: { name }, remittance_information: [`${name} ${draw('text', 100)}`] },
      balance_after_transaction: euros(after),
    });
    const deliveredOn = day + (drawOne('late', 10) === 0 ? 1 + drawOne('days late', 5) : 0);
    const pendingDays = drawOne('pending', 3) === 0 ? 1 + drawOne('days pending', 4) : 0;
    const isNeverPosted = pendingDays > 0 && drawOne('never posted', 5) === 0;
    return { key, row, day, deliveredOn, postedOn: isNeverPosted ? Infinity : deliveredOn + pendingDays };
  });
  return { entries, balance: after };
};

const neverPostedDays = 5;

/** The rows of an entry in a day's reading: none, one, or two with different references. */
const rowsOn = (
  seed: number,
  { key, row, day, deliveredOn, postedOn }: Entry,
  today: number,
  numbering: number,
) => {
  const reference = (kind: string): string => `${kind}-${below(2 ** 32, seed, numbering, key, kind)}`;
  const isDropped = (on: number): boolean => on > postedOn && chance(seed, key, on, 'dropped') < 0.02;
  if (today < deliveredOn || today - day >= historyDays) return [];
  if (today < postedOn) {
    const { balance_after_transaction: _, ...pending } = row;
    const isOver = postedOn === Infinity && today > deliveredOn + neverPostedDays;
    return isOver ? [] : [{ ...pending, entry_reference: reference('pending'), status: 'PDNG' as const }];
  }
  // Never in two consecutive readings, which would mean that the row is gone.
  if (isDropped(today) && !isDropped(today - 1)) return [];
  const posted = { ...row, entry_reference: reference('posted') };
  const isRepeated = chance(seed, key, today, 'repeated') < 0.03;
  return isRepeated ? [posted, { ...row, entry_reference: reference('again') }] : [posted];
};

/** Readings on `count` consecutive days. One in twenty gives the whole history new references. */
export function* seededReadings(seed: number, count: number): Generator<SeededReading> {
  const entries: Entry[] = [];
  const posted = new Set<FakeTransaction>();
  let balance = 1_000_000;
  let numbering = 0;
  for (let today = firstDay; today < firstDay + count; today++) {
    const made = makeDay(seed, today, balance);
    balance = made.balance;
    entries.push(...made.entries);
    if (chance(seed, today, 'renumbered') < 0.05) numbering += 1;
    const transactions = entries.flatMap((entry) => {
      const rows = rowsOn(seed, entry, today, numbering);
      if (rows.some(({ status }) => status === 'BOOK')) posted.add(entry.row);
      return rows;
    });
    yield { at: new Date(`${fromDayNumber(today)}T12:00:00Z`), transactions, posted: [...posted] };
  }
}
