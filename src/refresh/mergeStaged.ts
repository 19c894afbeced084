// Brings the bank's entries and ours together a bounded range at a time, lets the pure transactions/merge.ts
// decide, and notes the verdicts in the staging table. Nothing that a reader sees changes here.
import { setImmediate } from 'node:timers/promises';
import { addMilliseconds, toIsoDate, days } from '../clock.ts';
import type { Database } from '../db/open.ts';
import {
  type IncomingTransaction,
  type ExistingTransaction,
  classifyMatch,
  type TransactionMatch,
  matchByBankId,
  matchPending,
  matchIdentical,
} from '../transactions/matching.ts';
import { resealTransaction } from '../transactions/transaction.ts';
import {
  type MergeCounts,
  countMatchResults,
  findExistingByBankId,
  findExistingFrom,
  findExistingPending,
  findStagedFrom,
  findStagedSeals,
  findUnmatchedByAmount,
  findUnmatchedWithBankId,
  deleteMissing,
  insertStaged,
  saveMatchResults,
  replaceStagedSeal,
  type StagedAccount,
} from './store.ts';

export type MergeOptions = {
  /** From this date (YYYY-MM-DD) on, what the bank did not show is gone. */
  completeFrom: string;
  windowDays: number;
  dataKey: Buffer;
  createdAt: string;
  /** How many entries of each side are looked at together; a single day is never split. */
  rangeRows: number;
};

type MergeContext = { db: Database; of: StagedAccount; options: MergeOptions };

/** Decides about every staged entry of an account that we hold already; returns how many there are of each kind. */
export const mergeStaged = async (
  db: Database,
  of: StagedAccount,
  options: MergeOptions,
): Promise<MergeCounts> => {
  const merge = { db, of, options };
  await mergeByContent(merge);
  await mergeByBankId(merge);
  await mergePending(merge);
  return countMatchResults(db.read, of);
};

const afterLastDate = '9999-12-32';

const mergeByContent = async (merge: MergeContext): Promise<void> => {
  const { db, of, options } = merge;
  const [earliest] = await findStagedFrom(db.read, of, '', 1);
  let from = earliest && earliest.date < options.completeFrom ? earliest.date : options.completeFrom;
  let rows = options.rangeRows;
  let missing = 0;
  while (from < afterLastDate) {
    const bank = await findStagedFrom(db.read, of, from, rows);
    const held = await findExistingFrom(db.read, of, from, rows);
    const end = minimum(completeUntil(bank, rows), completeUntil(held, rows));
    if (end === from) {
      // A single day is longer than the range: take more of it.
      rows *= 2;
      continue;
    }
    missing += await mergeRange(merge, before(bank, end), before(held, end), missing);
    from = end;
    rows = options.rangeRows;
  }
};

const minimum = (left: string, right: string): string => (left < right ? left : right);
const before = <Entry extends { date: string }>(entries: Entry[], end: string): Entry[] =>
  entries.filter((entry) => entry.date < end);

// A list that was cut off is whole only up to its last day.
const completeUntil = (entries: readonly { date: string }[], limit: number): string =>
  entries.length < limit ? afterLastDate : entries.at(-1)!.date;

const mergeRange = async (
  merge: MergeContext,
  bank: IncomingTransaction[],
  held: ExistingTransaction[],
  missingBefore: number,
): Promise<number> => {
  const { db, of, options } = merge;
  const pairs = matchIdentical(bank, held);
  await recordMatches(merge, pairs);
  const found = new Set(pairs.map((pair) => pair.existing.id));
  const missing = held.filter(
    (entry) => !found.has(entry.id) && entry.status !== 'void' && entry.date >= options.completeFrom,
  );
  for (const part of inBatches(missing)) {
    await insertStaged(
      db.write,
      part.map((entry) =>
        missingRow(entry, of, -1 - missingBefore - missing.indexOf(entry), options.createdAt),
      ),
    );
  }
  return missing.length;
};

