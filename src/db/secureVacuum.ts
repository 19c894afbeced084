// Leaving nothing of deleted rows in SQLite's files. `secure_delete` overwrites a row where it stood last, but not
// where it stood before its page was split, and the write-ahead log keeps old pages. So after deletions the file
// is rewritten (VACUUM, about 80 MB a second) and the log emptied. That it is due stands in the file itself, as
// `user_version`, a number that SQLite leaves to applications: whoever is killed before has it done later.
import { statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type BetterSqlite3 from 'better-sqlite3';
import type { Knex } from 'knex';

const checkpointAttempts = 20;
const checkpointRetryMs = 100;

type DatabaseFile = { filename: string; write: Knex; busyTimeoutMs: number };

/** Notes that rows are being deleted of which nothing may remain. */
export const markVacuumNeeded = async ({ write }: DatabaseFile): Promise<void> => {
  await write.transaction(async (trx) => {
    const [row] = await trx.raw('pragma user_version');
    await trx.raw(`pragma user_version = ${row.user_version + 1}`);
  });
};

/** Rewrites the file where that is due, unless it is greater, and empties the log; false where that is not done. */
export const secureVacuum = async (
  file: DatabaseFile,
  options: { rewriteBytesMax: number },
): Promise<boolean> => {
  const { filename, write, busyTimeoutMs } = file;
  // Nobody else in this process writes meanwhile: they would have to wait, and all the process with them.
  const connection: BetterSqlite3.Database = await write.client.acquireConnection();
  try {
    const due = connection.pragma('user_version', { simple: true }) !== 0;
    const wanted = due && statSync(filename).size <= options.rewriteBytesMax;
    const done = !due || (wanted && (await vacuumInThread(filename, busyTimeoutMs)));
    // SQLite would wait for readers itself, but with it everything else in this process.
    connection.pragma('busy_timeout = 0');
    for (let left = checkpointAttempts; left > 0; left--) {
      const [checkpoint] = connection.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[];
      if (checkpoint?.busy === 0) return done;
      await sleep(checkpointRetryMs);
    }
    return false;
  } finally {
    connection.pragma(`busy_timeout = ${busyTimeoutMs}`);
    await write.client.releaseConnection(connection);
  }
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
