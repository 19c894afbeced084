// The metrics of this process.
import type { Database } from '../../platform/db/open.ts';
import type { Config } from '../../platform/settings/config.ts';
import type { Clock } from '../../platform/values/clock.ts';
import type { ReadState } from './operationalState.ts';
import type { Signals } from './prometheus.ts';
import { readRefreshLoads } from './refreshHealth.ts';

/** Undefined if METRICS_PORT is not set. Loaded only if metrics are served. */
export const startSignals = async (
  { metricsPort, limits }: Config,
  { db, clock, readState }: { db: Database; clock: Clock; readState: ReadState },
): Promise<Signals | undefined> => {
  if (metricsPort === undefined) return undefined;
  const { makeSignals } = await import('./prometheus.ts');
  const patient = db.within(limits.databaseRequestMs);
  const readLoads = (limit: number) => readRefreshLoads({ db: patient, clock, limits }, limit);
  return makeSignals({ db: patient, readState, readLoads });
};
