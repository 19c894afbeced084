// Stages the fetched transactions of one account. All transactions of a new account are new. Those of an existing
// account are merged with the stored ones: few in memory, many through the staging table (mergeStaged.ts).
import type { Limits } from '../config.ts';
import type { BankTransaction, History } from '../connectors/connector.ts';
import type { Database } from '../db/open.ts';
import { makeId } from '../ids.ts';
import {
  classifyMatch,
  type ExistingTransaction,
  type IncomingTransaction,
  matchByBankId,
  matchIdentical,
  matchPending,
  type TransactionMatch,
} from '../transactions/matching.ts';
import { mergeStaged, missingRow, windowStart } from './mergeStaged.ts';
import {
  collectNewTransactions,
  fingerprintsOf,
  type NewTransactions,
  type StagingTarget,
  type TransactionFingerprints,
  toNewStagedRow,
  toStagedRow,
} from './staging.ts';
import { findExistingFrom, insertStaged, type MergeCounts } from './store.ts';

/** How many transactions the bank sent, and what the merge found; `added` unless the new ones are staged as rows. */
export type StagedTransactions = { transactionCount: number; counts: MergeCounts; added?: NewTransactions };

type Deps = { db: Database; limits: Limits };

/** Stages a new account. */
export const stageNewAccount = async (
  { db, limits }: Deps,
  chunks: History['chunks'],
  target: StagingTarget,
): Promise<StagedTransactions> => {
  const added = collectNewTransactions(db.write, target, limits);
  let transactionCount = 0;
  for await (const chunk of chunks) {
    const first = transactionCount;
    await added.add(chunk.map((transaction, index) => toNewStagedRow(transaction, first + index, target)));
    transactionCount += chunk.length;
  }
  const counts = { added: transactionCount, changed: 0, renumbered: 0, voided: 0 };
  return { transactionCount, counts, added };
};

type FingerprintedTransaction = {
  transaction: BankTransaction;
  ordinal: number;
  fingerprints: TransactionFingerprints;
};

/** Stages an existing account. Throws what reading the chunks throws. */
export const stageExistingAccount = async (
  deps: Deps,
  { completeFrom, chunks }: Pick<History, 'completeFrom' | 'chunks'>,
  target: StagingTarget,
): Promise<StagedTransactions> => {
  const { db, limits } = deps;
  let inMemory: FingerprintedTransaction[] | undefined = [];
  let transactionCount = 0;
  const stage = async (transactions: readonly FingerprintedTransaction[]): Promise<void> => {
    const rows = transactions.map((transaction) => toUnmatchedRow(transaction, target));
    for (let start = 0; start < rows.length; start += limits.stagingChunkRows) {
      await insertStaged(db.write, rows.slice(start, start + limits.stagingChunkRows));
    }
  };
  for await (const chunk of chunks) {
    const first = transactionCount;
    const transactions = chunk.map((transaction, index) => ({
      transaction,
      ordinal: first + index,
      fingerprints: fingerprintsOf(transaction, target),
    }));
    transactionCount += chunk.length;
    if (inMemory && transactionCount <= limits.mergeInMemoryRows) {
      inMemory.push(...transactions);
      continue;
    }
    await stage(inMemory ?? []);
    inMemory = undefined;
    await stage(transactions);
  }
  const merged = inMemory && (await tryMergeInMemory(deps, inMemory, completeFrom, target));
  if (merged) return { transactionCount, ...merged };
  await stage(inMemory ?? []);
  const counts = await mergeStaged(db, target, {
    completeFrom,
    windowDays: limits.pendingWindowDays,
    dataKey: target.dataKey,
    createdAt: target.createdAt,
    rangeRows: limits.mergeRangeRows,
  });
  return { transactionCount, counts };
};

const toUnmatchedRow = (
  { transaction, ordinal, fingerprints }: FingerprintedTransaction,
  target: StagingTarget,
) =>
  toStagedRow(transaction, fingerprints, target, {
    ordinal,
    transactionId: makeId('txn'),
    matchResult: null,
  });

