// Removes deleted rows from SQLite's files. `secure_delete` overwrites a row in its last page only: copies remain in
// pages that were split earlier, and in the write-ahead log. So after deletions the file is rewritten (VACUUM, about
// 80 MB per second) and the log is truncated. The file itself stores that a vacuum is needed, as `user_version`, a
// number that SQLite leaves to applications: if the process is killed first, a later run does it.
import { statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type BetterSqlite3 from 'better-sqlite3';
import type { Knex } from 'knex';

const checkpointAttempts = 20;
const checkpointRetryMs = 100;

type DatabaseFile = { filename: string; write: Knex; vacuumTimeoutMs: number };

/** Marks the file as needing a vacuum. Call it before deleting rows of which no copy may remain. */
export const markVacuumNeeded = async ({ write }: DatabaseFile): Promise<void> => {
  await write.transaction(async (trx) => {
    const [row] = await trx.raw('pragma user_version');
    await trx.raw(`pragma user_version = ${row.user_version + 1}`);
  });
};

/**
 * Rewrites the file if it is marked and not larger than `rewriteBytesMax`, and truncates the write-ahead log. Returns
 * false if the file was too large or busy, so that copies of deleted rows may remain.
 */
export const secureVacuum = async (
  file: DatabaseFile,
  options: { rewriteBytesMax: number },
): Promise<boolean> => {
  const { filename, write, vacuumTimeoutMs } = file;
  // Holds the only writing connection: another writer of this process would block the whole process.
  const connection: BetterSqlite3.Database = await write.client.acquireConnection();
  try {
    const needed = connection.pragma('user_version', { simple: true }) !== 0;
    const allowed = needed && statSync(filename).size <= options.rewriteBytesMax;
    const done = !needed || (allowed && (await vacuumInThread(filename, vacuumTimeoutMs)));
    for (let attempt = 0; attempt < checkpointAttempts; attempt++) {
      if (checkpoint(connection)) return done;
      await sleep(checkpointRetryMs);
    }
    return false;
  } finally {
    await write.client.releaseConnection(connection);
  }
};

/** Truncates the write-ahead log, unless it is empty. Returns false if another connection was using it. */
export const truncateLog = async ({ filename, write }: DatabaseFile): Promise<boolean> => {
  if (!statSync(`${filename}-wal`, { throwIfNoEntry: false })?.size) return true;
  const connection: BetterSqlite3.Database = await write.client.acquireConnection();
  try {
    return checkpoint(connection);
  } finally {
    await write.client.releaseConnection(connection);
  }
};

// The connection does not wait for others, which would block this process: the callers try again instead.
const checkpoint = (connection: BetterSqlite3.Database): boolean => {
  const [result] = connection.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[];
  return result?.busy === 0;
};

const vacuumInThread = (filename: string, timeout: number): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const thread = new Worker(new URL('./vacuumThread.ts', import.meta.url), {
      workerData: { filename, timeout },
    });
    thread.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'SQLITE_BUSY') resolve(false);
      else reject(error);
    });
    thread.once('exit', () => resolve(true));
  });
