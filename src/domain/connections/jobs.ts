// The job of a connection: its import, its reconnect or its next refresh. Code that removes a job also fails the link session
// waiting for it, because no other process will, and the session holds credentials sealed to the worker. To prevent deadlocks,
// every transaction locks the connection first, then its job, then the job's link session. A revocation therefore sees every
// job added before it.
import type { DbTransaction, Queries } from '../../platform/db/open.ts';
import type { JobRow, LinkSessionRow } from '../../platform/db/tables.ts';
import type { Clock } from '../../platform/values/clock.ts';
import { Conflict } from '../../platform/values/errors.ts';

export type JobKind = JobRow['kind'];

export const jobColumns = [
  'connectionId',
  'endUserId',
  'applicationId',
  'organizationId',
  'environment',
  'institutionId',
  'kind',
  'linkSessionId',
  'dueAt',
  'attempts',
] as const;

export type Job = Pick<JobRow, (typeof jobColumns)[number]>;

/** Locks a connection before it gets a job. Throws Conflict if it is revoked or being deleted. */
export const lockActiveConnection = async (
  trx: DbTransaction,
  { endUserId, connectionId }: Pick<JobRow, 'endUserId' | 'connectionId'>,
): Promise<void> => {
  const active = { endUserId, id: connectionId, revokedAt: null, purgeStartedAt: null };
  if (!(await trx('connections').where(active).forUpdate().first('id')))
    throw new Conflict('The connection is revoked.');
};

/** The columns of a failed link session, which clear its sealed request and result. */
export const failedRow = (reason: NonNullable<LinkSessionRow['failure']>): Partial<LinkSessionRow> => ({
  state: 'failed',
  failure: reason,
  returnHash: null,
  returnSealed: null,
  importRequestSealed: null,
  resultSealed: null,
  progress: null,
});

/** Fails a link session that is waiting for its job. Call it in the transaction that removes the job. */
export const failWaitingSession = async (trx: DbTransaction, id: string): Promise<void> => {
  await trx('link_sessions')
    .where({ id, state: 'importing' })
    .update({ ...failedRow('session_expired'), stateSealed: null, version: trx.raw('version + 1') });
};

/** Deletes and returns the job of a connection. A worker running it loses its lease, and a link session waiting for it fails. */
export const removeJob = async (trx: DbTransaction, connectionId: string): Promise<JobRow | undefined> => {
  const removed = await trx('jobs').where({ connectionId }).forUpdate().first('*');
  if (!removed) return undefined;
  await trx('jobs').where({ connectionId }).delete();
  if (removed.linkSessionId) await failWaitingSession(trx, removed.linkSessionId);
  return removed;
};

/**
 * Adds a job, replacing the existing one. A reconnect keeps the due time of the refresh that it, or the previous reconnect,
 * replaced. Throws Conflict if the connection is revoked or another transaction adds a job at the same time.
 */
export const putJob = async (trx: DbTransaction, job: Job): Promise<void> => {
  if (job.kind !== 'import') await lockActiveConnection(trx, job);
  const replaced = await removeJob(trx, job.connectionId);
  const refreshDueAt = (replaced?.kind === 'refresh' ? replaced.dueAt : replaced?.refreshDueAt) ?? null;
  const columns = jobColumns.map((name) => [name, job[name]]);
  // The bank still counts earlier conversations.
  const asked = replaced?.asked ?? null;
  const row = { ...Object.fromEntries(columns), asked, ...(job.kind === 'reconnect' && { refreshDueAt }) };
  const added = await trx('jobs').insert(row).onConflict('connectionId').ignore().returning('connectionId');
  if (added.length === 0) throw new Conflict();
};

/** Deletes the next refresh of a connection. A worker running it loses its lease. */
export const removeRefresh = async (trx: DbTransaction, connectionId: string): Promise<void> => {
  await matchingJobs(trx, { connectionId, kind: 'refresh' }).delete();
};

/** Identifies the import or reconnect job of a link session. */
export type LinkJobKey = { connectionId: string; linkSessionId: string };

const linkJobRows = (db: Queries, { connectionId, linkSessionId }: LinkJobKey) =>
  db('jobs').where({ connectionId, linkSessionId });

