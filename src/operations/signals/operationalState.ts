// The operational state beyond the availability of a process: missing workers, overdue work, failing webhooks. It takes no
// process out of service, because another process could not do better.

import { countUnhealthyEndpoints, type UnhealthyEndpoints } from '../../domain/webhooks/store.ts';
import {
  countDueJobs,
  countFailingRefreshes,
  countLiveWorkers,
  type DueJobs,
  type HealthDeps,
  overdueSeconds,
  type RefreshLoad,
  readRefreshLoads,
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
export type ReadLoads = () => Promise<RefreshLoad[]>;

/** Anyone may request the state, so it is read at most every ten seconds. */
const stateKeptMs = 10_000;
/** Each open overview requests the loads every 15 seconds, and reading them counts all jobs. */
const loadsKeptMs = 60_000;
const loadsMax = 50;
/** Shorter than the timeouts of supervisors and load balancers. */
const readMs = 1000;

/** Caches the last result for this long. A failure is not cached. */
const keepFor = <Result>(milliseconds: number, read: () => Promise<Result>): (() => Promise<Result>) => {
  let last: { result: Promise<Result>; until: number } | undefined;
  return () => {
    const now = performance.now();
    if (last && now < last.until) return last.result;
    const kept = { result: read(), until: now + milliseconds };
    last = kept;
    kept.result.catch(() => {
      if (last === kept) last = undefined;
    });
    return kept.result;
  };
};

export const makeReadState = (deps: HealthDeps): ReadState =>
  keepFor(stateKeptMs, () => readState({ ...deps, db: deps.db.within(readMs) }));

export const makeReadLoads = (deps: HealthDeps): ReadLoads =>
  keepFor(loadsKeptMs, () => readRefreshLoads(deps, loadsMax));

const readState = async (deps: HealthDeps): Promise<OperationalState> => ({
  workers: await countLiveWorkers(deps),
  due: await countDueJobs(deps.db.read, deps.clock.real()),
  failing: await countFailingRefreshes(deps.db.read),
  webhookEndpoints: await countUnhealthyEndpoints(deps.db.read),
  diskFull: deps.db.isDiskFull(),
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
