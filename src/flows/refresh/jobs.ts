// The job queue. Jobs are claimed with a lease. Finding due jobs takes no locks: a process reads due rows and claims each one
// with an update that only one process can win. When a lease expires, the job is due again.
import { randomBytes } from 'node:crypto';
import {
  dueByClockAhead,
  type JobFilter,
  type JobKind,
  jobColumns,
  matchingJobs,
  type NextRefresh,
  replaceJob,
  unclaimedJobs,
} from '../../domain/connections/jobs.ts';
import type { Registry } from '../../domain/institutions/registry.ts';
import type { Database, DbTransaction, Queries } from '../../platform/db/open.ts';
import { countRows } from '../../platform/db/queries.ts';
import { readReachable } from '../../platform/db/reachableNodes.ts';
import type { JobRow } from '../../platform/db/tables.ts';
import type { Limits } from '../../platform/settings/limits.ts';
import { addMilliseconds, type Clock, seconds } from '../../platform/values/clock.ts';
import { toBase62 } from '../../platform/values/ids.ts';
import type { KeyPair, PublicKey } from '../../platform/vault/keys.ts';
import type { Keyset } from '../../platform/vault/keyset.ts';
import type { SigningKeys } from '../../platform/vault/sign.ts';
import { countConversation } from './budget.ts';

const dueColumns = [...jobColumns, 'refreshDueAt', 'leaseToken', 'fullAt', 'asked'] as const;

/** `refreshDueAt` is the due time of the refresh that a reconnect replaced; `asked` includes this job's conversation. */
type DueJob = Pick<JobRow, (typeof dueColumns)[number]>;

/** A job that this process has claimed. The token proves the lease in every statement that changes the job. */
export type ClaimedJob = DueJob & {
  leaseToken: string;
  /** Set once the bank responds; from then on, the refresh counts even if it fails. */
  isReached?: true;
};

/** The number of sandbox clocks ahead of real time that one poll covers; the others wait for later polls. */
const clocksAheadMax = 50;

/**
 * Finds due jobs without a valid lease: first imports and reconnects, because a user is waiting for them, then refreshes by
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
  const read = (queries: readonly ReturnType<typeof unclaimedJobs>[]): Promise<DueJob[]> => {
    const first = queries.map((jobs) =>
      jobs
        .orderBy('dueAt')
        .limit(limit)
        .select(...dueColumns),
    );
    return readReachable(db.read, 'jobs', first);
  };
  const found: DueJob[] = [];
  for (const kind of kinds) {
    const due = () => unclaimedJobs(db.read, { ...filter, kind }, real);
    // No clock is behind real time, so jobs due by real time are due by every clock.
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
    // In random order, because a worker polls again after each claim, and the same list would otherwise always come first.
    found.push(...takeTurns(shuffle([production, takeTurns(shuffle(sandbox))])));
  }
  return found.slice(0, limit);
};

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

export type QueueDeps = { db: Database; clock: Clock; limits: Limits };

/** Claims a due job, and counts a refresh. Undefined if another process claimed or changed the job meanwhile. */
export const claimJob = async (deps: QueueDeps, job: DueJob): Promise<ClaimedJob | undefined> => {
  const { connectionId, leaseToken: free, kind, dueAt } = job;
  const leaseToken = toBase62(randomBytes(16));
  const { write } = deps.db;
  const asked = kind === 'refresh' ? countConversation(job, deps.clock.now(job)) : job.asked;
  const claimed = await write('jobs')
    .where({ connectionId, leaseToken: free, kind, dueAt })
    .update({ leaseToken, leaseExpiresAt: leaseEnd(deps), attempts: write.raw('attempts + 1'), asked });
  return claimed === 1 ? { ...job, attempts: job.attempts + 1, leaseToken, asked } : undefined;
};

type LeaseDeps = { clock: Clock; limits: Pick<Limits, 'leaseSeconds'> };

const leaseEnd = ({ clock, limits }: LeaseDeps): string =>
  addMilliseconds(clock.real(), seconds(limits.leaseSeconds)).toISOString();

const claimedRow = (db: Queries, { connectionId, leaseToken }: ClaimedJob) =>
  db('jobs').where({ connectionId, leaseToken });

/** Extends the lease. Returns false if it was lost. */
export const renewLease = async (db: Queries, job: ClaimedJob, deps: LeaseDeps): Promise<boolean> =>
  (await claimedRow(db, job).update({ leaseExpiresAt: leaseEnd(deps) })) === 1;

/**
 * A running job must not publish: another worker claimed it, it was replaced, its connection was revoked or is being deleted,
 * or a row moved. The job is not released: the process that claimed or replaced it decides, or its lease expires.
 */
export class LeaseLost extends Error {}

/**
 * Replaces a completed job with the next one, or deletes it, in the transaction that publishes its results. Throws LeaseLost if
 * the lease was lost.
 */
export const completeJob = async (
  trx: DbTransaction,
  job: ClaimedJob,
  next: NextRefresh | undefined,
): Promise<void> => {
  if ((await replaceJob(claimedRow(trx, job), next)) !== 1) throw new LeaseLost();
};

/** The dependencies of the worker's jobs. They contain no EndUserKeys, so jobs cannot read published data. */
export type JobDeps = QueueDeps & {
  registry: Registry;
  workerKeys: Keyset<KeyPair>;
  signingKeys: Keyset<SigningKeys>;
  /** Reports to operators the transactions that a published refresh did not find. */
  reportAbsences(job: ClaimedJob, absences: Absences): void;
};

/** The numbers of posted transactions that the bank withdrew, and of accounts whose responses omitted too much to be trusted. */
export type Absences = { withdrawn: number; doubted: number };

/** Runs a transaction with the keys that it seals and signs with. They are not retired before it ends. */
export const workerTransaction = (
  { db, workerKeys, signingKeys }: Pick<JobDeps, 'db' | 'workerKeys' | 'signingKeys'>,
  run: (trx: DbTransaction, keys: { worker: PublicKey; signing: SigningKeys }) => Promise<void>,
): Promise<void> =>
  workerKeys.withCurrent(({ key: worker }) =>
    signingKeys.withCurrent(({ key: signing }) => db.transaction((trx) => run(trx, { worker, signing }))),
  );

/** Ends the lease and makes the job due again at `dueAt`. Returns false if the lease was lost. */
export const requeueJob = async (
  db: Queries,
  job: ClaimedJob,
  next: { dueAt: Date; failure?: { reason: string; at: Date } } & Pick<NextRefresh, 'notBefore' | 'asked'>,
): Promise<boolean> => {
  const { dueAt, failure, ...limits } = next;
  const requeued = await claimedRow(db, job).update({
    leaseToken: null,
    leaseExpiresAt: null,
    ...{ ...limits, dueAt: dueAt.toISOString() },
    // An interrupted attempt is not counted.
    ...(failure
      ? { lastFailure: failure.reason, lastFailedAt: failure.at.toISOString() }
      : { attempts: job.attempts - 1 }),
  });
  return requeued === 1;
};

/** Counts the refreshes that were due at a real time (ISO 8601) and are not completed, running or not. */
export const countRefreshesDue = (
  db: Database,
  at: string,
  filter: { connectionId?: string },
): Promise<number> =>
  countRows(matchingJobs(db.read, { ...filter, kind: 'refresh' }).where('dueAt', '<=', at));
