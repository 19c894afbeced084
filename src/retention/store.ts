// The questions and deletions of retention, over the tables of every room. Each deletion takes a bounded number
// of rows; what belongs to a connection is deleted only by who holds that connection's row.
import type { Environment } from '../clock.ts';
import type { Queries, DbTransaction } from '../db/open.ts';

export type ConnectionKey = { endUserId: string; id: string };

/** The moments (ISO 8601) from which on things are over: by real time, and by each environment's. */
export type Deadlines = { real: string; revokedBefore: Record<Environment, string> };

const keyColumns = { endUserId: 'end_user_id', id: 'id' };
const where = ({ endUserId, id }: ConnectionKey) => ({ end_user_id: endUserId, id });

/** Connections that are over and that nobody has marked yet. */
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

/** Marks a connection gone, for every process and for good, unless its result was delivered meanwhile. */
export const markPurging = async (db: Queries, key: ConnectionKey, at: Deadlines): Promise<void> => {
  await db('connections')
    .where(where(key))
    .whereNull('purge_started_at')
    .where((over) => over.where('delivery_expires_at', '<=', at.real).orWhere(retentionEnded(db, at)))
    .update({ purge_started_at: at.real, credentials: null });
};

/** Connections that were marked by this moment and are not deleted yet. */
export const findPurging = async (db: Queries, by: string, limit: number): Promise<ConnectionKey[]> =>
  db('connections')
    .where('purge_started_at', '<=', by)
    .orderBy('purge_started_at')
    .limit(limit)
    .select(keyColumns);

/** Whether a connection was marked after this moment. */
export const hasPurgingSince = async (db: Queries, moment: string): Promise<boolean> =>
  (await db('connections').where('purge_started_at', '>', moment).first('id')) !== undefined;

/** Holds a marked connection until the transaction ends, so that two sweeps take turns; false where it is deleted. */
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
  const some = trx('transactions').where(ofAccount).orderBy('id').limit(limit).select('id');
  return trx('transactions').where(ofAccount).whereIn('id', some).delete();
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
  const some = trx('data_keys').where(ofConnection).orderBy('id').limit(limit).select('id');
  return trx('data_keys').where(ofConnection).whereIn('id', some).delete();
};

/** The connection itself, what is due for it, the sessions that name it, and the answer to whose it is. */
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

/** The end user, if no connection is left; true where it was deleted. Another one may be current by now. */
export const deleteOrphanedEndUser = async (trx: DbTransaction, endUserId: string): Promise<boolean> => {
  // Held, so that of two sweeps that delete the last two connections one sees that none is left.
  const user = await trx('end_users').where({ end_user_id: endUserId }).forUpdate().first();
  const left = await trx('connections').where({ end_user_id: endUserId }).first('id');
  if (!user || left) return false;
  const { application_id, external_user_id } = user;
  if (external_user_id !== null) {
    await trx('external_users').where({ application_id, external_user_id, end_user_id: endUserId }).delete();
  }
  await trx('end_users').where({ end_user_id: endUserId }).delete();
  return true;
};

// With nobody busy.
const expiredLinkSessions = (db: Queries, now: string) =>
  db('link_sessions')
    .where('expires_at', '<=', now)
    .where((free) => free.whereNull('locked_until').orWhere('locked_until', '<=', now));

/** Sessions whose time is over, but for those that wait for an import. */
export const findExpiredLinkSessions = async (db: Queries, now: string, limit: number): Promise<string[]> =>
  expiredLinkSessions(db, now)
    .whereNot({ state: 'importing' })
    .orderBy('expires_at')
    .limit(limit)
    .pluck('id');

/** Sessions that should be over and wait for an import, after one of them; and which connection is to come of it. */
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

/** Whether anything is still due for a connection. */
export const hasJob = async (db: Queries, connectionId: string): Promise<boolean> =>
  (await db('jobs').where({ connection_id: connectionId }).first('connection_id')) !== undefined;

/** Those of these sessions that are still over: one may have moved on since it was found. */
export const deleteLinkSessions = async (db: Queries, ids: readonly string[], now: string): Promise<number> =>
  expiredLinkSessions(db, now).whereIn('id', ids).delete();

export type StagedGroup = { endUserId: string; refreshId: string; accountId: string };

const groupColumns = { endUserId: 'end_user_id', refreshId: 'refresh_id', accountId: 'account_id' };

/** What is staged for these accounts, whoever it was staged for. */
export const findStagedByAccounts = async (
  db: Queries,
  accountIds: readonly string[],
): Promise<StagedGroup[]> =>
  db('staged_transactions').whereIn('account_id', accountIds).distinct(groupColumns);

/** What was staged before this moment by refreshes that can no longer publish it. */
export const findStagedBefore = async (db: Queries, moment: string, limit: number): Promise<StagedGroup[]> =>
  db('staged_transactions').where('created_at', '<', moment).distinct(groupColumns).limit(limit);

export const deleteStagedGroup = async (db: Queries, of: StagedGroup, limit: number): Promise<number> => {
  const group = { end_user_id: of.endUserId, refresh_id: of.refreshId, account_id: of.accountId };
  const some = db('staged_transactions').where(group).orderBy('ordinal').limit(limit).select('ordinal');
  return db('staged_transactions').where(group).whereIn('ordinal', some).delete();
};
