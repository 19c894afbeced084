// Sweeps in every process that has a worker: soon after the start, then about once an hour, and when the sandbox clock
// is moved. Rewriting SQLite's file blocks all writes for seconds, so it is done once a day.
import { setTimeout as sleep } from 'node:timers/promises';
import { seconds } from '../clock.ts';
import { type SweepDeps, type SweepResult, sweep } from './sweep.ts';

export type SweeperLog = {
  info(result: SweepResult, message: string): void;
  warn(failure: { err: unknown }, message: string): void;
};

export type Sweeper = {
  /** Sweeps now instead of at the next scheduled time. */
  wake(): void;
  /** Aborts a running sweep and waits for its current step to end. */
  stop(): Promise<void>;
};

/** Starts sweeping until stopped. */
export const startSweeper = (deps: SweepDeps & { log: SweeperLog }): Sweeper => {
  const { limits, log } = deps;
  const stopping = new AbortController();
  const { signal } = stopping;
  let wake = (): void => {};
  let isWoken = false;
  const pause = async (milliseconds: number): Promise<void> => {
    const waking = new AbortController();
    wake = () => {
      isWoken = true;
      waking.abort();
    };
    if (!isWoken) {
      const stopOrWake = AbortSignal.any([signal, waking.signal]);
      await sleep(milliseconds, undefined, { signal: stopOrWake, ref: false }).catch(() => {});
    }
    isWoken = false;
  };
  let nextRewriteAt = 0;
  const sweepOnce = async (): Promise<void> => {
    const now = deps.clock.real().getTime();
    const rewrite = now >= nextRewriteAt;
    const rewriteBytesMax = rewrite ? limits.vacuumMegabytesMax * 1_000_000 : 0;
    const result = await sweep(deps, { signal, rewriteBytesMax });
    if (rewrite && result.vacuumed) nextRewriteAt = now + seconds(limits.vacuumEveryHours * 3600);
    const { vacuumed: _, ...deleted } = result;
    if (Object.values(deleted).some((count) => count > 0)) log.info(result, 'swept');
  };
  const loop = async (): Promise<void> => {
    await pause(withJitter(seconds(limits.sweepInitialDelaySeconds)));
    while (!signal.aborted) {
      try {
        await sweepOnce();
      } catch (err) {
        if (!signal.aborted) log.warn({ err }, 'sweep failed');
      }
      await pause(withJitter(seconds(limits.sweepEveryMinutes * 60)));
    }
  };
  const looping = loop();
  return {
    wake: () => wake(),
    stop: async () => {
      stopping.abort();
      await looping;
    },
  };
};

// Spreads the sweeps of processes that started at the same time.
const withJitter = (milliseconds: number): number => milliseconds * (0.9 + 0.2 * Math.random());
