// Queries that find and delete expired rows, over the tables of several folders. Each deletes a bounded number of rows.
// Rows of a connection are deleted only in a transaction that has locked the row of the connection.
import type { Environment } from '../clock.ts';
import type { DbTransaction, Queries } from '../db/open.ts';

export type ConnectionKey = { endUserId: string; id: string };

/** Times (ISO 8601) that decide what is expired: real time, and for each environment its own. */
export type Deadlines = { real: string; revokedBefore: Record<Environment, string> };

const keyColumns = { endUserId: 'end_user_id', id: 'id' };
const where = ({ endUserId, id }: ConnectionKey) => ({ end_user_id: endUserId, id });

/** Expired connections whose deletion has not started. */
export const findExpired = async (db: Queries, at: Deadlines, limit: number): Promise<ConnectionKey[]> => {
  const undelivered: ConnectionKey[] = await db('connections')
    .whereNull('purge_started_at')
    .where('delivery_expires_at', '<=', at.real)
    .limit(limit)
    .select(keyColumns);
  const revoked: ConnectionKey[] = await db('connections')
    .whereNull('purge_started_at')
    .whereNotNull('revoked_at')
    .where(retentionEnded(db, at))
    .limit(limit)
    .select(keyColumns);
  return [...undelivered, ...revoked];
};

const retentionEnded = (db: Queries, { revokedBefore }: Deadlines) =>
  db.raw(
    `revoked_at <= (select case environment when 'sandbox' then ? else ? end from applications
       where applications.id = connections.application_id)`,
    [revokedBefore.sandbox, revokedBefore.production],
  );

/** Starts the deletion of a connection: from now on it is expired for every process. A delivered result prevents it. */
export const markPurging = async (db: Queries, key: ConnectionKey, at: Deadlines): Promise<void> => {
  await db('connections')
    .where(where(key))
    .whereNull('purge_started_at')
    .where((expired) => expired.where('delivery_expires_at', '<=', at.real).orWhere(retentionEnded(db, at)))
    .update({ purge_started_at: at.real, credentials: null });
};

/** Connections whose deletion started at or before a time, and that still exist. */
export const findPurging = async (db: Queries, startedBy: string, limit: number): Promise<ConnectionKey[]> =>
  db('connections')
    .where('purge_started_at', '<=', startedBy)
    .orderBy('purge_started_at')
    .limit(limit)
    .select(keyColumns);

/** Whether the deletion of any connection started after a time. */
export const hasPurgingSince = async (db: Queries, time: string): Promise<boolean> =>
  (await db('connections').where('purge_started_at', '>', time).first('id')) !== undefined;

/** Locks a connection that is being deleted until the transaction ends. False if another sweep has deleted it. */
export const lockPurging = async (trx: DbTransaction, key: ConnectionKey): Promise<boolean> => {
  const row = await trx('connections')
    .where(where(key))
    .whereNotNull('purge_started_at')
    .forUpdate()
    .first('id');
  return row !== undefined;
};

export const findAccountIds = async (db: Queries, key: ConnectionKey): Promise<string[]> =>
  db('accounts').where({ end_user_id: key.endUserId, connection_id: key.id }).orderBy('id').pluck('id');

export const deleteTransactions = async (
  trx: DbTransaction,
  account: { endUserId: string; id: string },
  limit: number,
): Promise<number> => {
  const ofAccount = { end_user_id: account.endUserId, account_id: account.id };
  const ids = trx('transactions').where(ofAccount).orderBy('id').limit(limit).select('id');
  return trx('transactions').where(ofAccount).whereIn('id', ids).delete();
};

export const deleteAccount = async (
  trx: DbTransaction,
  account: { endUserId: string; id: string },
): Promise<number> => {
  await trx('resource_owners').where({ id: account.id }).delete();
  return trx('accounts').where(where(account)).delete();
};

export const deleteDataKeys = async (
  trx: DbTransaction,
  key: ConnectionKey,
  limit: number,
): Promise<number> => {
  const ofConnection = { end_user_id: key.endUserId, connection_id: key.id };
  const ids = trx('data_keys').where(ofConnection).orderBy('id').limit(limit).select('id');
  return trx('data_keys').where(ofConnection).whereIn('id', ids).delete();
};

