// Refreshes at once, for an operator who does not want to wait for the schedule: what is wanted is made due, and
// this process works on it until none of it is left, with others that may be working too.
import { setTimeout as sleep } from 'node:timers/promises';
import { countRefreshesDue, LeaseLost, makeRefreshesDue, nowByEnvironment } from './jobs.ts';
import { failureReason } from './failureReason.ts';
import { startWorker, type WorkerDeps, type JobHandler } from './worker.ts';

/** What became of the refreshes that this process did. */
export type RefreshNowResult = {
  refreshed: number;
  /** The bank said no: it is not asked again until the user reconnects. */
  refused: string[];
  /** It will be tried again. */
  failed: { connectionId: string; reason: string }[];
  /** What another process was faster to do. */
  byOtherProcesses: number;
};

export type RefreshNowOptions = {
  /** One connection; without it all that are on the schedule. */
  connectionId?: string;
  signal: AbortSignal;
  onProgress?: (progress: { done: number; total: number }) => void;
};

/** Refreshes and waits. Throws the signal's reason where it was stopped, and what finding work threw. */
export const refreshNow = async (
  tools: Omit<WorkerDeps, 'log'>,
  refresh: JobHandler,
  { connectionId, signal, onProgress }: RefreshNowOptions,
): Promise<RefreshNowResult> => {
  const { db, clock, limits } = tools;
  const result: RefreshNowResult = { refreshed: 0, refused: [], failed: [], byOtherProcesses: 0 };
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
  const counted: JobHandler = async (work, stop) => {
    const outcome = await refresh(work, stop);
    if (outcome === 'refreshed') result.refreshed += 1;
    if (outcome === 'refused') result.refused.push(work.connectionId);
  };
  const at = nowByEnvironment(clock);
  await makeRefreshesDue(db, at, { connectionId });
  const total = await countRefreshesDue(db, at, { connectionId });
  const handlers = { refresh: counted, import: ignoreJob, reconnect: ignoreJob };
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
  const here = result.refreshed + result.refused.length + result.failed.length;
  return { ...result, byOtherProcesses: Math.max(0, total - here) };
};

const ignoreJob: JobHandler = async () => {};
