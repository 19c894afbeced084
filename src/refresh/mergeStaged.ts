// Merges the staged transactions of an account with the stored ones, one bounded date range at a time. The pure
// transactions/matching.ts decides; the results are written to the staging table. Readers see no change yet.
import { setImmediate } from 'node:timers/promises';
import { addMilliseconds, days, toIsoDate } from '../clock.ts';
import type { Database } from '../db/open.ts';
import {
  classifyMatch,
  type ExistingTransaction,
  type IncomingTransaction,
  matchByBankId,
  matchIdentical,
  matchPending,
  type TransactionMatch,
} from '../transactions/matching.ts';
import { resealTransaction } from '../transactions/transaction.ts';
import {
  countMatchResults,
  deleteMissing,
  findExistingByBankId,
  findExistingFrom,
  findExistingPending,
  findStagedFrom,
  findStagedSeals,
  findUnmatchedByAmount,
  findUnmatchedWithBankId,
  insertStaged,
  type MergeCounts,
  replaceStagedSeal,
  type StagedAccount,
  type StagedRow,
  saveMatchResults,
} from './store.ts';

export type MergeOptions = {
  /** From this date (YYYY-MM-DD) on, a stored transaction that the bank did not send is missing. */
  completeFrom: string;
  windowDays: number;
  dataKey: Buffer;
  createdAt: string;
  /** How many transactions of each side are compared at once; a single day is never split. */
  rangeRows: number;
};

type MergeContext = { db: Database; stagedAccount: StagedAccount; options: MergeOptions };

/** Matches every staged transaction of an existing account; returns the counts of each result. */
export const mergeStaged = async (
  db: Database,
  stagedAccount: StagedAccount,
  options: MergeOptions,
): Promise<MergeCounts> => {
  const context = { db, stagedAccount, options };
  await mergeByContent(context);
  await mergeByBankId(context);
  await mergePending(context);
  return countMatchResults(db.read, stagedAccount);
};

const afterLastDate = '9999-12-32';

const mergeByContent = async (context: MergeContext): Promise<void> => {
  const { db, stagedAccount, options } = context;
  const [earliest] = await findStagedFrom(db.read, stagedAccount, '', 1);
  let from = earliest && earliest.date < options.completeFrom ? earliest.date : options.completeFrom;
  let rows = options.rangeRows;
  let missingCount = 0;
  while (from < afterLastDate) {
    const incoming = await findStagedFrom(db.read, stagedAccount, from, rows);
    const existing = await findExistingFrom(db.read, stagedAccount, from, rows);
    const end = minimum(completeUntil(incoming, rows), completeUntil(existing, rows));
    if (end === from) {
      // One day has more rows than the range: read more of it.
      rows *= 2;
      continue;
    }
    missingCount += await mergeRange(context, before(incoming, end), before(existing, end), missingCount);
    from = end;
    rows = options.rangeRows;
  }
};

const minimum = (left: string, right: string): string => (left < right ? left : right);
const before = <Item extends { date: string }>(items: Item[], end: string): Item[] =>
  items.filter(({ date }) => date < end);

// A list that reached the limit is complete only up to its last day.
const completeUntil = (transactions: readonly { date: string }[], limit: number): string =>
  transactions.length < limit ? afterLastDate : transactions.at(-1)!.date;

const mergeRange = async (
  context: MergeContext,
  incoming: IncomingTransaction[],
  existing: ExistingTransaction[],
  missingBefore: number,
): Promise<number> => {
  const { db, stagedAccount, options } = context;
  const matches = matchIdentical(incoming, existing);
  await recordMatches(context, matches);
  const matchedIds = new Set(matches.map((match) => match.existing.id));
  const missing = existing.filter(
    ({ id, status, date }) => !matchedIds.has(id) && status !== 'void' && date >= options.completeFrom,
  );
  const rows = missing.map((transaction, index) =>
    missingRow(transaction, stagedAccount, -1 - missingBefore - index, options.createdAt),
  );
  for (const batch of inBatches(rows)) await insertStaged(db.write, batch);
  return missing.length;
};

