// A thread that rewrites a SQLite file, so that the process goes on answering meanwhile. Started by scrub.ts.
import { workerData } from 'node:worker_threads';
import BetterSqlite3 from 'better-sqlite3';

const { filename, timeout } = workerData as { filename: string; timeout: number };
const database = new BetterSqlite3(filename, { timeout });
try {
  database.pragma('secure_delete = ON');
  // Deletions that are noted from here on are not covered by this rewriting.
  const noted = database.pragma('user_version', { simple: true });
  database.exec('VACUUM');
  database
    .transaction(() => {
      if (database.pragma('user_version', { simple: true }) === noted) database.pragma('user_version = 0');
    })
    .immediate();
} finally {
  database.close();
}
