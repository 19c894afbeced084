// Runs a task again and again in the background, until it is stopped.
import { setTimeout as sleep } from 'node:timers/promises';

/** Waits, or returns at once if aborted. Does not keep the process alive. */
export const pause = async (milliseconds: number, signal?: AbortSignal): Promise<void> => {
  await sleep(milliseconds, undefined, { signal, ref: false }).catch(() => {});
};

export type Loop = {
  /** Ends the current pause, or waits until the running task has ended. */
  stop(): Promise<void>;
};

/**
 * Waits `pauseMs()` milliseconds, runs `task`, and begins again. The pause does not keep the process alive. The task
 * handles its own errors: one that it throws ends the loop.
 */
export const startLoop = (pauseMs: () => number, task: () => Promise<void>): Loop => {
  const stopping = new AbortController();
  const { signal } = stopping;
  const loop = async (): Promise<void> => {
    for (;;) {
      await pause(pauseMs(), signal);
      if (signal.aborted) return;
      await task();
    }
  };
  const looping = loop();
  return {
    stop: async () => {
      stopping.abort();
      await looping;
    },
  };
};
