// One refresh of a connection: sign in unattended, match the accounts, fetch and stage their transactions, publish.
import type { CallContext } from '../../../connectors/kit/contract.ts';
import { decodeLaggingAccountIds, isExpired } from '../../domain/connections/connection.ts';
import type { NextRefresh } from '../../domain/connections/jobs.ts';
import { markNeedsReconnect, recordConnectionEvent } from '../../domain/connections/store.ts';
import { queueConnectionWebhook } from '../../domain/connections/webhooks.ts';
import { addMilliseconds, days, toIsoDate } from '../../platform/values/clock.ts';
import { BankRefused, FingerprintKeyLost } from '../../platform/values/errors.ts';
import type { BankCredentials } from '../../platform/vault/seal.ts';
import { unsealForWorker } from '../../platform/vault/workerBoxes.ts';
import { openFingerprintKey } from '../merge/fingerprints.ts';
import {
  findAccountRows,
  findRefreshedConnection,
  type RefreshedConnection,
  type StoredAccountRow,
  verifyOwners,
} from './accountStore.ts';
import { readBank, signInUnattended } from './bankSession.ts';
import { allowedFrom, countOnly, formatPolls, type Polls, parsePolls, withoutLast } from './budget.ts';
import { type FetchedAccount, type FetchedAccounts, fetchAccounts } from './fetchAccounts.ts';
import { type ClaimedJob, completeJob, type JobDeps } from './jobs.ts';
import { matchAccounts } from './matchAccounts.ts';
import { publishRefreshed, subjectOf } from './publish.ts';
import { nextAttemptAt, nextRefreshAt, refreshAfter } from './schedule.ts';
import { clearStaged } from './staging.ts';

/**
 * `skipped`: the connection is revoked, expired or deleted, or its application is archived. `refused`: the end user has to
 * reconnect. `key_lost`: only a new link can restore it.
 */
export type RefreshOutcome = 'refreshed' | 'refused' | 'key_lost' | 'skipped';

/**
 * Refreshes a claimed job's connection. If the bank refuses, no refresh is scheduled until the end user reconnects, or only one
 * a day if they can fix the problem elsewhere. Throws BankUnreachable if the job should be retried, LeaseLost if nothing may be
 * published, and InvalidSignature if a row was changed.
 */
export const refreshConnection = async (
  deps: JobDeps,
  job: ClaimedJob,
  signal: AbortSignal,
): Promise<RefreshOutcome> => {
  const { db, clock, limits } = deps;
  const connection = await findRefreshedConnection(db.read, job);
  const now = clock.now(job);
  const retention = { clock, application: job, limits };
  if (!connection?.credentials || connection.revokedAt || isExpired(connection, retention))
    return completeSkipped(deps, job, undefined);
  // The job is kept, so that a restored application's connections are refreshed within the usual time.
  if (connection.activeApplicationId === null)
    return completeSkipped(deps, job, { dueAt: nextRefreshAt(now, limits).toISOString() });
  const publicKey = verifyOwners(connection, job, deps.signingKeys);
  const rows = await findAccountRows(db.read, job);
  const accounts = rows.filter(({ deselectedAt }) => deselectedAt === null);
  const skip = skipOf(deps, job, connection, now);
  if (accounts.length > 0 && accounts.every(({ id }) => skip(id)))
    return completeSkipped(deps, job, nextAllowed(deps, job, accounts));
  try {
    const { organizationId } = job;
    const call = { signal, now, organizationId };
    const fetched = await fetchConnection(deps, job, { connection, rows, accounts, skip }, call);
    await db.transaction(async (trx) => {
      const result = { connection, publicKey, now: clock.now(job), kind: 'refreshed', job } as const;
      const { attempts, fullAt } = job;
      const counted = { attempts, fullAt, polls: pollsAfter(job, fetched), bank: bankLimitsOf(deps, job) };
      const next = refreshAfter(result.now, fetched, counted, limits);
      await publishRefreshed(deps, trx, fetched, { ...result, next });
    });
    deps.reportAbsences(job, fetched.absences);
    await clearStaged(deps, fetched);
    return 'refreshed';
  } catch (error) {
    if (!(error instanceof BankRefused || error instanceof FingerprintKeyLost)) throw error;
    await recordRefusal(deps, job, connection, error);
    return error instanceof BankRefused ? 'refused' : 'key_lost';
  }
};

const completeSkipped = async (
  deps: JobDeps,
  job: ClaimedJob,
  next: NextRefresh | undefined,
): Promise<'skipped'> => {
  const asked = formatPolls(withoutLast(parsePolls(job)), bankLimitsOf(deps, job));
  await deps.db.transaction((trx) => completeJob(trx, job, next && { ...next, asked }));
  return 'skipped';
};

const bankLimitsOf = ({ registry }: JobDeps, { environment, institutionId }: ClaimedJob) =>
  registry.limitsOf(environment, institutionId);

/** The conversations with the bank, including this one, and the accounts that it paused. */
const pollsAfter = (job: ClaimedJob, { accounts, pauses }: FetchedAccounts): Polls => {
  const ids = accounts.filter(({ skipped }) => !skipped).map(({ id }) => id);
  const polls = countOnly(parsePolls(job), ids.length === accounts.length ? null : ids);
  return { ...polls, pauses: { ...polls.pauses, ...pauses } };
};

