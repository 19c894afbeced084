// The account of user `moves`, whose transactions change in rounds. Each round adds one posted and three pending transactions.
// The next round posts two of the pending ones with a different description and date, one of them under a new id, and removes the
// third. A sign-in starts a new round if its device has seen the latest one; all devices see the same rounds.
import { type BankTransaction, fromDayNumber, toDayNumber } from '@bank-connection/connector-kit';
import { type Currency, decimalText, price, sum } from './ledger.ts';
import { discretionary } from './merchantNames.ts';
import { seededRandom, stableHash } from './seededRandom.ts';
import { lastSeenRoundKey, roundsKey, type SandboxStorage } from './storage.ts';

/** The round that this sign-in sees. Starts a new one if the device has seen the latest. `today` is YYYY-MM-DD. */
export const advanceRound = async (
  storage: SandboxStorage,
  user: { institutionId: string; username: string; device: string },
  today: string,
): Promise<number> => {
  const rounds = roundsKey(user.institutionId, user.username);
  const lastSeen = await storage.get(lastSeenRoundKey(user.device));
  const latest = (await storage.list(rounds)).length;
  // The first sign-in also starts a round, so that the next one has transactions to post and remove.
  const round = latest === 0 || lastSeen === String(latest) ? await storage.append(rounds, today) : latest;
  await storage.put(lastSeenRoundKey(user.device), String(round));
  return round;
};

/** Orders transactions by date; a stable sort keeps the order within a day. */
export const byDate = (left: BankTransaction, right: BankTransaction): number =>
  left.date < right.date ? -1 : Number(left.date > right.date);

export type MutatedTransaction = { day: number; minor: bigint; transaction: BankTransaction };

/** The transactions of the first `round` rounds, as they are after the last of these. */
export const mutatedTransactions = async (
  storage: SandboxStorage,
  user: { institutionId: string; username: string; currency: Currency },
  round: number,
): Promise<MutatedTransaction[]> => {
  const dates = await storage.list(roundsKey(user.institutionId, user.username), round);
  return dates.flatMap((date, index) => transactionsOfRound(user, index + 1, date, dates[index + 1]));
};

/** Totals in minor units. */
export const mutatedTotals = (mutated: MutatedTransaction[]): { posted: bigint; pending: bigint } => {
  const total = (status: BankTransaction['status']): bigint =>
    sum(mutated.filter(({ transaction }) => transaction.status === status).map(({ minor }) => minor));
  return { posted: total('posted'), pending: total('pending') };
};

const transactionsOfRound = (
  user: { institutionId: string; username: string; currency: Currency },
  round: number,
  date: string,
  nextDate: string | undefined,
): MutatedTransaction[] => {
  const seed = `${user.institutionId}/${user.username}`;
  const random = seededRandom(seed, 'round', round);
  const day = toDayNumber(date);
  // The day after, or, if the next round is on the same day, the day before, when the card was used.
  const postedDay = nextDate !== undefined && nextDate > date ? day + 1 : day - 1;
  const make = (slot: string, cents: number, posted: boolean, keepsId = true): MutatedTransaction => {
    const [merchant] = random.pick(discretionary);
    const terminal = random.digits(8);
    const wasPending = posted && slot !== 'new';
    const minor = -price(user.currency, cents);
    const transactionDay = wasPending ? postedDay : day;
    const transaction: BankTransaction = {
      id: `M${round}-${stableHash(seed, round, slot, wasPending && !keepsId ? 'posted' : '').slice(0, 10)}`,
      date: fromDayNumber(transactionDay),
      amount: decimalText(user.currency, minor),
      description: posted ? `CARD PURCHASE ${merchant} ${terminal.slice(0, 3)}` : `AUTHORISATION ${merchant}`,
      reference: posted ? `POS ${terminal}` : '',
      status: posted ? 'posted' : 'pending',
    };
    return { day: transactionDay, minor, transaction };
  };
  const finished = nextDate !== undefined;
  // All four are always created, in this order, so that the random numbers stay the same.
  const sameId = make('kept', random.between(1_000, 1_999), finished);
  const newId = make('renumbered', random.between(2_000, 2_999), finished, false);
  const postedAtOnce = make('new', random.between(3_000, 3_999), true);
  const removed = make('removed', random.between(4_000, 4_999), false);
  return finished ? [sameId, newId, postedAtOnce] : [sameId, newId, postedAtOnce, removed];
};
