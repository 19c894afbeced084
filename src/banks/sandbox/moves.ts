// User `moves`: at every sign-in of a device that is up to date the accounts move on by one round. A round brings
// one posted and three pending entries; the next round posts two of these with another text and date (one of them
// with another id, too) and withdraws the third. All devices see the same rounds, as at any bank.
import type { BankEntry } from '../bank.ts';
import { dateOfDay, dayOfDate } from './calendar.ts';
import { dice, mark } from './dice.ts';
import { roundsKey, type SandboxMemory, seenRoundKey } from './memory.ts';
import { type Currency, decimalText, price, sum } from './money.ts';
import { pleasures } from './shops.ts';

/** The round that a sign-in sees, after moving on where this device has seen everything already. */
export const roundOf = async (
  memory: SandboxMemory,
  user: { institutionId: string; username: string; device: string },
  today: string,
): Promise<number> => {
  const rounds = roundsKey(user.institutionId, user.username);
  const seen = await memory.get(seenRoundKey(user.device));
  const latest = (await memory.list(rounds)).length;
  // The very first sign-in already sees a round, so that the next has something to post and to withdraw.
  const round = latest === 0 || seen === String(latest) ? await memory.append(rounds, today) : latest;
  await memory.put(seenRoundKey(user.device), String(round));
  return round;
};

type Moved = { day: number; minor: bigint; entry: BankEntry };

/** What the first `round` rounds brought, as it stands after the last of them. */
export const movedEntries = async (
  memory: SandboxMemory,
  user: { institutionId: string; username: string; currency: Currency },
  round: number,
): Promise<Moved[]> => {
  const dates = await memory.list(roundsKey(user.institutionId, user.username), round);
  return dates.flatMap((date, at) => entriesOfRound(user, at + 1, date, dates[at + 1]));
};

export const movedTotals = (moved: Moved[]): { posted: bigint; pending: bigint } => {
  const total = (status: BankEntry['status']): bigint =>
    sum(moved.filter(({ entry }) => entry.status === status).map(({ minor }) => minor));
  return { posted: total('posted'), pending: total('pending') };
};

const entriesOfRound = (
  user: { institutionId: string; username: string; currency: Currency },
  round: number,
  date: string,
  nextDate: string | undefined,
): Moved[] => {
  const seed = `${user.institutionId}/${user.username}`;
  const roll = dice(seed, 'round', round);
  const day = dayOfDate(date);
  // On the next day; a round of the same day posts with the day before, when the card was used.
  const postedDay = nextDate !== undefined && nextDate > date ? day + 1 : day - 1;
  const make = (slot: string, cents: number, posted: boolean, keepsId = true): Moved => {
    const [shop] = roll.pick(pleasures);
    const terminal = roll.digits(8);
    const settled = posted && slot !== 'new';
    const minor = -price(user.currency, cents);
    const entryDay = settled ? postedDay : day;
    const entry: BankEntry = {
      id: `M${round}-${mark(seed, round, slot, settled && !keepsId ? 'posted' : '').slice(0, 10)}`,
      date: dateOfDay(entryDay),
      amount: decimalText(user.currency, minor),
      description: posted ? `CARD PURCHASE ${shop} ${terminal.slice(0, 3)}` : `AUTHORISATION ${shop}`,
      reference: posted ? `POS ${terminal}` : '',
      status: posted ? 'posted' : 'pending',
    };
    return { day: entryDay, minor, entry };
  };
  const over = nextDate !== undefined;
  // Made in this order and always all of them, so that the dice fall the same way before and after.
  const kept = make('kept', roll.between(1_000, 1_999), over);
  const renumbered = make('renumbered', roll.between(2_000, 2_999), over, false);
  const bought = make('new', roll.between(3_000, 3_999), true);
  const withdrawn = make('withdrawn', roll.between(4_000, 4_999), false);
  return over ? [kept, renumbered, bought] : [kept, renumbered, bought, withdrawn];
};
