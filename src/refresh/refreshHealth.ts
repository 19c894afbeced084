// Whether refreshes run: the workers that live, and the refreshes that wait too long.
import { addMilliseconds, type Clock, seconds } from '../clock.ts';
import { processExpiry } from '../config.ts';
import type { Database } from '../db/open.ts';
import type { Limits } from '../limits.ts';
import { type ApplicationClock, countWorkers, findOverdueRefreshes } from './jobs.ts';

/** A refresh that has been due for longer is overdue. */
export const overdueAfterSeconds = 3600;

export type RefreshHealth = {
  /** The processes with a worker, of all applications. */
  workers: number;
  /** `longestSeconds` is by the application's clock. */
  overdueRefreshes: { count: number; longestSeconds: number };
};

/** The processes with a worker that have reported lately. */
export const countLiveWorkers = (db: Database, clock: Clock, limits: Limits): Promise<number> =>
  countWorkers(db.read, processExpiry(clock.real(), limits));

export const refreshHealth = async (
  { db, clock, limits }: { db: Database; clock: Clock; limits: Limits },
  application: ApplicationClock,
): Promise<RefreshHealth> => {
  const now = clock.now(application);
  const dueBefore = addMilliseconds(now, -seconds(overdueAfterSeconds)).toISOString();
  const real = clock.real().toISOString();
  const { count, dueSince } = await findOverdueRefreshes(db.read, application, { dueBefore, real });
  const longestSeconds =
    dueSince === null ? 0 : Math.floor((now.getTime() - Date.parse(dueSince)) / seconds(1));
  return {
    workers: await countLiveWorkers(db, clock, limits),
    overdueRefreshes: { count, longestSeconds },
  };
};
