// The accounts of the default sandbox users: salary, rent, groceries, a credit card that is paid off, and savings. The three
// accounts are consistent: both accounts show a transfer on the same day with the same amount.
import { LRUCache } from 'lru-cache';
import {
  type Currency,
  firstDayOf,
  isJanuary,
  type Ledger,
  type LedgerPlan,
  lastDayOf,
  type MonthlyTransactions,
  monthText,
  type PlannedTransaction,
  planByMonth,
  price,
  sum,
} from './ledger.ts';
import { discretionary, employers, groceries, landlords } from './merchantNames.ts';
import { type SeededRandom, seededRandom, stableHash } from './seededRandom.ts';

export type AccountKind = 'checking' | 'savings' | 'card';

/** A simulated account holder; `seed` determines all transactions. */
export type Persona = { seed: string; currency: Currency; twins: boolean };

const billDay = 5;
const savingDay = 26;
const monthlySavingCents = 25_000;
// One day in every two years, so that any history of two years has exactly one.
const twinPeriod = 730;
const twinDay = 300;

/** The persona's accounts of these kinds. */
export const makePersonaLedgers = (persona: Persona, kinds: readonly AccountKind[]): Ledger[] => {
  const card = cardMonths(persona);
  const months: Record<AccountKind, MonthlyTransactions> = {
    checking: checkingMonths(persona, card),
    savings: savingsMonths(persona),
    card,
  };
  return kinds.map((kind) => ({ ...describeAccount(persona, kind), ...planByMonth(months[kind]) }));
};

export const accountNames: Record<AccountKind, string> = {
  checking: 'Everyday Checking',
  savings: 'Rainy Day Savings',
  card: 'Sandbox Credit Card',
};

const describeAccount = ({ seed, currency }: Persona, kind: AccountKind): Omit<Ledger, keyof LedgerPlan> => {
  const random = seededRandom(seed, kind, 'number');
  const account = {
    id: `${kind}-${stableHash(seed, kind)}`,
    name: accountNames[kind],
    currency,
    number: kind === 'card' ? `9${random.digits(15)}` : accountNumberFormats[currency](random),
  };
  if (kind !== 'card') return { ...account, type: 'depository', subtype: kind };
  return { ...account, type: 'credit', subtype: 'credit_card', limit: price(currency, 800_000) };
};

const accountNumberFormats: Record<Currency, (random: SeededRandom) => string> = {
  EUR: (random) => `DE${random.digits(20)}`,
  USD: (random) => random.digits(12),
  JPY: (random) => random.digits(10),
  BHD: (random) => `BH${random.digits(2)}SBOX${random.digits(14)}`,
};

/** Each month starts with the purchases of the previous month as debt, and pays them off. */
const cardMonths = ({ seed, currency }: Persona): MonthlyTransactions => {
  const purchases = memoize((month) =>
    daysOfMonth(month).flatMap((day) => {
      const random = seededRandom(seed, 'card', day);
      // At least one a day, so that there is always a pending transaction.
      return Array.from({ length: random.between(1, 2) }, () =>
        purchase(day, random, random.percent(40) ? groceries : discretionary, currency),
      );
    }),
  );
  const opening = (month: number): bigint => sum(purchases(month - 1).map(({ minor }) => minor));
  const payment = (month: number): PlannedTransaction => ({
    day: firstDayOf(month) + billDay - 1,
    minor: -opening(month),
    description: 'PAYMENT RECEIVED - THANK YOU',
    reference: referenceOf('BILL', seed, 'bill', month),
    pendingDays: 0,
  });
  return { opening, transactions: memoize((month) => sortByDay([payment(month), ...purchases(month)])) };
};

/** The savings account returns to its opening balance each January, when the year's gain is invested. */
const savingsMonths = ({ seed, currency }: Persona): MonthlyTransactions => {
  const base = price(currency, seededRandom(seed, 'savings').between(300_000, 900_000));
  const saving = price(currency, monthlySavingCents);
  // 2.4% a year, paid monthly.
  const interest = (balance: bigint): bigint => (balance * 24n) / 12_000n;
  const afterMonth = (balance: bigint): bigint => balance + saving + interest(balance);
  const opening = (month: number): bigint => {
    let balance = base;
    for (let left = isJanuary(month) ? 12 : month % 12; left > 0; left--) balance = afterMonth(balance);
    return balance;
  };
  const transactions = (month: number): PlannedTransaction[] => {
    const first = firstDayOf(month);
    const start = isJanuary(month) ? base : opening(month);
    const planned = (kind: string, day: number, minor: bigint, description: string): PlannedTransaction => ({
      day,
      minor,
      description,
      reference: referenceOf(kind, seed, kind, month),
      pendingDays: 0,
    });
    const monthly = [
      planned('SO', first + savingDay - 1, saving, 'STANDING ORDER FROM CHECKING'),
      planned('INT', lastDayOf(month), interest(start), `INTEREST ${monthText(month)}`),
    ];
    if (!isJanuary(month)) return monthly;
    return [planned('TRF', first + 14, base - opening(month), 'TRANSFER TO BROKERAGE ACCOUNT'), ...monthly];
  };
  return { opening, transactions: memoize(transactions) };
};

