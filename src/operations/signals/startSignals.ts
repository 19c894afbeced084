// The metrics of this process.
import type { Database } from '../../platform/db/open.ts';
import type { Config } from '../../platform/settings/config.ts';
import type { ReadState } from './operationalState.ts';
import type { Signals } from './prometheus.ts';

/** Undefined where METRICS_PORT is not set. Loaded only where somebody reads the metrics. */
export const startSignals = async (
  { metricsPort, limits }: Config,
  { db, readState }: { db: Database; readState: ReadState },
): Promise<Signals | undefined> => {
  if (metricsPort === undefined) return undefined;
  const { makeSignals } = await import('./prometheus.ts');
  return makeSignals({ db: db.within(limits.databaseRequestMs), readState });
};