/** Finds accounts not to poll: those that are not lagging, unless all are due, and those that the bank limits. */
const skipOf = (deps: JobDeps, job: ClaimedJob, connection: RefreshedConnection, now: Date) => {
  const [at, bank] = [now.toISOString(), bankLimitsOf(deps, job)];
  const before = withoutLast(parsePolls(job));
  const lagging = new Set(decodeLaggingAccountIds(connection));
  const isRetry = job.fullAt !== null && at < job.fullAt;
  return (accountId: string): FetchedAccount['skipped'] => {
    if (isRetry && !lagging.has(accountId)) return 'recent';
    return allowedFrom(before, bank, accountId) > at ? 'limited' : undefined;
  };
};

/** After a crash, a job may be due before the bank allows it. */
const nextAllowed = (deps: JobDeps, job: ClaimedJob, accounts: readonly StoredAccountRow[]): NextRefresh => {
  const before = withoutLast(parsePolls(job));
  const { fullAt } = job;
  const allowed = accounts.map(({ id }) => allowedFrom(before, bankLimitsOf(deps, job), id)).sort()[0]!;
  const dueAt = fullAt !== null && fullAt > allowed ? fullAt : allowed;
  return { dueAt, notBefore: allowed || null };
};

type Refresh = {
  connection: RefreshedConnection;
  rows: readonly StoredAccountRow[];
  /** The accounts that the end user shares. */
  accounts: readonly StoredAccountRow[];
  skip: ReturnType<typeof skipOf>;
};

const fetchConnection = async (
  deps: JobDeps,
  job: ClaimedJob,
  { connection, rows, accounts, skip }: Refresh,
  call: CallContext,
) => {
  const { workerKeys } = deps;
  const { endUserId, id: connectionId, institutionId, consentExpiresAt } = connection;
  const binding = ['credentials', connectionId] as const;
  const stored = unsealForWorker<BankCredentials>(connection.credentials!, binding, workerKeys);
  const fingerprintKey = openFingerprintKey(connection, workerKeys);
  const bank = await signInUnattended(deps, job, { institutionId, stored, consentExpiresAt }, call);
  const polled = accounts.filter(({ id }) => !skip(id));
  const since = firstDateToRead(deps, connection, polled, call.now);
  return readBank(bank, { since }, (reading) => {
    job.isReached = true;
    return fetchAccounts(deps, {
      ...{ endUserId, connectionId, fingerprintKey, reading, since, call },
      ...matchAccounts({ connectionId, fingerprintKey }, rows, reading.accounts),
      ...{ mayFail: true, skip, attempts: job.attempts },
    });
  });
};

/**
 * The first date to fetch: a few days before the last refresh, or earlier for an account that got no response then. Undefined,
 * for everything, if a full refresh is due or an account was never read.
 */
const firstDateToRead = (
  { limits }: JobDeps,
  connection: RefreshedConnection,
  accounts: readonly StoredAccountRow[],
  now: Date,
): string | undefined => {
  // Each refresh stores its time in the connection and in the accounts that the bank listed. Others may be closed; if the bank
  // lists one again, the next full refresh fetches the transactions since then.
  const listed = accounts.filter(({ lastSeenAt }) => lastSeenAt === connection.refreshedAt);
  const isComplete = listed.every(({ readTo }) => isDate(readTo));
  const { refreshedFullyAt: fully } = connection;
  const isFullDue = fully === null || Date.parse(fully) + days(limits.fullRefreshDays) <= now.getTime();
  if (!isComplete || isFullDue) return undefined;
  const readTo = listed.map((account) => account.readTo!);
  const [last] = [connection.refreshedAt.slice(0, 10), ...readTo].sort();
  const overlapping = toIsoDate(addMilliseconds(new Date(last!), -days(limits.overlapDays)));
  // Transactions missing from that refresh become void only if the bank omits them again.
  const missing = listed.flatMap(({ missingFrom }) =>
    missingFrom && isDate(missingFrom) ? missingFrom : [],
  );
  return [overlapping, ...missing].sort()[0];
};

const isDate = (text: string | null): boolean => text !== null && !Number.isNaN(Date.parse(text));

const recordRefusal = async (
  { db, clock, limits }: JobDeps,
  job: ClaimedJob,
  connection: RefreshedConnection,
  { reason, repairedElsewhere = false }: { reason: string; repairedElsewhere?: boolean },
): Promise<void> => {
  const at = clock.now(job);
  const event = { kind: 'refresh_refused', reason, at, real: clock.real() } as const;
  const next = repairedElsewhere ? { dueAt: nextAttemptAt(at, limits).toISOString() } : undefined;
  await db.transaction(async (trx) => {
    await markNeedsReconnect(trx, { endUserId: job.endUserId, id: job.connectionId }, reason);
    await completeJob(trx, job, next);
    await recordConnectionEvent(trx, job, event, limits.connectionEventsMax);
    if (connection.reconnectReason === reason) return;
    const needsReconnect = { type: 'connection.needs_reconnect', reason } as const;
    await queueConnectionWebhook(trx, subjectOf(connection), needsReconnect, event.real);
  });
};
