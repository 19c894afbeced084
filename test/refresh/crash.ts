// Simulates a process that dies between two database queries: from the chosen query on, every query fails.
import type { Database } from '../../src/db/open.ts';

export class Crash extends Error {}

/**
 * Runs `run` and crashes at the given query; returns whether it crashed before `run` ended. The database rolls back open
 * transactions, as it does for a lost connection.
 */
export const crashAtQuery = async (
  db: Database,
  query: number,
  run: () => Promise<unknown>,
): Promise<boolean> => {
  let queries = 0;
  const onQuery = ({ sql }: { sql: string }): void => {
    queries += 1;
    // A crash at COMMIT is the same as one at the statement before it; the pooled connection must be left clean.
    if (queries >= query && !/^(ROLLBACK|COMMIT)/.test(sql)) throw new Crash();
  };
  const pools = new Set([db.read, db.write]);
  for (const pool of pools) pool.on('query', onQuery);
  try {
    await run();
    return false;
  } catch (error) {
    if (error instanceof Crash) return true;
    throw error;
  } finally {
    for (const pool of pools) pool.removeListener('query', onQuery);
  }
};
