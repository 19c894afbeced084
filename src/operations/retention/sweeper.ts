// Sweeps in every process that has a worker: soon after startup, then about once an hour, and when a sandbox clock is moved.
// Rewriting SQLite's file blocks all writes for seconds, so it is done once a day. Every process truncates the write-ahead log.

import type { Database } from '../../platform/db/open.ts';
import { type Loop, startLoop } from '../../platform/loops/loop.ts';
import type { Limits } from '../../platform/settings/limits.ts';
import { seconds } from '../../platform/values/clock.ts';
import type { SweepDeps } from './deadlines.ts';
import { notifyExpiringConsents } from './expiringConsents.ts';
import { type SweepResult, sweep } from './sweep.ts';

export type SweeperLog = {
  info(result: SweepResult, message: string): void;
  warn(failure: { err: unknown }, message: string): void;
};

/** Waking it starts a sweep at once. Stopping it waits for the current step of a sweep. */
export type Sweeper = Loop;

/** Starts sweeping until stopped. */
export const startSweeper = (deps: SweepDeps & { log: SweeperLog }): Sweeper => {
  const { clock, limits, log } = deps;
  let nextRewriteAt = 0;
  const sweepOnce = async (signal: AbortSignal): Promise<void> => {
    const now = clock.real().getTime();
    const rewrite = now >= nextRewriteAt;
    const rewriteBytesMax = rewrite ? limits.vacuumMegabytesMax * 1_000_000 : 0;
    await notifyExpiringConsents(deps, signal);
    const result = await sweep(deps, { signal, rewriteBytesMax });
    if (rewrite && result.vacuumed) nextRewriteAt = now + seconds(limits.vacuumEveryHours * 3600);
    const { vacuumed: _, ...deleted } = result;
    if (Object.values(deleted).some((count) => count > 0)) log.info(result, 'swept');
  };
  let pauseSeconds = limits.sweepInitialDelaySeconds;
  return startLoop(
    () => withJitter(seconds(pauseSeconds)),
    async (stop) => {
      pauseSeconds = limits.sweepEveryMinutes * 60;
      await sweepOnce(stop).catch((err) => {
        if (!stop.aborted) log.warn({ err }, 'sweep failed');
      });
    },
  );
};

// Spreads the sweeps of processes that started at the same time.
const withJitter = (milliseconds: number): number => milliseconds * (0.9 + 0.2 * Math.random());

/** The next attempt if another process was reading or writing. */
const retryMs = 200;

type LogTruncationDeps = {
  db: Database;
  limits: Limits;
  log: { warn(failure: { err: unknown }, message: string): void };
};

/**
 * Truncates the write-ahead log until stopped: rows that were deleted or replaced, such as the credentials of a revoked
 * connection, otherwise stay in it until later writes happen to overwrite them. The log may contain deletions by any process,
 * even one that has ended.
 */
export const startLogTruncation = ({ db, limits, log }: LogTruncationDeps): Loop => {
  let isTruncated = true;
  return startLoop(
    () => (isTruncated ? seconds(limits.logTruncateSeconds) : retryMs),
    async () => {
      isTruncated = await db.truncateLog().catch((err) => {
        log.warn({ err }, 'write-ahead log not truncated');
        return true;
      });
    },
  );
};
