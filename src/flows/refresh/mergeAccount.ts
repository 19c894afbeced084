// Merges the transactions that a bank sends for an account with the stored ones. Numeric rows for both sides are in memory. A
// text is sealed into a block as soon as its transaction's id is decided: at once in a new account, or else after the last
// transaction arrives. Readers see no change until the refresh is published.
import { setImmediate } from 'node:timers/promises';
import type { BankTransaction, History } from '../../../connectors/kit/contract.ts';
import type { BlockEntry } from '../../domain/codec/block.ts';
import {
  encodeFields,
  encodeText,
  type TransactionOwner,
  transactionStatuses,
} from '../../domain/codec/transaction.ts';
import type { Queries } from '../../platform/db/open.ts';
import type { AccountRow, TransactionBlockRow } from '../../platform/db/tables.ts';
import { toDayNumber, toIsoDate, toMinutes } from '../../platform/values/clock.ts';
import { amountFingerprint, bankIdFingerprint, contentFingerprint } from '../merge/fingerprints.ts';
import { type CompleteDays, compare, type Plan, planMerge } from '../merge/planMerge.ts';
import { type ComparedRow, type FindEqual, indexRows, Rows } from '../merge/rows.ts';
import { LeaseLost } from './jobs.ts';
import { type MergeDeps, makeBlockWriter, makeUndecidedTexts, type StagingTarget } from './staging.ts';
import * as store from './store.ts';

/** `transactionCount` is the number that the bank sent; `storedBlocks` are the numbers of new blocks that are already stored. */
export type MergedAccount = {
  transactionCount: number;
  plan: Plan;
  stored: Rows;
  incoming: Rows;
  nextSeq: number;
  blocks: readonly TransactionBlockRow[];
  storedBlocks: readonly number[];
  /** The refresh time of its rows, if they are already stored. */
  storedAt?: number;
};

/** A history; dates are YYYY-MM-DD. */
export type RequestedHistory = Pick<History, 'completeFrom' | 'completeTo' | 'chunks'> & {
  /** The first requested day; undefined for all. */
  since?: string;
  /** The application's time. */
  now: Date;
  /** The first day of the account: earlier transactions are skipped. */
  startsOn?: string;
  /** Another account continues this one from `completeFrom` on. */
  isMoved?: boolean;
};

/**
 * Merges a history with the stored transactions of its account; `account` is undefined if it is new. Throws errors from the
 * history, and LeaseLost if another refresh published meanwhile.
 */
export const mergeAccount = async (
  deps: MergeDeps,
  history: RequestedHistory,
  target: StagingTarget,
  account: Pick<AccountRow, 'nextSeq'> | undefined,
): Promise<MergedAccount> => {
  const { db, limits } = deps;
  const windowDays = limits.pendingWindowDays;
  // A transaction that the bank stopped listing may return with the same id. Older transactions are not matched by id, because
  // some banks reuse ids.
  const windowFrom = Math.max(store.firstDay, firstDayOf(history) - windowDays);
  const storedRows = makeStoredRows(db.read, target, limits.mergeReadRows);
  const incoming = new Rows('incoming');
  const undecided = makeUndecidedTexts(deps, target);
  const writer = makeBlockWriter(deps, target, incoming);
  let [nextSeq, transactionCount] = [account?.nextSeq ?? 0, 0];
  const addNew = async (row: number, fields: Buffer): Promise<void> => {
    incoming.setSeq(row, nextSeq++);
    const id = incoming.setRandomId(row);
    await writer.add(row, encodeText(id, incoming.date(row), fields));
  };
  if (account) await storedRows.cover(windowFrom);
  for await (const chunk of history.chunks) {
    transactionCount += chunk.length;
    if (account) await storedRows.cover(firstDayIn(chunk, history));
    for (const transaction of chunk) {
      const day = dayOf(transaction, history);
      if (history.startsOn && day < toDayNumber(history.startsOn)) continue;
      const row = incoming.add({ ...toRow(transaction, target), date: day });
      if (storedRows.takeUnchanged(incoming, row)) {
        incoming.removeLast();
        continue;
      }
      incoming.setFingerprint(row, 'amountFingerprint', amountFingerprint(transaction, target));
      if (account) await undecided.add(row, encodeFields(transaction));
      else await addNew(row, encodeFields(transaction));
    }
  }
  const plan = await planMerge({
    ...{ ...storedRows, incoming, windowFrom, windowDays },
    ...{ complete: completeDays(history), now: toMinutes(history.now) },
  });
  const { stored } = storedRows;
  await undecided.drain(async (texts) => {
    const changed = await findIdsOfChanged(db.read, target, { plan, stored, incoming }, texts);
    for (const { seq: row, text } of texts) {
      const id = changed.get(row);
      if (id) await writer.add(row, encodeText(id, incoming.date(row), text));
      else if (plan.storedOf[row]! < 0) await addNew(row, text);
    }
  });
  return { ...(await writer.finish()), transactionCount, plan, stored, incoming, nextSeq };
};

