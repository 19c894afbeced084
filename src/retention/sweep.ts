// Deletes what is over, in bounded steps. A connection is first marked gone, which every process respects
// whatever its clock says; then everything that hangs on it goes, and its own row last. So a sweep that is killed
// at any point leaves things that nobody can read any more, and that the next sweep finds; two at once take turns.
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { addMilliseconds, type Clock, days, seconds } from '../clock.ts';
import type { Limits } from '../config.ts';
import { deleteConnectionJobs } from '../connections/store.ts';
import type { Database, DbTransaction } from '../db/open.ts';
import {
  type ConnectionKey,
  type Deadlines,
  deleteAccount,
  deleteConnection,
  deleteDataKeys,
  deleteOrphanedEndUser,
  deleteLinkSessions,
  deleteStagedGroup,
  deleteTransactions,
  findAccountIds,
  findPurging,
  findExpired,
  findExpiredImports,
  findExpiredLinkSessions,
  findStagedBefore,
  findStagedByAccounts,
  lockPurging,
  hasPurgingSince,
  hasJob,
  markPurging,
  type StagedGroup,
} from './store.ts';

export type SweepDeps = { db: Database; clock: Clock; limits: Limits };

/** How much of each was deleted. */
export type DeletedCounts = {
  connections: number;
  accounts: number;
  transactions: number;
  endUsers: number;
  linkSessions: number;
  stagedTransactions: number;
};

export type SweepResult = DeletedCounts & {
  /** Whether nothing of it is left in SQLite's files; false too where that is done later. */
  vacuumed: boolean;
};

export type SweepOptions = {
  signal: AbortSignal;
  onProgress?: (deleted: DeletedCounts) => void;
  /** A SQLite file of up to this size is rewritten after deletions, so that no byte of them is left. */
  rewriteBytesMax: number;
};

type SweepRun = SweepDeps & SweepOptions & { deleted: DeletedCounts };

/** Deletes all that is over by now. Throws the signal's reason where it was interrupted. */
export const sweep = async (tools: SweepDeps, options: SweepOptions): Promise<SweepResult> => {
  const none = {
    connections: 0,
    accounts: 0,
    transactions: 0,
    endUsers: 0,
    linkSessions: 0,
    stagedTransactions: 0,
  };
  const run: SweepRun = { ...tools, ...options, deleted: none };
  await sweepConnections(run);
  await sweepLinkSessions(run);
  await sweepStaged(run);
  return { ...run.deleted, vacuumed: await run.db.secureVacuum(options) };
};

const batchSize = 50;

const computeDeadlines = ({ clock, limits }: SweepDeps): Deadlines => {
  const longAgo = (now: Date): string => addMilliseconds(now, -days(limits.retentionDays)).toISOString();
  return {
    real: clock.real().toISOString(),
    revokedBefore: { sandbox: longAgo(clock.now('sandbox')), production: longAgo(clock.now('production')) },
  };
};

const sweepConnections = async (run: SweepRun): Promise<void> => {
  const { db, clock, limits, signal } = run;
  const deadlines = computeDeadlines(run);
  for (;;) {
    const over = await findExpired(db.write, deadlines, batchSize);
    for (const key of over) await markPurging(db.write, key, deadlines);
    if (over.length === 0) break;
    await yieldAndReport(run);
  }
  const marked = clock.real();
  const grace = seconds(limits.sweepGraceSeconds);
  // Who was answered a moment ago may still be reading.
  if (await hasPurgingSince(db.write, addMilliseconds(marked, -grace).toISOString())) {
    await sleep(grace, undefined, { signal });
  }
  for (;;) {
    const gone = await findPurging(db.write, marked.toISOString(), batchSize);
    if (gone.length === 0) return;
    for (const key of gone) await purgeConnection(run, key);
  }
};

