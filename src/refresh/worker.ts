// Claims due work, does it, releases it. A lease is renewed while the work goes on; whoever loses it stops at
// once. Stopping the worker aborts what is under way: its lease is given back, and another process goes on.
import { setTimeout as sleep } from 'node:timers/promises';
import { after, type Clock, seconds } from '../clock.ts';
import type { Limits } from '../config.ts';
import { recordConnectionEvent } from '../connections/events.ts';
import type { Database } from '../db/open.ts';
import {
  type ClaimedWork,
  claimWork,
  findDueWork,
  LeaseLost,
  renewLease,
  returnWork,
  type WorkFilter,
  type WorkKind,
} from './claims.ts';
import { retryAt } from './due.ts';
import { failureReason } from './failure.ts';

/** Does one piece of claimed work; the signal says to stop at the next occasion. */
export type WorkHandler = (work: ClaimedWork, signal: AbortSignal) => Promise<unknown>;

export type WorkHandlers = Record<WorkKind, WorkHandler>;

export type WorkerTools = { db: Database; clock: Clock; limits: Limits; log: WorkerLog };

/** What the worker tells about itself: ids, kinds and reasons, never anything of a bank's answer. */
export type WorkerLog = {
  /** `outcome` is what the handler said. */
  done(work: ClaimedWork, milliseconds: number, outcome: unknown): void;
  failed(work: ClaimedWork, error: unknown, milliseconds?: number): void;
};

export type Worker = {
  /** Looks for work now instead of at the next poll. */
  wake(): void;
  /** Ends what is under way and waits for it, at most `stopSeconds`. */
  stop(): Promise<void>;
};

/** Starts to work until it is stopped; with a filter, on that work alone. */
export const startWorker = (tools: WorkerTools, handlers: WorkHandlers, filter: WorkFilter = {}): Worker => {
  const stopping = new AbortController();
  const running = new Map<ClaimedWork, Promise<void>>();
  let wakeUp: () => void = () => {};
  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const woken = new Promise<void>((resolve) => {
        wakeUp = resolve;
      });
      await claimMore(tools, filter, running, (work) =>
        perform(tools, handlers, work, stopping.signal),
      ).catch((error) => tools.log.failed(noWork, error));
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
      await Promise.race([Promise.all(running.values()), pause(seconds(tools.limits.stopSeconds))]);
    },
  };
};

// A failure to look for work belongs to no connection.
const noWork = { connectionId: '', kind: 'refresh' } as ClaimedWork;

const pause = async (milliseconds: number, signal?: AbortSignal): Promise<void> => {
  await sleep(milliseconds, undefined, { signal, ref: false }).catch(() => {});
};

const claimMore = async (
  tools: WorkerTools,
  filter: WorkFilter,
  running: Map<ClaimedWork, Promise<void>>,
  start: (work: ClaimedWork) => Promise<void>,
): Promise<void> => {
  const { db, clock, limits } = tools;
  for (;;) {
    const due = await findDueWork(db, clock, limits.workerConcurrency, roomFor(running, filter, limits));
    const work = await claimFirst(
      tools,
      due.filter(({ kind }) => mayStart(kind, running, limits)),
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
const claimFirst = async (
  { db, clock, limits }: WorkerTools,
  due: readonly Parameters<typeof claimWork>[1][],
): Promise<ClaimedWork | undefined> => {
  for (const work of due) {
    const claimed = await claimWork(db, work, { now: clock.real(), seconds: limits.leaseSeconds });
    if (claimed) return claimed;
  }
  return undefined;
};

const mayStart = (kind: WorkKind, running: ReadonlyMap<ClaimedWork, unknown>, limits: Limits): boolean => {
  // The last place is kept for what a user waits for.
  const places = kind === 'refresh' ? Math.max(1, limits.workerConcurrency - 1) : limits.workerConcurrency;
  return running.size < places;
};

const roomFor = (
  running: ReadonlyMap<ClaimedWork, unknown>,
  filter: WorkFilter,
  limits: Limits,
): WorkFilter => {
  const byInstitution = Map.groupBy(running.keys(), (work) => work.institutionId);
  const busy = [...byInstitution].filter(([, works]) => works.length >= limits.workerPerInstitution);
  return { ...filter, busyInstitutions: busy.map(([institutionId]) => institutionId) };
};

/** Does one claimed piece of work to its end, whatever that is. */
export const perform = async (
  tools: WorkerTools,
  handlers: WorkHandlers,
  work: ClaimedWork,
  stop: AbortSignal,
): Promise<void> => {
  const { clock, limits, log } = tools;
  const lost = new AbortController();
  const timeout = AbortSignal.timeout(seconds(limits.refreshTimeoutSeconds));
  const renewal = renewWhile(tools, work, lost);
  const started = clock.real().getTime();
  try {
    const outcome = await handlers[work.kind](work, AbortSignal.any([stop, lost.signal, timeout]));
    log.done(work, clock.real().getTime() - started, outcome);
  } catch (error) {
    if (!stop.aborted) log.failed(work, error, clock.real().getTime() - started);
    if (!(error instanceof LeaseLost)) await giveBack(tools, work, error, stop.aborted);
  } finally {
    clearInterval(renewal);
  }
};

const renewWhile = (tools: WorkerTools, work: ClaimedWork, lost: AbortController): NodeJS.Timeout => {
  const { db, clock, limits } = tools;
  const renew = async (): Promise<void> => {
    const held = await renewLease(db, work, { now: clock.real(), seconds: limits.leaseSeconds }).catch(
      () => true,
    );
    if (!held) lost.abort(new LeaseLost());
  };
  return setInterval(renew, seconds(limits.leaseSeconds) / 3);
};

const giveBack = async (
  tools: WorkerTools,
  work: ClaimedWork,
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
    const isBack = await returnWork(trx, work, again);
    if (!isBack || stopped || work.kind !== 'refresh') return;
    await recordConnectionEvent(trx, work, event, limits.connectionEventsMax);
  });
  await returned.catch((failure) => tools.log.failed(work, failure ?? error));
};

// Somebody waits for an import, so it is tried again soon; a refresh waits longer each time.
const retryTime = (work: ClaimedWork, now: Date, limits: Limits): Date =>
  work.kind === 'refresh'
    ? retryAt(now, work.attempts, limits, Math.random())
    : after(now, seconds(limits.importRetrySeconds));
