// Worker thread that rewrites a SQLite file, so that the process keeps serving meanwhile. secureVacuum.ts starts it.
import { workerData } from 'node:worker_threads';
import BetterSqlite3 from 'better-sqlite3';

const { filename, timeout } = workerData as { filename: string; timeout: number };
const database = new BetterSqlite3(filename, { timeout });
try {
  database.pragma('secure_delete = ON');
  // This VACUUM does not cover deletions that are marked from here on.
  const versionBefore = database.pragma('user_version', { simple: true });
  database.exec('VACUUM');
  database
    .transaction(() => {
      if (database.pragma('user_version', { simple: true }) === versionBefore)
        database.pragma('user_version = 0');
    })
    .immediate();
} finally {
  database.close();
}
