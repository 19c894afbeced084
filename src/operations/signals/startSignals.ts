// The metrics of this process.
import type { Database } from '../../platform/db/open.ts';
import type { Config } from '../../platform/settings/config.ts';
import type { ReadState } from './operationalState.ts';
import type { Signals } from './prometheus.ts';

/** Undefined if METRICS_PORT is not set. Loaded only if metrics are served. */
export const startSignals = async (
  { metricsPort, limits }: Config,
  { db, readState }: { db: Database; readState: ReadState },
): Promise<Signals | undefined> => {
  if (metricsPort === undefined) return undefined;
  const { makeSignals } = await import('./prometheus.ts');
  return makeSignals({ db: db.within(limits.databaseRequestMs), readState });
};
