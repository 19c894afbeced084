// Which of the bank's entries are which of ours, decided on fingerprints alone. In this order: the whole entry,
// with a count, so that twins stay two; then the bank's own id; then pending entries, one to one, to the nearest
// date within a window. Pure: refresh/mergeAccount.ts brings the entries, a bounded range at a time.

/** Prints are hex. `amountFingerprint` is over amount and currency. */
export type IncomingTransaction = {
  ordinal: number;
  date: string;
  status: string;
  transactionFingerprint: string;
  bankIdFingerprint: string | null;
  amountFingerprint: string;
};

export type ExistingTransaction = {
  id: string;
  seq: number;
  date: string;
  status: string;
  transactionFingerprint: string;
  bankIdFingerprint: string | null;
  /** Over amount and currency, while the entry is pending. */
  pendingFingerprint: string | null;
};

export type TransactionMatch = { incoming: IncomingTransaction; existing: ExistingTransaction };

/**
 * Pairs entries that are equal in every part. Each held entry serves once. Among equals the same bank id goes
 * first, then the same status, then any that is not void, so that twins change as little as they can.
 */
export const matchIdentical = (
  bank: readonly IncomingTransaction[],
  held: readonly ExistingTransaction[],
): TransactionMatch[] => {
  const heldByPrint = Map.groupBy(held, (entry) => entry.transactionFingerprint);
  const bankByPrint = Map.groupBy(bank, (entry) => entry.transactionFingerprint);
  const pairs: TransactionMatch[] = [];
  for (const [print, entries] of bankByPrint) {
    const candidates = heldByPrint.get(print);
    if (candidates) pairs.push(...matchEquals(entries, candidates));
  }
  return pairs;
};

const preferences: ((bank: IncomingTransaction, held: ExistingTransaction) => boolean)[] = [
  (bank, held) =>
    bank.bankIdFingerprint !== null &&
    bank.bankIdFingerprint === held.bankIdFingerprint &&
    bank.status === held.status,
  (bank, held) => bank.bankIdFingerprint !== null && bank.bankIdFingerprint === held.bankIdFingerprint,
  (bank, held) => bank.status === held.status,
  (_bank, held) => held.status !== 'void',
  () => true,
];

const matchEquals = (bank: IncomingTransaction[], held: ExistingTransaction[]): TransactionMatch[] => {
  const pairs: TransactionMatch[] = [];
  const bankLeft = new Set(bank);
  const heldLeft = new Set([...held].sort((left, right) => left.seq - right.seq));
  for (const fits of preferences) {
    for (const entry of bankLeft) {
      const partner = first(heldLeft, (candidate) => fits(entry, candidate));
      if (!partner) continue;
      pairs.push({ incoming: entry, existing: partner });
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
export const matchByBankId = (
  bank: readonly IncomingTransaction[],
  held: readonly ExistingTransaction[],
): TransactionMatch[] => {
  const left = new Map<string, ExistingTransaction>();
  for (const entry of held) if (entry.bankIdFingerprint) left.set(entry.bankIdFingerprint, entry);
  const pairs: TransactionMatch[] = [];
  for (const entry of bank) {
    const partner = entry.bankIdFingerprint === null ? undefined : left.get(entry.bankIdFingerprint);
    if (!partner) continue;
    pairs.push({ incoming: entry, existing: partner });
    left.delete(partner.bankIdFingerprint!);
  }
  return pairs;
};

/**
 * Pairs pending entries that we hold with entries of the same amount whose date lies within `windowDays`, one
 * to one, the nearest first; among equally near ones the older of ours and the earlier of the bank's.
 */
export const matchPending = (
  bank: readonly IncomingTransaction[],
  held: readonly ExistingTransaction[],
  windowDays: number,
): TransactionMatch[] => {
  const bankByAmount = Map.groupBy(bank, (entry) => entry.amountFingerprint);
  const options = held.flatMap((pending) =>
    (bankByAmount.get(pending.pendingFingerprint ?? '') ?? []).map((entry) => ({
      bank: entry,
      held: pending,
      distance: daysBetween(entry.date, pending.date),
    })),
  );
  options.sort(
    (left, right) =>
      left.distance - right.distance ||
      left.held.seq - right.held.seq ||
      left.bank.ordinal - right.bank.ordinal,
  );
  const taken = new Set<IncomingTransaction | ExistingTransaction>();
  const pairs: TransactionMatch[] = [];
  for (const option of options) {
    if (option.distance > windowDays || taken.has(option.bank) || taken.has(option.held)) continue;
    taken.add(option.bank).add(option.held);
    pairs.push({ incoming: option.bank, existing: option.held });
  }
  return pairs;
};

const daysBetween = (left: string, right: string): number =>
  Math.abs(Date.parse(left) - Date.parse(right)) / 86_400_000;

export type MatchResult = 'unchanged' | 'renumbered' | 'changed';

/** What a pair means for the entry that we hold. */
export const classifyMatch = ({ incoming, existing }: TransactionMatch): MatchResult => {
  if (
    incoming.transactionFingerprint !== existing.transactionFingerprint ||
    incoming.status !== existing.status
  )
    return 'changed';
  return incoming.bankIdFingerprint === existing.bankIdFingerprint ? 'unchanged' : 'renumbered';
};
