// The shop of user `large`: exactly 100,000 card sales and payouts in any two years, made one day at a time.
// Each day's takings are paid out on that day, so that no balance takes adding up a million entries.
import { dice, mark } from './dice.ts';
import type { Ledger, Planned } from './ledger.ts';
import { price } from './money.ts';
import { historyDays } from './window.ts';

const entriesInWindow = 100_000;
const base = price('EUR', 2_500_000);

/** How many entries a day has. Any `historyDays` days in a row add up to `entriesInWindow`. */
const countOf = (day: number): number => upTo(day + 1) - upTo(day);

const upTo = (day: number): number => Math.floor((day * entriesInWindow) / historyDays);

export const makeMerchant = (seed: string): Ledger => ({
  id: `merchant-${mark(seed, 'merchant')}`,
  name: 'Merchant Account',
  number: `DE${dice(seed, 'number').digits(20)}`,
  type: 'depository',
  currency: 'EUR',
  *planned(from, to) {
    for (let day = from; day <= to; day++) yield* entriesOfDay(seed, day);
  },
  count: (from, to) => Math.max(0, upTo(to + 1) - upTo(from)),
  balanceBefore: () => base,
});

function* entriesOfDay(seed: string, day: number): Iterable<Planned> {
  const roll = dice(seed, 'sales', day);
  let takings = 0n;
  for (let sale = 1; sale < countOf(day); sale++) {
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
