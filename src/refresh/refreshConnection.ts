// One refresh of a connection: sign in unattended, match the accounts, fetch and stage their transactions, publish.
import type { CallContext, Renewal } from '../../connectors/kit/contract.ts';
import { findActiveApplication } from '../applications/store.ts';
import { addMilliseconds, type Clock, type ClockId, days, toIsoDate } from '../clock.ts';
import { isExpired, verifyConnection } from '../connections/connection.ts';
import {
  queueNeedsReconnect,
  queueRestored,
  type WebhookSubject,
} from '../connections/connectionWebhooks.ts';
import {
  type Connection,
  findConnectionRow,
  markConnectionRefreshed,
  markNeedsReconnect,
  recordConnectionEvent,
  replaceCredentials,
} from '../connections/store.ts';
import type { Database, DbTransaction } from '../db/open.ts';
import { BankRefused, BankUnreachable, FingerprintKeyLost } from '../errors.ts';
import type { Registry } from '../institutions/registry.ts';
import { openFingerprintKey } from '../merge/fingerprints.ts';
import type { Limits } from '../settings/limits.ts';
import { verifyEndUser } from '../users/endUser.ts';
import { type EndUser, findEndUser } from '../users/store.ts';
import type { KeyPair, PublicKey } from '../vault/keys.ts';
import type { Keyset } from '../vault/keyset.ts';
import { type BankCredentials, sealForWorker } from '../vault/seal.ts';
import type { SigningKeys } from '../vault/sign.ts';
import { unsealForWorker } from '../vault/workerBoxes.ts';
import { type FetchedAccounts, fetchAccounts, laggingAccountIds } from './fetchAccounts.ts';
import { type ClaimedJob, completeJob, LeaseLost, writeWithLease } from './jobs.ts';
import { matchAccounts } from './matchAccounts.ts';
import { publish, queueTransactionsUpdated } from './publish.ts';
import { readConnection } from './readConnection.ts';
import { nextAttemptAt, nextRefreshAt, retryAt } from './schedule.ts';
import { clearStaged } from './staging.ts';
import { findAccountRows, type StoredAccountRow } from './store.ts';

/** What a refresh needs. A Reader cannot be made from it, so a refresh cannot read what it has published. */
export type RefreshDeps = {
  db: Database;
  clock: Clock;
  limits: Limits;
  registry: Registry;
  workerKeys: Keyset<KeyPair>;
  signingKeys: Keyset<SigningKeys>;
};

/** `skipped`: the connection is revoked, expired or deleted, or its application archived. `refused`: the end user has to reconnect. */
export type RefreshOutcome = 'refreshed' | 'refused' | 'skipped';

/**
 * Refreshes the connection of a claimed job. When the bank refuses, no further refresh is scheduled until the end user
 * reconnects, or one a day where the end user repairs it elsewhere. Throws BankUnreachable when the job should be retried,
 * LeaseLost when nothing may be published, InvalidSignature when a row was changed, and FingerprintKeyLost, after which only
 * a new link helps.
 */
export const refreshConnection = async (
  deps: RefreshDeps,
  job: ClaimedJob,
  signal: AbortSignal,
): Promise<RefreshOutcome> => {
  const { db, clock, limits } = deps;
  const connection = await findConnectionRow(db.read, { endUserId: job.endUserId, id: job.connectionId });
  const now = clock.now(job);
  const retention = { clock, application: job, retentionDays: limits.retentionDays };
  if (!connection?.credentials || connection.revokedAt || isExpired(connection, retention)) {
    await db.transaction((trx) => completeJob(trx, job, undefined));
    return 'skipped';
  }
  if (!(await findActiveApplication(db.read, job.applicationId))) {
    await postponeRefresh(deps, job);
    return 'skipped';
  }
  const user = await findSignedUser(deps, connection, job);
  try {
    const { organizationId } = job;
    const fetched = await fetchConnection(deps, job, connection, { signal, now, organizationId });
    await publishRefresh(deps, job, { connection, user, fetched });
    await clearStaged(deps, fetched);
    return 'refreshed';
  } catch (error) {
    if (!(error instanceof BankRefused || error instanceof FingerprintKeyLost)) throw error;
    await recordRefusal(deps, job, connection, error);
    if (error instanceof FingerprintKeyLost) throw error;
    return 'refused';
  }
};

