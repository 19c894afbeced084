// Deletes accounts that end users have stopped sharing, as long afterwards as connections are kept after a revocation.
import { setImmediate } from 'node:timers/promises';
import { deleteDeselected, findDeselected } from '../../domain/connections/purgeStore.ts';
import { addMilliseconds, seconds } from '../../platform/values/clock.ts';
import { computeDeadlines, type SweepDeps } from './deadlines.ts';

const batchSize = 50;

/** Returns how many were deleted. Throws the signal's reason if aborted. */
export const deleteDeselectedAccounts = async (deps: SweepDeps, signal: AbortSignal): Promise<number> => {
  const { db, clock, limits } = deps;
  let deleted = 0;
  for (const deadlines of computeDeadlines(deps)) {
    const { revokedBefore } = deadlines;
    for (;;) {
      const accounts = await findDeselected(db.write, deadlines, batchSize);
      if (accounts.length === 0) break;
      await db.markVacuumNeeded();
      // Responses that began before may still be reading their transactions.
      const deleteAfter = addMilliseconds(clock.real(), seconds(limits.sweepGraceSeconds)).toISOString();
      for (const account of accounts)
        deleted += await db.transaction((trx) =>
          deleteDeselected(trx, account, { revokedBefore, deleteAfter }),
        );
      await setImmediate();
      signal.throwIfAborted();
    }
  }
  return deleted;
};
