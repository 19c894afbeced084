// The people of the sandbox: a salary, a rent, groceries, a card that is paid off, and some savings. The three
// accounts tell one story: what one pays to another arrives there, on the same day and to the last digit.
import { firstDayOf, isJanuary, monthText } from './calendar.ts';
import { type Dice, dice, mark } from './dice.ts';
import { type Ledger, lastDayOf, type Months, type Plan, type Planned, plannedByMonth } from './ledger.ts';
import { type Currency, price, sum } from './money.ts';
import { employers, groceries, landlords, pleasures } from './shops.ts';

export type AccountKind = 'checking' | 'savings' | 'card';

/** Who this is: everything about them follows from `seed`. */
export type Person = { seed: string; currency: Currency; twins: boolean };

const billDay = 5;
const savingDay = 26;
const savedCents = 25_000;
// One day in two years, so that a history of two years has exactly one, wherever the clock stands.
const twinPeriod = 730;
const twinDay = 300;

/** The accounts of one person, of the kinds asked for. */
export const makeHousehold = (person: Person, kinds: readonly AccountKind[]): Ledger[] => {
  const card = cardMonths(person);
  const months: Record<AccountKind, Months> = {
    checking: checkingMonths(person, card),
    savings: savingsMonths(person),
    card,
  };
  return kinds.map((kind) => ({ ...describe(person, kind), ...plannedByMonth(months[kind]) }));
};

const names: Record<AccountKind, string> = {
  checking: 'Everyday Checking',
  savings: 'Rainy Day Savings',
  card: 'Sandbox Credit Card',
};

const describe = ({ seed, currency }: Person, kind: AccountKind): Omit<Ledger, keyof Plan> => {
  const roll = dice(seed, kind, 'number');
  const account = {
    id: `${kind}-${mark(seed, kind)}`,
    name: names[kind],
    currency,
    number: kind === 'card' ? `9${roll.digits(15)}` : numberForms[currency](roll),
  };
  if (kind !== 'card') return { ...account, type: 'depository' };
  return { ...account, type: 'credit', limit: price(currency, 800_000) };
};

const numberForms: Record<Currency, (roll: Dice) => string> = {
  EUR: (roll) => `DE${roll.digits(20)}`,
  USD: (roll) => roll.digits(12),
  JPY: (roll) => roll.digits(10),
  BHD: (roll) => `BH${roll.digits(2)}SBOX${roll.digits(14)}`,
};

/** Every month of the card starts with what was spent in the month before, and pays that off. */
const cardMonths = ({ seed, currency }: Person): Months => {
  const purchases = remembered((month) =>
    daysOf(month).flatMap((day) => {
      const roll = dice(seed, 'card', day);
      // At least one a day, so that some entry is always pending.
      return Array.from({ length: roll.between(1, 2) }, () =>
        purchase(day, roll, roll.percent(40) ? groceries : pleasures, currency),
      );
    }),
  );
  const opening = (month: number): bigint => sum(purchases(month - 1).map((entry) => entry.minor));
  const payment = (month: number): Planned => ({
    ...atOnce(firstDayOf(month) + billDay - 1, -opening(month)),
    description: 'PAYMENT RECEIVED - THANK YOU',
    reference: `BILL ${mark(seed, 'bill', month).slice(0, 10).toUpperCase()}`,
  });
  return { opening, entries: remembered((month) => byDay([payment(month), ...purchases(month)])) };
};

/** Every year of the savings account goes back to where it began: in January the gain is invested. */
const savingsMonths = ({ seed, currency }: Person): Months => {
  const base = price(currency, dice(seed, 'savings').between(300_000, 900_000));
  const saved = price(currency, savedCents);
  // 2.4 % a year, a twelfth of it each month.
  const interest = (balance: bigint): bigint => (balance * 24n) / 12_000n;
  const afterMonth = (balance: bigint): bigint => balance + saved + interest(balance);
  const opening = (month: number): bigint => {
    let balance = base;
    for (let passed = isJanuary(month) ? 12 : month % 12; passed > 0; passed--) balance = afterMonth(balance);
    return balance;
  };
  const entries = (month: number): Planned[] => {
    const first = firstDayOf(month);
    const start = isJanuary(month) ? base : opening(month);
    const reference = (kind: string): string =>
      `${kind} ${mark(seed, kind, month).slice(0, 10).toUpperCase()}`;
    const usual: Planned[] = [
      {
        ...atOnce(first + savingDay - 1, saved),
        description: 'STANDING ORDER FROM CHECKING',
        reference: reference('SO'),
      },
      {
        ...atOnce(lastDayOf(month), interest(start)),
        description: `INTEREST ${monthText(month)}`,
        reference: reference('INT'),
      },
    ];
    if (!isJanuary(month)) return usual;
    const invested = {
      ...atOnce(first + 14, base - opening(month)),
      description: 'TRANSFER TO BROKERAGE ACCOUNT',
    };
    return [{ ...invested, reference: reference('TRF') }, ...usual];
  };
  return { opening, entries: remembered(entries) };
};