// The job is kept, so that a restored application's connections are refreshed within the usual time.
const postponeRefresh = async ({ db, clock, limits }: RefreshDeps, job: ClaimedJob): Promise<void> => {
  const dueAt = nextRefreshAt(clock.now(job), limits, Math.random()).toISOString();
  await db.transaction((trx) => completeJob(trx, job, { ...job, dueAt, attempts: 0 }));
};

/**
 * The end user of a connection, to whose public key its data is sealed. Throws InvalidSignature when the row of either was
 * changed, and LeaseLost when the user was deleted.
 */
export const findSignedUser = async (
  { db, signingKeys }: Pick<RefreshDeps, 'db' | 'signingKeys'>,
  connection: Connection,
  application: ClockId,
): Promise<EndUser> => {
  verifyConnection(connection, application, signingKeys);
  const user = await findEndUser(db.read, connection.endUserId);
  if (!user) throw new LeaseLost();
  verifyEndUser(user, signingKeys);
  return user;
};

/** `credentials` are those to store; undefined if the stored ones are still valid. */
type FetchedConnection = FetchedAccounts & { credentials: BankCredentials | undefined };

const fetchConnection = async (
  deps: RefreshDeps,
  job: ClaimedJob,
  connection: Connection,
  call: CallContext,
): Promise<FetchedConnection> => {
  const connector = deps.registry.find(job.environment, connection.institutionId)?.connector;
  if (!connector) throw new BankUnreachable('down');
  const { endUserId, id: connectionId } = connection;
  const stored = unsealForWorker<BankCredentials>(
    connection.credentials!,
    ['credentials', connectionId],
    deps.workerKeys,
  );
  const fingerprintKey = openFingerprintKey(connection, deps.workerKeys);
  const signedIn = await connector.signIn(
    {
      institutionId: connection.institutionId,
      credentials: stored.values,
      deviceToken: stored.deviceToken,
      attended: false,
    },
    call,
  );
  if (signedIn.kind === 'challenge') throw new BankRefused('user_action_required');
  // Stored at once: the bank may not accept the one before any more, whatever becomes of this refresh.
  const renewed = await keepDeviceToken(deps, job, stored, signedIn.deviceToken);
  const accounts = await findAccountRows(deps.db.read, { endUserId, connectionId });
  const since = firstDateToRead(deps, connection, accounts, call.now);
  const keepRenewal = async ({ deviceToken }: Renewal): Promise<void> => {
    await keepDeviceToken(deps, job, renewed, deviceToken);
  };
  const { access } = signedIn;
  const fetched = await readConnection({ connector, access, since, call, keepRenewal }, async (reading) => {
    const matched = matchAccounts({ connectionId, fingerprintKey }, accounts, reading.accounts);
    return fetchAccounts(deps, {
      ...{ endUserId, connectionId, fingerprintKey, reading, since, call },
      accounts: matched,
      mayFail: true,
    });
  });
  const { deviceToken } = fetched.renewal;
  const isRenewed = deviceToken !== undefined && deviceToken !== renewed.deviceToken;
  return { ...fetched, credentials: isRenewed ? { ...renewed, deviceToken } : undefined };
};

/** Stores a device token that differs from the stored one. Throws LeaseLost when another process runs the job. */
const keepDeviceToken = async (
  deps: RefreshDeps,
  job: ClaimedJob,
  stored: BankCredentials,
  deviceToken: string | undefined,
): Promise<BankCredentials> => {
  if (deviceToken === undefined || deviceToken === stored.deviceToken) return stored;
  const renewed = { ...stored, deviceToken };
  const { connectionId: id, endUserId } = job;
  await deps.workerKeys.withCurrent(({ key }) =>
    writeWithLease(deps, job, (trx) =>
      replaceCredentials(trx, { endUserId, id }, sealForWorker(renewed, ['credentials', id], key)),
    ),
  );
  return renewed;
};

/**
 * The date from which a refresh reads: a few days before the last one, or earlier, for an account that the bank did not
 * answer for then. Undefined, for everything, where that is due or an account was never read.
 */
