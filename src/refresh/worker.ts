// Claims due work, does it, releases it. A lease is renewed while the work goes on; whoever loses it stops at
// once. Stopping the worker aborts what is under way: its lease is given back, and another process goes on.
import { setTimeout as sleep } from 'node:timers/promises';
import { addMilliseconds, type Clock, seconds } from '../clock.ts';
import type { Limits } from '../config.ts';
import { recordConnectionEvent } from '../connections/events.ts';
import type { Database } from '../db/open.ts';
import {
  type ClaimedJob,
  claimJob,
  findDueJobs,
  LeaseLost,
  renewLease,
  requeueJob,
  type JobFilter,
  type JobKind,
} from './jobs.ts';
import { retryAt } from './schedule.ts';
import { failureReason } from './failureReason.ts';

/** Does one piece of claimed work; the signal says to stop at the next occasion. */
export type JobHandler = (work: ClaimedJob, signal: AbortSignal) => Promise<unknown>;

export type JobHandlers = Record<JobKind, JobHandler>;

export type WorkerDeps = { db: Database; clock: Clock; limits: Limits; log: WorkerLog };

/** What the worker tells about itself: ids, kinds and reasons, never anything of a bank's answer. */
export type WorkerLog = {
  /** `outcome` is what the handler said. */
  done(work: ClaimedJob, milliseconds: number, outcome: unknown): void;
  failed(work: ClaimedJob, error: unknown, milliseconds?: number): void;
};

export type Worker = {
  /** Looks for work now instead of at the next poll. */
  wake(): void;
  /** Ends what is under way and waits for it, at most `shutdownTimeoutSeconds`. */
  stop(): Promise<void>;
};

/** Starts to work until it is stopped; with a filter, on that work alone. */
export const startWorker = (tools: WorkerDeps, handlers: JobHandlers, filter: JobFilter = {}): Worker => {
  const stopping = new AbortController();
  const running = new Map<ClaimedJob, Promise<void>>();
  let wakeUp: () => void = () => {};
  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const woken = new Promise<void>((resolve) => {
        wakeUp = resolve;
      });
      await claimAvailableJobs(tools, filter, running, (work) =>
        runJob(tools, handlers, work, stopping.signal),
      ).catch((error) => tools.log.failed(noJob, error));
      await Promise.race([woken, pause(tools.limits.workerPollMs, stopping.signal)]);
    }
  };
  const looping = loop();
  return {
    wake: () => wakeUp(),
    stop: async () => {
      stopping.abort();
      wakeUp();
      await looping;
      await Promise.race([
        Promise.all(running.values()),
        pause(seconds(tools.limits.shutdownTimeoutSeconds)),
      ]);
    },
  };
};

// A failure to look for work belongs to no connection.
const noJob = { connectionId: '', kind: 'refresh' } as ClaimedJob;

const pause = async (milliseconds: number, signal?: AbortSignal): Promise<void> => {
  await sleep(milliseconds, undefined, { signal, ref: false }).catch(() => {});
};

const claimAvailableJobs = async (
  tools: WorkerDeps,
  filter: JobFilter,
  running: Map<ClaimedJob, Promise<void>>,
  start: (work: ClaimedJob) => Promise<void>,
): Promise<void> => {
  const { db, clock, limits } = tools;
  for (;;) {
    const due = await findDueJobs(
      db,
      clock,
      limits.workerConcurrency,
      excludeBusyInstitutions(running, filter, limits),
    );
    const work = await claimFirstUnclaimed(
      tools,
      due.filter(({ kind }) => hasFreeSlot(kind, running, limits)),
    );
    if (!work) return;
    // One at a time, because each may make its institution busy.
    running.set(
      work,
      start(work).finally(() => running.delete(work)),
    );
  }
};

/** The first that no other process was faster with. */
const claimFirstUnclaimed = async (
  { db, clock, limits }: WorkerDeps,
  due: readonly Parameters<typeof claimJob>[1][],
): Promise<ClaimedJob | undefined> => {
  for (const work of due) {
    const claimed = await claimJob(db, work, { now: clock.real(), seconds: limits.leaseSeconds });
    if (claimed) return claimed;
  }
  return undefined;
};

const hasFreeSlot = (kind: JobKind, running: ReadonlyMap<ClaimedJob, unknown>, limits: Limits): boolean => {
  // The last place is kept for what a user waits for.
  const places = kind === 'refresh' ? Math.max(1, limits.workerConcurrency - 1) : limits.workerConcurrency;
  return running.size < places;
};

const excludeBusyInstitutions = (
  running: ReadonlyMap<ClaimedJob, unknown>,
  filter: JobFilter,
  limits: Limits,
): JobFilter => {
  const byInstitution = Map.groupBy(running.keys(), (work) => work.institutionId);
  const busy = [...byInstitution].filter(
    ([, works]) => works.length >= limits.workerConcurrencyPerInstitution,
  );
  return { ...filter, busyInstitutions: busy.map(([institutionId]) => institutionId) };
};

/** Does one claimed piece of work to its end, whatever that is. */
export const runJob = async (
  tools: WorkerDeps,
  handlers: JobHandlers,
  work: ClaimedJob,
  stop: AbortSignal,
): Promise<void> => {
  const { clock, limits, log } = tools;
  const lost = new AbortController();
  const timeout = AbortSignal.timeout(seconds(limits.refreshTimeoutSeconds));
  const renewal = startLeaseRenewal(tools, work, lost);
  const started = clock.real().getTime();
  try {
    const outcome = await handlers[work.kind](work, AbortSignal.any([stop, lost.signal, timeout]));
    log.done(work, clock.real().getTime() - started, outcome);
  } catch (error) {
    if (!stop.aborted) log.failed(work, error, clock.real().getTime() - started);
    if (!(error instanceof LeaseLost)) await releaseJob(tools, work, error, stop.aborted);
  } finally {
    clearInterval(renewal);
  }
};

const startLeaseRenewal = (tools: WorkerDeps, work: ClaimedJob, lost: AbortController): NodeJS.Timeout => {
  const { db, clock, limits } = tools;
  const renew = async (): Promise<void> => {
    const held = await renewLease(db, work, { now: clock.real(), seconds: limits.leaseSeconds }).catch(
      () => true,
    );
    if (!held) lost.abort(new LeaseLost());
  };
  return setInterval(renew, seconds(limits.leaseSeconds) / 3);
};

const releaseJob = async (
  tools: WorkerDeps,
  work: ClaimedJob,
  error: unknown,
  stopped: boolean,
): Promise<void> => {
  const { db, clock, limits } = tools;
  const now = clock.now(work.environment);
  const reason = failureReason(error);
  const again = stopped
    ? { dueAt: now }
    : { dueAt: retryTime(work, now, limits), failure: { reason, at: now } };
  const event = { kind: 'refresh_failed', reason, at: now, real: clock.real() } as const;
  const returned = db.transaction(async (trx) => {
    const isBack = await requeueJob(trx, work, again);
    if (!isBack || stopped || work.kind !== 'refresh') return;
    await recordConnectionEvent(trx, work, event, limits.connectionEventsMax);
  });
  await returned.catch((failure) => tools.log.failed(work, failure ?? error));
};

// Somebody waits for an import, so it is tried again soon; a refresh waits longer each time.
const retryTime = (work: ClaimedJob, now: Date, limits: Limits): Date =>
  work.kind === 'refresh'
    ? retryAt(now, work.attempts, limits, Math.random())
    : addMilliseconds(now, seconds(limits.importRetrySeconds));
