// Removes deleted rows from SQLite's files. `secure_delete` overwrites a row in its last page only: copies remain in
// pages that were split earlier, and in the write-ahead log. So after deletions the file is rewritten (VACUUM, about
// 80 MB per second) and the log is truncated. The file itself stores that a vacuum is needed, as `user_version`, a
// number that SQLite leaves to applications: if the process is killed first, a later run does it.
import { statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type BetterSqlite3 from 'better-sqlite3';
import type { SqliteDriver } from './sqlite.ts';

const checkpointAttempts = 20;
const checkpointRetryMs = 100;
const vacuumTimeoutMs = 10_000;

/** Each of these waits at most `waitMs` for its turn to write. */
export const secureVacuum = (filename: string, { exclusive, transaction }: SqliteDriver, waitMs: number) => ({
  markVacuumNeeded: (): Promise<void> =>
    transaction(waitMs, async (run) => {
      const { rows } = await run({ text: 'pragma user_version' }, []);
      await run({ text: `pragma user_version = ${Number(rows[0]!.user_version) + 1}` }, []);
    }),
  /**
   * Rewrites the file if it is marked and not larger than `rewriteBytesMax`, and truncates the write-ahead log. Returns
   * false if the file was too large or busy, so that copies of deleted rows may remain.
   */
  secureVacuum: ({ rewriteBytesMax }: { rewriteBytesMax: number }): Promise<boolean> =>
    // Another writer of this process would block the whole process.
    exclusive(waitMs, async (writer) => {
      const needed = writer.pragma('user_version', { simple: true }) !== 0;
      const allowed = needed && statSync(filename).size <= rewriteBytesMax;
      const done = !needed || (allowed && (await vacuumInThread(filename, vacuumTimeoutMs)));
      for (let attempt = 0; attempt < checkpointAttempts; attempt++) {
        if (checkpoint(writer)) return done;
        await sleep(checkpointRetryMs);
      }
      return false;
    }),
  /** Truncates the write-ahead log, unless it is empty. Returns false if another connection was using it. */
  truncateLog: async (): Promise<boolean> => {
    if (!statSync(`${filename}-wal`, { throwIfNoEntry: false })?.size) return true;
    return exclusive(waitMs, checkpoint);
  },
});

// The connection does not wait for others, because waiting would block this process: the callers retry instead.
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