/** Every month of the checking account starts at a level of its own; what is over goes to the joint account. */
const checkingMonths = (person: Person, card: Months): Months => {
  const { seed, currency } = person;
  const opening = (month: number): bigint =>
    price(currency, dice(seed, 'level', month).between(90_000, 190_000));
  const entries = (month: number): Planned[] => {
    const known = [...regular(person, month, card.opening(month)), ...dailyNeeds(person, month)];
    const rest = opening(month + 1) - opening(month) - sum(known.map((entry) => entry.minor));
    const joint: Planned = {
      day: firstDayOf(month) + 27,
      minor: rest,
      description: rest < 0n ? 'TRANSFER TO JOINT ACCOUNT' : 'TRANSFER FROM JOINT ACCOUNT',
      reference: `TRF ${mark(seed, 'joint', month).slice(0, 10).toUpperCase()}`,
      pendingDays: 1,
    };
    return byDay([...known, joint]);
  };
  return { opening, entries: remembered(entries) };
};

/** What comes and goes every month. */
const regular = ({ seed, currency }: Person, month: number, bill: bigint): Planned[] => {
  const life = dice(seed, 'life');
  const salary = life.between(280_000, 460_000);
  const rent = Math.round(salary * 0.3);
  const employer = life.pick(employers);
  const landlord = life.pick(landlords);
  const roll = dice(seed, 'regular', month);
  const lines: [day: number, minor: bigint, pendingDays: number, kind: string, description: string][] = [
    [1, price(currency, salary), 0, 'PAY', `SALARY ${employer}`],
    [2, -price(currency, rent), 1, 'SO', `${landlord} RENT ${monthText(month)}`],
    [3, -price(currency, roll.between(6_100, 11_900)), 2, 'DD', 'CITY POWER AND WATER'],
    [billDay, bill, 0, 'DD', 'SANDBOX CARD SERVICES'],
    [8, -price(currency, 3_990), 2, 'DD', 'FIBRELINE INTERNET'],
    [12, -price(currency, 1_999), 2, 'DD', 'TIDAL MOBILE'],
    [20, -price(currency, roll.between(2, 5) * 2_000), 1, 'ATM', 'CASH WITHDRAWAL ATM 0217'],
    [savingDay, -price(currency, savedCents), 0, 'SO', 'STANDING ORDER TO SAVINGS'],
  ];
  return lines.map(([day, minor, pendingDays, kind, description]) => ({
    day: firstDayOf(month) + day - 1,
    minor,
    description,
    reference: `${kind} ${mark(seed, description, month).slice(0, 10).toUpperCase()}`,
    pendingDays,
  }));
};

const dailyNeeds = ({ seed, currency, twins }: Person, month: number): Planned[] =>
  daysOf(month).flatMap((day) => {
    const roll = dice(seed, 'needs', day);
    const bought = roll.percent(70) ? [purchase(day, roll, groceries, currency)] : [];
    if (!twins || day % twinPeriod !== twinDay) return bought;
    const coffee = purchase(day, roll, pleasures.slice(0, 1), currency);
    return [...bought, coffee, { ...coffee }];
  });

const purchase = (day: number, roll: Dice, shops: typeof groceries, currency: Currency): Planned => {
  const [name, least, most] = roll.pick(shops);
  return {
    day,
    minor: -price(currency, roll.between(least, most)),
    description: `CARD PURCHASE ${name}`,
    reference: `POS ${roll.digits(4)} ${roll.digits(8)}`,
    pendingDays: roll.between(1, 3),
  };
};

const atOnce = (day: number, minor: bigint): Pick<Planned, 'day' | 'minor' | 'pendingDays'> => ({
  day,
  minor,
  pendingDays: 0,
});

const daysOf = (month: number): number[] => {
  const first = firstDayOf(month);
  return Array.from({ length: firstDayOf(month + 1) - first }, (_, at) => first + at);
};

const byDay = (entries: Planned[]): Planned[] => entries.sort((left, right) => left.day - right.day);

const remembered = <Value>(make: (month: number) => Value): ((month: number) => Value) => {
  const made = new Map<number, Value>();
  return (month) => {
    const known = made.get(month);
    if (known !== undefined) return known;
    const value = make(month);
    made.set(month, value);
    return value;
  };
};