const completeDays = ({
  completeFrom,
  completeTo,
  now,
  isMoved,
}: RequestedHistory): CompleteDays | undefined => {
  if (completeFrom === undefined || completeTo === undefined) return undefined;
  const to = toDayNumber(completeTo);
  const pendingTo = completeTo < toIsoDate(now) ? to : store.afterLastDay;
  return { from: toDayNumber(completeFrom), to, pendingTo, isMoved };
};

const firstDayOf = ({ completeFrom, since }: RequestedHistory): number => {
  const date = completeFrom ?? since;
  return date === undefined ? store.firstDay : toDayNumber(date);
};

/** Today for a pending transaction without a date. Its stored row keeps its own day, because the fingerprints are equal. */
const dayOf = ({ date }: BankTransaction, { now }: RequestedHistory): number =>
  toDayNumber(date === '' ? toIsoDate(now) : date);

const firstDayIn = (chunk: readonly BankTransaction[], history: RequestedHistory): number =>
  chunk.reduce((first, transaction) => Math.min(first, dayOf(transaction, history)), Infinity);

const toRow = (transaction: BankTransaction, target: StagingTarget): Omit<ComparedRow, 'date'> => ({
  status: transactionStatuses.indexOf(transaction.status),
  fingerprint: contentFingerprint(transaction, target),
  bankIdFingerprint: bankIdFingerprint(transaction, target),
  amountFingerprint: null,
});

/** The stored transactions that a merge compares with the bank's, read in queries of `readRows` rows. */
const makeStoredRows = (db: Queries, owner: TransactionOwner, readRows: number) => {
  let loadedFrom = store.afterLastDay;
  const storedRows = {
    stored: new Rows('stored'),
    findStored: ((): Iterable<number> => []) as FindEqual,
    /** Indexed by row: 1 if the bank sent an equal transaction, which is not kept. */
    unchanged: new Uint8Array(),
    /**
     * Loads the rows from a day on; a later call with an earlier day loads all rows. Previous decisions stay correct, because
     * equal transactions have the same date.
     */
    async cover(day: number): Promise<void> {
      if (day >= loadedFrom) return;
      const before = loadedFrom;
      loadedFrom = before === store.afterLastDay ? day : store.firstDay;
      let after = { date: loadedFrom, seq: -1 };
      for (let isLast = false; !isLast; ) {
        const found = await store.findStored(db, { ...owner, ...after, before, limit: readRows });
        for (const row of found) storedRows.stored.add(row);
        after = found.at(-1) ?? after;
        isLast = found.length < readRows;
        await setImmediate();
      }
      storedRows.findStored = await indexRows(storedRows.stored, 'fingerprint');
      const { unchanged } = storedRows;
      storedRows.unchanged = new Uint8Array(storedRows.stored.count);
      storedRows.unchanged.set(unchanged);
    },
    /**
     * True if exactly one stored transaction can match an incoming one and is equal. The incoming one then need not be kept: no
     * order of matching could decide otherwise.
     */
    takeUnchanged(incoming: Rows, row: number): boolean {
      const [only, other] = storedRows.findStored(incoming, row);
      if (only === undefined || other !== undefined || storedRows.unchanged[only] === 1) return false;
      if (compare(incoming, row, storedRows.stored, only) !== 'unchanged') return false;
      storedRows.unchanged[only] = 1;
      return true;
    },
  };
  return storedRows;
};

/**
 * The ids of stored transactions whose text changes, keyed by the rows of the new texts, which get their `seq`. Throws
 * LeaseLost if a row moved because another refresh published it.
 */
const findIdsOfChanged = async (
  db: Queries,
  owner: TransactionOwner,
  { plan, stored, incoming }: Pick<MergedAccount, 'plan' | 'stored' | 'incoming'>,
  texts: readonly BlockEntry[],
): Promise<Map<number, Buffer>> => {
  const changed = texts.flatMap(({ seq: row }) => {
    const other = plan.storedOf[row]!;
    if (other < 0 || compare(incoming, row, stored, other) !== 'changed') return [];
    return [{ row, date: stored.date(other), seq: stored.seq(other) }];
  });
  const ids = await store.findIds(db, owner, changed);
  if (ids.size < changed.length) throw new LeaseLost();
  for (const { row, seq } of changed) incoming.setSeq(row, seq);
  return new Map(changed.map(({ row, seq }) => [row, ids.get(seq)!]));
};