/** Each month starts with a fixed balance; a transfer to or from a joint account settles the rest. */
const checkingMonths = (persona: Persona, card: MonthlyTransactions): MonthlyTransactions => {
  const { seed, currency } = persona;
  const opening = (month: number): bigint =>
    price(currency, seededRandom(seed, 'level', month).between(90_000, 190_000));
  const transactions = (month: number): PlannedTransaction[] => {
    const known = [
      ...recurringTransactions(persona, month, card.opening(month)),
      ...dailyPurchases(persona, month),
    ];
    const rest = opening(month + 1) - opening(month) - sum(known.map(({ minor }) => minor));
    const joint: PlannedTransaction = {
      day: firstDayOf(month) + 27,
      minor: rest,
      description: rest < 0n ? 'TRANSFER TO JOINT ACCOUNT' : 'TRANSFER FROM JOINT ACCOUNT',
      reference: referenceOf('TRF', seed, 'joint', month),
      pendingDays: 1,
    };
    return sortByDay([...known, joint]);
  };
  return { opening, transactions: memoize(transactions) };
};

const recurringTransactions = (
  { seed, currency }: Persona,
  month: number,
  bill: bigint,
): PlannedTransaction[] => {
  const profile = seededRandom(seed, 'life');
  const salary = profile.between(280_000, 460_000);
  const rent = Math.round(salary * 0.3);
  const employer = profile.pick(employers);
  const landlord = profile.pick(landlords);
  const random = seededRandom(seed, 'regular', month);
  const rows: [day: number, minor: bigint, pendingDays: number, kind: string, description: string][] = [
    [1, price(currency, salary), 0, 'PAY', `SALARY ${employer}`],
    [2, -price(currency, rent), 1, 'SO', `${landlord} RENT ${monthText(month)}`],
    [3, -price(currency, random.between(6_100, 11_900)), 2, 'DD', 'CITY POWER AND WATER'],
    [billDay, bill, 0, 'DD', 'SANDBOX CARD SERVICES'],
    [8, -price(currency, 3_990), 2, 'DD', 'FIBRELINE INTERNET'],
    [12, -price(currency, 1_999), 2, 'DD', 'TIDAL MOBILE'],
    [20, -price(currency, random.between(2, 5) * 2_000), 1, 'ATM', 'CASH WITHDRAWAL ATM 0217'],
    [savingDay, -price(currency, monthlySavingCents), 0, 'SO', 'STANDING ORDER TO SAVINGS'],
  ];
  return rows.map(([day, minor, pendingDays, kind, description]) => ({
    day: firstDayOf(month) + day - 1,
    minor,
    description,
    reference: referenceOf(kind, seed, description, month),
    pendingDays,
  }));
};

const dailyPurchases = ({ seed, currency, twins }: Persona, month: number): PlannedTransaction[] =>
  daysOfMonth(month).flatMap((day) => {
    const random = seededRandom(seed, 'needs', day);
    const purchases = random.percent(70) ? [purchase(day, random, groceries, currency)] : [];
    if (!twins || day % twinPeriod !== twinDay) return purchases;
    const coffee = purchase(day, random, discretionary.slice(0, 1), currency);
    return [...purchases, coffee, { ...coffee }];
  });

const purchase = (
  day: number,
  random: SeededRandom,
  merchants: typeof groceries,
  currency: Currency,
): PlannedTransaction => {
  const [name, min, max] = random.pick(merchants);
  return {
    day,
    minor: -price(currency, random.between(min, max)),
    description: `CARD PURCHASE ${name}`,
    reference: `POS ${random.digits(4)} ${random.digits(8)}`,
    pendingDays: random.between(1, 3),
  };
};

const referenceOf = (kind: string, ...parts: (string | number)[]): string => {
  const hash = stableHash(...parts).slice(0, 10);
  return `${kind} ${hash.toUpperCase()}`;
};

const daysOfMonth = (month: number): number[] => {
  const first = firstDayOf(month);
  return Array.from({ length: firstDayOf(month + 1) - first }, (_, index) => first + index);
};

const sortByDay = (transactions: PlannedTransaction[]): PlannedTransaction[] =>
  transactions.sort((left, right) => left.day - right.day);

/** Caches more months than a history has. */
const memoize = <Value extends object>(make: (month: number) => Value): ((month: number) => Value) => {
  const cache = new LRUCache<number, Value>({ max: 48, memoMethod: make });
  return (month) => cache.memo(month);
};
