// The people of the sandbox: a salary, a rent, groceries, a card that is paid off, and some savings. The three
// accounts tell one story: what one pays to another arrives there, on the same day and to the last digit.
import { firstDayOf, isJanuary, monthText } from './calendar.ts';
import { type SeededRandom, seededRandom, stableHash } from './seededRandom.ts';
import {
  type Ledger,
  lastDayOf,
  type MonthlyTransactions,
  type LedgerPlan,
  type PlannedTransaction,
  planByMonth,
} from './ledger.ts';
import { type Currency, price, sum } from './money.ts';
import { employers, groceries, landlords, discretionary } from './merchantNames.ts';

export type AccountKind = 'checking' | 'savings' | 'card';

/** Who this is: everything about them follows from `seed`. */
export type Persona = { seed: string; currency: Currency; twins: boolean };

const billDay = 5;
const savingDay = 26;
const monthlySavingCents = 25_000;
// One day in two years, so that a history of two years has exactly one, wherever the clock stands.
const twinPeriod = 730;
const twinDay = 300;

/** The accounts of one person, of the kinds asked for. */
export const makePersonaLedgers = (person: Persona, kinds: readonly AccountKind[]): Ledger[] => {
  const card = cardMonths(person);
  const months: Record<AccountKind, MonthlyTransactions> = {
    checking: checkingMonths(person, card),
    savings: savingsMonths(person),
    card,
  };
  return kinds.map((kind) => ({ ...describeAccount(person, kind), ...planByMonth(months[kind]) }));
};

const accountNames: Record<AccountKind, string> = {
  checking: 'Everyday Checking',
  savings: 'Rainy Day Savings',
  card: 'Sandbox Credit Card',
};

const describeAccount = ({ seed, currency }: Persona, kind: AccountKind): Omit<Ledger, keyof LedgerPlan> => {
  const roll = seededRandom(seed, kind, 'number');
  const account = {
    id: `${kind}-${stableHash(seed, kind)}`,
    name: accountNames[kind],
    currency,
    number: kind === 'card' ? `9${roll.digits(15)}` : accountNumberFormats[currency](roll),
  };
  if (kind !== 'card') return { ...account, type: 'depository' };
  return { ...account, type: 'credit', limit: price(currency, 800_000) };
};

const accountNumberFormats: Record<Currency, (roll: SeededRandom) => string> = {
  EUR: (roll) => `DE${roll.digits(20)}`,
  USD: (roll) => roll.digits(12),
  JPY: (roll) => roll.digits(10),
  BHD: (roll) => `BH${roll.digits(2)}SBOX${roll.digits(14)}`,
};

/** Every month of the card starts with what was spent in the month before, and pays that off. */
const cardMonths = ({ seed, currency }: Persona): MonthlyTransactions => {
  const purchases = memoize((month) =>
    daysOfMonth(month).flatMap((day) => {
      const roll = seededRandom(seed, 'card', day);
      // At least one a day, so that some entry is always pending.
      return Array.from({ length: roll.between(1, 2) }, () =>
        purchase(day, roll, roll.percent(40) ? groceries : discretionary, currency),
      );
    }),
  );
  const opening = (month: number): bigint => sum(purchases(month - 1).map((entry) => entry.minor));
  const payment = (month: number): PlannedTransaction => ({
    ...postedAtOnce(firstDayOf(month) + billDay - 1, -opening(month)),
    description: 'PAYMENT RECEIVED - THANK YOU',
    reference: `BILL ${stableHash(seed, 'bill', month).slice(0, 10).toUpperCase()}`,
  });
  return { opening, transactions: memoize((month) => byDay([payment(month), ...purchases(month)])) };
};

/** Every year of the savings account goes back to where it began: in January the gain is invested. */
const savingsMonths = ({ seed, currency }: Persona): MonthlyTransactions => {
  const base = price(currency, seededRandom(seed, 'savings').between(300_000, 900_000));
  const saved = price(currency, monthlySavingCents);
  // 2.4 % a year, a twelfth of it each month.
  const interest = (balance: bigint): bigint => (balance * 24n) / 12_000n;
  const afterMonth = (balance: bigint): bigint => balance + saved + interest(balance);
  const opening = (month: number): bigint => {
    let balance = base;
    for (let passed = isJanuary(month) ? 12 : month % 12; passed > 0; passed--) balance = afterMonth(balance);
    return balance;
  };
  const entries = (month: number): PlannedTransaction[] => {
    const first = firstDayOf(month);
    const start = isJanuary(month) ? base : opening(month);
    const reference = (kind: string): string =>
      `${kind} ${stableHash(seed, kind, month).slice(0, 10).toUpperCase()}`;
    const usual: PlannedTransaction[] = [
      {
        ...postedAtOnce(first + savingDay - 1, saved),
        description: 'STANDING ORDER FROM CHECKING',
        reference: reference('SO'),
      },
      {
        ...postedAtOnce(lastDayOf(month), interest(start)),
        description: `INTEREST ${monthText(month)}`,
        reference: reference('INT'),
      },
    ];
    if (!isJanuary(month)) return usual;
    const invested = {
      ...postedAtOnce(first + 14, base - opening(month)),
      description: 'TRANSFER TO BROKERAGE ACCOUNT',
    };
    return [{ ...invested, reference: reference('TRF') }, ...usual];
  };
  return { opening, transactions: memoize(entries) };
};

