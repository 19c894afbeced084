// Queries that find and delete expired rows, over the tables of several folders. Each deletes a bounded number of rows.
// Rows of a connection are deleted only in a transaction that has locked the row of the connection.

import { abandonedRows, rowsAhead } from '../../domain/codec/block.ts';
import { withoutSealed } from '../../domain/connections/store.ts';
import type { DbTransaction, Queries } from '../../platform/db/open.ts';
import type { BlockDeletionRow, LinkSessionRow } from '../../platform/db/tables.ts';

/** A row by its primary key: of a connection, or of an access. */
export type ConnectionKey = { endUserId: string; id: string };

/** Times (ISO 8601) that decide what is expired. With `organizationId`, of its Sandbox applications only. */
export type Deadlines = { real: string; revokedBefore: string; organizationId?: string };

const where = ({ endUserId, id }: ConnectionKey): ConnectionKey => ({ endUserId, id });

/** Expired connections whose deletion has not started. */
export const findExpired = async (db: Queries, at: Deadlines, limit: number): Promise<ConnectionKey[]> => {
  const undelivered = await notPurging(db, at)
    .where('deliveryExpiresAt', '<=', at.real)
    .limit(limit)
    .select('endUserId', 'id');
  const revoked = await notPurging(db, at)
    .where('revokedAt', '<=', at.revokedBefore)
    .limit(limit)
    .select('endUserId', 'id');
  return [...undelivered, ...revoked];
};

const notPurging = (db: Queries, { organizationId }: Deadlines) => {
  const connections = db('connections').whereNull('purgeStartedAt');
  if (organizationId === undefined) return connections;
  const applications = db('applications').where({ organizationId, environment: 'sandbox' }).select('id');
  return connections.whereIn('applicationId', applications);
};

/** Starts the deletion of a connection: from now on it is expired for every process. A delivered result prevents it. */
export const markPurging = async (db: Queries, key: ConnectionKey, at: Deadlines): Promise<void> => {
  await db('connections')
    .where(where(key))
    .whereNull('purgeStartedAt')
    .where((expired) =>
      expired.where('deliveryExpiresAt', '<=', at.real).orWhere('revokedAt', '<=', at.revokedBefore),
    )
    .update({ purgeStartedAt: at.real, ...withoutSealed });
};

/** Connections whose deletion started at or before a time, and that still exist. */
export const findPurging = async (db: Queries, startedBy: string, limit: number): Promise<ConnectionKey[]> =>
  db('connections')
    .where('purgeStartedAt', '<=', startedBy)
    .orderBy('purgeStartedAt')
    .limit(limit)
    .select('endUserId', 'id');

/** Whether the deletion of any connection started after a time. */
export const hasPurgingSince = async (db: Queries, time: string): Promise<boolean> =>
  (await db('connections').where('purgeStartedAt', '>', time).first('id')) !== undefined;

/** Locks a connection that is being deleted until the transaction ends. False if another sweep has deleted it. */
export const lockPurging = async (trx: DbTransaction, key: ConnectionKey): Promise<boolean> => {
  const row = await trx('connections')
    .where(where(key))
    .whereNotNull('purgeStartedAt')
    .forUpdate()
    .first('id');
  return row !== undefined;
};

export type AccountKey = { endUserId: string; id: string; shortId: number };

export const findAccounts = async (db: Queries, key: ConnectionKey): Promise<AccountKey[]> =>
  db('accounts')
    .where({ endUserId: key.endUserId, connectionId: key.id })
    .orderBy('id')
    .select('endUserId', 'id', 'shortId');

export const deleteTransactions = async (
  trx: DbTransaction,
  { endUserId, shortId }: Pick<AccountKey, 'endUserId' | 'shortId'>,
  limit: number,
): Promise<number> => {
  const ofAccount = { endUserId, accountShortId: shortId };
  const keys = trx('transactions')
    .where(ofAccount)
    .orderBy(['date', 'seq'])
    .limit(limit)
    .select('date', 'seq');
  return trx('transactions').where(ofAccount).whereIn(['date', 'seq'], keys).delete();
};

