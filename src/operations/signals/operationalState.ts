// The operational state beyond the availability of a process: missing workers, overdue work, failing webhooks. It takes no
// process out of service, because another process could not do better.

import { countUnhealthyEndpoints, type UnhealthyEndpoints } from '../../domain/webhooks/store.ts';
import type { Database } from '../../platform/db/open.ts';
import type { Limits } from '../../platform/settings/limits.ts';
import type { Clock } from '../../platform/values/clock.ts';
import {
  countDueJobs,
  countFailingRefreshes,
  countLiveWorkers,
  type DueJobs,
  overdueSeconds,
} from './refreshHealth.ts';

export type OperationalState = {
  workers: number;
  due: DueJobs[];
  /** The number of refreshes whose last attempt failed, by reason. */
  failing: Record<string, number>;
  webhookEndpoints: UnhealthyEndpoints;
  diskFull: boolean;
};

export type Warning =
  | 'no_worker'
  | 'overdue_refreshes'
  | 'overdue_imports'
  | 'failing_webhooks'
  | 'disk_full'
  /** The rest of the state could not be read. */
  | 'state_unknown';

export type ReadState = () => Promise<OperationalState>;

/** Anyone may request it, so it is read at most every ten seconds. */
const keptMs = 10_000;
/** Shorter than the timeouts of supervisors and load balancers. */
const readMs = 1000;

/** Reads the state, or returns the one of the last ten seconds. */
export const makeReadState = (deps: { db: Database; clock: Clock; limits: Limits }): ReadState => {
  let last: { state: Promise<OperationalState>; until: number } | undefined;
  return () => {
    const now = performance.now();
    if (last && now < last.until) return last.state;
    const state = readState({ ...deps, db: deps.db.within(readMs) });
    const kept = { state, until: now + keptMs };
    last = kept;
    state.catch(() => {
      if (last === kept) last = undefined;
    });
    return state;
  };
};

const readState = async ({
  db,
  clock,
  limits,
}: Parameters<typeof makeReadState>[0]): Promise<OperationalState> => ({
  workers: await countLiveWorkers({ db, clock, limits }),
  due: await countDueJobs(db.read, clock.real()),
  failing: await countFailingRefreshes(db.read),
  webhookEndpoints: await countUnhealthyEndpoints(db.read),
  diskFull: db.isDiskFull(),
});

export const warningsOf = ({ workers, due, webhookEndpoints, diskFull }: OperationalState): Warning[] => {
  const overdue = due.filter(({ kind, longestSeconds }) => longestSeconds > overdueSeconds[kind]);
  const warnings: [Warning, boolean][] = [
    ['no_worker', workers === 0],
    ['overdue_refreshes', overdue.some(({ kind }) => kind === 'refresh')],
    ['overdue_imports', overdue.some(({ kind }) => kind !== 'refresh')],
    ['failing_webhooks', webhookEndpoints.failing + webhookEndpoints.disabled > 0],
    ['disk_full', diskFull],
  ];
  return warnings.filter(([, applies]) => applies).map(([warning]) => warning);
};
