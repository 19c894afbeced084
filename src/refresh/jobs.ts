// Due work and its leases. Looking for work takes no locks: due rows are read, and each is taken by an update
// that only one process can win. A lease that is not renewed ends by itself, and the work is due again.
import type { Clock, Environment } from '../clock.ts';
import { addMilliseconds, seconds } from '../clock.ts';
import type { Database, Queries, DbTransaction } from '../db/open.ts';
import { toBase62 } from '../ids.ts';
import { randomBytes } from '../random.ts';

export type JobKind = 'import' | 'reconnect' | 'refresh';

export type Job = {
  connectionId: string;
  endUserId: string;
  applicationId: string;
  environment: Environment;
  institutionId: string;
  kind: JobKind;
  linkSessionId: string | null;
  dueAt: string;
  attempts: number;
};

/** Work that this process holds until `leaseExpiresAt`, proven by `lease`. */
export type ClaimedJob = Job & { lease: string };

const jobColumns = {
  connectionId: 'connection_id',
  endUserId: 'end_user_id',
  applicationId: 'application_id',
  environment: 'environment',
  institutionId: 'institution_id',
  kind: 'kind',
  linkSessionId: 'link_session_id',
  dueAt: 'due_at',
  attempts: 'attempts',
};

// Work that is new or done has no failure behind it.
const toJobRow = (work: Job): Record<string, unknown> => ({
  ...Object.fromEntries(
    Object.entries(jobColumns).map(([name, column]) => [column, work[name as keyof Job]]),
  ),
  last_failure: null,
  last_failed_at: null,
});

/** Makes work due; for a connection that has some already, this takes its place. */
export const putJob = async (db: Queries, work: Job): Promise<void> => {
  await db('jobs')
    .insert({ ...toJobRow(work), lease_token: null, lease_expires_at: null })
    .onConflict('connection_id')
    .merge();
};

/** An import or a reconnection, of which a connection has one at a time. */
export type LinkJobKey = { connectionId: string; linkSessionId: string };

const linkJobRows = (db: Queries, { connectionId, linkSessionId }: LinkJobKey) =>
  db('jobs').where({ connection_id: connectionId, link_session_id: linkSessionId });

/** Whether a session's work is still due or under way: it ends with the session, or something took its place. */
export const hasLinkJob = async (db: Queries, work: LinkJobKey): Promise<boolean> =>
  (await linkJobRows(db, work).first('connection_id')) !== undefined;

/** Withdraws a session's work, and not what may have taken its place; false where it was gone. */
export const deleteLinkJob = async (db: Queries, work: LinkJobKey): Promise<boolean> =>
  (await linkJobRows(db, work).delete()) === 1;

/** Which work a process looks for, where not all of it. */
export type JobFilter = {
  kind?: JobKind;
  connectionId?: string;
  /** Institutions that are being asked enough already: their refreshes wait. */
  busyInstitutions?: readonly string[];
};

const matchingJobs = (db: Queries, { kind, connectionId }: JobFilter) =>
  db('jobs').where({ ...(kind && { kind }), ...(connectionId && { connection_id: connectionId }) });

type DueJob = Job & { lease: string | null };

/**
 * Work that is due and that nobody holds: first what a user waits for, then the longest due. Sandbox
 * applications keep their own time, and neither environment waits for the other.
 */
export const findDueJobs = async (
  db: Database,
  clock: Clock,
  limit: number,
  filter: JobFilter = {},
): Promise<DueJob[]> => {
  const kinds: readonly JobKind[] = filter.kind ? [filter.kind] : ['import', 'reconnect', 'refresh'];
  const found: DueJob[] = [];
  for (const kind of kinds) {
    const sandbox = await findDueJobsOf(db, clock, limit, { ...filter, kind, environment: 'sandbox' });
    const production = await findDueJobsOf(db, clock, limit, { ...filter, kind, environment: 'production' });
    found.push(...interleave(sandbox, production));
  }
  return found.slice(0, limit);
};

