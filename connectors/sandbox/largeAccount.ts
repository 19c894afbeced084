// The account of user `large`: a shop with exactly 100,000 card sales and payouts in any two years, computed one day at a time.
// Each day's sales are paid out the same day, so the balance is constant and needs no sum.
import { historyDays, type Ledger, type PlannedTransaction, price } from './ledger.ts';
import { seededRandom, stableHash } from './seededRandom.ts';

const transactionsInHistory = 100_000;
const openingBalance = price('EUR', 2_500_000);

/** The number of transactions on a day. Any `historyDays` consecutive days add up to `transactionsInHistory`. */
const countOfDay = (day: number): number => countBefore(day + 1) - countBefore(day);

const countBefore = (day: number): number => Math.floor((day * transactionsInHistory) / historyDays);

export const makeLargeAccount = (seed: string): Ledger => ({
  id: `merchant-${stableHash(seed, 'merchant')}`,
  name: 'Merchant Account',
  number: `DE${seededRandom(seed, 'number').digits(20)}`,
  type: 'depository',
  currency: 'EUR',
  *plannedTransactions(from, to) {
    for (let day = from; day <= to; day++) yield* transactionsOfDay(seed, day);
  },
  count: (from, to) => Math.max(0, countBefore(to + 1) - countBefore(from)),
  balanceBefore: () => openingBalance,
});

function* transactionsOfDay(seed: string, day: number): Iterable<PlannedTransaction> {
  const random = seededRandom(seed, 'sales', day);
  let total = 0n;
  for (let sale = 1; sale < countOfDay(day); sale++) {
    const minor = price('EUR', random.between(180, 9_900));
    total += minor;
    yield {
      day,
      minor,
      description: `CARD SALE TERMINAL ${random.between(1, 9)}`,
      reference: `TX ${day}${String(sale).padStart(4, '0')}${random.digits(4)}`,
      pendingDays: 1,
    };
  }
  yield { day, minor: -total, description: 'PAYOUT TO OWNER', reference: `PO ${day}`, pendingDays: 1 };
}