const firstDateToRead = (
  { limits }: RefreshDeps,
  connection: Connection,
  accounts: readonly StoredAccountRow[],
  now: Date,
): string | undefined => {
  // Others may be closed. If the bank lists one again, the next full refresh reads what it missed.
  const listed = accounts.filter(({ lastSeenAt }) => lastSeenAt === connection.refreshedAt);
  const isComplete = listed.every(({ readTo }) => isDate(readTo));
  if (!isComplete || isFullRefreshDue(connection, now, limits)) return undefined;
  const readTo = listed.map((account) => account.readTo!);
  const first = [connection.refreshedAt.slice(0, 10), ...readTo].reduce((left, right) =>
    left < right ? left : right,
  );
  return toIsoDate(addMilliseconds(new Date(first), -days(limits.overlapDays)));
};

const isFullRefreshDue = (connection: Connection, now: Date, limits: Limits): boolean => {
  const last = connection.refreshedFullyAt;
  return last === null || Date.parse(last) + days(limits.fullRefreshDays) <= now.getTime();
};

const isDate = (text: string | null): boolean => text !== null && !Number.isNaN(Date.parse(text));

const publishRefresh = async (
  deps: RefreshDeps,
  job: ClaimedJob,
  { connection, user, fetched }: { connection: Connection; user: EndUser; fetched: FetchedConnection },
): Promise<void> => {
  const { db, clock, limits } = deps;
  const now = clock.now(job);
  const real = clock.real();
  const store = (workerKey: PublicKey) => async (trx: DbTransaction) => {
    const credentials =
      fetched.credentials && sealForWorker(fetched.credentials, ['credentials', connection.id], workerKey);
    const lagging = laggingAccountIds(fetched);
    // The accounts that are missing are asked for again soon.
    const next =
      lagging.length > 0
        ? { dueAt: retryAt(now, job.attempts, limits, Math.random()), attempts: job.attempts }
        : { dueAt: nextRefreshAt(now, limits, Math.random()), attempts: 0 };
    await completeJob(trx, job, { ...job, ...next, dueAt: next.dueAt.toISOString() });
    const key = { endUserId: connection.endUserId, id: connection.id };
    const change = { now, full: fetched.full, credentials, laggingAccountIds: lagging };
    if (!(await markConnectionRefreshed(trx, key, change))) throw new LeaseLost();
    const owner = { endUserId: connection.endUserId, connectionId: connection.id };
    const target = { ...owner, publicKey: user.publicKey, now };
    const updatedAccounts = await publish(deps, trx, fetched, target);
    if (connection.reconnectReason !== null) await queueRestored(trx, subjectOf(connection), real);
    await queueTransactionsUpdated(trx, subjectOf(connection), updatedAccounts, real);
    const event = { kind: 'refreshed', at: now, real } as const;
    await recordConnectionEvent(trx, owner, event, limits.connectionEventsMax);
  };
  await deps.workerKeys.withCurrent(({ key }) => db.transaction(store(key)));
};

/** The application is the signed one: that of the job may have been changed. */
const subjectOf = ({ id, endUserId, applicationId }: Connection): WebhookSubject => ({
  applicationId,
  endUserId,
  connectionId: id,
});

const recordRefusal = async (
  deps: RefreshDeps,
  job: ClaimedJob,
  connection: Connection,
  { reason, repairedElsewhere = false }: { reason: string; repairedElsewhere?: boolean },
): Promise<void> => {
  const { db, clock, limits } = deps;
  const at = clock.now(job);
  const event = { kind: 'refresh_refused', reason, at, real: clock.real() } as const;
  const dueAt = repairedElsewhere && nextAttemptAt(at, limits, Math.random()).toISOString();
  await db.transaction(async (trx) => {
    await completeJob(trx, job, dueAt ? { ...job, dueAt, attempts: 0 } : undefined);
    await markNeedsReconnect(trx, { endUserId: job.endUserId, id: job.connectionId }, reason);
    await recordConnectionEvent(trx, job, event, limits.connectionEventsMax);
    if (connection.reconnectReason === reason) return;
    await queueNeedsReconnect(trx, subjectOf(connection), reason, event.real);
  });
};
