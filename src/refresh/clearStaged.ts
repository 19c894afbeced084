// What a refresh has published no longer needs to be staged: it goes at once, in bounded steps and outside of the
// publishing transaction. Whoever dies before that, or never publishes, leaves it to the hourly sweep.
import { setImmediate } from 'node:timers/promises';
import type { Limits } from '../config.ts';
import type { Database } from '../db/open.ts';
import type { FetchedAccounts } from './fetchAccounts.ts';
import { deleteStaged } from './store.ts';

type Deps = { db: Database; limits: Limits };

/** Deletes what was staged for a refresh that is published. Never throws: the refresh has happened. */
export const clearStaged = async (
  { db, limits }: Deps,
  { endUserId, refreshId }: Pick<FetchedAccounts, 'endUserId' | 'refreshId'>,
): Promise<void> => {
  const step = { rows: limits.clearStagedRows, bytes: limits.clearStagedBytes };
  try {
    while (await deleteStaged(db.write, { endUserId, refreshId }, step)) {
      // Others that wait for the same connection come first.
      await setImmediate();
    }
  } catch {
    // The database is gone, or closing: what is left is not read by anybody, and the sweep finds it.
  }
};