/** A link session's job; undefined if it is completed, deleted or replaced by another job. */
export const findLinkJob = async (
  db: Queries,
  job: LinkJobKey,
): Promise<Pick<JobRow, 'dueAt' | 'leaseExpiresAt'> | undefined> =>
  linkJobRows(db, job).first('dueAt', 'leaseExpiresAt');

/** Cancels a link session's job, but not its successor. */
export const cancelLinkJob = async (trx: DbTransaction, job: LinkJobKey): Promise<void> => {
  const found = await linkJobRows(trx, job).forUpdate().first('refreshDueAt');
  if (found) await replaceJob(linkJobRows(trx, job), refreshReplacedBy(found));
};

/** The refresh that follows a job, with the columns that differ from the defaults. */
export type NextRefresh = Pick<JobRow, 'dueAt'> &
  Partial<Pick<JobRow, 'attempts' | 'endUserId' | 'notBefore' | 'fullAt' | 'asked'>>;

/**
 * The successor of a link session's failed or cancelled job: the refresh that a reconnect replaced, with its due time;
 * undefined if none was scheduled.
 */
export const refreshReplacedBy = ({ refreshDueAt }: Pick<JobRow, 'refreshDueAt'>): NextRefresh | undefined =>
  refreshDueAt === null ? undefined : { dueAt: refreshDueAt };

/** Replaces an ended job with the next refresh, or deletes the row. Returns the number of changed rows. */
export const replaceJob = (
  row: ReturnType<typeof linkJobRows>,
  next: NextRefresh | undefined,
): Promise<number> => {
  const ended = { linkSessionId: null, refreshDueAt: null, leaseToken: null, leaseExpiresAt: null };
  const refresh = { kind: 'refresh', attempts: 0, lastFailure: null, lastFailedAt: null } as const;
  const limits = { notBefore: null, fullAt: null };
  return next ? row.update({ ...ended, ...refresh, ...limits, ...next }) : row.delete();
};

/** Restricts the jobs that a process looks for. */
export type JobFilter = {
  kind?: JobKind;
  connectionId?: string;
  /** Institutions at their limit of concurrent jobs; their refreshes are skipped. */
  busyInstitutions?: readonly string[];
};

export const matchingJobs = (db: Queries, { kind, connectionId }: JobFilter) =>
  db('jobs').where({ ...(kind && { kind }), ...(connectionId !== undefined && { connectionId }) });

/** Jobs that no process has claimed. */
export const unclaimedJobs = (db: Queries, filter: JobFilter, real: string) => {
  const jobs = matchingJobs(db, filter).where((unclaimed) =>
    unclaimed.whereNull('leaseExpiresAt').orWhere('leaseExpiresAt', '<', real),
  );
  return filter.kind === 'refresh' ? jobs.whereNotIn('institutionId', filter.busyInstitutions ?? []) : jobs;
};

/** Refreshes that are due by the sandbox clock of an organization, but not by real time. */
export const dueByClockAhead = (
  db: Queries,
  clock: Clock,
  { organizationId, real }: { organizationId: string; real: string },
  filter: JobFilter = {},
) =>
  unclaimedJobs(db, { ...filter, kind: 'refresh' }, real)
    .where({ organizationId, environment: 'sandbox' })
    .where('dueAt', '>', real)
    .where('dueAt', '<=', clock.now({ environment: 'sandbox', organizationId }).toISOString());

export const findJob = async (db: Queries, connectionId: string): Promise<JobRow | undefined> =>
  matchingJobs(db, { connectionId }).first('*');

/** When the rate limit that delays a refresh ends; null if there is none. */
export const pausedUntil = ({ lastFailure, notBefore }: JobRow): string | null =>
  lastFailure === 'institution_rate_limited' ? notBefore : null;

/**
 * Moves refreshes due after `at` (ISO 8601) to that time, or to the earliest time their banks allow, and extends them to all
 * accounts. Running refreshes do not change.
 */
export const runRefreshesSooner = async (
  db: Queries,
  filter: { connectionId?: string },
  at: string,
): Promise<void> => {
  const dueAt = db.raw('case when not_before > :at then not_before else :at end', { at });
  await matchingJobs(db, { ...filter, kind: 'refresh' })
    .where({ leaseToken: null })
    .where('dueAt', '>', at)
    .update({ dueAt, fullAt: null });
};
