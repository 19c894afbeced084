// Whether refreshes and imports run: the workers that live, and the jobs that wait too long.
import { addMilliseconds, type Clock, seconds } from '../clock.ts';
import type { Database } from '../db/open.ts';
import { type Limits, processExpiry } from '../settings/limits.ts';
import { type ApplicationClock, countWorkers, findOverdueJobs, type JobKind } from './jobs.ts';

/** A job that has been due for longer is overdue. An import or a reconnect keeps a user waiting in the widget. */
export const overdueSeconds: Record<JobKind, number> = { import: 60, reconnect: 60, refresh: 3600 };

/** `longestSeconds` is for how long the first of them has been due. */
type Overdue = { count: number; longestSeconds: number };

export type RefreshHealth = {
  /** The processes with a worker, of all applications. */
  workers: number;
  /** By the application's clock. */
  overdueRefreshes: Overdue;
  /** Imports and reconnects, which are due by real time. */
  overdueImports: Overdue;
};

/** The processes with a worker that have reported lately. */
export const countLiveWorkers = (db: Database, clock: Clock, limits: Limits): Promise<number> =>
  countWorkers(db.read, processExpiry(clock.real(), limits));

export const refreshHealth = async (
  { db, clock, limits }: { db: Database; clock: Clock; limits: Limits },
  application: ApplicationClock,
): Promise<RefreshHealth> => {
  const real = clock.real();
  const find = async (kinds: readonly JobKind[], now: Date, afterSeconds: number): Promise<Overdue> => {
    const { count, dueSince } = await findOverdueJobs(db.read, application, {
      kinds,
      dueBefore: addMilliseconds(now, -seconds(afterSeconds)).toISOString(),
      real: real.toISOString(),
    });
    const longestMs = dueSince === null ? 0 : now.getTime() - Date.parse(dueSince);
    return { count, longestSeconds: Math.floor(longestMs / seconds(1)) };
  };
  return {
    workers: await countLiveWorkers(db, clock, limits),
    overdueRefreshes: await find(['refresh'], clock.now(application), overdueSeconds.refresh),
    overdueImports: await find(['import', 'reconnect'], real, overdueSeconds.import),
  };
};
