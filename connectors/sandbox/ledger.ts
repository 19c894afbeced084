// A ledger computes the transactions of one account. The same range of days always gives the same transactions, so advancing the
// clock only adds days. Status and balance follow from the plan and today's date.
import {
  type Balance,
  type BankAccount,
  type BankTransaction,
  fromDayNumber,
} from '@bank-connection/connector-kit';
import { stableHash } from './seededRandom.ts';

/** A transaction that is pending for `pendingDays` days and then posts under the same id. */
export type PlannedTransaction = {
  day: number;
  /** In minor units. */
  minor: bigint;
  description: string;
  reference: string;
  pendingDays: number;
};

export type Ledger = Pick<BankAccount, 'id' | 'name' | 'number' | 'subtype'> & {
  type: 'depository' | 'credit';
  currency: Currency;
  /** In minor units. */
  limit?: bigint;
  /** The transactions in a range of days, inclusive, oldest first. Computed during iteration. */
  plannedTransactions(from: number, to: number): Iterable<PlannedTransaction>;
  /** The number of transactions in `plannedTransactions`. */
  count(from: number, to: number): number;
  /** The opening balance plus all transactions before a day, in minor units. */
  balanceBefore(day: number): bigint;
};

/** A plan by month: the balance at the start of a month, and its transactions ordered by day. */
export type MonthlyTransactions = {
  opening(month: number): bigint;
  transactions(month: number): readonly PlannedTransaction[];
};

/** The longest time that a transaction stays pending. */
const pendingDaysMax = 3;

export type LedgerPlan = Pick<Ledger, 'plannedTransactions' | 'count' | 'balanceBefore'>;

export const planByMonth = ({ opening, transactions }: MonthlyTransactions): LedgerPlan => ({
  *plannedTransactions(from, to) {
    for (let month = monthOf(from); month <= monthOf(to); month++)
      yield* inDayRange(transactions(month), from, to);
  },
  count: (from, to) => {
    let count = 0;
    for (let month = monthOf(from); month <= monthOf(to); month++) {
      count += inDayRange(transactions(month), from, to).length;
    }
    return count;
  },
  balanceBefore: (day) => {
    const month = monthOf(day);
    const before = transactions(month).filter((planned) => planned.day < day);
    return opening(month) + sum(before.map(({ minor }) => minor));
  },
});

const inDayRange = (
  transactions: readonly PlannedTransaction[],
  from: number,
  to: number,
): readonly PlannedTransaction[] => transactions.filter(({ day }) => day >= from && day <= to);

/** The transactions in a range of days, with today's status. Their ids never change. */
export function* toBankTransactions(
  ledger: Ledger,
  from: number,
  today: number,
): Iterable<BankTransaction & { id: string }> {
  let day = Number.NaN;
  let date = '';
  let index = 0;
  for (const planned of ledger.plannedTransactions(from, today)) {
    if (planned.day !== day) {
      day = planned.day;
      date = fromDayNumber(day);
      index = 0;
    }
    index += 1;
    yield {
      id: `${date.replaceAll('-', '')}-${index}-${stableHash(ledger.id, day, index).slice(0, 8)}`,
      date,
      amount: decimalText(ledger.currency, planned.minor),
      description: planned.description,
      reference: planned.reference,
      status: hasPosted(planned, today) ? 'posted' : 'pending',
    };
  }
}

/**
 * Today's balance. Posted transactions change `current`; pending ones change only `available`. `additional` has the totals of
 * transactions outside the ledger, in minor units.
 */
export const balanceOf = (
  ledger: Ledger,
  today: number,
  additional: { posted: bigint; pending: bigint } = { posted: 0n, pending: 0n },
): Omit<Balance, 'asOf'> => {
  // Everything before this day has posted.
  const recentFrom = today - pendingDaysMax + 1;
  const recent = [...ledger.plannedTransactions(recentFrom, today)];
  const total = (posted: boolean): bigint =>
    sum(recent.filter((planned) => hasPosted(planned, today) === posted).map(({ minor }) => minor));
  const current = ledger.balanceBefore(recentFrom) + total(true) + additional.posted;
  const available = (ledger.limit ?? 0n) + current + total(false) + additional.pending;
  const toText = (minor: bigint): string => decimalText(ledger.currency, minor);
  return {
    current: toText(current),
    available: toText(available),
    ...(ledger.limit === undefined ? {} : { limit: toText(ledger.limit) }),
  };
};

const hasPosted = (planned: PlannedTransaction, today: number): boolean =>
  today - planned.day >= planned.pendingDays;

const dayMilliseconds = 86_400_000;

export const dayOf = (moment: Date): number => Math.floor(moment.getTime() / dayMilliseconds);

export const monthOf = (day: number): number => {
  const moment = new Date(day * dayMilliseconds);
  return moment.getUTCFullYear() * 12 + moment.getUTCMonth();
};

export const firstDayOf = (month: number): number =>
  Math.floor(Date.UTC(Math.floor(month / 12), month % 12, 1) / dayMilliseconds);

export const lastDayOf = (month: number): number => firstDayOf(month + 1) - 1;

export const isJanuary = (month: number): boolean => month % 12 === 0;

const monthNames = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];

/** A month as printed on statements: NOV 2026. */
export const monthText = (month: number): string => `${monthNames[month % 12]} ${Math.floor(month / 12)}`;

/** The history always has the same number of days: two years. */
export const historyDays = 730;

/** The first day of today's history. */
export const firstHistoryDay = (today: number): number => today - historyDays + 1;

export type Currency = 'EUR' | 'USD' | 'JPY' | 'BHD';

// The value of one euro cent in minor units, as numerator and denominator, so that the same data exists in every currency.
const currencies: Record<Currency, { decimals: number; perCent: [bigint, bigint] }> = {
  EUR: { decimals: 2, perCent: [1n, 1n] },
  USD: { decimals: 2, perCent: [1n, 1n] },
  JPY: { decimals: 0, perCent: [8n, 5n] },
  BHD: { decimals: 3, perCent: [9n, 2n] },
};

/** Converts euro cents to minor units of a currency. */
export const price = (currency: Currency, cents: number): bigint => {
  const [numerator, denominator] = currencies[currency].perCent;
  return (BigInt(cents) * numerator) / denominator;
};

/** Converts minor units to decimal text: -1234n becomes "-12.34" in EUR and "-1234" in JPY. */
export const decimalText = (currency: Currency, minor: bigint): string => {
  const { decimals } = currencies[currency];
  const digits = (minor < 0n ? -minor : minor).toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  return `${minor < 0n ? '-' : ''}${whole}${decimals > 0 ? `.${digits.slice(-decimals)}` : ''}`;
};

export const sum = (amounts: Iterable<bigint>): bigint => {
  let total = 0n;
  for (const amount of amounts) total += amount;
  return total;
};
