// Deletes what is over, in bounded steps. A connection is first marked gone, which every process respects
// whatever its clock says; then everything that hangs on it goes, and its own row last. So a sweep that is killed
// at any point leaves things that nobody can read any more, and that the next sweep finds; two at once take turns.
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { after, type Clock, days, seconds } from '../clock.ts';
import type { Limits } from '../config.ts';
import { withdrawWork } from '../connections/store.ts';
import type { Database, Transaction } from '../db/open.ts';
import {
  type ConnectionKey,
  type Deadlines,
  deleteAccount,
  deleteConnection,
  deleteDataKeys,
  deleteLonelyEndUser,
  deleteSessions,
  deleteStagedGroup,
  deleteTransactions,
  findAccountIds,
  findGone,
  findOver,
  findOverImports,
  findOverSessions,
  findStagedBefore,
  findStagedFor,
  holdGone,
  isAnyGoneSince,
  isAnyWork,
  markGone,
  type StagedGroup,
} from './store.ts';

export type SweepTools = { db: Database; clock: Clock; limits: Limits };

/** How much of each was deleted. */
export type Deleted = {
  connections: number;
  accounts: number;
  transactions: number;
  endUsers: number;
  sessions: number;
  stagedEntries: number;
};

export type Swept = Deleted & {
  /** Whether nothing of it is left in SQLite's files; false too where that is done later. */
  scrubbed: boolean;
};

export type SweepOptions = {
  signal: AbortSignal;
  onProgress?: (deleted: Deleted) => void;
  /** A SQLite file of up to this size is rewritten after deletions, so that no byte of them is left. */
  rewriteBytesMax: number;
};

type Sweep = SweepTools & SweepOptions & { deleted: Deleted };

/** Deletes all that is over by now. Throws the signal's reason where it was interrupted. */
export const sweep = async (tools: SweepTools, options: SweepOptions): Promise<Swept> => {
  const none = { connections: 0, accounts: 0, transactions: 0, endUsers: 0, sessions: 0, stagedEntries: 0 };
  const run: Sweep = { ...tools, ...options, deleted: none };
  await sweepConnections(run);
  await sweepSessions(run);
  await sweepStaged(run);
  return { ...run.deleted, scrubbed: await run.db.scrub(options) };
};

const keysAtATime = 50;

const deadlinesOf = ({ clock, limits }: SweepTools): Deadlines => {
  const longAgo = (now: Date): string => after(now, -days(limits.retentionDays)).toISOString();
  return {
    real: clock.real().toISOString(),
    revokedBefore: { sandbox: longAgo(clock.now('sandbox')), production: longAgo(clock.now('production')) },
  };
};

const sweepConnections = async (run: Sweep): Promise<void> => {
  const { db, clock, limits, signal } = run;
  const deadlines = deadlinesOf(run);
  for (;;) {
    const over = await findOver(db.write, deadlines, keysAtATime);
    for (const key of over) await markGone(db.write, key, deadlines);
    if (over.length === 0) break;
    await breathe(run);
  }
  const marked = clock.real();
  const grace = seconds(limits.sweepGraceSeconds);
  // Who was answered a moment ago may still be reading.
  if (await isAnyGoneSince(db.write, after(marked, -grace).toISOString())) {
    await sleep(grace, undefined, { signal });
  }
  for (;;) {
    const gone = await findGone(db.write, marked.toISOString(), keysAtATime);
    if (gone.length === 0) return;
    for (const key of gone) await forget(run, key);
  }
};

const forget = async (run: Sweep, key: ConnectionKey): Promise<void> => {
  const { db, deleted } = run;
  await db.noteDeletion();
  await withdrawWork(db.write, key.id);
  const accounts = await findAccountIds(db.write, key);
  for (const group of await findStagedFor(db.write, accounts)) await deleteStaged(run, group);
  for (const id of accounts) {
    const account = { endUserId: key.endUserId, id };
    await inChunks(run, key, 'transactions', (trx, limit) => deleteTransactions(trx, account, limit));
    deleted.accounts += await whileHeld(run, key, (trx) => deleteAccount(trx, account));
  }
  await inChunks(run, key, undefined, (trx, limit) => deleteDataKeys(trx, key, limit));
  await whileHeld(run, key, async (trx) => {
    await deleteConnection(trx, key);
    deleted.connections += 1;
    if (await deleteLonelyEndUser(trx, key.endUserId)) deleted.endUsers += 1;
    return 0;
  });
  await breathe(run);
};

/** One step within a transaction that holds the connection; nothing is left to do where another sweep was faster. */
const whileHeld = async (
  { db }: Sweep,
  key: ConnectionKey,
  work: (trx: Transaction) => Promise<number>,
): Promise<number> => db.transaction(async (trx) => ((await holdGone(trx, key)) ? work(trx) : 0));

const inChunks = async (
  run: Sweep,
  key: ConnectionKey,
  counted: keyof Deleted | undefined,
  deleteSome: (trx: Transaction, limit: number) => Promise<number>,
): Promise<void> => {
  const limit = run.limits.sweepChunkRows;
  for (;;) {
    const rows = await whileHeld(run, key, (trx) => deleteSome(trx, limit));
    if (counted) run.deleted[counted] += rows;
    await breathe(run);
    if (rows < limit) return;
  }
};

// Between two steps: others get their turn, and an interrupted sweep ends.
const breathe = async ({ signal, onProgress, deleted }: Sweep): Promise<void> => {
  onProgress?.(deleted);
  await setImmediate();
  signal.throwIfAborted();
};

const sweepSessions = async (run: Sweep): Promise<void> => {
  const { db, clock, limits } = run;
  const now = clock.real().toISOString();
  for (;;) {
    const over = await findOverSessions(db.write, now, limits.sweepChunkRows);
    if (over.length === 0) break;
    await forgetSessions(run, over, now);
  }
  // An import goes on as long as it is due, however long ago its session should have ended.
  for (let after = ''; ; ) {
    const imports = await findOverImports(db.write, { now, after, limit: limits.sweepChunkRows });
    if (imports.length === 0) return;
    const over: string[] = [];
    for (const { id, connectionId } of imports) {
      if (connectionId === null || !(await isAnyWork(db.write, connectionId))) over.push(id);
    }
    if (over.length > 0) await forgetSessions(run, over, now);
    after = imports.at(-1)!.id;
  }
};

const forgetSessions = async (run: Sweep, ids: readonly string[], now: string): Promise<void> => {
  await run.db.noteDeletion();
  run.deleted.sessions += await deleteSessions(run.db.write, ids, now);
  await breathe(run);
};

const sweepStaged = async (run: Sweep): Promise<void> => {
  const { db, clock, limits } = run;
  // A refresh is cut off after its limit; twice as long leaves time for one that is just being published.
  const age = seconds(2 * limits.refreshTimeoutSeconds + limits.leaseSeconds);
  const before = after(clock.real(), -age).toISOString();
  for (;;) {
    const groups = await findStagedBefore(db.write, before, keysAtATime);
    if (groups.length === 0) return;
    await db.noteDeletion();
    for (const group of groups) await deleteStaged(run, group);
  }
};

const deleteStaged = async (run: Sweep, group: StagedGroup): Promise<void> => {
  const limit = run.limits.sweepChunkRows;
  for (;;) {
    const rows = await deleteStagedGroup(run.db.write, group, limit);
    run.deleted.stagedEntries += rows;
    await breathe(run);
    if (rows < limit) return;
  }
};
