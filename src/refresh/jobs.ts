// The job queue: one job for each connection, claimed with a lease. Finding due jobs takes no locks: a process reads
// due rows and claims each by an update that only one process can win. When a lease expires, the job is due again.
import { randomBytes } from 'node:crypto';
import { addMilliseconds, type Clock, type ClockId, seconds } from '../clock.ts';
import { removeJob } from '../connections/jobStore.ts';
import type { Database, DbTransaction, Queries } from '../db/open.ts';
import { readReachable } from '../db/reachableNodes.ts';
import type { JobRow } from '../db/tables.ts';
import { Conflict } from '../errors.ts';
import { toBase62 } from '../ids.ts';
import type { Limits } from '../settings/limits.ts';

export type JobKind = JobRow['kind'];

const jobColumns = [
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

/** A job of the table, with the due time of the refresh that it replaced if it is a reconnect. */
export type StoredJob = Job & Pick<JobRow, 'refreshDueAt'>;

const storedJobColumns = [...jobColumns, 'refreshDueAt'] as const;

/** A job that this process has claimed. The token proves the lease in every statement that changes the job. */
export type ClaimedJob = StoredJob & { leaseToken: string };

// A new or completed job has no failures and no lease.
const toJobRow = (job: Job): JobRow => ({
  connectionId: job.connectionId,
  endUserId: job.endUserId,
  applicationId: job.applicationId,
  organizationId: job.organizationId,
  environment: job.environment,
  institutionId: job.institutionId,
  kind: job.kind,
  linkSessionId: job.linkSessionId,
  dueAt: job.dueAt,
  refreshDueAt: null,
  attempts: job.attempts,
  leaseToken: null,
  leaseExpiresAt: null,
  lastFailure: null,
  lastFailedAt: null,
});

// Citus distributes jobs by connection_id and refuses every update that writes this column.
const toJobChange = (job: Job): Omit<JobRow, 'connectionId'> => {
  const { connectionId: _, ...change } = toJobRow(job);
  return change;
};

/**
 * Adds a job in place of the one that the connection already has. A reconnect keeps the due time of the refresh that it
 * replaces, or that the reconnect before it replaced. Throws Conflict when another transaction adds one at the same time.
 */
export const putJob = async (trx: DbTransaction, job: Job): Promise<void> => {
  const replaced = await removeJob(trx, job.connectionId);
  const refreshDueAt = (replaced?.kind === 'refresh' ? replaced.dueAt : replaced?.refreshDueAt) ?? null;
  const row = { ...toJobRow(job), ...(job.kind === 'reconnect' && { refreshDueAt }) };
  const added = await trx('jobs').insert(row).onConflict('connectionId').ignore().returning('connectionId');
  if (added.length === 0) throw new Conflict();
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

/** Deletes a link session's job, but not a job that replaced it, and returns it; undefined when there is none. */
export const deleteLinkJob = async (db: Queries, job: LinkJobKey): Promise<StoredJob | undefined> => {
  const found = await linkJobRows(db, job).first(...storedJobColumns);
  return (await linkJobRows(db, job).delete()) === 1 ? found : undefined;
};

/** Restricts which jobs a process looks for. */
export type JobFilter = {
  kind?: JobKind;
  connectionId?: string;
  /** Institutions at their limit of concurrent jobs: no refresh of theirs is found. */
  busyInstitutions?: readonly string[];
};

const matchingJobs = (db: Queries, { kind, connectionId }: JobFilter) =>
  db('jobs').where({ ...(kind && { kind }), ...(connectionId !== undefined && { connectionId }) });

type DueJob = StoredJob & { leaseToken: string | null };

/** How many sandbox clocks that are ahead of real time one poll asks about; the others wait for later polls. */
const clocksAheadMax = 50;

/**
 * Finds due jobs without a valid lease: first imports and reconnects, because a user waits for them, then refreshes by
 * due time. Production and Sandbox take turns, and so do the sandbox clocks, so that none delays another.
 */
export const findDueJobs = async (
  db: Database,
  clock: Clock,
  limit: number,
  filter: JobFilter = {},
): Promise<DueJob[]> => {
  const kinds: readonly JobKind[] = filter.kind ? [filter.kind] : ['import', 'reconnect', 'refresh'];
  const real = clock.real().toISOString();
  const read = (queries: readonly ReturnType<typeof unclaimedJobs>[]): Promise<DueJob[]> =>
    readReachable(
      db.read,
      'jobs',
      queries.map((jobs) =>
        jobs
          .orderBy('dueAt')
          .limit(limit)
          .select(...storedJobColumns, 'leaseToken'),
      ),
    );
  const found: DueJob[] = [];
  for (const kind of kinds) {
    const due = () => unclaimedJobs(db.read, { ...filter, kind }, real);
    // No clock is behind real time: what is due by real time is due by every clock.
    const production = await read([due().where({ environment: 'production' }).where('dueAt', '<=', real)]);
    const sandbox = [await read([due().where({ environment: 'sandbox' }).where('dueAt', '<=', real)])];
    const organizationIds = kind === 'refresh' ? shuffle(clock.organizationsAhead()) : [];
    const ahead = organizationIds
      .slice(0, clocksAheadMax)
      .map((organizationId) => dueByClockAhead(db.read, clock, { organizationId, real }, filter));
    if (ahead.length > 0) {
      const jobs = await read(ahead);
      sandbox.push(...Map.groupBy(jobs, ({ organizationId }) => organizationId).values());
    }
    // In random order, because a worker looks again after each claim: the first would always come first.
    found.push(...takeTurns(shuffle([production, takeTurns(shuffle(sandbox))])));
  }
  return found.slice(0, limit);
};

const unclaimedJobs = (db: Queries, filter: JobFilter, real: string) => {
  const jobs = matchingJobs(db, filter).where((unclaimed) =>
    unclaimed.whereNull('leaseExpiresAt').orWhere('leaseExpiresAt', '<', real),
  );
  return filter.kind === 'refresh' ? jobs.whereNotIn('institutionId', filter.busyInstitutions ?? []) : jobs;
};

/** The refreshes that are due by the sandbox clock of an organization, but not by real time. */
const dueByClockAhead = (
  db: Queries,
  clock: Clock,
  { organizationId, real }: { organizationId: string; real: string },
  filter: JobFilter = {},
) =>
  unclaimedJobs(db, { ...filter, kind: 'refresh' }, real)
    .where({ organizationId, environment: 'sandbox' })
    .where('dueAt', '>', real)
    .where('dueAt', '<=', clock.now({ environment: 'sandbox', organizationId }).toISOString());

/** The first item of each list, then the second of each, and so on. */
const takeTurns = <Item>(lists: readonly (readonly Item[])[]): Item[] => {
  const longest = Math.max(...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, index) =>
    lists.flatMap((list) => list.slice(index, index + 1)),
  ).flat();
};

const shuffle = <Item>(items: readonly Item[]): Item[] =>
  items
    .map((item) => ({ item, order: Math.random() }))
    .sort((left, right) => left.order - right.order)
    .map(({ item }) => item);

/** Claims a due job for `seconds`; undefined when another process has claimed or changed it meanwhile. */
export const claimJob = async (
  db: Database,
  job: DueJob,
  lease: { now: Date; seconds: number },
): Promise<ClaimedJob | undefined> => {
  const leaseToken = toBase62(randomBytes(16));
  const claimed = await db
    .write('jobs')
    .where({
      connectionId: job.connectionId,
      leaseToken: job.leaseToken,
      kind: job.kind,
      dueAt: job.dueAt,
    })
    .update({
      leaseToken,
      leaseExpiresAt: leaseEnd(lease),
      attempts: db.write.raw('attempts + 1'),
    });
  return claimed === 1 ? { ...job, attempts: job.attempts + 1, leaseToken } : undefined;
};

const leaseEnd = (lease: { now: Date; seconds: number }): string =>
  addMilliseconds(lease.now, seconds(lease.seconds)).toISOString();

const claimedRow = (db: Queries, job: ClaimedJob) =>
  db('jobs').where({ connectionId: job.connectionId, leaseToken: job.leaseToken });

/** Extends the lease to `seconds` from now; false when it was lost. */
export const renewLease = async (
  db: Queries,
  job: ClaimedJob,
  lease: { now: Date; seconds: number },
): Promise<boolean> => (await claimedRow(db, job).update({ leaseExpiresAt: leaseEnd(lease) })) === 1;

/** The lease expired, or the job was deleted or replaced, while the job was running: it may publish nothing. */
export class LeaseLost extends Error {}

/** Writes in a transaction that extends the lease. Throws LeaseLost, and nothing is written, when it was lost. */
export const writeWithLease = (
  { db, clock, limits }: { db: Database; clock: Clock; limits: Pick<Limits, 'leaseSeconds'> },
  job: ClaimedJob,
  write: (trx: DbTransaction) => Promise<void>,
): Promise<void> =>
  db.transaction(async (trx) => {
    const lease = { now: clock.real(), seconds: limits.leaseSeconds };
    if (!(await renewLease(trx, job, lease))) throw new LeaseLost();
    await write(trx);
  });

/**
 * Replaces a completed job with the next one, or deletes it, in the transaction that publishes its results. Throws
 * LeaseLost when the lease was lost.
 */
export const completeJob = async (
  trx: DbTransaction,
  job: ClaimedJob,
  next: Job | undefined,
): Promise<void> => {
  const changed = next
    ? await claimedRow(trx, job).update(toJobChange(next))
    : await claimedRow(trx, job).delete();
  if (changed !== 1) throw new LeaseLost();
};

/** Ends the lease and makes the job due again at `dueAt`; false when the lease was lost. */
export const requeueJob = async (
  db: Queries,
  job: ClaimedJob,
  next: { dueAt: Date; failure?: { reason: string; at: Date } },
): Promise<boolean> => {
  const { dueAt, failure } = next;
  const requeued = await claimedRow(db, job).update({
    leaseToken: null,
    leaseExpiresAt: null,
    dueAt: dueAt.toISOString(),
    // An attempt that was stopped is not counted.
    ...(failure
      ? { lastFailure: failure.reason, lastFailedAt: failure.at.toISOString() }
      : { attempts: job.attempts - 1 }),
  });
  return requeued === 1;
};

/** Moves later refreshes forward to a real time (ISO 8601). A refresh that is running is not changed. */
export const makeRefreshesDue = async (
  db: Database,
  at: string,
  filter: { connectionId?: string },
): Promise<void> => {
  await matchingJobs(db.write, { ...filter, kind: 'refresh' })
    .where({ leaseToken: null })
    .where('dueAt', '>', at)
    .update({ dueAt: at });
};

/** Moves one connection's refresh forward to `at` when it is due later. */
export const runRefreshSooner = async (db: Queries, connectionId: string, at: Date): Promise<void> => {
  const dueAt = at.toISOString();
  await matchingJobs(db, { connectionId, kind: 'refresh' }).where('dueAt', '>', dueAt).update({ dueAt });
};

/** Counts the refreshes that were due at a real time (ISO 8601) and are not completed, running or not. */
export const countRefreshesDue = async (
  db: Database,
  at: string,
  filter: { connectionId?: string },
): Promise<number> => {
  const row = await matchingJobs(db.read, { ...filter, kind: 'refresh' })
    .where('dueAt', '<=', at)
    .count({ count: '*' })
    .first();
  return Number(row?.count);
};

/** A connection's job with its lease and its last failure. */
export type JobStatus = Omit<JobRow, 'leaseToken' | 'refreshDueAt'>;

export const findJob = async (db: Queries, connectionId: string): Promise<JobStatus | undefined> =>
  matchingJobs(db, { connectionId }).first(...jobColumns, 'leaseExpiresAt', 'lastFailure', 'lastFailedAt');

/** An application, and the clock that its refreshes follow. */
export type ApplicationClock = ClockId & { id: string };

/** The jobs of an application that nobody runs and that were due before a time, and since when (null if there are none). */
export const findOverdueJobs = async (
  db: Queries,
  { id: applicationId, environment }: ApplicationClock,
  { kinds, dueBefore, real }: { kinds: readonly JobKind[]; dueBefore: string; real: string },
): Promise<{ count: number; dueSince: string | null }> => {
  const row = await unclaimedJobs(db, {}, real)
    .whereIn('kind', kinds)
    .where({ applicationId, environment })
    .where('dueAt', '<', dueBefore)
    .count({ count: '*' })
    .min({ dueSince: 'dueAt' })
    .first();
  return { count: Number(row?.count), dueSince: row?.dueSince ?? null };
};

/** The processes with a worker that were seen after a time. */
export const countWorkers = async (db: Queries, seenAfter: string): Promise<number> => {
  const row = await db('processes')
    .whereIn('kind', ['serve', 'worker'])
    .where('seenAt', '>', seenAfter)
    .count({ count: '*' })
    .first();
  return Number(row?.count);
};

/** Jobs that are due and that no worker has claimed, by real time. */
export type DueJobs = { kind: JobKind; institutionId: string; count: number; longestSeconds: number };

export const countDueJobs = async (db: Queries, now: Date): Promise<DueJobs[]> => {
  const real = now.toISOString();
  const rows: { kind: JobKind; institutionId: string; count: number | string; dueSince: string }[] = await db(
    'jobs',
  )
    // All values of both columns, so that the index on the time they are due is used.
    .whereIn('environment', ['sandbox', 'production'])
    .whereIn('kind', ['import', 'reconnect', 'refresh'])
    .where('dueAt', '<=', real)
    .where((free) => free.whereNull('leaseExpiresAt').orWhere('leaseExpiresAt', '<', real))
    .groupBy('kind', 'institutionId')
    .select('kind', 'institutionId')
    .count({ count: '*' })
    .min({ dueSince: 'dueAt' });
  return rows.map(({ kind, institutionId, count, dueSince }) => ({
    ...{ kind, institutionId, count: Number(count) },
    longestSeconds: Math.floor((now.getTime() - Date.parse(dueSince)) / 1000),
  }));
};

/** The institutions with the most scheduled refreshes. */
export const findLargestInstitutions = async (db: Queries, limit: number): Promise<string[]> =>
  db('jobs')
    .where({ kind: 'refresh' })
    .groupBy('institutionId')
    .orderByRaw('count(*) desc')
    .limit(limit)
    .pluck('institutionId');

/** The number of jobs of one kind. */
export type JobCount = {
  kind: JobKind;
  all: number;
  /** Due and not claimed. */
  due: number;
  /** For how many milliseconds the job that waits longest is due. */
  longestDueMs: number;
  /** Claimed with a valid lease. */
  running: number;
};

export const countJobs = async (db: Database, clock: Clock): Promise<JobCount[]> => {
  const now = clock.real();
  const real = now.toISOString();
  const due = 'due_at <= ? and (lease_expires_at is null or lease_expires_at < ?)';
  const rows: Record<'kind' | 'all' | 'due' | 'dueSince' | 'running', never>[] = await db
    .read('jobs')
    .groupBy('kind')
    .orderBy('kind')
    .select(
      'kind',
      db.read.raw('count(*) as ??', ['all']),
      db.read.raw(`sum(case when ${due} then 1 else 0 end) as ??`, [real, real, 'due']),
      db.read.raw(`min(case when ${due} then due_at end) as ??`, [real, real, 'dueSince']),
      db.read.raw('sum(case when lease_expires_at >= ? then 1 else 0 end) as ??', [real, 'running']),
    );
  const ahead = await countDueByClocksAhead(db, clock, real);
  return rows.map(({ kind, all, due, dueSince, running }) => {
    const byClocksAhead = kind === 'refresh' ? ahead : { due: 0, longestDueMs: 0 };
    return {
      kind,
      all: Number(all),
      due: Number(due) + byClocksAhead.due,
      longestDueMs: Math.max(dueSince ? now.getTime() - Date.parse(dueSince) : 0, byClocksAhead.longestDueMs),
      running: Number(running),
    };
  });
};

const countDueByClocksAhead = async (
  db: Database,
  clock: Clock,
  real: string,
): Promise<Pick<JobCount, 'due' | 'longestDueMs'>> => {
  const sum = { due: 0, longestDueMs: 0 };
  for (const organizationId of clock.organizationsAhead()) {
    const jobs = dueByClockAhead(db.read, clock, { organizationId, real });
    const row = await jobs.count({ due: '*' }).min({ dueSince: 'dueAt' }).first();
    if (!row?.dueSince) continue;
    const now = clock.now({ environment: 'sandbox', organizationId });
    sum.due += Number(row.due);
    sum.longestDueMs = Math.max(sum.longestDueMs, now.getTime() - Date.parse(row.dueSince));
  }
  return sum;
};

/** Counts the refreshes whose last attempt failed and will be retried, by reason. */
export const countFailingRefreshes = async (db: Queries): Promise<Record<string, number>> => {
  const rows: { reason: string; count: number | string }[] = await matchingJobs(db, { kind: 'refresh' })
    .whereNotNull('lastFailure')
    .groupBy('lastFailure')
    .orderBy('lastFailure')
    .select({ reason: 'lastFailure' })
    .count({ count: '*' });
  return Object.fromEntries(rows.map(({ reason, count }) => [reason, Number(count)]));
};
