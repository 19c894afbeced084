// Reads and changes when a connection is refreshed: on request, or to test reconnecting.

import type { DbTransaction, Queries } from '../../platform/db/open.ts';
import { type ClockId, seconds } from '../../platform/values/clock.ts';
import { Conflict, TooManyAttempts } from '../../platform/values/errors.ts';
import type { PublicKey } from '../../platform/vault/keys.ts';
import { sealForWorker } from '../../platform/vault/seal.ts';
import type { AuditContext } from '../audit/by.ts';
import { type AuditAction, recordAudit } from '../audit/store.ts';
import { findJob, type Job, lockActiveConnection, pausedUntil, putJob, runRefreshesSooner } from './jobs.ts';
import {
  type Connection,
  type ConnectionEventKind,
  recordConnectionEvent,
  replaceCredentials,
} from './store.ts';
import { connectionEntry, toEventActor } from './webhooks.ts';

export type RefreshRequest = {
  by: AuditContext;
  /** The application's time. */
  at: Date;
  /** The number of the connection's events to keep. */
  eventsMax: number;
};

type RefreshableConnection = Pick<
  Connection,
  | 'id'
  | 'endUserId'
  | 'applicationId'
  | 'institutionId'
  | 'revokedAt'
  | 'deliveryExpiresAt'
  | 'reconnectReason'
> &
  ClockId;

/** When a connection's next refresh is due and its bank's pause ends (ISO 8601); undefined if no refresh is scheduled. */
export const findNextRefresh = async (
  db: Queries,
  connectionId: string,
): Promise<{ at: string; pausedUntil: string | null } | undefined> => {
  const job = await findJob(db, connectionId);
  return job?.kind === 'refresh' ? { at: job.dueAt, pausedUntil: pausedUntil(job) } : undefined;
};

/** Throws TooManyAttempts while the bank allows no refresh of a connection, even on request. */
export const requireRested = async (db: Queries, connectionId: string, at: Date): Promise<void> => {
  const { notBefore = null } = (await findJob(db, connectionId)) ?? {};
  const restMs = notBefore === null ? 0 : Date.parse(notBefore) - at.getTime();
  if (restMs > 0) throw new TooManyAttempts(Math.ceil(restMs / seconds(1)));
};

/** Makes a connection's refresh due now and records the audit event. Throws Conflict if the connection cannot be refreshed. */
export const requestRefresh = async (
  trx: DbTransaction,
  connection: RefreshableConnection,
  request: RefreshRequest,
): Promise<void> => {
  const job = await findRefreshJob(trx, connection);
  if (job) {
    // Polls even a bank that is waiting for the user to fix something elsewhere: they may have done so.
    await runRefreshesSooner(trx, { connectionId: connection.id }, request.at.toISOString());
  } else {
    requireActive(connection);
    await putJob(trx, jobOf(connection, request.at.toISOString()));
  }
  await recordRequest(trx, connection, request, 'refresh_requested', 'connection_refresh_requested');
};

/**
 * Replaces a sandbox connection's credentials with wrong ones, so that the bank rejects the next refresh. A running refresh
 * loses its lease, because it would restore the correct ones. Throws Conflict unless the connection is active and in Sandbox.
 */
export const breakCredentials = async (
  trx: DbTransaction,
  connection: RefreshableConnection,
  request: RefreshRequest & { workerKey: PublicKey },
): Promise<void> => {
  if (connection.environment !== 'sandbox')
    throw new Conflict('Only the credentials of sandbox connections can be broken.');
  const job = await findRefreshJob(trx, connection);
  requireActive(connection);
  await putJob(trx, jobOf(connection, job?.dueAt ?? request.at.toISOString()));
  const wrong = { values: { username: '', password: '' } };
  const sealed = sealForWorker(wrong, ['credentials', connection.id], request.workerKey);
  await replaceCredentials(trx, keyOf(connection), sealed);
  await recordRequest(trx, connection, request, 'credentials_broken', 'sandbox_credentials_broken');
};

/** Records the request in the connection's history and in the audit log. */
const recordRequest = async (
  trx: DbTransaction,
  connection: RefreshableConnection,
  { by, at, eventsMax }: RefreshRequest,
  kind: ConnectionEventKind,
  action: AuditAction,
): Promise<void> => {
  const { applicationId } = connection;
  const key = keyOf(connection);
  await recordConnectionEvent(trx, key, { kind, actor: toEventActor(by), at, real: by.now }, eventsMax);
  await recordAudit(trx, by, connectionEntry({ ...key, applicationId }, action));
};

const keyOf = ({ endUserId, id }: RefreshableConnection) => ({ endUserId, connectionId: id });

const requireActive = ({ reconnectReason }: RefreshableConnection): void => {
  if (reconnectReason) throw new Conflict('The user must reconnect this connection first.');
};

const findRefreshJob = async (
  trx: DbTransaction,
  connection: RefreshableConnection,
): Promise<Job | undefined> => {
  await lockActiveConnection(trx, keyOf(connection));
  const job = await findJob(trx, connection.id);
  if (job && job.kind !== 'refresh')
    throw new Conflict('The connection is busy with an import or reconnect. Try again later.');
  return job;
};

const jobOf = ({ id: connectionId, ...connection }: RefreshableConnection, dueAt: string): Job => ({
  ...{ ...connection, connectionId, dueAt },
  ...{ kind: 'refresh', linkSessionId: null, attempts: 0 },
});
