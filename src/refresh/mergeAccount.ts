// Merges the transactions that a bank sends for one account with the stored ones. In memory are columns of numbers for
// both sides. A text is sealed into a block as soon as the id of its transaction is decided: at once in a new account,
// otherwise after the last transaction has arrived. Readers see no change until the refresh is published.
import type { BankTransaction, History } from '../../connectors/kit/contract.ts';
import { type Clock, toDayNumber } from '../clock.ts';
import type { BlockEntry } from '../codec/block.ts';
import type { TransactionOwner } from '../codec/transaction.ts';
import { encodeFields, encodeText, transactionStatuses } from '../codec/transaction.ts';
import type { Database } from '../db/open.ts';
import type { AccountRow, TransactionBlockRow } from '../db/tables.ts';
import { makeYielder } from '../loops/fairScheduler.ts';
import { amountFingerprint, bankIdFingerprint, contentFingerprint } from '../merge/fingerprints.ts';
import { classifyMatch, Matches, matchByBankId, matchIdentical, matchPending } from '../merge/matching.ts';
import { IncomingColumns } from '../merge/transactionColumns.ts';
import type { Limits } from '../settings/limits.ts';
import { ExistingTransactions } from './existingTransactions.ts';
import { LeaseLost } from './jobs.ts';
import { type DayRange, type MergeResult, makeMergeResult } from './mergeResult.ts';
import { BlockWriter, type MemoryBudget, type StagingTarget, UndecidedTexts } from './staging.ts';
import { findIds, firstDay } from './store.ts';

/** `transactionCount` is how many the bank sent, `storedBlocks` the numbers of the new blocks that are stored already. */
export type MergedAccount = {
  transactionCount: number;
  result: MergeResult;
  nextSeq: number;
  blocks: readonly TransactionBlockRow[];
  storedBlocks: readonly number[];
};

export type MergeDeps = { db: Database; clock: Clock; limits: Limits; memory: MemoryBudget };

/** The stored account; undefined if it is new. */
type StoredAccount = Pick<AccountRow, 'shortId' | 'nextSeq'> | undefined;

type MergeState = {
  db: Database;
  target: StagingTarget;
  owner: TransactionOwner | undefined;
  incoming: IncomingColumns;
  existing: ExistingTransactions;
  undecided: UndecidedTexts;
  writer: BlockWriter;
  nextSeq: number;
};

/** A history, and the date (YYYY-MM-DD) from which it was asked for; all of it without one. */
export type RequestedHistory = Pick<History, 'completeFrom' | 'completeTo' | 'chunks'> & { since?: string };

/**
 * Merges a history with the stored transactions of its account. Throws what reading the history throws, and LeaseLost when
 * another refresh has published meanwhile.
 */
export const mergeAccount = async (
  deps: MergeDeps,
  history: RequestedHistory,
  target: StagingTarget,
  account: StoredAccount,
): Promise<MergedAccount> => {
  const complete = completeDays(history);
  const { pendingWindowDays: windowDays } = deps.limits;
  // A transaction that the bank stopped listing may return with the same id. Older ones are not matched by id, because
  // some banks reuse their ids.
  const windowFrom = Math.max(firstDay, firstDayOf(history) - windowDays);
  const state = await startMerge(deps, target, account, windowFrom);
  let transactionCount = 0;
  for await (const chunk of history.chunks) {
    transactionCount += chunk.length;
    await addChunk(state, chunk);
  }
  const matches = await decide(state, { windowFrom, windowDays });
  const { incoming, existing, writer } = state;
  await writer.finish();
  return {
    transactionCount,
    result: makeMergeResult(incoming, existing, matches, complete),
    nextSeq: state.nextSeq,
    blocks: writer.inMemory,
    storedBlocks: writer.stored,
  };
};

const completeDays = ({ completeFrom, completeTo }: RequestedHistory): DayRange | undefined =>
  completeFrom === undefined || completeTo === undefined
    ? undefined
    : { from: toDayNumber(completeFrom), to: toDayNumber(completeTo) };

const firstDayOf = ({ completeFrom, since }: RequestedHistory): number => {
  const date = completeFrom ?? since;
  return date === undefined ? firstDay : toDayNumber(date);
};