/** Deletes a connection, its job, its events, its owner, and the link sessions that refer to it. */
export const deleteConnection = async (trx: DbTransaction, key: ConnectionKey): Promise<void> => {
  await trx('jobs').where({ connection_id: key.id }).delete();
  await trx('link_sessions')
    .where({ connection_id: key.id })
    .orWhere({ reconnect_connection_id: key.id })
    .delete();
  await trx('connection_events').where({ end_user_id: key.endUserId, connection_id: key.id }).delete();
  await trx('resource_owners').where({ id: key.id }).delete();
  await trx('connections').where(where(key)).delete();
};

/** Deletes an end user who has no connection left; true if deleted. */
export const deleteOrphanedEndUser = async (trx: DbTransaction, endUserId: string): Promise<boolean> => {
  // Locked, so that of two sweeps that delete the last two connections the second sees that none is left.
  const user = await trx('end_users').where({ end_user_id: endUserId }).forUpdate().first();
  const remaining = await trx('connections').where({ end_user_id: endUserId }).first('id');
  if (!user || remaining) return false;
  const { application_id, external_user_id } = user;
  if (external_user_id !== null) {
    await trx('external_users').where({ application_id, external_user_id, end_user_id: endUserId }).delete();
  }
  await trx('end_users').where({ end_user_id: endUserId }).delete();
  return true;
};

// Link sessions that no step has locked.
const expiredLinkSessions = (db: Queries, now: string) =>
  db('link_sessions')
    .where('expires_at', '<=', now)
    .where((unlocked) => unlocked.whereNull('locked_until').orWhere('locked_until', '<=', now));

/** Expired link sessions, except those that wait for an import. */
export const findExpiredLinkSessions = async (db: Queries, now: string, limit: number): Promise<string[]> =>
  expiredLinkSessions(db, now)
    .whereNot({ state: 'importing' })
    .orderBy('expires_at')
    .limit(limit)
    .pluck('id');

/** Expired link sessions that wait for an import, in order of id, and the connection that the import creates. */
export const findExpiredImports = async (
  db: Queries,
  page: { now: string; after: string; limit: number },
): Promise<{ id: string; connectionId: string | null }[]> =>
  expiredLinkSessions(db, page.now)
    .where({ state: 'importing' })
    .where('id', '>', page.after)
    .orderBy('id')
    .limit(page.limit)
    .select('id', { connectionId: 'connection_id' });

/** Whether a connection has a job. */
export const hasJob = async (db: Queries, connectionId: string): Promise<boolean> =>
  (await db('jobs').where({ connection_id: connectionId }).first('connection_id')) !== undefined;

/** Deletes link sessions, except those that are no longer expired. Returns how many. */
export const deleteLinkSessions = async (db: Queries, ids: readonly string[], now: string): Promise<number> =>
  expiredLinkSessions(db, now).whereIn('id', ids).delete();

export type StagedGroup = { endUserId: string; refreshId: string; accountId: string };

const groupColumns = { endUserId: 'end_user_id', refreshId: 'refresh_id', accountId: 'account_id' };

/** What any refresh has staged for these accounts. */
export const findStagedByAccounts = async (
  db: Queries,
  accountIds: readonly string[],
): Promise<StagedGroup[]> =>
  db('staged_transactions').whereIn('account_id', accountIds).distinct(groupColumns);

/** What was staged before a time. */
export const findStagedBefore = async (db: Queries, time: string, limit: number): Promise<StagedGroup[]> =>
  db('staged_transactions').where('created_at', '<', time).distinct(groupColumns).limit(limit);

export const deleteStagedGroup = async (db: Queries, group: StagedGroup, limit: number): Promise<number> => {
  const ofGroup = {
    end_user_id: group.endUserId,
    refresh_id: group.refreshId,
    account_id: group.accountId,
  };
  const ordinals = db('staged_transactions').where(ofGroup).orderBy('ordinal').limit(limit).select('ordinal');
  return db('staged_transactions').where(ofGroup).whereIn('ordinal', ordinals).delete();
};