/** Notes in the staging table that the bank no longer shows an entry. */
export const missingRow = (
  entry: ExistingTransaction,
  of: StagedAccount,
  ordinal: number,
  createdAt: string,
) => ({
  endUserId: of.endUserId,
  refreshId: of.refreshId,
  accountId: of.accountId,
  ordinal,
  matchResult: 'missing' as const,
  transactionId: entry.id,
  date: entry.date,
  status: entry.status,
  sealed: Buffer.alloc(0),
  transactionFingerprint: Buffer.alloc(0),
  bankIdFingerprint: null,
  amountFingerprint: Buffer.alloc(0),
  createdAt,
});

const batchRows = 200;

function* inBatches<Item>(items: readonly Item[]): Generator<Item[]> {
  for (let at = 0; at < items.length; at += batchRows) yield items.slice(at, at + batchRows);
}

/** Notes pairs; what changed is sealed anew to the place of the entry that it turned out to be. */
const recordMatches = async (merge: MergeContext, pairs: readonly TransactionMatch[]): Promise<void> => {
  for (const part of inBatches(pairs)) {
    await setImmediate();
    const changed = part.filter((pair) => classifyMatch(pair) === 'changed');
    if (changed.length > 0) await reseal(merge, changed);
    await saveMatchResults(
      merge.db.write,
      merge.of,
      part.map((pair) => ({
        n: pair.incoming.ordinal,
        heldId: pair.existing.id,
        verdict: classifyMatch(pair),
      })),
    );
  }
};

const reseal = async (
  { db, of, options }: MergeContext,
  pairs: readonly TransactionMatch[],
): Promise<void> => {
  const seals = await findStagedSeals(
    db.read,
    of,
    pairs.map((pair) => pair.incoming.ordinal),
  );
  for (const { incoming, existing } of pairs) {
    const { transactionId, sealed } = seals.get(incoming.ordinal)!;
    const from = { accountId: of.accountId, id: transactionId };
    const to = { accountId: of.accountId, id: existing.id };
    await replaceStagedSeal(
      db.write,
      of,
      incoming.ordinal,
      resealTransaction(sealed, options.dataKey, from, to),
    );
  }
};

// An entry that the bank shows no more may come back under the same id; one far outside of what was compared
// must not be taken for a new one, because some banks count their ids anew.
export const windowStart = ({
  completeFrom,
  windowDays,
}: Pick<MergeOptions, 'completeFrom' | 'windowDays'>): string =>
  toIsoDate(addMilliseconds(new Date(completeFrom), -days(windowDays)));

const mergeByBankId = async (merge: MergeContext): Promise<void> => {
  const { db, of, options } = merge;
  const from = windowStart(options);
  let afterN = -1;
  while (true) {
    const bank = await findUnmatchedWithBankId(db.read, of, afterN, batchRows);
    if (bank.length === 0) return;
    const held = await findExistingByBankId(
      db.read,
      of,
      from,
      bank.map((entry) => entry.bankIdFingerprint!),
    );
    await recordLateMatches(merge, matchByBankId(bank, held));
    afterN = bank.at(-1)!.ordinal;
  }
};

const recordLateMatches = async (merge: MergeContext, pairs: TransactionMatch[]): Promise<void> => {
  await recordMatches(merge, pairs);
  await deleteMissing(
    merge.db.write,
    merge.of,
    pairs.map((pair) => pair.existing.id),
  );
};

const mergePending = async (merge: MergeContext): Promise<void> => {
  const { db, of, options } = merge;
  let afterHeld = { date: windowStart(options), seq: -1 };
  while (true) {
    const held = await findExistingPending(db.read, of, afterHeld, batchRows);
    if (held.length === 0) return;
    const range = {
      from: toIsoDate(addMilliseconds(new Date(held[0]!.date), -days(options.windowDays))),
      to: toIsoDate(addMilliseconds(new Date(held.at(-1)!.date), days(options.windowDays))),
      amountFingerprints: [...new Set(held.map((entry) => entry.pendingFingerprint!))],
    };
    const bank = await findUnmatchedByAmount(db.read, of, range, options.rangeRows);
    await recordLateMatches(merge, matchPending(bank, held, options.windowDays));
    afterHeld = held.at(-1)!;
  }
};