export const deleteBlocks = async (
  trx: DbTransaction,
  { endUserId, shortId }: AccountKey,
  limit: number,
): Promise<number> => {
  const ofAccount = { endUserId, accountShortId: shortId };
  const blocks = await trx('transaction_blocks')
    .where(ofAccount)
    .orderBy('block')
    .limit(limit)
    .pluck('block');
  await trx('block_deletions').where(ofAccount).whereIn('block', blocks).delete();
  return trx('transaction_blocks').where(ofAccount).whereIn('block', blocks).delete();
};

/** Blocks that are to be deleted now. */
export const findBlockDeletions = async (
  db: Queries,
  now: string,
  limit: number,
): Promise<BlockDeletionRow[]> =>
  db('block_deletions').where('deleteAfter', '<=', now).limit(limit).select('*');

/**
 * From now on these rows, which were stored before their account was published, are not published any more. False if they have been
 * published meanwhile.
 */
export const abandonRowsAhead = async (
  db: Queries,
  { endUserId, accountShortId, block }: BlockDeletionRow,
): Promise<boolean> => {
  if (block === abandonedRows) return true;
  const ahead = { endUserId, accountShortId, block: rowsAhead };
  return (await db('block_deletions').where(ahead).update({ block: abandonedRows })) === 1;
};

/** Deletes a block, unless it has been published or deleted meanwhile. Returns how many were deleted. */
export const deleteBlock = async (
  trx: DbTransaction,
  { endUserId, accountShortId, block }: BlockDeletionRow,
): Promise<number> => {
  const key = { endUserId, accountShortId, block };
  const isDue = (await trx('block_deletions').where(key).delete()) === 1;
  return isDue ? trx('transaction_blocks').where(key).delete() : 0;
};

export const deleteAccount = async (trx: DbTransaction, { endUserId, id }: AccountKey): Promise<number> => {
  await trx('resource_owners').where({ id }).delete();
  return trx('accounts').where({ endUserId, id }).delete();
};

export const deleteDataKeys = async (
  trx: DbTransaction,
  key: ConnectionKey,
  limit: number,
): Promise<number> => {
  const ofConnection = { endUserId: key.endUserId, connectionId: key.id };
  const ids = trx('data_keys').where(ofConnection).orderBy('id').limit(limit).select('id');
  return trx('data_keys').where(ofConnection).whereIn('id', ids).delete();
};

/** Deletes a connection, its job, its events, its consents, its owner, and the link sessions that refer to it. */
export const deleteConnection = async (trx: DbTransaction, key: ConnectionKey): Promise<void> => {
  await trx('jobs').where({ connectionId: key.id }).delete();
  await trx('link_sessions')
    .where({ connectionId: key.id })
    .orWhere({ reconnectConnectionId: key.id })
    .delete();
  await trx('connection_events').where({ endUserId: key.endUserId, connectionId: key.id }).delete();
  await trx('consents').where({ endUserId: key.endUserId, connectionId: key.id }).delete();
  await trx('resource_owners').where({ id: key.id }).delete();
  await trx('connections').where(where(key)).delete();
};

/** SimpleFIN accesses whose setup token has expired. */
export const findExpiredClaims = async (db: Queries, now: string, limit: number): Promise<ConnectionKey[]> =>
  db('simplefin_accesses').where('claimExpiresAt', '<=', now).limit(limit).select('endUserId', 'id');

/** Deletes an access, unless it has been claimed meanwhile. Returns how many were deleted. */
export const deleteExpiredClaim = async (
  trx: DbTransaction,
  { endUserId, id }: ConnectionKey,
  now: string,
): Promise<number> => {
  const deleted = await trx('simplefin_accesses')
    .where({ endUserId, id })
    .where('claimExpiresAt', '<=', now)
    .delete();
  if (deleted === 1) await trx('resource_owners').where({ id }).delete();
  return deleted;
};

/** Deletes an end user who has no connection left; true if deleted. */
export const deleteOrphanedEndUser = async (trx: DbTransaction, endUserId: string): Promise<boolean> => {
  // Locked, so that of two sweeps that delete the last two connections the second sees that none is left.
  const user = await trx('end_users').where({ endUserId }).forUpdate().first('*');
  const remaining = await trx('connections').where({ endUserId }).first('id');
  if (!user || remaining) return false;
  const { applicationId, externalUserId } = user;
  if (externalUserId !== null) {
    await trx('external_users').where({ applicationId, externalUserId, endUserId }).delete();
    await trx('link_sessions').where({ applicationId, externalUserId }).whereNotNull('closedAt').delete();
  }
  const accessIds = await trx('simplefin_accesses').where({ endUserId }).pluck('id');
  await trx('simplefin_accesses').where({ endUserId }).delete();
  if (accessIds.length > 0) await trx('resource_owners').whereIn('id', accessIds).delete();
  await trx('end_users').where({ endUserId }).delete();
  return true;
};

