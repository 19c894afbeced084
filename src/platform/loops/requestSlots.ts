// Bounds the requests of one application that are in progress in this process. Further requests wait in a queue, and one of
// them starts in each round of the event loop, so that an application with many connections hardly slows down the others.

import type { Limits } from '../settings/limits.ts';
import { TooManyAttempts } from '../values/errors.ts';
import type { YieldTurn } from './fairScheduler.ts';

/** A slot for one request in progress. */
export type RequestSlot = {
  /** Waits for a slot of this application. Throws TooManyAttempts after `apiQueueMs`. */
  take(applicationId: string): Promise<void>;
  /** Lets the next request of the application start. Does nothing while no slot is held. */
  release(): void;
  /** Waits without a limit for a slot of the same application. Does nothing for a request that never took one. */
  retake(): Promise<void>;
};

type Share = { free: number; waiting: (() => void)[] };

export const makeRequestSlots = (
  { apiRequestsInProgress: max, apiQueueMs: maxWaitMs }: Limits,
  yieldTurn: YieldTurn,
): (() => RequestSlot) => {
  // Contains only applications with a request in progress.
  const shares = new Map<string, Share>();

  const take = (id: string, waitMs?: number): Promise<void> | undefined => {
    const share = shares.get(id) ?? { free: max, waiting: [] };
    shares.set(id, share);
    if (share.free > 0) {
      share.free -= 1;
      return;
    }
    return new Promise((resolve, reject) => {
      const start = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const giveUp = (): void => {
        share.waiting.splice(share.waiting.indexOf(start), 1);
        reject(new TooManyAttempts(Math.ceil(maxWaitMs / 1000)));
      };
      const timer = waitMs === undefined ? undefined : setTimeout(giveUp, waitMs);
      share.waiting.push(start);
    });
  };

  // Deferred: one round of the event loop can read many requests, and other applications would wait for all of them.
  const give = async (id: string): Promise<void> => {
    await yieldTurn();
    const share = shares.get(id)!;
    const next = share.waiting.shift();
    if (next) return next();
    share.free += 1;
    if (share.free === max) shares.delete(id);
  };

  return () => {
    let id: string | undefined;
    let held = false;
    return {
      take: async (applicationId) => {
        await take(applicationId, maxWaitMs);
        id = applicationId;
        held = true;
      },
      release: () => {
        if (held) void give(id!);
        held = false;
      },
      retake: async () => {
        if (id === undefined) return;
        await take(id);
        held = true;
      },
    };
  };
};
