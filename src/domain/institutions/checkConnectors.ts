// Logs, for the operator, the problems that keep connectors from working.
import type { Log } from '../../platform/telemetry/log.ts';
import type { Clock } from '../../platform/values/clock.ts';
import type { NamedModule } from './registry.ts';

type CheckDeps = { connectors: readonly NamedModule[]; clock: Clock; log: Log };

/** Logs one line for each connector that reports a problem or whose check fails. */
export const checkConnectors = async (
  { connectors, clock, log }: CheckDeps,
  signal: AbortSignal,
): Promise<void> => {
  const checks = connectors.map(async ({ name: connector, check }) => {
    try {
      const problems = (await check?.({ signal, now: clock.real() })) ?? [];
      if (problems.length > 0) log.warn({ connector, problems }, 'connector not ready');
    } catch (err) {
      if (!signal.aborted) log.warn({ connector, err }, 'connector not checked');
    }
  });
  await Promise.all(checks);
};
