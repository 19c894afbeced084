// Finds expired connections and deletes them with their data, a bounded number of rows at a time. A connection's rows are
// deleted only in a transaction that has locked the connection.
import type { DbTransaction, Queries } from '../../platform/db/open.ts';
import { deleteFirst, insertRows, takeAfter } from '../../platform/db/queries.ts';
import { abandonedRows } from '../codec/block.ts';
import type { TransactionOwner } from '../codec/transaction.ts';
import { sandboxesOf, withoutSealed } from './store.ts';

/** The primary key of a connection. */
export type ConnectionKey = { endUserId: string; id: string };

/**
 * Times (ISO 8601) that decide which connections are expired. `organizationId` limits the search to its Sandbox applications.
 */
export type Deadlines = { real: string; revokedBefore: string; organizationId?: string };

/** Expired connections whose deletion has not started. */
export const findExpired = async (db: Queries, at: Deadlines, limit: number): Promise<ConnectionKey[]> => {
  const findUntil = (column: 'deliveryExpiresAt' | 'revokedAt', time: string) =>
    notPurging(db, at).where(column, '<=', time).limit(limit).select('endUserId', 'id');
  const undelivered = await findUntil('deliveryExpiresAt', at.real);
  return [...undelivered, ...(await findUntil('revokedAt', at.revokedBefore))];
};

const notPurging = (db: Queries, { organizationId }: Deadlines) => {
  const connections = db('connections').whereNull('purgeStartedAt');
  if (organizationId === undefined) return connections;
  return connections.whereIn('applicationId', sandboxesOf(db, organizationId));
};

/** Starts deleting a connection, which every process treats as expired from then on. No effect if its result was delivered. */
export const markPurging = async (
  db: Queries,
  { endUserId, id }: ConnectionKey,
  at: Deadlines,
): Promise<void> => {
  await db('connections')
    .where({ endUserId, id })
    .whereNull('purgeStartedAt')
    .where((expired) =>
      expired.where('deliveryExpiresAt', '<=', at.real).orWhere('revokedAt', '<=', at.revokedBefore),
    )
    .update({ purgeStartedAt: at.real, ...withoutSealed });
};

/** Connections that still exist and whose deletion started at or before a time. */
export const findPurging = async (db: Queries, startedBy: string, limit: number): Promise<ConnectionKey[]> =>
  db('connections')
    .where('purgeStartedAt', '<=', startedBy)
    .orderBy('purgeStartedAt')
    .limit(limit)
    .select('endUserId', 'id');

/** True if the deletion of any connection started after a time. */
export const hasPurgingSince = async (db: Queries, time: string): Promise<boolean> =>
  (await db('connections').where('purgeStartedAt', '>', time).first('id')) !== undefined;

/** Locks a connection that is being deleted, until the transaction ends. False if another sweep deleted it. */
export const lockPurging = async (trx: DbTransaction, { endUserId, id }: ConnectionKey): Promise<boolean> => {
  const purging = trx('connections').where({ endUserId, id }).whereNotNull('purgeStartedAt');
  return (await purging.forUpdate().first('id')) !== undefined;
};

type AccountKey = TransactionOwner & { id: string };

export const findAccounts = async (
  db: Queries,
  { endUserId, id: connectionId }: ConnectionKey,
): Promise<AccountKey[]> =>
  db('accounts')
    .where({ endUserId, connectionId })
    .orderBy('id')
    .select('endUserId', 'id', { accountShortId: 'shortId' });

export const deleteTransactions = (
  trx: DbTransaction,
  { endUserId, accountShortId }: TransactionOwner,
  limit: number,
): Promise<number> =>
  deleteFirst(() => trx('transactions').where({ endUserId, accountShortId }), ['date', 'seq'], limit);

export const deleteBlocks = async (
  trx: DbTransaction,
  { endUserId, accountShortId }: TransactionOwner,
  limit: number,
): Promise<number> => {
  const ofAccount = { endUserId, accountShortId };
  const blocks = await trx('transaction_blocks')
    .where(ofAccount)
    .orderBy('block')
    .limit(limit)
    .pluck('block');
  await trx('block_deletions').where(ofAccount).whereIn('block', blocks).delete();
  return trx('transaction_blocks').where(ofAccount).whereIn('block', blocks).delete();
};

export const deleteAccount = async (trx: DbTransaction, { endUserId, id }: AccountKey): Promise<number> => {
  await trx('resource_owners').where({ id }).delete();
  return trx('accounts').where({ endUserId, id }).delete();
};

export type DeselectedAccount = AccountKey & { connectionId: string; deselectedAt: string };

/** One page of the accounts that end users deselected at or before a time, oldest first. */
export const findDeselected = async (
  db: Queries,
  before: string,
  { after, limit }: { after?: DeselectedAccount; limit: number },
): Promise<DeselectedAccount[]> => {
  const deselected = db('accounts')
    .where('deselectedAt', '<=', before)
    .select('endUserId', 'id', 'connectionId', 'deselectedAt', { accountShortId: 'shortId' });
  const from = after && [after.deselectedAt, after.id];
  return takeAfter(deselected, ['deselectedAt', 'id'], { after: from, limit }) as Promise<
    DeselectedAccount[]
  >;
};

/**
 * Deletes an account unless the end user has shared it again. The sweep deletes its transactions later, when no request can
 * still be reading them.
 */
export const deleteDeselected = async (
  trx: DbTransaction,
  { endUserId, id, accountShortId, deselectedAt }: DeselectedAccount,
  deleteAfter: string,
): Promise<number> => {
  if ((await trx('accounts').where({ endUserId, id, deselectedAt }).delete()) === 0) return 0;
  await trx('resource_owners').where({ id }).delete();
  const ofAccount = { endUserId, accountShortId };
  const blocks = await trx('transaction_blocks').where(ofAccount).pluck('block');
  const unused = await trx('block_deletions').where(ofAccount).pluck('block');
  const deletions = [abandonedRows, ...blocks.filter((block) => !unused.includes(block))];
  await insertRows(
    trx,
    'block_deletions',
    deletions.map((block) => ({ ...ofAccount, block, deleteAfter })),
  );
  return 1;
};

export const deleteDataKeys = (
  trx: DbTransaction,
  { endUserId, id: connectionId }: ConnectionKey,
  limit: number,
): Promise<number> => deleteFirst(() => trx('data_keys').where({ endUserId, connectionId }), ['id'], limit);

/** Deletes a connection with its job, events, consents and owner. */
export const deleteConnection = async (
  trx: DbTransaction,
  { endUserId, id }: ConnectionKey,
): Promise<void> => {
  await trx('jobs').where({ connectionId: id }).delete();
  await trx('connection_events').where({ endUserId, connectionId: id }).delete();
  await trx('consents').where({ endUserId, connectionId: id }).delete();
  await trx('resource_owners').where({ id }).delete();
  await trx('connections').where({ endUserId, id }).delete();
};

/** True if an end user has a connection, even an expired one. */
export const hasConnection = async (db: Queries, endUserId: string): Promise<boolean> =>
  (await db('connections').where({ endUserId }).first('id')) !== undefined;
