// Queries for end users, their data keys, and the owners of connections and accounts.
import type { Queries } from '../../platform/db/open.ts';
import { sql } from '../../platform/db/sql.ts';
import type { DataKeyRow, EndUserRow, ResourceOwnerRow } from '../../platform/db/tables.ts';
import { prefixUpperBound } from '../../platform/values/text.ts';

export const findEndUser = async (db: Queries, endUserId: string): Promise<EndUserRow | undefined> =>
  db('end_users').where({ endUserId }).first('*');

/** Locks an end user until the transaction ends, so that two requests cannot both exceed a limit. Undefined if deleted. */
export const lockEndUser = async (trx: Queries, endUserId: string): Promise<EndUserRow | undefined> =>
  trx('end_users').where({ endUserId }).forUpdate().first('*');

export const insertEndUser = async (db: Queries, user: EndUserRow): Promise<void> => {
  await db('end_users').insert(user);
};

/** Deletes an end user, and its entry as the current one for its external user id. */
export const deleteEndUser = async (
  trx: Queries,
  { endUserId, applicationId, externalUserId }: EndUserRow,
): Promise<void> => {
  if (externalUserId !== null)
    await trx('external_users').where({ applicationId, externalUserId, endUserId }).delete();
  await trx('end_users').where({ endUserId }).delete();
};

/** The end user to whom new connections of an external user id are added. */
export const findCurrentEndUserId = async (
  db: Queries,
  applicationId: string,
  externalUserId: string,
): Promise<string | undefined> => {
  const row = await db('external_users').where({ applicationId, externalUserId }).first('endUserId');
  return row?.endUserId;
};

/**
 * Makes an end user the current one for its external user id. Returns false and changes nothing if the current one is not
 * `replaces`.
 */
export const setCurrentEndUser = async (
  db: Queries,
  change: { applicationId: string; externalUserId: string; endUserId: string; replaces: string | undefined },
): Promise<boolean> => {
  const { applicationId, externalUserId, endUserId, replaces } = change;
  if (replaces !== undefined) {
    const current = { applicationId, externalUserId, endUserId: replaces };
    return (await db('external_users').where(current).update({ endUserId })) === 1;
  }
  const inserted = await db('external_users')
    .insert({ applicationId, externalUserId, endUserId })
    .onConflict(['applicationId', 'externalUserId'])
    .ignore()
    .returning('endUserId');
  return inserted.length === 1;
};

const selectResourceOwner = sql<{ id: string }, ResourceOwnerRow>(
  'select id, application_id as "applicationId", end_user_id as "endUserId" from resource_owners where id = :id',
);

/** The first `limit` connections and accounts whose ids begin with `prefix`. */
export const findResourceOwnersByPrefix = async (
  db: Queries,
  prefix: string,
  limit: number,
): Promise<ResourceOwnerRow[]> =>
  db('resource_owners')
    .where('id', '>=', prefix)
    .where('id', '<', prefixUpperBound(prefix)!)
    .orderBy('id')
    .limit(limit)
    .select('id', 'applicationId', 'endUserId');

export const findResourceOwner = async (db: Queries, id: string): Promise<ResourceOwnerRow | undefined> =>
  (await selectResourceOwner(db, { id }))[0];

export const insertResourceOwners = async (db: Queries, owners: ResourceOwnerRow[]): Promise<void> => {
  await db('resource_owners').insert(owners);
};

export const insertDataKey = async (db: Queries, key: Omit<DataKeyRow, 'wrapped'>): Promise<void> => {
  await db('data_keys').insert(key);
};

/** The data keys with these ids, as stored. */
export const findDataKeys = async (
  db: Queries,
  endUserId: string,
  ids: readonly string[],
): Promise<DataKeyRow[]> => db('data_keys').where({ endUserId }).whereIn('id', ids);