/** The row that marks a stored transaction as missing at the bank; its ordinal is negative. */
export const missingRow = (
  existing: ExistingTransaction,
  { endUserId, refreshId, accountId }: StagedAccount,
  ordinal: number,
  createdAt: string,
): StagedRow => ({
  endUserId,
  refreshId,
  accountId,
  ordinal,
  matchResult: 'missing',
  transactionId: existing.id,
  date: existing.date,
  status: existing.status,
  sealed: Buffer.alloc(0),
  transactionFingerprint: Buffer.alloc(0),
  bankIdFingerprint: null,
  amountFingerprint: Buffer.alloc(0),
  createdAt,
});

const batchRows = 200;

function* inBatches<Item>(items: readonly Item[]): Generator<Item[]> {
  for (let start = 0; start < items.length; start += batchRows) yield items.slice(start, start + batchRows);
}

// Changed transactions are sealed again under the id of the stored transaction that they replace.
const recordMatches = async (context: MergeContext, matches: readonly TransactionMatch[]): Promise<void> => {
  for (const batch of inBatches(matches)) {
    await setImmediate();
    const changed = batch.filter((match) => classifyMatch(match) === 'changed');
    if (changed.length > 0) await reseal(context, changed);
    await saveMatchResults(
      context.db.write,
      context.stagedAccount,
      batch.map((match) => ({
        ordinal: match.incoming.ordinal,
        existingId: match.existing.id,
        matchResult: classifyMatch(match),
      })),
    );
  }
};

const reseal = async (
  { db, stagedAccount, options }: MergeContext,
  matches: readonly TransactionMatch[],
): Promise<void> => {
  const { accountId } = stagedAccount;
  const ordinals = matches.map((match) => match.incoming.ordinal);
  const seals = await findStagedSeals(db.read, stagedAccount, ordinals);
  for (const { incoming, existing } of matches) {
    const { transactionId, sealed } = seals.get(incoming.ordinal)!;
    const from = { accountId, id: transactionId };
    const to = { accountId, id: existing.id };
    const resealed = resealTransaction(sealed, options.dataKey, from, to);
    await replaceStagedSeal(db.write, stagedAccount, incoming.ordinal, resealed);
  }
};

// A transaction that the bank stopped listing may return with the same id. Older ones are not matched by id, because
// some banks reuse their ids.
export const windowStart = ({
  completeFrom,
  windowDays,
}: Pick<MergeOptions, 'completeFrom' | 'windowDays'>): string =>
  toIsoDate(addMilliseconds(new Date(completeFrom), -days(windowDays)));

const mergeByBankId = async (context: MergeContext): Promise<void> => {
  const { db, stagedAccount, options } = context;
  const from = windowStart(options);
  let afterOrdinal = -1;
  while (true) {
    const incoming = await findUnmatchedWithBankId(db.read, stagedAccount, afterOrdinal, batchRows);
    if (incoming.length === 0) return;
    const existing = await findExistingByBankId(
      db.read,
      stagedAccount,
      from,
      incoming.map(({ bankIdFingerprint }) => bankIdFingerprint!),
    );
    await recordLateMatches(context, matchByBankId(incoming, existing));
    afterOrdinal = incoming.at(-1)!.ordinal;
  }
};

// Late: mergeByContent has marked the stored transactions as missing.
const recordLateMatches = async (context: MergeContext, matches: TransactionMatch[]): Promise<void> => {
  await recordMatches(context, matches);
  await deleteMissing(
    context.db.write,
    context.stagedAccount,
    matches.map((match) => match.existing.id),
  );
};

const mergePending = async (context: MergeContext): Promise<void> => {
  const { db, stagedAccount, options } = context;
  let after = { date: windowStart(options), seq: -1 };
  while (true) {
    const existing = await findExistingPending(db.read, stagedAccount, after, batchRows);
    if (existing.length === 0) return;
    const range = {
      from: toIsoDate(addMilliseconds(new Date(existing[0]!.date), -days(options.windowDays))),
      to: toIsoDate(addMilliseconds(new Date(existing.at(-1)!.date), days(options.windowDays))),
      amountFingerprints: [...new Set(existing.map(({ pendingFingerprint }) => pendingFingerprint!))],
    };
    const incoming = await findUnmatchedByAmount(db.read, stagedAccount, range, options.rangeRows);
    await recordLateMatches(context, matchPending(incoming, existing, options.windowDays));
    after = existing.at(-1)!;
  }
};
