// The worker claims due jobs, runs them and releases them. It renews the lease of a running job, and aborts a job whose lease
// is lost. Stopping the worker aborts its running jobs and releases their leases to other processes.
import type { JobFilter, JobKind } from '../../domain/connections/jobs.ts';
import { recordConnectionEvent } from '../../domain/connections/store.ts';
import { pauseEnd } from '../../domain/institutions/bankPauses.ts';
import type { Registry } from '../../domain/institutions/registry.ts';
import type { MetricsRecorder } from '../../domain/requestLog/recorder.ts';
import { keepRenewing, type Loop, pause, startLoop } from '../../platform/loops/loop.ts';
import type { Log } from '../../platform/telemetry/log.ts';
import { inSpan } from '../../platform/telemetry/tracing.ts';
import { addMilliseconds, seconds } from '../../platform/values/clock.ts';
import {
  BankRefused,
  BankUnreachable,
  FingerprintKeyLost,
  InvalidSignature,
} from '../../platform/values/errors.ts';
import { allowedFrom, formatPolls, parsePolls, withoutLast } from './budget.ts';
import {
  type Absences,
  type ClaimedJob,
  claimJob,
  findDueJobs,
  type JobDeps,
  LeaseLost,
  type QueueDeps,
  renewLease,
  requeueJob,
} from './jobs.ts';
import { retryAt } from './schedule.ts';

/** Runs one claimed job. Returns an outcome for the log, and stops soon after the signal is aborted. */
export type JobHandler = (job: ClaimedJob, signal: AbortSignal) => Promise<unknown>;

export type JobHandlers = Record<JobKind, JobHandler>;

export type WorkerDeps = QueueDeps & { log: WorkerLog; registry: Registry };

/** The events that the worker logs: ids, kinds and reasons, never any part of a bank's response. */
export type WorkerLog = {
  /** `outcome` is the handler's result. */
  done(job: ClaimedJob, milliseconds: number, outcome: unknown): void;
  failed(job: ClaimedJob, error: unknown, milliseconds: number): void;
  /** The lease was lost (see LeaseLost), so this process must leave the job alone. */
  dropped(job: ClaimedJob): void;
  /** Finding or releasing a job failed. */
  queueFailed(error: unknown): void;
};

/** Waking it polls for due jobs at once. Stopping it aborts running jobs and waits at most `shutdownTimeoutSeconds`. */
export type Worker = Loop;

/** Runs due jobs until stopped; with a filter, only matching jobs. */
export const startWorker = (deps: WorkerDeps, handlers: JobHandlers, filter: JobFilter = {}): Worker => {
  const { limits, log } = deps;
  const running = new Map<ClaimedJob, Promise<void>>();
  const claimAvailableJobs = async (stop: AbortSignal): Promise<void> => {
    for await (const job of claimJobs(deps, filter, running, stop)) {
      const run = runJob(deps, handlers, job, stop).finally(() => running.delete(job));
      running.set(job, run);
    }
  };
  const loop = startLoop(
    () => limits.workerPollMs,
    (stop) => claimAvailableJobs(stop).catch(log.queueFailed),
  );
  loop.wake();
  return {
    wake: loop.wake,
    stop: async () => {
      await loop.stop();
      await Promise.race([Promise.all(running.values()), pause(seconds(limits.shutdownTimeoutSeconds))]);
    },
  };
};

/**
 * Claims due jobs while slots are free, until none is left. Skips jobs that another process claimed meanwhile. The caller adds
 * each job to `running` before taking the next.
 */
async function* claimJobs(
  deps: WorkerDeps,
  filter: JobFilter,
  running: ReadonlyMap<ClaimedJob, unknown>,
  stop: AbortSignal,
): AsyncGenerator<ClaimedJob> {
  const { workerConcurrency: slots, workerConcurrencyPerInstitution: slotsOfEach } = deps.limits;
  const isBusy = (id: string): boolean =>
    [...running.keys()].filter(({ institutionId }) => institutionId === id).length >= slotsOfEach;
  for (let mayBeMore = true; mayBeMore && running.size < slots; ) {
    const institutions = new Set([...running.keys()].map(({ institutionId }) => institutionId));
    const busyInstitutions = [...institutions].filter(isBusy);
    const due = await findDueJobs(deps.db, deps.clock, slots, { ...filter, busyInstitutions });
    mayBeMore = false;
    for (const job of due) {
      // Without this check, the loop would not end, because an interrupted job is due again at once.
      if (stop.aborted) return;
      // The last slot is reserved for imports and reconnects, since a user is waiting for them. They also start at a busy institution.
      const isPossible =
        job.kind === 'refresh'
          ? running.size < Math.max(1, slots - 1) && !isBusy(job.institutionId)
          : running.size < slots;
      const claimed = isPossible && (await claimJob(deps, job));
      if (!claimed) continue;
      yield claimed;
      mayBeMore = due.length === slots;
    }
  }
}

