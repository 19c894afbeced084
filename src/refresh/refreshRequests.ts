// What the dashboard may know and do about the schedule of one connection.
import type { Environment } from '../clock.ts';
import type { Connection } from '../connections/connection.ts';
import { recordConnectionEvent } from '../connections/events.ts';
import { replaceCredentials } from '../connections/store.ts';
import type { Queries, DbTransaction } from '../db/open.ts';
import { Conflict } from '../errors.ts';
import { sealForWorker } from '../vault/workerSeal.ts';
import { findJob, runRefreshSooner, putJob, type Job } from './jobs.ts';

export type RefreshRequest = {
  /** The application's time, and the real one. */
  at: Date;
  real: Date;
  /** How many of the connection's events are kept. */
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
> & { environment: Environment };

/** When a connection's next refresh is due; undefined where none is. */
export const findNextRefresh = async (db: Queries, connectionId: string): Promise<string | undefined> => {
  const work = await findJob(db, connectionId);
  return work?.kind === 'refresh' ? work.dueAt : undefined;
};

/** Makes a connection's refresh due now. Throws Conflict where it cannot be refreshed. */
export const requestRefresh = async (
  trx: DbTransaction,
  connection: RefreshableConnection,
  wish: RefreshRequest,
): Promise<void> => {
  requireActive(connection);
  const work = await findRefreshJob(trx, connection);
  if (work) await runRefreshSooner(trx, connection.id, wish.at);
  else await putJob(trx, toRefreshJob(connection, wish.at.toISOString()));
  const of = { endUserId: connection.endUserId, connectionId: connection.id };
  const event = { kind: 'refresh_requested', by: 'member', at: wish.at, real: wish.real } as const;
  await recordConnectionEvent(trx, of, event, wish.eventsMax);
};

/**
 * Puts credentials in place that no bank of the sandbox knows, so that the next refresh is refused. A refresh that is
 * under way loses its lease: it would put the good ones back. Throws Conflict where that would change nothing.
 */
export const breakCredentials = async (
  trx: DbTransaction,
  connection: RefreshableConnection,
  wish: RefreshRequest & { workerPublicKey: Buffer },
): Promise<void> => {
  if (connection.environment !== 'sandbox') throw new Conflict('Only sandbox connections can be broken.');
  requireActive(connection);
  const work = await findRefreshJob(trx, connection);
  await putJob(trx, toRefreshJob(connection, work?.dueAt ?? wish.at.toISOString()));
  const wrong = sealForWorker(
    { values: { username: '', password: '' } },
    connection.id,
    wish.workerPublicKey,
  );
  await replaceCredentials(trx, connection, wrong);
  const of = { endUserId: connection.endUserId, connectionId: connection.id };
  const event = { kind: 'broken', by: 'member', at: wish.at, real: wish.real } as const;
  await recordConnectionEvent(trx, of, event, wish.eventsMax);
};

const requireActive = ({ revokedAt, reconnectReason }: RefreshableConnection): void => {
  if (revokedAt) throw new Conflict('The connection is revoked.');
  if (reconnectReason) throw new Conflict('The connection needs its user to reconnect.');
};

const findRefreshJob = async (
  trx: DbTransaction,
  { id }: RefreshableConnection,
): Promise<Job | undefined> => {
  const work = await findJob(trx, id);
  if (work && work.kind !== 'refresh') throw new Conflict('The connection is just being connected.');
  return work;
};

const toRefreshJob = (connection: RefreshableConnection, dueAt: string): Job => ({
  connectionId: connection.id,
  endUserId: connection.endUserId,
  applicationId: connection.applicationId,
  environment: connection.environment,
  institutionId: connection.institutionId,
  kind: 'refresh',
  linkSessionId: null,
  dueAt,
  attempts: 0,
});
