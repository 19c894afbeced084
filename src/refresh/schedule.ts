// When a connection is refreshed next, and the job of that refresh. Pure: `random` is a number from 0 to 1.
import { addMilliseconds, seconds } from '../clock.ts';
import type { Limits } from '../settings/limits.ts';
import type { Job, StoredJob } from './jobs.ts';

type ScheduleLimits = Pick<
  Limits,
  'refreshEveryHours' | 'refusedRefreshEveryHours' | 'retryInitialSeconds' | 'retryMaxHours'
>;

/** The next refresh after one that succeeded. */
export const nextRefreshAt = (now: Date, limits: ScheduleLimits, random: number): Date =>
  afterAbout(now, limits.refreshEveryHours, random);

/** The next refresh after a refusal that the end user repairs elsewhere. */
export const nextAttemptAt = (now: Date, limits: ScheduleLimits, random: number): Date =>
  afterAbout(now, limits.refusedRefreshEveryHours, random);

/** After so many hours, plus or minus up to 10 %, to spread the load. */
const afterAbout = (now: Date, hours: number, random: number): Date =>
  addMilliseconds(now, seconds(hours * 3600) * (0.9 + 0.2 * random));

/** The next attempt after `attempts` failures in a row: exponential backoff, half of each pause random. */
export const retryAt = (now: Date, attempts: number, limits: ScheduleLimits, random: number): Date => {
  const pause = Math.min(limits.retryInitialSeconds * 2 ** (attempts - 1), limits.retryMaxHours * 3600);
  return addMilliseconds(now, seconds(pause) * (0.5 + 0.5 * random));
};

/** The job of a connection's next scheduled refresh. */
export const toRefreshJob = (
  connection: Omit<Job, 'kind' | 'linkSessionId' | 'dueAt' | 'attempts'>,
  dueAt: string,
): Job => ({
  connectionId: connection.connectionId,
  endUserId: connection.endUserId,
  applicationId: connection.applicationId,
  organizationId: connection.organizationId,
  environment: connection.environment,
  institutionId: connection.institutionId,
  kind: 'refresh',
  linkSessionId: null,
  dueAt,
  attempts: 0,
});

/**
 * The job that follows a link session's job that failed or was cancelled: the refresh that a reconnect replaced, due when
 * it was due before; undefined when none was scheduled.
 */
export const toReplacedRefresh = (job: StoredJob): Job | undefined =>
  job.refreshDueAt === null ? undefined : toRefreshJob(job, job.refreshDueAt);