const startMerge = async (
  { db, clock, limits, memory }: MergeDeps,
  target: StagingTarget,
  account: StoredAccount,
  windowFrom: number,
): Promise<MergeState> => {
  const owner = account && { endUserId: target.endUserId, accountShortId: account.shortId };
  const source = { db: db.read, owner, readRows: limits.mergeReadRows };
  const existing = await ExistingTransactions.load(source, windowFrom);
  const incoming = new IncomingColumns();
  const writer = new BlockWriter(db, target, {
    memory,
    now: () => clock.real(),
    sortBytes: limits.blockSortBytes,
    date: (position) => incoming.dates.get(position),
    seq: (position) => incoming.seqs.get(position),
    onPlaced: (position, place) => {
      incoming.blocks.set(position, place.block);
      incoming.positionsInBlock.set(position, place.position);
    },
  });
  return {
    ...{ db, target, owner, incoming, existing, writer },
    undecided: new UndecidedTexts(db.write, target, memory),
    nextSeq: account?.nextSeq ?? 0,
  };
};

const addChunk = async (state: MergeState, chunk: readonly BankTransaction[]): Promise<void> => {
  await state.existing.cover(chunk.reduce((first, { date }) => Math.min(first, toDayNumber(date)), Infinity));
  for (const transaction of chunk) {
    const position = addIncoming(state, transaction);
    if (position === undefined) continue;
    const fields = encodeFields(transaction);
    if (state.owner) await state.undecided.add(position, fields);
    else await addNew(state, position, fields);
  }
};

/** The position of the transaction; undefined if it is stored already. */
const addIncoming = (
  { incoming, existing, target }: MergeState,
  transaction: BankTransaction,
): number | undefined => {
  const position = incoming.add({
    date: toDayNumber(transaction.date),
    status: transactionStatuses.indexOf(transaction.status),
    fingerprint: contentFingerprint(transaction, target),
    bankIdFingerprint: bankIdFingerprint(transaction, target),
    pendingFingerprint: null,
  });
  if (existing.takeOnlyEqual(incoming, position)) {
    incoming.removeLast();
    return undefined;
  }
  incoming.amounts.set(position, amountFingerprint(transaction, target));
  return position;
};

const addNew = async (state: MergeState, position: number, fields: Buffer): Promise<void> => {
  const { incoming, writer } = state;
  incoming.seqs.set(position, state.nextSeq++);
  const date = incoming.dates.get(position);
  await writer.add(position, encodeText(incoming.ids.setRandom(position), date, fields));
};

const decide = async (
  state: MergeState,
  window: { windowFrom: number; windowDays: number },
): Promise<Matches> => {
  const { incoming, existing, undecided } = state;
  const { columns, byFingerprint } = existing;
  const matches = new Matches(incoming, columns);
  if (!state.owner) return matches;
  for (const position of existing.unchanged()) matches.addExisting(position);
  const yieldTurn = makeYielder();
  const input = { incoming, existing: columns, existingByFingerprint: byFingerprint, matches, ...window };
  for (const _ of matchIdentical(input)) await yieldTurn();
  for (const _ of matchByBankId(input)) await yieldTurn();
  for (const _ of matchPending(input)) await yieldTurn();
  for await (const entries of undecided.batches()) {
    await sealDecided(state, state.owner, entries, matches);
    await yieldTurn();
  }
  undecided.clear();
  return matches;
};

/** Seals the texts of transactions that are new or changed. A changed one keeps its id. */
const sealDecided = async (
  state: MergeState,
  owner: TransactionOwner,
  entries: readonly BlockEntry[],
  matches: Matches,
): Promise<void> => {
  const { db, incoming, existing, writer } = state;
  const columns = { incoming, existing: existing.columns };
  const changed = entries.flatMap(({ seq: position }) => {
    const other = matches.existingOf(position);
    const isChanged = other !== undefined && classifyMatch(columns, position, other) === 'changed';
    return isChanged ? [[position, existing.keyOf(other)] as const] : [];
  });
  const ids = await findIds(
    db.read,
    owner,
    changed.map(([, key]) => key),
  );
  // A row that has moved was published by another refresh, so this one has lost its lease.
  if (ids.size < changed.length) throw new LeaseLost();
  for (const [position, { seq }] of changed) incoming.seqs.set(position, seq);
  const isChanged = new Set(changed.map(([position]) => position));
  for (const { seq: position, text } of entries) {
    if (isChanged.has(position)) {
      const id = ids.get(incoming.seqs.get(position))!;
      await writer.add(position, encodeText(id, incoming.dates.get(position), text));
    } else if (matches.existingOf(position) === undefined) await addNew(state, position, text);
  }
};