const findDueJobsOf = async (
  db: Database,
  clock: Clock,
  limit: number,
  filter: JobFilter & { kind: JobKind; environment: Environment },
): Promise<DueJob[]> => {
  const { kind, environment, busyInstitutions = [] } = filter;
  const query = matchingJobs(db.read, filter)
    .where({ environment })
    .where('due_at', '<=', clock.now(environment).toISOString())
    .where((free) =>
      free.whereNull('lease_expires_at').orWhere('lease_expires_at', '<', clock.real().toISOString()),
    )
    .orderBy('due_at')
    .limit(limit)
    .select({ ...jobColumns, lease: 'lease_token' });
  if (kind === 'refresh') query.whereNotIn('institution_id', busyInstitutions);
  return query;
};

const interleave = <Item>(left: readonly Item[], right: readonly Item[]): Item[] =>
  Array.from({ length: Math.max(left.length, right.length) }, (_, at) => [left[at], right[at]])
    .flat()
    .filter((item) => item !== undefined);

/** Takes a piece of work, unless another process was faster. */
export const claimJob = async (
  db: Database,
  work: Job & { lease: string | null },
  lease: { now: Date; seconds: number },
): Promise<ClaimedJob | undefined> => {
  const mine = toBase62(randomBytes(16));
  const taken = await db
    .write('jobs')
    .where({ connection_id: work.connectionId, lease_token: work.lease, kind: work.kind, due_at: work.dueAt })
    .update({ lease_token: mine, lease_expires_at: leaseEnd(lease), attempts: db.write.raw('attempts + 1') });
  return taken === 1 ? { ...work, attempts: work.attempts + 1, lease: mine } : undefined;
};

const leaseEnd = (lease: { now: Date; seconds: number }): string =>
  addMilliseconds(lease.now, seconds(lease.seconds)).toISOString();

const claimedRow = (db: Queries, work: ClaimedJob) =>
  db('jobs').where({ connection_id: work.connectionId, lease_token: work.lease });

/** Keeps the lease for longer; false where it was lost. */
export const renewLease = async (
  db: Database,
  work: ClaimedJob,
  lease: { now: Date; seconds: number },
): Promise<boolean> => (await claimedRow(db.write, work).update({ lease_expires_at: leaseEnd(lease) })) === 1;

/** The lease was lost, or the work withdrawn, while it was being done: nothing of it may be published. */
export class LeaseLost extends Error {}

/** Ends work that is done and says what comes next, within the transaction that publishes it. */
export const completeJob = async (
  trx: DbTransaction,
  work: ClaimedJob,
  next: Job | undefined,
): Promise<void> => {
  const changed = next
    ? await claimedRow(trx, work).update({ ...toJobRow(next), lease_token: null, lease_expires_at: null })
    : await claimedRow(trx, work).delete();
  if (changed !== 1) throw new LeaseLost();
};

/** Gives work back, due again at another time; false where it was withdrawn meanwhile, and stays so. */
export const requeueJob = async (
  db: Queries,
  work: ClaimedJob,
  again: { dueAt: Date; failure?: { reason: string; at: Date } },
): Promise<boolean> => {
  const { dueAt, failure } = again;
  const returned = await claimedRow(db, work).update({
    lease_token: null,
    lease_expires_at: null,
    due_at: dueAt.toISOString(),
    // A try that was stopped half way is no failure, and counts as none.
    ...(failure
      ? { last_failure: failure.reason, last_failed_at: failure.at.toISOString() }
      : { attempts: work.attempts - 1 }),
  });
  return returned === 1;
};

/** The moment now of each environment, as work's times are written. */
export const nowByEnvironment = (clock: Clock): Record<Environment, string> => ({
  sandbox: clock.now('sandbox').toISOString(),
  production: clock.now('production').toISOString(),
});

const environments = ['sandbox', 'production'] as const;

