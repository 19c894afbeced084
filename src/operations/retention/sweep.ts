// Deletes expired data in bounded steps. A connection is marked first, so that no process can read it any more, whatever its
// clock; then its data is deleted, and its own row last. The next sweep continues an interrupted one; two sweeps at the same
// time lock connections against each other.
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { abandonedRows } from '../../domain/codec/block.ts';
import { findLinkJob, removeJob } from '../../domain/connections/jobs.ts';
import * as connections from '../../domain/connections/purgeStore.ts';
import { type Connection, findConnectionRow } from '../../domain/connections/store.ts';
import { queueConnectionWebhook } from '../../domain/connections/webhooks.ts';
import { addMinuteMetrics, type MinuteMetrics } from '../../domain/requestLog/store.ts';
import * as users from '../../domain/users/store.ts';
import { deleteDeliveriesBefore, deleteEndpoint, findExpiredListeners } from '../../domain/webhooks/store.ts';
import * as linkSessions from '../../flows/link/purgeStore.ts';
import * as refreshes from '../../flows/refresh/purgeStore.ts';
import { deleteStaged } from '../../flows/refresh/store.ts';
import * as accesses from '../../flows/simplefin/store.ts';
import type { DbTransaction } from '../../platform/db/open.ts';
import type { BlockDeletionRow } from '../../platform/db/tables.ts';
import { unpublishedMilliseconds } from '../../platform/settings/limits.ts';
import { addMilliseconds, days, seconds } from '../../platform/values/clock.ts';
import { computeDeadlines, type SweepDeps } from './deadlines.ts';
import { deleteDeselectedAccounts } from './deselectedAccounts.ts';

const nothingDeleted = {
  connections: 0,
  accounts: 0,
  transactions: 0,
  endUsers: 0,
  /** Only their sealed data: statistics are kept for some weeks. */
  linkSessions: 0,
  stagedTexts: 0,
  /** Blocks whose texts have all been replaced, or that were never published. */
  unusedBlocks: 0,
  /** Deliveries of webhooks. */
  webhooks: 0,
  /** Unclaimed SimpleFIN setup tokens. */
  setupTokens: 0,
};

/** The number of deleted rows of each kind. */
export type DeletedCounts = typeof nothingDeleted;
type DeletedKind = keyof DeletedCounts;

export type SweepResult = DeletedCounts & {
  /** True if the deleted data is also gone from SQLite's files; false if that is done later. */
  vacuumed: boolean;
};

export type SweepOptions = {
  signal: AbortSignal;
  onProgress?: (deleted: DeletedCounts) => void;
  /** A SQLite file of up to this size is rewritten after deletions, so that no deleted byte remains. */
  rewriteBytesMax: number;
};

type SweepRun = SweepDeps & SweepOptions & { deleted: DeletedCounts };

/** Deletes everything that is expired now. Throws the signal's reason if aborted. */
export const sweep = async (deps: SweepDeps, options: SweepOptions): Promise<SweepResult> => {
  const run: SweepRun = { ...deps, ...options, deleted: { ...nothingDeleted } };
  await sweepConnections(run);
  run.deleted.accounts += await deleteDeselectedAccounts(run, run.signal);
  await sweepLinkSessions(run);
  await sweepAbandonedLinkSessions(run);
  await sweepStaged(run);
  await sweepBlocks(run);
  await sweepWebhooks(run);
  await sweepSetupTokens(run);
  return { ...run.deleted, vacuumed: await run.db.secureVacuum(options) };
};

const batchSize = 50;

const sweepConnections = async (run: SweepRun): Promise<void> => {
  const { db, clock, limits, signal } = run;
  const startedAt = clock.real();
  for (const deadlines of computeDeadlines(run)) await markExpired(run, deadlines);
  const markedAt = clock.real();
  const grace = seconds(limits.sweepGraceSeconds);
  // Responses that began before a connection was marked may still be reading it. Marking connections may take a long time.
  if (await connections.hasPurgingSince(db.write, addMilliseconds(startedAt, -grace).toISOString())) {
    await sleep(grace, undefined, { signal });
  }
  for (;;) {
    const purging = await connections.findPurging(db.write, markedAt.toISOString(), batchSize);
    if (purging.length === 0) return;
    for (const key of purging) await purgeConnection(run, key);
  }
};

const markExpired = async (run: SweepRun, deadlines: connections.Deadlines): Promise<void> => {
  const { db, clock } = run;
  for (;;) {
    const expired = await connections.findExpired(db.write, deadlines, batchSize);
    for (const key of expired)
      await connections.markPurging(db.write, key, { ...deadlines, real: clock.real().toISOString() });
    if (expired.length === 0) return;
    await yieldAndReport(run);
  }
};

