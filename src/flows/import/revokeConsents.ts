// Revokes consents at banks after a connection is revoked or gets a new consent, or if nobody completes a link session. A row
// is kept until the bank confirms or refuses, or attempts end, so a crash loses no consent. A bank may get the same request
// twice.
import { byOperator } from '../../domain/audit/by.ts';
import { recordAudit } from '../../domain/audit/store.ts';
import * as store from '../../domain/connections/revocationStore.ts';
import { findConnectionRow } from '../../domain/connections/store.ts';
import { findResourceOwner } from '../../domain/users/store.ts';
import type { DbTransaction } from '../../platform/db/open.ts';
import type { ConsentRevocationRow } from '../../platform/db/tables.ts';
import { type Loop, startLoop } from '../../platform/loops/loop.ts';
import { addMilliseconds, days, seconds } from '../../platform/values/clock.ts';
import { BankRefused } from '../../platform/values/errors.ts';
import { makeId } from '../../platform/values/ids.ts';
import type { PublicKey } from '../../platform/vault/keys.ts';
import { type BankCredentials, sealForWorker } from '../../platform/vault/seal.ts';
import { unsealForWorker } from '../../platform/vault/workerBoxes.ts';
import { findLinkSession } from '../link/store.ts';
import type { RefreshedConnection } from '../refresh/accountStore.ts';
import type { ClaimedJob, JobDeps } from '../refresh/jobs.ts';
import type { FetchedForLink } from './linkJob.ts';

const atOnceMax = 10;
/** The share of the lease that an attempt at a bank may take; no other process tries during the lease. */
const attemptShare = 0.8;
const triedForDays = 1;
const pauseSecondsMax = 3600;

type Log = { warn(failure: { err: unknown }, message: string): void };

/** Revokes due consents until stopped. */
export const startRevoking = (deps: JobDeps, log: Log): Loop =>
  startLoop(
    () => deps.limits.revocationPollMs,
    (stop) => revokeDue(deps, stop).catch((err) => log.warn({ err }, 'consents not revoked at banks')),
  );

/** Tries to revoke each due consent once. */
const revokeDue = async (deps: JobDeps, stop: AbortSignal): Promise<void> => {
  const { db, clock } = deps;
  const due = await store.findDueRevocations(db.read, clock.real().toISOString(), atOnceMax);
  await Promise.all(
    due.map(async (row) => {
      const until = addMilliseconds(clock.real(), seconds(deps.limits.leaseSeconds));
      if (!stop.aborted && (await store.postponeRevocation(db.write, row, until)))
        await revoke(deps, { ...row, dueAt: until.toISOString() }, stop);
    }),
  );
};

const revoke = async (deps: JobDeps, row: ConsentRevocationRow, stop: AbortSignal): Promise<void> => {
  const { db, clock } = deps;
  const outcome = await findConsentOutcome(deps, row);
  if (outcome instanceof Date) {
    await store.postponeRevocation(db.write, row, outcome);
    return;
  }
  const failure =
    outcome === 'kept' ? undefined : await revokeAtBank(deps, row, stop).catch((error: unknown) => error);
  const age = clock.real().getTime() - Date.parse(row.createdAt);
  const isRefused = failure instanceof BankRefused;
  if (failure !== undefined && !isRefused && age < days(triedForDays)) {
    // Waits as long as it has been trying, so that each pause is twice as long as the previous one.
    const pause = Math.min(Math.max(age, seconds(deps.limits.leaseSeconds)), seconds(pauseSecondsMax));
    await store.postponeRevocation(db.write, row, addMilliseconds(clock.real(), pause));
    return;
  }
  await db.markVacuumNeeded();
  await db.transaction(async (trx) => {
    await store.deleteRevocation(trx, row.id);
    if (failure === undefined || isRefused) return;
    const details = { application: row.applicationId, institution: row.institutionId };
    await recordAudit(trx, byOperator(row.organizationId, clock.real()), {
      ...{ action: 'consent_not_given_back', details },
    });
  });
};

/** Reports whether a sign-in led to a connection that is kept, or when that will be known. */
const findConsentOutcome = async (
  { db: { read }, clock }: JobDeps,
  { linkSessionId, connectionId }: ConsentRevocationRow,
): Promise<'kept' | 'revoked' | Date> => {
  if (linkSessionId === null) return 'revoked';
  const now = clock.real().toISOString();
  if (connectionId !== null) {
    const owner = await findResourceOwner(read, connectionId);
    const connection =
      owner && (await findConnectionRow(read, { endUserId: owner.endUserId, id: connectionId }));
    if (!connection || connection.purgeStartedAt !== null) return 'revoked';
    if (connection.deliveryExpiresAt === null) return 'kept';
    return connection.deliveryExpiresAt > now ? new Date(connection.deliveryExpiresAt) : 'revoked';
  }
  const session = await findLinkSession(read, linkSessionId);
  return session && session.state !== 'ended' && session.expiresAt > now
    ? new Date(session.expiresAt)
    : 'revoked';
};

const revokeAtBank = async (
  { registry, clock, workerKeys, limits }: JobDeps,
  { id, environment, institutionId, organizationId, credentials }: ConsentRevocationRow,
  stop: AbortSignal,
): Promise<void> => {
  const found = registry.find(environment, institutionId);
  if (!found?.connector.revoke) throw new Error("No connector can revoke this institution's consents.");
  const { access, deviceToken } = unsealForWorker<{ access?: string; deviceToken?: string }>(
    credentials,
    ['credentials', id],
    workerKeys,
  );
  const signal = AbortSignal.any([stop, AbortSignal.timeout(seconds(attemptShare * limits.leaseSeconds))]);
  const now = clock.now({ environment, organizationId });
  await found.connector.revoke({ access, deviceToken }, { signal, now, organizationId });
};

type Replaced = { connection: RefreshedConnection; fetched: FetchedForLink; worker: PublicKey };

/** Queues the revocation of the consent that a reconnect replaced. */
export const queueReplacedConsent = async (
  { registry, workerKeys, clock }: JobDeps,
  trx: DbTransaction,
  { connectionId, applicationId, organizationId, environment, institutionId }: ClaimedJob,
  { connection, fetched, worker }: Replaced,
): Promise<void> => {
  if (!connection.credentials || !registry.canRevoke(environment, institutionId)) return;
  const binding = ['credentials', connectionId] as const;
  const { deviceToken } = unsealForWorker<BankCredentials>(connection.credentials, binding, workerKeys);
  if (deviceToken === undefined || deviceToken === fetched.credentials.deviceToken) return;
  const id = makeId('rev');
  const [createdAt, dueAt] = [clock.real().toISOString(), clock.real().toISOString()];
  await store.insertRevocation(trx, {
    ...{ id, applicationId, organizationId, environment, institutionId, createdAt, dueAt },
    credentials: sealForWorker({ deviceToken }, ['credentials', id], worker),
  });
};
