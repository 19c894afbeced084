// Refreshes at once, for an operator who does not want to wait for the schedule. Makes the refreshes due and runs them in this
// process, together with other workers, until none is left.
import { setTimeout as sleep } from 'node:timers/promises';
import { runRefreshesSooner } from '../../domain/connections/jobs.ts';
import { countRefreshesDue } from './jobs.ts';
import { failureReason, type JobHandler, startWorker, type WorkerDeps, type WorkerLog } from './worker.ts';

/** The results of the refreshes that this process ran. */
export type RefreshNowResult = {
  refreshed: number;
  /** Ids of connections that are not refreshed again until the end user reconnects. */
  refused: string[];
  /** Connections whose refresh will be retried. */
  failed: { connectionId: string; reason: string }[];
  /** The number of refreshes that other processes ran. */
  byOtherProcesses: number;
};

export type RefreshNowOptions = {
  /** Only this connection; if absent, all with a scheduled refresh. */
  connectionId?: string;
  signal: AbortSignal;
  onProgress?: (progress: { done: number; total: number }) => void;
};

/** Refreshes and waits. Throws the signal's reason if aborted, and any error from the job queue itself. */
export const refreshNow = async (
  deps: Omit<WorkerDeps, 'log'>,
  refresh: JobHandler,
  { connectionId, signal, onProgress }: RefreshNowOptions,
): Promise<RefreshNowResult> => {
  const { db, clock, limits } = deps;
  const result: RefreshNowResult = { refreshed: 0, refused: [], failed: [], byOtherProcesses: 0 };
  const byThisProcess = () => result.refreshed + result.refused.length + result.failed.length;
  const queueFailure = new AbortController();
  const log: WorkerLog = {
    done: ({ connectionId }, _milliseconds, outcome) => {
      if (outcome === 'refreshed') result.refreshed += 1;
      if (outcome === 'refused' || outcome === 'key_lost') result.refused.push(connectionId);
    },
    failed: ({ connectionId }, error) => {
      result.failed.push({ connectionId, reason: failureReason(error) });
    },
    dropped: () => {},
    queueFailed: (error) => queueFailure.abort(error),
  };
  const at = clock.real().toISOString();
  await runRefreshesSooner(db.write, { connectionId }, at);
  const total = await countRefreshesDue(db, at, { connectionId });
  const handlers = { refresh, import: ignoreJob, reconnect: ignoreJob };
  const worker = startWorker({ ...deps, log }, handlers, { kind: 'refresh', connectionId });
  const stopSignal = AbortSignal.any([signal, queueFailure.signal]);
  try {
    let left = total;
    while (left > 0 && byThisProcess() < total) {
      onProgress?.({ done: total - left, total });
      await sleep(limits.workerPollMs / 2, undefined, { signal: stopSignal }).catch(() => {});
      stopSignal.throwIfAborted();
      left = Math.min(left, await countRefreshesDue(db, at, { connectionId }));
    }
  } finally {
    await worker.stop();
  }
  return { ...result, byOtherProcesses: Math.max(0, total - byThisProcess()) };
};

const ignoreJob: JobHandler = async () => {};