/** Runs one claimed job; releases it if it fails. Never throws. */
export const runJob = async (
  deps: WorkerDeps,
  handlers: JobHandlers,
  job: ClaimedJob,
  stop: AbortSignal,
): Promise<void> => {
  const { clock, limits, log } = deps;
  const leaseLost = new AbortController();
  const timeout = AbortSignal.timeout(seconds(limits.refreshTimeoutSeconds));
  const stopRenewing = keepRenewing(
    limits.leaseSeconds,
    () => renewLease(deps.db.write, job, deps),
    () => leaseLost.abort(new LeaseLost()),
  );
  const started = clock.real().getTime();
  try {
    const signal = AbortSignal.any([stop, leaseLost.signal, timeout]);
    const outcome = await inSpan(spanOf(job), () => handlers[job.kind](job, signal));
    log.done(job, clock.real().getTime() - started, outcome);
  } catch (error) {
    // An aborted bank call may throw any error.
    if (leaseLost.signal.aborted || error instanceof LeaseLost) return log.dropped(job);
    if (!stop.aborted) log.failed(job, error, clock.real().getTime() - started);
    await releaseJob(deps, job, error, stop.aborted);
  } finally {
    stopRenewing();
  }
};

const spanOf = ({ kind, institutionId }: ClaimedJob) => ({
  name: `${kind} connection`,
  attributes: { 'bank_connection.institution': institutionId },
});

// An interrupted job is due again at once; a failed one is due later, and a failed refresh is recorded as a connection event.
const releaseJob = async (
  deps: WorkerDeps,
  job: ClaimedJob,
  error: unknown,
  stopped: boolean,
): Promise<void> => {
  const { db, clock, limits } = deps;
  const [now, real] = [clock.now(job), clock.real()];
  const reason = failureReason(error);
  const next = stopped ? { dueAt: real } : { ...retryTime(deps, job, error), failure: { reason, at: now } };
  const event = { kind: 'refresh_failed', reason, at: now, real } as const;
  const released = db.transaction(async (trx) => {
    const requeued = await requeueJob(trx, job, next);
    if (!requeued || stopped || job.kind !== 'refresh') return;
    await recordConnectionEvent(trx, job, event, limits.connectionEventsMax);
  });
  await released.catch(deps.log.queueFailed);
};

const noBank = { reason: undefined, rateLimit: undefined };

// A user waits for an import or a reconnect, so it is retried soon; a refresh waits longer after each failure, and as long as the
// bank demands.
const retryTime = ({ clock, limits, registry }: WorkerDeps, job: ClaimedJob, error: unknown) => {
  if (job.kind !== 'refresh')
    return { dueAt: addMilliseconds(clock.real(), seconds(limits.importRetrySeconds)) };
  const now = clock.now(job);
  const { reason, rateLimit } = error instanceof BankUnreachable ? error : noBank;
  const counted = parsePolls(job);
  const polls = reason === 'down' && !job.isReached ? withoutLast(counted) : counted;
  const bank = registry.limitsOf(job.environment, job.institutionId);
  const allowed = allowedFrom(polls, bank);
  const paused = rateLimit ? pauseEnd(rateLimit, job.attempts, now).toISOString() : '';
  const notBefore = allowed > paused ? allowed : paused;
  const retry = retryAt(now, job.attempts, limits);
  const dueAt = notBefore > retry.toISOString() ? new Date(notBefore) : retry;
  return { dueAt, notBefore: notBefore || null, asked: formatPolls(polls, bank) };
};

/** The code of a job's error. It is stored and shown to the operator, so it contains nothing that a bank sent. */
export const failureReason = (error: unknown): string => {
  if (error instanceof BankUnreachable)
    return error.reason === 'operator_action_required' ? error.reason : `institution_${error.reason}`;
  if (error instanceof BankRefused) return error.reason;
  if (error instanceof InvalidSignature) return 'invalid_signature';
  // The whole job exceeded refreshTimeoutSeconds.
  if (error instanceof DOMException && error.name === 'TimeoutError') return 'timeout';
  return 'internal';
};

type Outcome = 'succeeded' | 'refused' | 'failed';
/** The counters for Prometheus, if enabled. */
type JobSignals = {
  job(sample: ClaimedJob & { outcome: Outcome; milliseconds: number }): void;
  absences(institutionId: string, absences: Absences): void;
};

/** Logs and counts the worker's jobs: ids, kinds and times, never a bank's response. */
export const makeWorkerLog = (
  log: Log,
  metrics: MetricsRecorder,
  signals: JobSignals | undefined,
): WorkerLog & Pick<JobDeps, 'reportAbsences'> => {
  const observe = (job: ClaimedJob, outcome: Outcome, milliseconds: number): void => {
    const { applicationId, institutionId: subject, kind } = job;
    signals?.job({ ...job, outcome, milliseconds });
    if (kind === 'refresh')
      metrics.observe({ applicationId, kind: 'institution', subject, outcome, milliseconds });
  };
  const failed: WorkerLog['failed'] = (job, err, milliseconds) => {
    const { connectionId, kind } = job;
    log.warn({ connectionId, kind, err }, 'job failed');
    observe(job, 'failed', milliseconds);
  };
  return {
    done: (job, milliseconds, outcome) => {
      if (outcome === 'key_lost') return failed(job, new FingerprintKeyLost(), milliseconds);
      const { connectionId, kind } = job;
      const isSkipped = outcome === 'skipped';
      log.info({ connectionId, kind, milliseconds }, isSkipped ? 'job skipped' : 'job done');
      if (!isSkipped) observe(job, outcome === 'refused' ? 'refused' : 'succeeded', milliseconds);
    },
    failed,
    dropped: ({ connectionId, kind }) => log.info({ connectionId, kind }, 'job dropped'),
    reportAbsences: ({ connectionId, institutionId }, absences) => {
      if (absences.withdrawn + absences.doubted === 0) return;
      log.warn({ connectionId, ...absences }, 'transactions missing at the bank');
      signals?.absences(institutionId, absences);
    },
    queueFailed: (err) => log.warn({ err }, 'job queue failed'),
  };
};
