// Queries for SimpleFIN access.
import type { Queries } from '../../platform/db/open.ts';
import { countRows, newestFirst } from '../../platform/db/queries.ts';
import type { SimplefinAccessRow } from '../../platform/db/tables.ts';
import type { ListRange } from '../../platform/values/listPage.ts';

/** The columns of an access that are shown in lists. */
export type ListedSimplefinAccess = Omit<SimplefinAccessRow, 'sealed'>;

const listedColumns = [
  'endUserId',
  'id',
  'applicationId',
  'externalUserId',
  'label',
  'createdAt',
  'claimExpiresAt',
  'lastUsedAt',
  'postedOnly',
] as const;

type Key = Pick<SimplefinAccessRow, 'endUserId' | 'id'>;

export const insertSimplefinAccess = async (db: Queries, row: SimplefinAccessRow): Promise<void> => {
  await db('simplefin_accesses').insert(row);
};

export const findSimplefinAccess = async (
  db: Queries,
  { endUserId, id }: Key,
): Promise<SimplefinAccessRow | undefined> => db('simplefin_accesses').where({ endUserId, id }).first('*');

export const countSimplefinAccesses = (db: Queries, endUserId: string): Promise<number> =>
  countRows(db('simplefin_accesses').where({ endUserId }));

/** Replaces the sealed data of an access that was not claimed yet. Returns false if it was claimed or deleted. */
export const markClaimed = async (
  db: Queries,
  { endUserId, id }: Key,
  claim: { sealed: Buffer; now: string },
): Promise<boolean> =>
  (await db('simplefin_accesses')
    .where({ endUserId, id })
    .where('claimExpiresAt', '>', claim.now)
    .update({ sealed: claim.sealed, claimExpiresAt: null })) === 1;

export const markSimplefinAccessUsed = async (
  db: Queries,
  { endUserId, id }: Key,
  now: string,
): Promise<void> => {
  await db('simplefin_accesses').where({ endUserId, id }).update({ lastUsedAt: now });
};

/** Deletes an access and its owner; with `now`, only if its setup token has expired. Returns false if there was none. */
export const deleteSimplefinAccess = async (
  db: Queries,
  { endUserId, id }: Key,
  now?: string,
): Promise<boolean> => {
  const query = db('simplefin_accesses').where({ endUserId, id });
  if (now !== undefined) query.where('claimExpiresAt', '<=', now);
  if ((await query.delete()) === 0) return false;
  await db('resource_owners').where({ id }).delete();
  return true;
};

/** Deletes all of an end user's accesses and their owners. */
export const deleteSimplefinAccessesOf = async (db: Queries, endUserId: string): Promise<void> => {
  const ids = await db('simplefin_accesses').where({ endUserId }).pluck('id');
  await db('simplefin_accesses').where({ endUserId }).delete();
  if (ids.length > 0) await db('resource_owners').whereIn('id', ids).delete();
};

/** Accesses whose setup token has expired. */
export const findExpiredClaims = async (db: Queries, now: string, limit: number): Promise<Key[]> =>
  db('simplefin_accesses').where('claimExpiresAt', '<=', now).limit(limit).select('endUserId', 'id');

/**
 * An application's accesses older than `after`, newest first, optionally for one external user. Excludes those whose setup token
 * expired by `now`.
 */
export const findSimplefinAccesses = async (
  db: Queries,
  filter: { applicationId: string; externalUserId?: string },
  page: ListRange & { now: string },
): Promise<ListedSimplefinAccess[]> => {
  const { applicationId, externalUserId } = filter;
  const query = db('simplefin_accesses')
    .where({ applicationId })
    .where((isValid) => isValid.whereNull('claimExpiresAt').orWhere('claimExpiresAt', '>', page.now));
  if (externalUserId !== undefined) query.where({ externalUserId });
  return newestFirst(query, page).select(...listedColumns);
};

/** The ids of these connections' accounts. */
export const findAccountIds = (
  db: Queries,
  { endUserId, connectionIds }: { endUserId: string; connectionIds: readonly string[] },
): Promise<string[]> =>
  db('accounts').where({ endUserId }).whereIn('connectionId', connectionIds).pluck('id');