// Undefined when more than `mergeInMemoryRows` stored transactions would have to be compared.
const tryMergeInMemory = async (
  { db, limits }: Deps,
  transactions: readonly FingerprintedTransaction[],
  completeFrom: string,
  target: StagingTarget,
): Promise<Omit<StagedTransactions, 'transactionCount'> | undefined> => {
  const { pendingWindowDays: windowDays, mergeInMemoryRows } = limits;
  const start = windowStart({ completeFrom, windowDays });
  const from = transactions.reduce(
    (earliest, { transaction }) => (transaction.date < earliest ? transaction.date : earliest),
    start,
  );
  const existing = await findExistingFrom(db.read, target, from, mergeInMemoryRows + 1);
  if (existing.length > mergeInMemoryRows) return undefined;
  const incoming = transactions.map(toIncoming);
  const merged = mergeInMemory({ incoming, existing, completeFrom, windowFrom: start, windowDays });
  const byOrdinal = new Map(transactions.map((transaction) => [transaction.ordinal, transaction]));
  const added = collectNewTransactions(db.write, target, limits);
  await added.add(merged.added.map(({ ordinal }) => toUnmatchedRow(byOrdinal.get(ordinal)!, target)));
  await stageMatchResults(db, merged, byOrdinal, target);
  const counts = {
    added: merged.added.length,
    changed: merged.changed.length,
    renumbered: merged.renumbered.length,
    voided: merged.missing.length,
  };
  return { counts, added };
};

const toIncoming = ({
  transaction,
  ordinal,
  fingerprints,
}: FingerprintedTransaction): IncomingTransaction => ({
  ordinal,
  date: transaction.date,
  status: transaction.status,
  transactionFingerprint: fingerprints.transactionFingerprint.toString('hex'),
  bankIdFingerprint: fingerprints.bankIdFingerprint?.toString('hex') ?? null,
  amountFingerprint: fingerprints.amountFingerprint.toString('hex'),
});

type MergeInput = {
  incoming: readonly IncomingTransaction[];
  /** All stored transactions from `windowFrom` on. */
  existing: readonly ExistingTransaction[];
  /** From this date (YYYY-MM-DD) on, a stored transaction that the bank did not send is missing. */
  completeFrom: string;
  /** Stored transactions before this date are not matched by the bank's id or as pending ones. */
  windowFrom: string;
  windowDays: number;
};

type MergeResult = {
  added: IncomingTransaction[];
  changed: TransactionMatch[];
  renumbered: TransactionMatch[];
  missing: ExistingTransaction[];
};

// The merge of an ordinary refresh. Only new and changed transactions are staged, so a refresh without changes writes
// nothing.
const mergeInMemory = ({
  incoming,
  existing,
  completeFrom,
  windowFrom,
  windowDays,
}: MergeInput): MergeResult => {
  const matches: TransactionMatch[] = [];
  const unmatchedIncoming = new Set(incoming);
  const unmatchedExisting = new Set(existing);
  const record = (found: readonly TransactionMatch[]): void => {
    for (const match of found) {
      matches.push(match);
      unmatchedIncoming.delete(match.incoming);
      unmatchedExisting.delete(match.existing);
    }
  };
  const withinWindow = (): ExistingTransaction[] =>
    [...unmatchedExisting].filter(({ date }) => date >= windowFrom);
  record(matchIdentical(incoming, existing));
  record(matchByBankId([...unmatchedIncoming], withinWindow()));
  const pending = withinWindow().filter(({ status }) => status === 'pending');
  record(matchPending([...unmatchedIncoming], pending, windowDays));
  return {
    added: [...unmatchedIncoming],
    changed: matches.filter((match) => classifyMatch(match) === 'changed'),
    renumbered: matches.filter((match) => classifyMatch(match) === 'renumbered'),
    missing: [...unmatchedExisting].filter(({ status, date }) => status !== 'void' && date >= completeFrom),
  };
};

const stageMatchResults = async (
  db: Database,
  { changed, renumbered, missing }: MergeResult,
  byOrdinal: ReadonlyMap<number, FingerprintedTransaction>,
  target: StagingTarget,
): Promise<void> => {
  const toRows = (matches: TransactionMatch[], matchResult: 'changed' | 'renumbered') =>
    matches.map(({ incoming, existing }) => {
      const { transaction, ordinal, fingerprints } = byOrdinal.get(incoming.ordinal)!;
      return toStagedRow(transaction, fingerprints, target, {
        ordinal,
        transactionId: existing.id,
        matchResult,
      });
    });
  const missingRows = missing.map((existing, index) =>
    missingRow(existing, target, -1 - index, target.createdAt),
  );
  await insertStaged(db.write, [
    ...toRows(changed, 'changed'),
    ...toRows(renumbered, 'renumbered'),
    ...missingRows,
  ]);
};
