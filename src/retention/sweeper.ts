// Sweeps by itself, in every process that has a worker: soon after the start, then about once an hour, and when
// somebody has moved the sandbox's clock. Rewriting SQLite's file stops all writing for seconds, so that is done
// once a day.
import { setTimeout as sleep } from 'node:timers/promises';
import { seconds } from '../clock.ts';
import { type SweepDeps, type SweepResult, sweep } from './sweep.ts';

export type SweeperLog = {
  info(swept: SweepResult, message: string): void;
  warn(failure: { err: unknown }, message: string): void;
};

export type Sweeper = {
  /** Sweeps now instead of at the next occasion. */
  wake(): void;
  /** Interrupts a sweep that is under way, and waits for its step to end. */
  stop(): Promise<void>;
};

/** Starts to sweep until it is stopped. */
export const startSweeper = (tools: SweepDeps & { log: SweeperLog }): Sweeper => {
  const { limits, log } = tools;
  const stopping = new AbortController();
  const { signal } = stopping;
  let wakeUp = (): void => {};
  let woken = false;
  const pause = async (milliseconds: number): Promise<void> => {
    const awake = new AbortController();
    wakeUp = () => {
      woken = true;
      awake.abort();
    };
    if (!woken) {
      const either = AbortSignal.any([signal, awake.signal]);
      await sleep(milliseconds, undefined, { signal: either, ref: false }).catch(() => {});
    }
    woken = false;
  };
  let rewriteDue = 0;
  const sweepOnce = async (): Promise<void> => {
    const now = tools.clock.real().getTime();
    const rewrite = now >= rewriteDue;
    const rewriteBytesMax = rewrite ? limits.vacuumMegabytesMax * 1_000_000 : 0;
    const swept = await sweep(tools, { signal, rewriteBytesMax });
    if (rewrite && swept.vacuumed) rewriteDue = now + seconds(limits.vacuumEveryHours * 3600);
    const { vacuumed: _, ...deleted } = swept;
    if (Object.values(deleted).some((count) => count > 0)) log.info(swept, 'swept');
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
    wake: () => wakeUp(),
    stop: async () => {
      stopping.abort();
      await looping;
    },
  };
};

// Processes that started together need not sweep together.
const withJitter = (milliseconds: number): number => milliseconds * (0.9 + 0.2 * Math.random());
