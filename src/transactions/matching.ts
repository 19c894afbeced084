// Matches a bank's transactions with stored ones by fingerprints, in three steps: equal in every part (counted, so two
// equal transactions stay two), then by the bank's own id, then pending ones to the nearest date within a window.
// refresh/mergeStaged.ts passes the transactions in bounded ranges.
import type { TransactionRow } from '../db/tables.ts';

/** A transaction from the bank. Fingerprints are hex; `amountFingerprint` is over amount and currency. */
export type IncomingTransaction = {
  ordinal: number;
  date: string;
  status: TransactionRow['status'];
  transactionFingerprint: string;
  bankIdFingerprint: string | null;
  amountFingerprint: string;
};

/** A stored transaction. */
export type ExistingTransaction = {
  id: string;
  seq: number;
  date: string;
  status: TransactionRow['status'];
  transactionFingerprint: string;
  bankIdFingerprint: string | null;
  /** Over amount and currency, while the transaction is pending. */
  pendingFingerprint: string | null;
};

export type TransactionMatch = { incoming: IncomingTransaction; existing: ExistingTransaction };

/**
 * Matches transactions that are equal in every part, each at most once. Among equal ones the same bank id comes first,
 * then the same status, then any that is not void, so that as few stored transactions as possible change.
 */
export const matchIdentical = (
  incoming: readonly IncomingTransaction[],
  existing: readonly ExistingTransaction[],
): TransactionMatch[] => {
  const existingByFingerprint = Map.groupBy(existing, (transaction) => transaction.transactionFingerprint);
  const incomingByFingerprint = Map.groupBy(incoming, (transaction) => transaction.transactionFingerprint);
  const matches: TransactionMatch[] = [];
  for (const [fingerprint, equals] of incomingByFingerprint) {
    const candidates = existingByFingerprint.get(fingerprint);
    if (candidates) matches.push(...matchEquals(equals, candidates));
  }
  return matches;
};

const preferences: ((incoming: IncomingTransaction, existing: ExistingTransaction) => boolean)[] = [
  (incoming, existing) => hasSameBankId(incoming, existing) && incoming.status === existing.status,
  (incoming, existing) => hasSameBankId(incoming, existing),
  (incoming, existing) => incoming.status === existing.status,
  (_incoming, existing) => existing.status !== 'void',
  () => true,
];

const hasSameBankId = (incoming: IncomingTransaction, existing: ExistingTransaction): boolean =>
  incoming.bankIdFingerprint !== null && incoming.bankIdFingerprint === existing.bankIdFingerprint;

const matchEquals = (
  incoming: IncomingTransaction[],
  existing: ExistingTransaction[],
): TransactionMatch[] => {
  const matches: TransactionMatch[] = [];
  const unmatchedIncoming = new Set(incoming);
  const unmatchedExisting = new Set([...existing].sort((left, right) => left.seq - right.seq));
  for (const isPreferred of preferences) {
    for (const transaction of unmatchedIncoming) {
      const match = findFirst(unmatchedExisting, (candidate) => isPreferred(transaction, candidate));
      if (!match) continue;
      matches.push({ incoming: transaction, existing: match });
      unmatchedIncoming.delete(transaction);
      unmatchedExisting.delete(match);
    }
  }
  return matches;
};

const findFirst = <Item>(items: Iterable<Item>, predicate: (item: Item) => boolean): Item | undefined => {
  for (const item of items) if (predicate(item)) return item;
  return undefined;
};

/** Matches by the bank's own id, each transaction at most once: its text, date, amount or status may have changed. */
export const matchByBankId = (
  incoming: readonly IncomingTransaction[],
  existing: readonly ExistingTransaction[],
): TransactionMatch[] => {
  const unmatched = new Map<string, ExistingTransaction>();
  for (const transaction of existing) {
    if (transaction.bankIdFingerprint) unmatched.set(transaction.bankIdFingerprint, transaction);
  }
  const matches: TransactionMatch[] = [];
  for (const transaction of incoming) {
    if (transaction.bankIdFingerprint === null) continue;
    const match = unmatched.get(transaction.bankIdFingerprint);
    if (!match) continue;
    matches.push({ incoming: transaction, existing: match });
    unmatched.delete(transaction.bankIdFingerprint);
  }
  return matches;
};

/**
 * Matches stored pending transactions with transactions of the same amount at most `windowDays` apart, each at most
 * once, nearest date first. Among equal distances the lower `seq` wins, then the lower `ordinal`.
 */
export const matchPending = (
  incoming: readonly IncomingTransaction[],
  existing: readonly ExistingTransaction[],
  windowDays: number,
): TransactionMatch[] => {
  const incomingByAmount = Map.groupBy(incoming, (transaction) => transaction.amountFingerprint);
  const candidates = existing.flatMap((pending) =>
    (incomingByAmount.get(pending.pendingFingerprint ?? '') ?? []).map((transaction) => ({
      incoming: transaction,
      existing: pending,
      distance: daysBetween(transaction.date, pending.date),
    })),
  );
  candidates.sort(
    (left, right) =>
      left.distance - right.distance ||
      left.existing.seq - right.existing.seq ||
      left.incoming.ordinal - right.incoming.ordinal,
  );
  const matched = new Set<IncomingTransaction | ExistingTransaction>();
  const matches: TransactionMatch[] = [];
  for (const candidate of candidates) {
    if (candidate.distance > windowDays) break;
    if (matched.has(candidate.incoming) || matched.has(candidate.existing)) continue;
    matched.add(candidate.incoming).add(candidate.existing);
    matches.push({ incoming: candidate.incoming, existing: candidate.existing });
  }
  return matches;
};

const daysBetween = (left: string, right: string): number =>
  Math.abs(Date.parse(left) - Date.parse(right)) / 86_400_000;

/** `renumbered`: only the bank's own id has changed. */
export type MatchResult = 'unchanged' | 'renumbered' | 'changed';

/** What a match means for the stored transaction. */
export const classifyMatch = ({ incoming, existing }: TransactionMatch): MatchResult => {
  const isSame =
    incoming.transactionFingerprint === existing.transactionFingerprint &&
    incoming.status === existing.status;
  if (!isSame) return 'changed';
  return incoming.bankIdFingerprint === existing.bankIdFingerprint ? 'unchanged' : 'renumbered';
};
