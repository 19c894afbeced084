// Refreshes at once, for an operator who does not want to wait for the schedule: what is wanted is made due, and
// this process works on it until none of it is left, with others that may be working too.
import { setTimeout as sleep } from 'node:timers/promises';
import { countRefreshesDue, LeaseLost, makeRefreshesDue, momentsOf } from './claims.ts';
import { failureReason } from './failure.ts';
import { startWorker, type WorkerTools, type WorkHandler } from './worker.ts';

/** What became of the refreshes that this process did. */
export type RefreshedNow = {
  refreshed: number;
  /** The bank said no: it is not asked again until the user reconnects. */
  stopped: string[];
  /** It will be tried again. */
  failed: { connectionId: string; reason: string }[];
  /** What another process was faster to do. */
  elsewhere: number;
};

export type RefreshNowOptions = {
  /** One connection; without it all that are on the schedule. */
  connectionId?: string;
  signal: AbortSignal;
  onProgress?: (progress: { done: number; total: number }) => void;
};

/** Refreshes and waits. Throws the signal's reason where it was stopped, and what finding work threw. */
export const refreshNow = async (
  tools: Omit<WorkerTools, 'log'>,
  refresh: WorkHandler,
  { connectionId, signal, onProgress }: RefreshNowOptions,
): Promise<RefreshedNow> => {
  const { db, clock, limits } = tools;
  const result: RefreshedNow = { refreshed: 0, stopped: [], failed: [], elsewhere: 0 };
  const fault = new AbortController();
  const log = {
    done: () => {},
    failed: (work: { connectionId: string }, error: unknown) => {
      if (work.connectionId === '') return fault.abort(error);
      // Another process took over, or the connection was revoked meanwhile.
      if (error instanceof LeaseLost) return;
      result.failed.push({ connectionId: work.connectionId, reason: failureReason(error) });
    },
  };
  const counted: WorkHandler = async (work, stop) => {
    const outcome = await refresh(work, stop);
    if (outcome === 'refreshed') result.refreshed += 1;
    if (outcome === 'refused') result.stopped.push(work.connectionId);
  };
  const at = momentsOf(clock);
  await makeRefreshesDue(db, at, { connectionId });
  const total = await countRefreshesDue(db, at, { connectionId });
  const handlers = { refresh: counted, import: nothing, reconnect: nothing };
  const worker = startWorker({ ...tools, log }, handlers, { kind: 'refresh', connectionId });
  const either = AbortSignal.any([signal, fault.signal]);
  try {
    let left = total;
    while (left > 0) {
      onProgress?.({ done: total - left, total });
      await sleep(limits.workerPollMs / 2, undefined, { signal: either }).catch(() => {});
      either.throwIfAborted();
      left = Math.min(left, await countRefreshesDue(db, at, { connectionId }));
    }
  } finally {
    await worker.stop();
  }
  const here = result.refreshed + result.stopped.length + result.failed.length;
  return { ...result, elsewhere: Math.max(0, total - here) };
};

const nothing: WorkHandler = async () => {};
