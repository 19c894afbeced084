// The shop of user `large`: exactly 100,000 card sales and payouts in any two years, made one day at a time.
// Each day's takings are paid out on that day, so that no balance takes adding up a million entries.
import { seededRandom, stableHash } from './seededRandom.ts';
import type { Ledger, PlannedTransaction } from './ledger.ts';
import { price } from './money.ts';
import { historyDays } from './historyWindow.ts';

const transactionsInWindow = 100_000;
const openingBalance = price('EUR', 2_500_000);

/** How many entries a day has. Any `historyDays` days in a row add up to `entriesInWindow`. */
const countOfDay = (day: number): number => countBefore(day + 1) - countBefore(day);

const countBefore = (day: number): number => Math.floor((day * transactionsInWindow) / historyDays);

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
  const roll = seededRandom(seed, 'sales', day);
  let takings = 0n;
  for (let sale = 1; sale < countOfDay(day); sale++) {
    const minor = price('EUR', roll.between(180, 9_900));
    takings += minor;
    yield {
      day,
      minor,
      description: `CARD SALE TERMINAL ${roll.between(1, 9)}`,
      reference: `TX ${day}${String(sale).padStart(4, '0')}${roll.digits(4)}`,
      pendingDays: 1,
    };
  }
  yield { day, minor: -takings, description: 'PAYOUT TO OWNER', reference: `PO ${day}`, pendingDays: 1 };
}
