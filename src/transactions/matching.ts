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

// Both sides of a match have the same value of one of these, the first that is possible; undefined matches nothing.
const preferences: ((
  transaction: Pick<IncomingTransaction, 'bankIdFingerprint' | 'status'>,
) => string | undefined)[] = [
  ({ bankIdFingerprint, status }) => bankIdFingerprint?.concat(status),
  ({ bankIdFingerprint }) => bankIdFingerprint ?? undefined,
  ({ status }) => status,
  ({ status }) => (status === 'void' ? undefined : 'not void'),
  () => 'any',
];

const matchEquals = (
  incoming: readonly IncomingTransaction[],
  existing: readonly ExistingTransaction[],
): TransactionMatch[] => {
  const matches: TransactionMatch[] = [];
  let unmatchedIncoming = [...incoming];
  const unmatchedExisting = new Set([...existing].sort((left, right) => left.seq - right.seq));
  for (const keyOf of preferences) {
    const queues = makeQueues(unmatchedExisting, keyOf);
    unmatchedIncoming = unmatchedIncoming.filter((transaction) => {
      const match = queues.get(keyOf(transaction))?.take();
      if (!match) return true;
      matches.push({ incoming: transaction, existing: match });
      unmatchedExisting.delete(match);
      return false;
    });
  }
  return matches;
};

type Queue<Item> = { first(): Item | undefined; take(): Item | undefined };

const makeQueues = <Item, Key>(
  items: Iterable<Item>,
  keyOf: (item: Item) => Key | undefined,
): Map<Key | undefined, Queue<Item>> => {
  const lists = Map.groupBy(items, keyOf);
  lists.delete(undefined);
  return new Map([...lists].map(([key, list]) => [key, makeQueue(list)]));
};

const makeQueue = <Item>(items: readonly Item[]): Queue<Item> => {
  let next = 0;
  return { first: () => items[next], take: () => items[next++] };
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
 * once, nearest date first. Among equal distances the lower `seq` wins, then the lower `ordinal`. Takes time in
 * proportion to the number of transactions and to `windowDays`.
 */
export const matchPending = (
  incoming: readonly IncomingTransaction[],
  existing: readonly ExistingTransaction[],
  windowDays: number,
): TransactionMatch[] => {
  const byOrdinal = [...incoming].sort((left, right) => left.ordinal - right.ordinal);
  const queues = makeQueues(byOrdinal, ({ amountFingerprint, date }) =>
    queueKey(amountFingerprint, toDay(date)),
  );
  const matches: TransactionMatch[] = [];
  let unmatched = existing
    .filter(({ pendingFingerprint }) => pendingFingerprint !== null)
    .sort((left, right) => left.seq - right.seq);
  for (let distance = 0; distance <= windowDays; distance++) {
    unmatched = unmatched.filter((pending) => {
      const day = toDay(pending.date);
      const queue = firstByOrdinal(
        [day - distance, day + distance].map((one) => queues.get(queueKey(pending.pendingFingerprint!, one))),
      );
      const match = queue?.take();
      if (match) matches.push({ incoming: match, existing: pending });
      return !match;
    });
  }
  return matches;
};

const queueKey = (amountFingerprint: string, day: number): string => `${amountFingerprint} ${day}`;

const firstByOrdinal = (
  queues: readonly (Queue<IncomingTransaction> | undefined)[],
): Queue<IncomingTransaction> | undefined =>
  queues.reduce((first, queue) => {
    const candidate = queue?.first();
    const best = first?.first();
    return candidate && (!best || candidate.ordinal < best.ordinal) ? queue : first;
  }, undefined);

/** Days since 1970-01-01. */
const toDay = (date: string): number => Date.parse(date) / 86_400_000;

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
