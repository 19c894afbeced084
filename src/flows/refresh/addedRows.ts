// Stores the rows of added transactions: when they are published, or before that in parts if a new account is large, because one
// database transaction for all would keep every other process from writing to SQLite. Readers find transactions only by their
// account, which does not exist yet. The sweep deletes the rows of an account that is never published.

import { setImmediate } from 'node:timers/promises';
import { rowsAhead } from '../../domain/codec/block.ts';
import type { DbTransaction } from '../../platform/db/open.ts';
import { inBatches } from '../../platform/loops/fairScheduler.ts';
import { pause } from '../../platform/loops/loop.ts';
import type { Rows } from '../merge/rows.ts';
import type { MergedAccount } from './mergeAccount.ts';
import type { MergeDeps, StagingTarget } from './staging.ts';
import type { NewContent, Publication } from './store.ts';
import * as store from './store.ts';

/** Longer than the interval at which a process retries SQLite's lock. */
const pauseMs = 30;
const rowsBetweenPauses = 4000;

/**
 * Stores the rows if there are many, with this refresh time, and marks them in the result. Throws the signal's reason if aborted.
 */
export const storeRowsAhead = async (
  { db, limits }: Pick<MergeDeps, 'db' | 'limits'>,
  merged: MergedAccount,
  { endUserId, accountShortId, deleteAfter }: StagingTarget,
  { refreshTime, signal }: { refreshTime: number; signal: AbortSignal },
): Promise<MergedAccount> => {
  const { plan, incoming, storedBlocks } = merged;
  const { added } = plan;
  const rowsMax = limits.publishRowsMax;
  if (added.length <= rowsMax) return merged;
  const publication = { endUserId, accountShortId, refreshTime };
  await db.transaction((trx) => store.insertRowsAhead(trx, publication, deleteAfter));
  for (let at = 0; at < added.length; at += rowsMax) {
    signal.throwIfAborted();
    const rows = rowsOf(incoming, added.slice(at, at + rowsMax));
    await db.transaction((trx) => store.insertTransactions(trx, publication, rows));
    const isPauseDue = db.dialect === 'sqlite' && (at + rowsMax) % rowsBetweenPauses < rowsMax;
    await (isPauseDue ? pause(pauseMs) : setImmediate());
  }
  return { ...merged, storedBlocks: [...storedBlocks, rowsAhead], storedAt: refreshTime };
};

export const insertAdded = (
  trx: DbTransaction,
  publication: Publication,
  incoming: Rows,
  added: readonly number[],
): Promise<void> =>
  inBatches(added, (batch) => store.insertTransactions(trx, publication, rowsOf(incoming, batch)));

const rowsOf = (incoming: Rows, added: readonly number[]) =>
  added.map((row) => ({ ...contentOf(incoming, row), id: incoming.id(row) }));

/** The columns of an incoming transaction. */
export const contentOf = (incoming: Rows, row: number): NewContent => ({
  ...{
    date: incoming.date(row),
    seq: incoming.seq(row),
    status: incoming.status(row),
    ...incoming.place(row),
  },
  fingerprint: incoming.fingerprint(row, 'fingerprint')!,
  bankIdFingerprint: incoming.fingerprint(row, 'bankIdFingerprint'),
  amountFingerprint: incoming.fingerprint(row, 'amountFingerprint')!,
});