/** Makes scheduled refreshes due at these moments, where they would be later; who does one already goes on. */
export const makeRefreshesDue = async (
  db: Database,
  at: Record<Environment, string>,
  filter: { connectionId?: string },
): Promise<void> => {
  for (const environment of environments) {
    await matchingJobs(db.write, { ...filter, kind: 'refresh' })
      .where({ environment, lease_token: null })
      .where('due_at', '>', at[environment])
      .update({ due_at: at[environment] });
  }
};

/** Makes one connection's refresh due at a moment, where it would be later. */
export const runRefreshSooner = async (db: Queries, connectionId: string, at: Date): Promise<void> => {
  const due_at = at.toISOString();
  await matchingJobs(db, { connectionId, kind: 'refresh' }).where('due_at', '>', due_at).update({ due_at });
};

/** How many refreshes were due at these moments and are not done, held by somebody or not. */
export const countRefreshesDue = async (
  db: Database,
  at: Record<Environment, string>,
  filter: { connectionId?: string },
): Promise<number> => {
  let sum = 0;
  for (const environment of environments) {
    const row = await matchingJobs(db.read, { ...filter, kind: 'refresh' })
      .where({ environment })
      .where('due_at', '<=', at[environment])
      .count({ count: '*' })
      .first();
    sum += Number(row?.count);
  }
  return sum;
};

/** What is known of the work for a connection. */
export type JobStatus = Job & {
  leaseExpiresAt: string | null;
  lastFailure: string | null;
  lastFailedAt: string | null;
};

export const findJob = async (db: Queries, connectionId: string): Promise<JobStatus | undefined> =>
  matchingJobs(db, { connectionId }).first({
    ...jobColumns,
    leaseExpiresAt: 'lease_expires_at',
    lastFailure: 'last_failure',
    lastFailedAt: 'last_failed_at',
  });

/** How much work there is of one kind in one environment. */
export type JobCount = {
  environment: Environment;
  kind: JobKind;
  all: number;
  /** Due by now and held by nobody; and since when the longest waiting is. */
  due: number;
  dueSince: string | null;
  /** Held by a process right now. */
  running: number;
};

export const countJobs = async (db: Database, clock: Clock): Promise<JobCount[]> => {
  const now = nowByEnvironment(clock);
  const real = clock.real().toISOString();
  const held = 'lease_expires_at >= ?';
  const free = '(lease_expires_at is null or lease_expires_at < ?)';
  const counts: JobCount[] = [];
  for (const environment of environments) {
    const due = `due_at <= ? and ${free}`;
    const rows: Record<'kind' | 'all' | 'due' | 'dueSince' | 'running', never>[] = await db
      .read('jobs')
      .where({ environment })
      .groupBy('kind')
      .orderBy('kind')
      .select(
        'kind',
        db.read.raw('count(*) as ??', ['all']),
        db.read.raw(`sum(case when ${due} then 1 else 0 end) as ??`, [now[environment], real, 'due']),
        db.read.raw(`min(case when ${due} then due_at end) as ??`, [now[environment], real, 'dueSince']),
        db.read.raw(`sum(case when ${held} then 1 else 0 end) as ??`, [real, 'running']),
      );
    for (const { kind, all, due, dueSince, running } of rows) {
      counts.push({
        environment,
        kind,
        all: Number(all),
        due: Number(due),
        dueSince,
        running: Number(running),
      });
    }
  }
  return counts;
};

/** How many scheduled refreshes failed the last time and will be tried again, by the reason. */
export const countFailingRefreshes = async (db: Queries): Promise<Record<string, number>> => {
  const rows: { reason: string; count: number | string }[] = await matchingJobs(db, { kind: 'refresh' })
    .whereNotNull('last_failure')
    .groupBy('last_failure')
    .orderBy('last_failure')
    .select({ reason: 'last_failure' })
    .count({ count: '*' });
  return Object.fromEntries(rows.map(({ reason, count }) => [reason, Number(count)]));
};
