// Runs a task repeatedly in the background, until it is stopped; and renews a process's lease on its work.
import { setTimeout as sleep } from 'node:timers/promises';
import { seconds } from '../values/clock.ts';

/** Waits, or returns at once if aborted. Does not keep the process alive. */
export const pause = async (milliseconds: number, signal?: AbortSignal): Promise<void> => {
  await sleep(milliseconds, undefined, { signal, ref: false }).catch(() => {});
};

export type Loop = {
  /** Ends the current pause, or skips the next one if the task is running. */
  wake(): void;
  /** Aborts the signal of the running task and waits until it has ended. */
  stop(): Promise<void>;
};

/**
 * Waits `pauseMs()` milliseconds, runs `task`, and repeats. The pause does not keep the process alive. The task handles its own
 * errors: one that it throws ends the loop.
 */
export const startLoop = (pauseMs: () => number, task: (stop: AbortSignal) => Promise<void>): Loop => {
  const stopping = new AbortController();
  let waking = new AbortController();
  const loop = async (): Promise<void> => {
    for (;;) {
      await pause(pauseMs(), waking.signal);
      if (stopping.signal.aborted) return;
      waking = new AbortController();
      await task(stopping.signal);
    }
  };
  const looping = loop();
  return {
    wake: () => waking.abort(),
    stop: async () => {
      stopping.abort();
      waking.abort();
      await looping;
    },
  };
};

/**
 * Calls `renew` three times during each lease, until the returned function is called, and `onLost` whenever `renew` returns false.
 * A renewal that throws does not mean that the lease is lost: the next one retries.
 */
export const keepRenewing = (
  leaseSeconds: number,
  renew: () => Promise<boolean>,
  onLost: () => void,
): (() => void) => {
  const renewal = setInterval(async () => {
    if (!(await renew().catch(() => true))) onLost();
  }, seconds(leaseSeconds) / 3);
  return () => clearInterval(renewal);
};