const purgeConnection = async (run: SweepRun, key: ConnectionKey): Promise<void> => {
  const { db, deleted } = run;
  await db.markVacuumNeeded();
  await deleteConnectionJobs(db.write, key.id);
  const accounts = await findAccountIds(db.write, key);
  for (const group of await findStagedByAccounts(db.write, accounts)) await purgeStaged(run, group);
  for (const id of accounts) {
    const account = { endUserId: key.endUserId, id };
    await deleteInChunks(run, key, 'transactions', (trx, limit) => deleteTransactions(trx, account, limit));
    deleted.accounts += await withPurgingLock(run, key, (trx) => deleteAccount(trx, account));
  }
  await deleteInChunks(run, key, undefined, (trx, limit) => deleteDataKeys(trx, key, limit));
  await withPurgingLock(run, key, async (trx) => {
    await deleteConnection(trx, key);
    deleted.connections += 1;
    if (await deleteOrphanedEndUser(trx, key.endUserId)) deleted.endUsers += 1;
    return 0;
  });
  await yieldAndReport(run);
};

/** One step within a transaction that holds the connection; nothing is left to do where another sweep was faster. */
const withPurgingLock = async (
  { db }: SweepRun,
  key: ConnectionKey,
  work: (trx: DbTransaction) => Promise<number>,
): Promise<number> => db.transaction(async (trx) => ((await lockPurging(trx, key)) ? work(trx) : 0));

const deleteInChunks = async (
  run: SweepRun,
  key: ConnectionKey,
  counted: keyof DeletedCounts | undefined,
  deleteSome: (trx: DbTransaction, limit: number) => Promise<number>,
): Promise<void> => {
  const limit = run.limits.sweepChunkRows;
  for (;;) {
    const rows = await withPurgingLock(run, key, (trx) => deleteSome(trx, limit));
    if (counted) run.deleted[counted] += rows;
    await yieldAndReport(run);
    if (rows < limit) return;
  }
};

// Between two steps: others get their turn, and an interrupted sweep ends.
const yieldAndReport = async ({ signal, onProgress, deleted }: SweepRun): Promise<void> => {
  onProgress?.(deleted);
  await setImmediate();
  signal.throwIfAborted();
};

const sweepLinkSessions = async (run: SweepRun): Promise<void> => {
  const { db, clock, limits } = run;
  const now = clock.real().toISOString();
  for (;;) {
    const over = await findExpiredLinkSessions(db.write, now, limits.sweepChunkRows);
    if (over.length === 0) break;
    await purgeLinkSessions(run, over, now);
  }
  // An import goes on as long as it is due, however long ago its session should have ended.
  for (let after = ''; ; ) {
    const imports = await findExpiredImports(db.write, { now, after, limit: limits.sweepChunkRows });
    if (imports.length === 0) return;
    const over: string[] = [];
    for (const { id, connectionId } of imports) {
      if (connectionId === null || !(await hasJob(db.write, connectionId))) over.push(id);
    }
    if (over.length > 0) await purgeLinkSessions(run, over, now);
    after = imports.at(-1)!.id;
  }
};

const purgeLinkSessions = async (run: SweepRun, ids: readonly string[], now: string): Promise<void> => {
  await run.db.markVacuumNeeded();
  run.deleted.linkSessions += await deleteLinkSessions(run.db.write, ids, now);
  await yieldAndReport(run);
};

const sweepStaged = async (run: SweepRun): Promise<void> => {
  const { db, clock, limits } = run;
  // A refresh is cut off after its limit; twice as long leaves time for one that is just being published.
  const age = seconds(2 * limits.refreshTimeoutSeconds + limits.leaseSeconds);
  const before = addMilliseconds(clock.real(), -age).toISOString();
  for (;;) {
    const groups = await findStagedBefore(db.write, before, batchSize);
    if (groups.length === 0) return;
    await db.markVacuumNeeded();
    for (const group of groups) await purgeStaged(run, group);
  }
};

const purgeStaged = async (run: SweepRun, group: StagedGroup): Promise<void> => {
  const limit = run.limits.sweepChunkRows;
  for (;;) {
    const rows = await deleteStagedGroup(run.db.write, group, limit);
    run.deleted.stagedTransactions += rows;
    await yieldAndReport(run);
    if (rows < limit) return;
  }
};
