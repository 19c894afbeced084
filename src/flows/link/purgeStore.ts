// Finds expired link sessions, deletes their sealed data and, some weeks later, their rows.
import { failedRow } from '../../domain/connections/jobs.ts';
import type { DbTransaction, Queries } from '../../platform/db/open.ts';
import type { EndUserRow, LinkSessionRow } from '../../platform/db/tables.ts';

// Expired link sessions that are not closed and that no step has locked.
const expiredLinkSessions = (db: Queries, now: string) =>
  db('link_sessions')
    .where('expiresAt', '<=', now)
    .whereNull('closedAt')
    .where((unlocked) => unlocked.whereNull('lockedUntil').orWhere('lockedUntil', '<=', now));

/** Expired link sessions, except those waiting for an import. */
export const findExpired = async (db: Queries, now: string, limit: number): Promise<string[]> =>
  expiredLinkSessions(db, now).whereNot({ state: 'importing' }).orderBy('expiresAt').limit(limit).pluck('id');

/** Expired link sessions waiting for an import, ordered by id, with the connection that the import creates. */
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

/**
 * Deletes the sealed data of link sessions, except those that are no longer expired. An import without a job has failed.
 * Returns the number of sessions.
 */
export const closeExpired = async (db: Queries, ids: readonly string[], now: string): Promise<number> =>
  expiredLinkSessions(db, now)
    .whereIn('id', ids)
    .update({
      ...failedRow('session_expired'),
      state: db.raw("case when state = 'importing' then 'failed' else state end"),
      failure: db.raw("case when state = 'importing' then 'session_expired' else failure end"),
      stateSealed: null,
      closedAt: now,
    });

/** Deletes link sessions that were closed before a time. Returns the number deleted. */
export const deleteClosed = async (db: Queries, time: string, limit: number): Promise<number> => {
  const ids = await db('link_sessions').where('closedAt', '<', time).limit(limit).pluck('id');
  return ids.length === 0 ? 0 : deleteByIds(db, ids);
};

export type Abandoned = Pick<LinkSessionRow, 'id' | 'applicationId' | 'createdAt' | 'reached'>;

/** Link sessions that were closed before a time without reaching the credentials. */
export const findAbandoned = async (db: Queries, time: string, limit: number): Promise<Abandoned[]> =>
  db('link_sessions')
    .where('closedAt', '<', time)
    .whereIn('reached', ['consent', 'institution'])
    .whereNull('reconnectConnectionId')
    .orderBy(['closedAt', 'id'])
    .limit(limit)
    .select('id', 'applicationId', 'createdAt', 'reached');

/** Deletes link sessions. Returns how many of them still existed. */
export const deleteByIds = async (db: Queries, ids: readonly string[]): Promise<number> =>
  db('link_sessions').whereIn('id', ids).delete();

/** Deletes the link sessions that created or reconnected a connection. */
export const deleteOfConnection = async (trx: DbTransaction, connectionId: string): Promise<void> => {
  await trx('link_sessions')
    .where({ connectionId })
    .orWhere({ reconnectConnectionId: connectionId })
    .delete();
};

/** Deletes the closed link sessions with an end user's external user id. */
export const deleteClosedOfUser = async (
  trx: DbTransaction,
  { applicationId, externalUserId }: EndUserRow,
): Promise<void> => {
  if (externalUserId === null) return;
  await trx('link_sessions').where({ applicationId, externalUserId }).whereNotNull('closedAt').delete();
};
