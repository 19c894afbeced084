// The entries of one account on their way into staging: of an account that is new to us all of them are new; of
// one that we hold few are merged in memory, and many in the staging table.
import type { BankTransaction, History } from '../connectors/connector.ts';
import type { Limits } from '../config.ts';
import type { Database } from '../db/open.ts';
import { makeId } from '../ids.ts';
import type { IncomingTransaction } from '../transactions/matching.ts';
import { mergeStaged, missingRow, windowStart } from './mergeStaged.ts';
import { type InMemoryMergeResult, mergeInMemory } from './mergeInMemory.ts';
import { collectNewTransactions, type NewTransactions } from './newTransactions.ts';
import {
  type TransactionFingerprints,
  fingerprintsOf,
  type StagingTarget,
  toStagedRow,
  toNewStagedRow,
} from './stagedRows.ts';
import { type MergeCounts, findExistingFrom, insertStaged } from './store.ts';

/** What the bank gave; `added` where the new entries wait elsewhere than in the staging table's rows. */
export type StagedTransactions = { transactionCount: number; counts: MergeCounts; added?: NewTransactions };

type Deps = { db: Database; limits: Limits };

/** An account that we do not hold yet. */
export const stageNewAccount = async (
  { db, limits }: Deps,
  chunks: History['chunks'],
  place: StagingTarget,
): Promise<StagedTransactions> => {
  const added = collectNewTransactions(db.write, place, limits);
  let transactionCount = 0;
  for await (const chunk of chunks) {
    const first = transactionCount;
    await added.add(chunk.map((entry, at) => toNewStagedRow(entry, first + at, place)));
    transactionCount += chunk.length;
  }
  return {
    transactionCount,
    counts: { added: transactionCount, changed: 0, renumbered: 0, voided: 0 },
    added,
  };
};

type FingerprintedTransaction = {
  transaction: BankTransaction;
  ordinal: number;
  fingerprints: TransactionFingerprints;
};

/** An account that we hold. Throws what the chunks throw. */
export const stageExistingAccount = async (
  tools: Deps,
  { completeFrom, chunks }: Pick<History, 'completeFrom' | 'chunks'>,
  place: StagingTarget,
): Promise<StagedTransactions> => {
  const { db, limits } = tools;
  const inMemoryMax = limits.mergeInMemoryRows;
  let few: FingerprintedTransaction[] | undefined = [];
  let transactionCount = 0;
  const stage = async (seen: readonly FingerprintedTransaction[]): Promise<void> => {
    const rows = seen.map(({ transaction, ordinal, fingerprints }) =>
      toStagedRow(transaction, fingerprints, place, { n: ordinal, id: makeId('txn'), verdict: null }),
    );
    for (let at = 0; at < rows.length; at += limits.stagingChunkRows) {
      await insertStaged(db.write, rows.slice(at, at + limits.stagingChunkRows));
    }
  };
  for await (const chunk of chunks) {
    const first = transactionCount;
    const seen = chunk.map((entry, at) => ({
      transaction: entry,
      ordinal: first + at,
      fingerprints: fingerprintsOf(entry, place),
    }));
    transactionCount += chunk.length;
    if (few && transactionCount <= inMemoryMax) {
      few.push(...seen);
      continue;
    }
    await stage(few ?? []);
    few = undefined;
    await stage(seen);
  }
  const merged = few && (await tryMergeInMemory(tools, few, completeFrom, place));
  if (merged) return { transactionCount, ...merged };
  await stage(few ?? []);
  const counts = await mergeStaged(db, place, {
    completeFrom,
    windowDays: limits.pendingWindowDays,
    dataKey: place.dataKey,
    createdAt: place.createdAt,
    rangeRows: limits.mergeRangeRows,
  });
  return { transactionCount, counts };
};

// Undefined where we hold too many entries of these days.
const tryMergeInMemory = async (
  { db, limits }: Deps,
  few: readonly FingerprintedTransaction[],
  completeFrom: string,
  place: StagingTarget,
): Promise<Omit<StagedTransactions, 'transactionCount'> | undefined> => {
  const { pendingWindowDays: windowDays, mergeInMemoryRows: inMemoryMax } = limits;
  const start = windowStart({ completeFrom, windowDays });
  const from = few.reduce(
    (earliest, { transaction }) => (transaction.date < earliest ? transaction.date : earliest),
    start,
  );
  const existing = await findExistingFrom(db.read, place, from, inMemoryMax + 1);
  if (existing.length > inMemoryMax) return undefined;
  const incoming = few.map(toIncoming);
  const verdicts = mergeInMemory({ incoming, existing, completeFrom, windowStart: start, windowDays });
  const seenAs = new Map(few.map((seen) => [seen.ordinal, seen]));
  const added = collectNewTransactions(db.write, place, limits);
  await added.add(
    verdicts.added.map(({ ordinal }) => {
      const { transaction: entry, fingerprints } = seenAs.get(ordinal)!;
      return toStagedRow(entry, fingerprints, place, { n: ordinal, id: makeId('txn'), verdict: null });
    }),
  );
  await stageMatchResults(db, verdicts, seenAs, place);
  const { changed, renumbered, missing } = verdicts;
  const counts = {
    added: verdicts.added.length,
    changed: changed.length,
    renumbered: renumbered.length,
    voided: missing.length,
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

const stageMatchResults = async (
  db: Database,
  { changed, renumbered, missing }: InMemoryMergeResult,
  seenAs: ReadonlyMap<number, FingerprintedTransaction>,
  place: StagingTarget,
): Promise<void> => {
  const of = { endUserId: place.endUserId, refreshId: place.refreshId, accountId: place.accountId };
  const paired = (pairs: InMemoryMergeResult['changed'], verdict: 'changed' | 'renumbered') =>
    pairs.map(({ incoming, existing }) => {
      const { transaction, fingerprints } = seenAs.get(incoming.ordinal)!;
      return toStagedRow(transaction, fingerprints, place, { n: incoming.ordinal, id: existing.id, verdict });
    });
  const gone = missing.map((entry, at) => missingRow(entry, of, -1 - at, place.createdAt));
  await insertStaged(db.write, [...paired(changed, 'changed'), ...paired(renumbered, 'renumbered'), ...gone]);
};
