// The health of refreshes and imports: live workers and waiting jobs. Refreshes themselves never use this.

import { dueByClockAhead, type JobKind, unclaimedJobs } from '../../domain/connections/jobs.ts';
import { metricsBySubject, periodOfRange } from '../../domain/requestLog/reports.ts';
import type { Database, Queries } from '../../platform/db/open.ts';
import { countByValue, countRows } from '../../platform/db/queries.ts';
import { type Limits, processExpiry } from '../../platform/settings/limits.ts';
import { addMilliseconds, type Clock, type ClockId, seconds } from '../../platform/values/clock.ts';

export type HealthDeps = { db: Database; clock: Clock; limits: Limits };

/** A job that has been due for longer is overdue. Imports and reconnects keep a user waiting in the widget. */
export const overdueSeconds: Record<JobKind, number> = { import: 60, reconnect: 60, refresh: 3600 };

/** Due jobs that no worker has claimed. `longestSeconds` is the time since the first of them became due. */
export type DueJobs = { kind: JobKind; institutionId: string; count: number; longestSeconds: number };

/** Counts the given jobs that are due at a time by their clock. */
const countDue = async (jobs: ReturnType<typeof unclaimedJobs>, at: Date, now = at): Promise<DueJobs[]> => {
  const rows: (Omit<DueJobs, 'longestSeconds'> & { dueSince: string })[] = await jobs
    .where('dueAt', '<=', at.toISOString())
    .groupBy('kind', 'institutionId')
    .select('kind', 'institutionId')
    .count({ count: '*' })
    .min({ dueSince: 'dueAt' });
  return rows.map(({ kind, institutionId, count, dueSince }) => ({
    ...{ kind, institutionId, count: Number(count) },
    longestSeconds: Math.floor((now.getTime() - Date.parse(dueSince)) / seconds(1)),
  }));
};

/** By real time. */
export const countDueJobs = (db: Queries, now: Date): Promise<DueJobs[]> =>
  countDue(
    // Lists all values of both columns, so that the index on their due time is used.
    unclaimedJobs(db, {}, now.toISOString())
      .whereIn('environment', ['sandbox', 'production'])
      .whereIn('kind', ['import', 'reconnect', 'refresh']),
    now,
  );

type Due = Pick<DueJobs, 'count' | 'longestSeconds'>;

const sumOf = (due: readonly DueJobs[]): Due => ({
  count: due.reduce((sum, { count }) => sum + count, 0),
  longestSeconds: Math.max(0, ...due.map(({ longestSeconds }) => longestSeconds)),
});

/** Processes with a worker that have reported recently. */
export const countLiveWorkers = ({ db, clock, limits }: HealthDeps): Promise<number> => {
  const workers = db.read('processes').whereIn('kind', ['serve', 'worker']);
  return countRows(workers.where('seenAt', '>', processExpiry(clock.real(), limits)));
};

/** The workers of all applications, and the jobs of one: refreshes by its clock, imports and reconnects by real time. */
export const refreshHealth = async (
  deps: HealthDeps,
  { id: applicationId, ...application }: ClockId & { id: string },
) => {
  const { db, clock } = deps;
  const real = clock.real();
  const { environment } = application;
  const countOverdue = async (kinds: JobKind[], now: Date): Promise<Due> => {
    const jobs = unclaimedJobs(db.read, {}, real.toISOString());
    const overdueSince = addMilliseconds(now, -seconds(overdueSeconds[kinds[0]!]));
    return sumOf(
      await countDue(jobs.whereIn('kind', kinds).where({ applicationId, environment }), overdueSince, now),
    );
  };
  return {
    workers: await countLiveWorkers(deps),
    overdueRefreshes: await countOverdue(['refresh'], clock.now(application)),
    overdueImports: await countOverdue(['import', 'reconnect'], real),
  };
};

/** `running`: claimed with a valid lease. */
export type JobCount = { all: number; running: number; due: Due };

/** The scheduled refreshes, each due by its own clock, and the imports and reconnects. */
export const countJobs = async ({
  db,
  clock,
}: Pick<HealthDeps, 'db' | 'clock'>): Promise<{ refreshes: JobCount; imports: JobCount }> => {
  const now = clock.real();
  const real = now.toISOString();
  const rows: { kind: JobKind; all: number; running: number }[] = await db
    .read('jobs')
    .groupBy('kind')
    .select('kind', db.read.raw('count(*) as ??', ['all']))
    .select(db.read.raw('sum(case when lease_expires_at >= ? then 1 else 0 end) as ??', [real, 'running']));
  const due = await countDueJobs(db.read, now);
  for (const organizationId of clock.organizationsAhead()) {
    const jobs = dueByClockAhead(db.read, clock, { organizationId, real });
    due.push(...(await countDue(jobs, clock.now({ environment: 'sandbox', organizationId }))));
  }
  const count = (isCounted: (job: { kind: JobKind }) => boolean): JobCount => {
    const counted = rows.filter(isCounted);
    const sum = (name: 'all' | 'running') => counted.reduce((total, row) => total + Number(row[name]), 0);
    return { all: sum('all'), running: sum('running'), due: sumOf(due.filter(isCounted)) };
  };
  return {
    refreshes: count(({ kind }) => kind === 'refresh'),
    imports: count(({ kind }) => kind !== 'refresh'),
  };
};

/** Counts the refreshes whose last attempt failed and will be retried, by reason. */
export const countFailingRefreshes = (db: Queries): Promise<Record<string, number>> =>
  countByValue(db('jobs').where({ kind: 'refresh' }).whereNotNull('lastFailure'), 'lastFailure');

/** The connections of an institution with a scheduled refresh, and how many of them the workers can refresh on schedule. */
export type RefreshLoad = { institutionId: string; connections: number; capacity: number };

/** The assumed duration of a refresh, if none ran in the last day. */
const assumedSeconds = 5;

/** The institutions with the most connections. Their capacity follows from limits, live workers, and the refreshes of the last day. */
export const readRefreshLoads = async (deps: HealthDeps, limit: number): Promise<RefreshLoad[]> => {
  const { db, clock, limits } = deps;
  const largest: { institutionId: string; connections: number | string }[] = await db
    .read('jobs')
    .where({ kind: 'refresh' })
    .groupBy('institutionId')
    .orderByRaw('count(*) desc')
    .limit(limit)
    .select('institutionId')
    .count({ connections: '*' });
  const period = periodOfRange('day', clock.real());
  const metrics = await metricsBySubject(db.read, { kind: 'institution', period });
  const averages = new Map(metrics.map(({ subject, averageMs }) => [subject, averageMs]));
  const { workerConcurrency, workerConcurrencyPerInstitution, refreshEveryHours } = limits;
  const slots = Math.max(1, Math.min(workerConcurrency - 1, workerConcurrencyPerInstitution));
  const slotMs = (await countLiveWorkers(deps)) * slots * seconds(3600 * refreshEveryHours);
  return largest.map(({ institutionId, connections }) => ({
    ...{ institutionId, connections: Number(connections) },
    capacity: Math.floor(slotMs / Math.max(1, averages.get(institutionId) ?? seconds(assumedSeconds))),
  }));
};