/** Every month of the checking account starts at a level of its own; what is over goes to the joint account. */
const checkingMonths = (person: Persona, card: MonthlyTransactions): MonthlyTransactions => {
  const { seed, currency } = person;
  const opening = (month: number): bigint =>
    price(currency, seededRandom(seed, 'level', month).between(90_000, 190_000));
  const entries = (month: number): PlannedTransaction[] => {
    const known = [
      ...recurringTransactions(person, month, card.opening(month)),
      ...dailyPurchases(person, month),
    ];
    const rest = opening(month + 1) - opening(month) - sum(known.map((entry) => entry.minor));
    const joint: PlannedTransaction = {
      day: firstDayOf(month) + 27,
      minor: rest,
      description: rest < 0n ? 'TRANSFER TO JOINT ACCOUNT' : 'TRANSFER FROM JOINT ACCOUNT',
      reference: `TRF ${stableHash(seed, 'joint', month).slice(0, 10).toUpperCase()}`,
      pendingDays: 1,
    };
    return byDay([...known, joint]);
  };
  return { opening, transactions: memoize(entries) };
};

/** What comes and goes every month. */
const recurringTransactions = (
  { seed, currency }: Persona,
  month: number,
  bill: bigint,
): PlannedTransaction[] => {
  const life = seededRandom(seed, 'life');
  const salary = life.between(280_000, 460_000);
  const rent = Math.round(salary * 0.3);
  const employer = life.pick(employers);
  const landlord = life.pick(landlords);
  const roll = seededRandom(seed, 'regular', month);
  const lines: [day: number, minor: bigint, pendingDays: number, kind: string, description: string][] = [
    [1, price(currency, salary), 0, 'PAY', `SALARY ${employer}`],
    [2, -price(currency, rent), 1, 'SO', `${landlord} RENT ${monthText(month)}`],
    [3, -price(currency, roll.between(6_100, 11_900)), 2, 'DD', 'CITY POWER AND WATER'],
    [billDay, bill, 0, 'DD', 'SANDBOX CARD SERVICES'],
    [8, -price(currency, 3_990), 2, 'DD', 'FIBRELINE INTERNET'],
    [12, -price(currency, 1_999), 2, 'DD', 'TIDAL MOBILE'],
    [20, -price(currency, roll.between(2, 5) * 2_000), 1, 'ATM', 'CASH WITHDRAWAL ATM 0217'],
    [savingDay, -price(currency, monthlySavingCents), 0, 'SO', 'STANDING ORDER TO SAVINGS'],
  ];
  return lines.map(([day, minor, pendingDays, kind, description]) => ({
    day: firstDayOf(month) + day - 1,
    minor,
    description,
    reference: `${kind} ${stableHash(seed, description, month).slice(0, 10).toUpperCase()}`,
    pendingDays,
  }));
};

const dailyPurchases = ({ seed, currency, twins }: Persona, month: number): PlannedTransaction[] =>
  daysOfMonth(month).flatMap((day) => {
    const roll = seededRandom(seed, 'needs', day);
    const bought = roll.percent(70) ? [purchase(day, roll, groceries, currency)] : [];
    if (!twins || day % twinPeriod !== twinDay) return bought;
    const coffee = purchase(day, roll, discretionary.slice(0, 1), currency);
    return [...bought, coffee, { ...coffee }];
  });

const purchase = (
  day: number,
  roll: SeededRandom,
  shops: typeof groceries,
  currency: Currency,
): PlannedTransaction => {
  const [name, least, most] = roll.pick(shops);
  return {
    day,
    minor: -price(currency, roll.between(least, most)),
    description: `CARD PURCHASE ${name}`,
    reference: `POS ${roll.digits(4)} ${roll.digits(8)}`,
    pendingDays: roll.between(1, 3),
  };
};

const postedAtOnce = (
  day: number,
  minor: bigint,
): Pick<PlannedTransaction, 'day' | 'minor' | 'pendingDays'> => ({
  day,
  minor,
  pendingDays: 0,
});

const daysOfMonth = (month: number): number[] => {
  const first = firstDayOf(month);
  return Array.from({ length: firstDayOf(month + 1) - first }, (_, at) => first + at);
};

const byDay = (entries: PlannedTransaction[]): PlannedTransaction[] =>
  entries.sort((left, right) => left.day - right.day);

const memoize = <Value>(make: (month: number) => Value): ((month: number) => Value) => {
  const made = new Map<number, Value>();
  return (month) => {
    const known = made.get(month);
    if (known !== undefined) return known;
    const value = make(month);
    made.set(month, value);
    return value;
  };
};