// Open link sessions that no step has locked.
const expiredLinkSessions = (db: Queries, now: string) =>
  db('link_sessions')
    .where('expiresAt', '<=', now)
    .whereNull('closedAt')
    .where((unlocked) => unlocked.whereNull('lockedUntil').orWhere('lockedUntil', '<=', now));

/** Expired link sessions, except those that wait for an import. */
export const findExpiredLinkSessions = async (db: Queries, now: string, limit: number): Promise<string[]> =>
  expiredLinkSessions(db, now).whereNot({ state: 'importing' }).orderBy('expiresAt').limit(limit).pluck('id');

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
    .select('id', 'connectionId');

/** Whether a link session's import or reconnect has a job. */
export const hasJob = async (
  db: Queries,
  { id, connectionId }: { id: string; connectionId: string | null },
): Promise<boolean> =>
  connectionId !== null &&
  (await db('jobs').where({ connectionId, linkSessionId: id }).first('connectionId')) !== undefined;

/**
 * Deletes the sealed data of link sessions, except those that are no longer expired. An import that has no job any more has
 * failed. Returns how many.
 */
export const closeLinkSessions = async (db: Queries, ids: readonly string[], now: string): Promise<number> =>
  expiredLinkSessions(db, now)
    .whereIn('id', ids)
    .update({
      state: db.raw("case when state = 'importing' then 'failed' else state end"),
      failure: db.raw("case when state = 'importing' then 'session_expired' else failure end"),
      closedAt: now,
      stateSealed: null,
      returnHash: null,
      returnSealed: null,
      importRequestSealed: null,
      resultSealed: null,
      progress: null,
    });

/** Deletes link sessions that were closed before a time. Returns how many. */
export const deleteClosedLinkSessions = async (db: Queries, time: string, limit: number): Promise<number> => {
  const ids = await db('link_sessions').where('closedAt', '<', time).limit(limit).pluck('id');
  return ids.length === 0 ? 0 : deleteLinkSessions(db, ids);
};

export type AbandonedLinkSession = Pick<LinkSessionRow, 'id' | 'applicationId' | 'createdAt' | 'reached'>;

/** Link sessions that were closed before a time, and in which nobody got as far as to the credentials. */
export const findAbandonedLinkSessions = async (
  db: Queries,
  time: string,
  limit: number,
): Promise<AbandonedLinkSession[]> =>
  db('link_sessions')
    .where('closedAt', '<', time)
    .whereIn('reached', ['consent', 'institution'])
    .whereNull('reconnectConnectionId')
    .orderBy(['closedAt', 'id'])
    .limit(limit)
    .select('id', 'applicationId', 'createdAt', 'reached');

/** Returns how many another sweep had not deleted. */
export const deleteLinkSessions = async (db: Queries, ids: readonly string[]): Promise<number> =>
  db('link_sessions').whereIn('id', ids).delete();

export type StagedGroup = { endUserId: string; refreshId: string; accountId: string };

/** What any refresh has staged for these accounts. */
export const findStagedByAccounts = async (
  db: Queries,
  accountIds: readonly string[],
): Promise<StagedGroup[]> =>
  db('staged_texts').whereIn('accountId', accountIds).distinct('endUserId', 'refreshId', 'accountId');

/** What was staged before a time. */
export const findStagedBefore = async (db: Queries, time: string, limit: number): Promise<StagedGroup[]> =>
  db('staged_texts')
    .where('createdAt', '<', time)
    .distinct('endUserId', 'refreshId', 'accountId')
    .limit(limit);

export const deleteStagedGroup = async (db: Queries, group: StagedGroup, limit: number): Promise<number> => {
  const { endUserId, refreshId, accountId } = group;
  const ofGroup = { endUserId, refreshId, accountId };
  const ordinals = db('staged_texts').where(ofGroup).orderBy('ordinal').limit(limit).select('ordinal');
  return db('staged_texts').where(ofGroup).whereIn('ordinal', ordinals).delete();
};
