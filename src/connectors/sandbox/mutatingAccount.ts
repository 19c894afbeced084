// User `moves`: at every sign-in of a device that is up to date the accounts move on by one round. A round brings
// one posted and three pending entries; the next round posts two of these with another text and date (one of them
// with another id, too) and withdraws the third. All devices see the same rounds, as at any bank.
import type { BankTransaction } from '../connector.ts';
import { dateOfDay, dayOfDate } from './calendar.ts';
import { seededRandom, stableHash } from './seededRandom.ts';
import { roundsKey, type SandboxStorage, lastSeenRoundKey } from './sandboxStorage.ts';
import { type Currency, decimalText, price, sum } from './money.ts';
import { discretionary } from './merchantNames.ts';

/** The round that a sign-in sees, after moving on where this device has seen everything already. */
export const advanceRound = async (
  memory: SandboxStorage,
  user: { institutionId: string; username: string; device: string },
  today: string,
): Promise<number> => {
  const rounds = roundsKey(user.institutionId, user.username);
  const seen = await memory.get(lastSeenRoundKey(user.device));
  const latest = (await memory.list(rounds)).length;
  // The very first sign-in already sees a round, so that the next has something to post and to withdraw.
  const round = latest === 0 || seen === String(latest) ? await memory.append(rounds, today) : latest;
  await memory.put(lastSeenRoundKey(user.device), String(round));
  return round;
};

type MutatedTransaction = { day: number; minor: bigint; transaction: BankTransaction };

/** What the first `round` rounds brought, as it stands after the last of them. */
export const mutatedTransactions = async (
  memory: SandboxStorage,
  user: { institutionId: string; username: string; currency: Currency },
  round: number,
): Promise<MutatedTransaction[]> => {
  const dates = await memory.list(roundsKey(user.institutionId, user.username), round);
  return dates.flatMap((date, at) => transactionsOfRound(user, at + 1, date, dates[at + 1]));
};

export const mutatedTotals = (moved: MutatedTransaction[]): { posted: bigint; pending: bigint } => {
  const total = (status: BankTransaction['status']): bigint =>
    sum(moved.filter(({ transaction }) => transaction.status === status).map(({ minor }) => minor));
  return { posted: total('posted'), pending: total('pending') };
};

const transactionsOfRound = (
  user: { institutionId: string; username: string; currency: Currency },
  round: number,
  date: string,
  nextDate: string | undefined,
): MutatedTransaction[] => {
  const seed = `${user.institutionId}/${user.username}`;
  const roll = seededRandom(seed, 'round', round);
  const day = dayOfDate(date);
  // On the next day; a round of the same day posts with the day before, when the card was used.
  const postedDay = nextDate !== undefined && nextDate > date ? day + 1 : day - 1;
  const make = (slot: string, cents: number, posted: boolean, keepsId = true): MutatedTransaction => {
    const [shop] = roll.pick(discretionary);
    const terminal = roll.digits(8);
    const settled = posted && slot !== 'new';
    const minor = -price(user.currency, cents);
    const entryDay = settled ? postedDay : day;
    const transaction: BankTransaction = {
      id: `M${round}-${stableHash(seed, round, slot, settled && !keepsId ? 'posted' : '').slice(0, 10)}`,
      date: dateOfDay(entryDay),
      amount: decimalText(user.currency, minor),
      description: posted ? `CARD PURCHASE ${shop} ${terminal.slice(0, 3)}` : `AUTHORISATION ${shop}`,
      reference: posted ? `POS ${terminal}` : '',
      status: posted ? 'posted' : 'pending',
    };
    return { day: entryDay, minor, transaction };
  };
  const over = nextDate !== undefined;
  // Made in this order and always all of them, so that the dice fall the same way before and after.
  const kept = make('kept', roll.between(1_000, 1_999), over);
  const renumbered = make('renumbered', roll.between(2_000, 2_999), over, false);
  const bought = make('new', roll.between(3_000, 3_999), true);
  const withdrawn = make('withdrawn', roll.between(4_000, 4_999), false);
  return over ? [kept, renumbered, bought] : [kept, renumbered, bought, withdrawn];
};
