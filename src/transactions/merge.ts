// Which of the bank's entries are which of ours, decided on fingerprints alone. In this order: the whole entry,
// with a count, so that twins stay two; then the bank's own id; then pending entries, one to one, to the nearest
// date within a window. Pure: refresh/mergeAccount.ts brings the entries, a bounded range at a time.

/** Prints are hex. `amountPrint` is over amount and currency. */
export type BankSide = {
  n: number;
  date: string;
  status: string;
  entryPrint: string;
  bankIdPrint: string | null;
  amountPrint: string;
};

export type HeldSide = {
  id: string;
  seq: number;
  date: string;
  status: string;
  entryPrint: string;
  bankIdPrint: string | null;
  /** Over amount and currency, while the entry is pending. */
  pendingPrint: string | null;
};

export type Pair = { bank: BankSide; held: HeldSide };

/**
 * Pairs entries that are equal in every part. Each held entry serves once. Among equals the same bank id goes
 * first, then the same status, then any that is not void, so that twins change as little as they can.
 */
export const pairWhole = (bank: readonly BankSide[], held: readonly HeldSide[]): Pair[] => {
  const heldByPrint = Map.groupBy(held, (entry) => entry.entryPrint);
  const bankByPrint = Map.groupBy(bank, (entry) => entry.entryPrint);
  const pairs: Pair[] = [];
  for (const [print, entries] of bankByPrint) {
    const candidates = heldByPrint.get(print);
    if (candidates) pairs.push(...pairEquals(entries, candidates));
  }
  return pairs;
};

const preferences: ((bank: BankSide, held: HeldSide) => boolean)[] = [
  (bank, held) =>
    bank.bankIdPrint !== null && bank.bankIdPrint === held.bankIdPrint && bank.status === held.status,
  (bank, held) => bank.bankIdPrint !== null && bank.bankIdPrint === held.bankIdPrint,
  (bank, held) => bank.status === held.status,
  (_bank, held) => held.status !== 'void',
  () => true,
];

const pairEquals = (bank: BankSide[], held: HeldSide[]): Pair[] => {
  const pairs: Pair[] = [];
  const bankLeft = new Set(bank);
  const heldLeft = new Set([...held].sort((left, right) => left.seq - right.seq));
  for (const fits of preferences) {
    for (const entry of bankLeft) {
      const partner = first(heldLeft, (candidate) => fits(entry, candidate));
      if (!partner) continue;
      pairs.push({ bank: entry, held: partner });
      bankLeft.delete(entry);
      heldLeft.delete(partner);
    }
  }
  return pairs;
};

const first = <Item>(items: Iterable<Item>, fits: (item: Item) => boolean): Item | undefined => {
  for (const item of items) if (fits(item)) return item;
  return undefined;
};

/** Pairs entries by the bank's own id, one to one: another text, date, amount or status of the same entry. */
export const pairByBankId = (bank: readonly BankSide[], held: readonly HeldSide[]): Pair[] => {
  const left = new Map<string, HeldSide>();
  for (const entry of held) if (entry.bankIdPrint) left.set(entry.bankIdPrint, entry);
  const pairs: Pair[] = [];
  for (const entry of bank) {
    const partner = entry.bankIdPrint === null ? undefined : left.get(entry.bankIdPrint);
    if (!partner) continue;
    pairs.push({ bank: entry, held: partner });
    left.delete(partner.bankIdPrint!);
  }
  return pairs;
};

/**
 * Pairs pending entries that we hold with entries of the same amount whose date lies within `windowDays`, one
 * to one, the nearest first; among equally near ones the older of ours and the earlier of the bank's.
 */
export const pairPending = (
  bank: readonly BankSide[],
  held: readonly HeldSide[],
  windowDays: number,
): Pair[] => {
  const bankByAmount = Map.groupBy(bank, (entry) => entry.amountPrint);
  const options = held.flatMap((pending) =>
    (bankByAmount.get(pending.pendingPrint ?? '') ?? []).map((entry) => ({
      bank: entry,
      held: pending,
      distance: daysBetween(entry.date, pending.date),
    })),
  );
  options.sort(
    (left, right) =>
      left.distance - right.distance || left.held.seq - right.held.seq || left.bank.n - right.bank.n,
  );
  const taken = new Set<BankSide | HeldSide>();
  const pairs: Pair[] = [];
  for (const option of options) {
    if (option.distance > windowDays || taken.has(option.bank) || taken.has(option.held)) continue;
    taken.add(option.bank).add(option.held);
    pairs.push({ bank: option.bank, held: option.held });
  }
  return pairs;
};

const daysBetween = (left: string, right: string): number =>
  Math.abs(Date.parse(left) - Date.parse(right)) / 86_400_000;

export type Verdict = 'unchanged' | 'renumbered' | 'changed';

/** What a pair means for the entry that we hold. */
export const judge = ({ bank, held }: Pair): Verdict => {
  if (bank.entryPrint !== held.entryPrint || bank.status !== held.status) return 'changed';
  return bank.bankIdPrint === held.bankIdPrint ? 'unchanged' : 'renumbered';
};
