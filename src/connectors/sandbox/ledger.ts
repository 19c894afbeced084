// A ledger plans the entries of one account: any span of days can be asked for and is always the same, so that
// moving the clock only adds new days. What has posted by a given day, and the balance, follow from the plan.
import type { BankAccount, BankTransaction } from '../connector.ts';
import { dateOfDay, firstDayOf, monthOf } from './calendar.ts';
import { stableHash } from './seededRandom.ts';
import { type Currency, decimalText, sum } from './money.ts';

/** One entry as planned. It is pending for `pendingDays` days, and then posts as the same entry. */
export type PlannedTransaction = {
  day: number;
  minor: bigint;
  description: string;
  reference: string;
  pendingDays: number;
};

export type Ledger = Pick<BankAccount, 'id' | 'name' | 'number'> & {
  type: 'depository' | 'credit';
  currency: Currency;
  /** The credit limit in minor units. */
  limit?: bigint;
  /** Everything planned from one day to another, both included; oldest first, and made while it is asked for. */
  plannedTransactions(from: number, to: number): Iterable<PlannedTransaction>;
  /** How many entries that is. */
  count(from: number, to: number): number;
  /** The opening balance and everything planned before a day. */
  balanceBefore(day: number): bigint;
};

/** What makes a ledger out of months: what a month starts with, and its entries in the order of their days. */
export type MonthlyTransactions = {
  opening(month: number): bigint;
  transactions(month: number): readonly PlannedTransaction[];
};

export const pendingDaysMax = 3;

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
    const before = transactions(month).filter((entry) => entry.day < day);
    return opening(month) + sum(before.map((entry) => entry.minor));
  },
});

const inDayRange = (
  entries: readonly PlannedTransaction[],
  from: number,
  to: number,
): readonly PlannedTransaction[] => entries.filter(({ day }) => day >= from && day <= to);

/** The entries from one day to today as the bank shows them today, each with an id that it keeps for life. */
export function* toBankTransactions(
  ledger: Ledger,
  from: number,
  today: number,
): Iterable<BankTransaction & { id: string }> {
  let day = Number.NaN;
  let index = 0;
  for (const planned of ledger.plannedTransactions(from, today)) {
    index = planned.day === day ? index + 1 : 1;
    day = planned.day;
    const date = dateOfDay(day);
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

/** What an account comes to: posted entries make the balance, pending ones only lessen what is available. */
export const balanceOf = (
  ledger: Ledger,
  today: number,
  moved: { posted: bigint; pending: bigint } = { posted: 0n, pending: 0n },
): BankAccount['balance'] => {
  // Whatever is older than this has posted.
  const unsettledFrom = today - pendingDaysMax + 1;
  const recent = [...ledger.plannedTransactions(unsettledFrom, today)];
  const total = (posted: boolean): bigint =>
    sum(recent.filter((entry) => hasPosted(entry, today) === posted).map((entry) => entry.minor));
  const current = ledger.balanceBefore(unsettledFrom) + total(true) + moved.posted;
  const available = (ledger.limit ?? 0n) + current + total(false) + moved.pending;
  const text = (minor: bigint): string => decimalText(ledger.currency, minor);
  return {
    current: text(current),
    available: text(available),
    ...(ledger.limit === undefined ? {} : { limit: text(ledger.limit) }),
  };
};

const hasPosted = (planned: PlannedTransaction, today: number): boolean =>
  today - planned.day >= planned.pendingDays;

/** The last day of a month. */
export const lastDayOf = (month: number): number => firstDayOf(month + 1) - 1;