const purgeConnection = async (run: SweepRun, key: connections.ConnectionKey): Promise<void> => {
  const { db, limits, deleted } = run;
  const limit = limits.sweepChunkRows;
  const deleteInChunks = (deleteChunk: (trx: DbTransaction) => Promise<number>, countAs?: DeletedKind) =>
    inChunks(run, limit, () => withPurgingLock(run, key, deleteChunk), countAs);
  await db.markVacuumNeeded();
  await db.transaction((trx) => removeJob(trx, key.id));
  const accounts = await connections.findAccounts(db.write, key);
  const accountIds = accounts.map(({ id }) => id);
  for (const refresh of await refreshes.findStagedOf(db.write, accountIds)) await purgeStaged(run, refresh);
  for (const account of accounts) {
    await deleteInChunks((trx) => connections.deleteTransactions(trx, account, limit), 'transactions');
    await deleteInChunks((trx) => connections.deleteBlocks(trx, account, limit));
    deleted.accounts += await withPurgingLock(run, key, (trx) => connections.deleteAccount(trx, account));
  }
  await deleteInChunks((trx) => connections.deleteDataKeys(trx, key, limit));
  await withPurgingLock(run, key, async (trx) => {
    const connection = await findConnectionRow(trx, key);
    if (connection) await queueDeleted(run, trx, connection);
    await connections.deleteConnection(trx, key);
    await linkSessions.deleteOfConnection(trx, key.id);
    deleted.connections += 1;
    deleted.endUsers += await deleteOrphanedEndUser(trx, key.endUserId);
    return 0;
  });
  await yieldAndReport(run);
};

const queueDeleted = (
  { clock }: SweepRun,
  trx: DbTransaction,
  { id: connectionId, endUserId, applicationId }: Connection,
): Promise<void> => {
  const about = { applicationId, endUserId, connectionId };
  return queueConnectionWebhook(trx, about, { type: 'connection.deleted' }, clock.real());
};

/** Deletes an end user without connections. Returns the number of deleted rows. */
const deleteOrphanedEndUser = async (trx: DbTransaction, endUserId: string): Promise<number> => {
  // Locked, so that if two sweeps delete the last two connections, the second one sees that none is left.
  const user = await users.lockEndUser(trx, endUserId);
  if (!user || (await connections.hasConnection(trx, endUserId))) return 0;
  await linkSessions.deleteClosedOfUser(trx, user);
  await accesses.deleteSimplefinAccessesOf(trx, endUserId);
  await users.deleteEndUser(trx, user);
  return 1;
};

/** Runs one deletion in a transaction that locks the connection; 0 if another sweep has deleted it. */
const withPurgingLock = async (
  { db }: SweepRun,
  key: connections.ConnectionKey,
  deleteRows: (trx: DbTransaction) => Promise<number>,
): Promise<number> =>
  db.transaction(async (trx) => ((await connections.lockPurging(trx, key)) ? deleteRows(trx) : 0));

/** Repeats a step, which returns the number of rows that it found or deleted, until that is less than `limit`. */
const inChunks = async (
  run: SweepRun,
  limit: number,
  step: () => Promise<number>,
  countAs?: DeletedKind,
): Promise<void> => {
  for (;;) {
    const rows = await step();
    if (countAs) run.deleted[countAs] += rows;
    await yieldAndReport(run);
    if (rows < limit) return;
  }
};

// Called between two steps. Lets other tasks of the event loop run, and ends an aborted sweep.
const yieldAndReport = async ({ signal, onProgress, deleted }: SweepRun): Promise<void> => {
  onProgress?.(deleted);
  await setImmediate();
  signal.throwIfAborted();
};

const sweepLinkSessions = async (run: SweepRun): Promise<void> => {
  const { db, clock, limits } = run;
  const { sweepChunkRows: limit, closedLinkSessionDays } = limits;
  const now = clock.real().toISOString();
  for (;;) {
    const expired = await linkSessions.findExpired(db.write, now, limit);
    if (expired.length === 0) break;
    await closeExpired(run, expired, now);
  }
  // An import continues while it has a job, even after its link session has expired.
  for (let after = ''; ; ) {
    const imports = await linkSessions.findExpiredImports(db.write, { now, after, limit });
    if (imports.length === 0) break;
    const expired: string[] = [];
    for (const { id, connectionId } of imports) {
      const job = connectionId !== null && (await findLinkJob(db.write, { connectionId, linkSessionId: id }));
      if (!job) expired.push(id);
    }
    if (expired.length > 0) await closeExpired(run, expired, now);
    after = imports.at(-1)!.id;
  }
  const closedBefore = addMilliseconds(clock.real(), -days(closedLinkSessionDays)).toISOString();
  await inChunks(run, limit, () => linkSessions.deleteClosed(db.write, closedBefore, limit));
};

