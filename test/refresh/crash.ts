// Simulates a process that dies between two database queries: from the chosen query on, every query fails.
import type { Database } from '../../src/platform/db/open.ts';

export class Crash extends Error {}

/**
 * Runs `run` and crashes at the given query; returns whether it crashed before `run` ended. The database rolls back open
 * transactions, as it does when a connection is lost.
 */
export const crashAtQuery = async (
  db: Database,
  query: number,
  run: () => Promise<unknown>,
): Promise<boolean> => {
  let queries = 0;
  const unwatch = db.watch((text) => {
    queries += 1;
    if (queries >= query && text !== 'commit') throw new Crash();
  });
  try {
    await run();
    return false;
  } catch (error) {
    if (error instanceof Crash) return true;
    throw error;
  } finally {
    unwatch();
  }
};