const closeExpired = async (run: SweepRun, ids: readonly string[], now: string): Promise<void> => {
  await run.db.markVacuumNeeded();
  run.deleted.linkSessions += await linkSessions.closeExpired(run.db.write, ids, now);
  await yieldAndReport(run);
};

/** Anyone can open link sessions, so those without a sign-in are only counted after this time. */
const abandonedKeptMs = days(1);

const sweepAbandonedLinkSessions = async (run: SweepRun): Promise<void> => {
  const { db, clock, limits } = run;
  const before = addMilliseconds(clock.real(), -abandonedKeptMs).toISOString();
  await inChunks(run, limits.sweepChunkRows, async () => {
    const abandoned = await linkSessions.findAbandoned(db.write, before, limits.sweepChunkRows);
    await db.transaction((trx) => deleteAndCount(trx, abandoned));
    return abandoned.length;
  });
};

/** Adds them to the metrics of the hours in which they were opened. */
const deleteAndCount = async (
  trx: DbTransaction,
  abandoned: readonly linkSessions.Abandoned[],
): Promise<void> => {
  const byHour = Map.groupBy(abandoned, ({ applicationId, createdAt, reached }) =>
    [applicationId, createdAt.slice(0, 13), reached].join(' '),
  );
  const metrics: MinuteMetrics[] = [];
  for (const sessions of byHour.values()) {
    const { applicationId, createdAt, reached } = sessions[0]!;
    const total = await linkSessions.deleteByIds(
      trx,
      sessions.map(({ id }) => id),
    );
    metrics.push({
      ...{ applicationId, kind: 'abandoned_link_session', subject: reached },
      ...{ minute: `${createdAt.slice(0, 13)}:00:00.000Z`, total, refused: 0, failed: 0, sumMs: 0, maxMs: 0 },
    });
  }
  await addMinuteMetrics({ write: trx, transaction: (addAll) => addAll(trx) }, metrics);
};

const sweepStaged = async (run: SweepRun): Promise<void> => {
  const { db, clock, limits } = run;
  const before = addMilliseconds(clock.real(), -unpublishedMilliseconds(limits)).toISOString();
  for (;;) {
    const staged = await refreshes.findStagedBefore(db.write, before, batchSize);
    if (staged.length === 0) return;
    await db.markVacuumNeeded();
    for (const refresh of staged) await purgeStaged(run, refresh);
  }
};

const sweepBlocks = async (run: SweepRun): Promise<void> => {
  const { db, clock } = run;
  const now = clock.real().toISOString();
  await inChunks(run, batchSize, async () => {
    const deletions = await refreshes.findBlockDeletions(db.write, now, batchSize);
    for (const found of deletions) {
      const deletion = found.block < 0 ? await deleteRowsAhead(run, found) : found;
      run.deleted.unusedBlocks += await db.transaction((trx) => refreshes.deleteBlock(trx, deletion));
    }
    return deletions.length;
  });
};

/** Returns the rest of the deletion. */
const deleteRowsAhead = async (run: SweepRun, deletion: BlockDeletionRow): Promise<BlockDeletionRow> => {
  const limit = run.limits.sweepChunkRows;
  if (!(await refreshes.abandonRowsAhead(run.db.write, deletion))) return deletion;
  await inChunks(run, limit, () =>
    run.db.transaction((trx) => connections.deleteTransactions(trx, deletion, limit)),
  );
  return { ...deletion, block: abandonedRows };
};

const sweepWebhooks = async (run: SweepRun): Promise<void> => {
  const { db, clock, limits } = run;
  const now = clock.real();
  for (const id of await findExpiredListeners(db.write, now.toISOString()))
    await db.transaction((trx) => deleteEndpoint(trx, id));
  const before = addMilliseconds(now, -days(limits.webhookRetentionDays)).toISOString();
  await inChunks(run, batchSize, () => deleteDeliveriesBefore(db.write, before, batchSize), 'webhooks');
};

const sweepSetupTokens = async (run: SweepRun): Promise<void> => {
  const { db, clock, deleted } = run;
  const now = clock.real().toISOString();
  await inChunks(run, batchSize, async () => {
    const expired = await accesses.findExpiredClaims(db.write, now, batchSize);
    if (expired.length > 0) await db.markVacuumNeeded();
    for (const key of expired)
      if (await db.transaction((trx) => accesses.deleteSimplefinAccess(trx, key, now)))
        deleted.setupTokens += 1;
    return expired.length;
  });
};

const purgeStaged = (run: SweepRun, refresh: refreshes.StagedRefresh): Promise<void> => {
  const limit = run.limits.sweepChunkRows;
  return inChunks(run, limit, () => deleteStaged(run.db.write, refresh, limit), 'stagedTexts');
};
