// Queries for end users, their data keys, and the owners of connections and accounts.
import type { Queries } from '../db/open.ts';
import { preparedQuery } from '../db/preparedQuery.ts';
import type { StoredDataKey } from '../vault/reader.ts';

export type EndUser = {
  endUserId: string;
  applicationId: string;
  externalUserId: string | null;
  publicKey: Buffer;
  createdAt: string;
};

const endUserColumns = {
  endUserId: 'end_user_id',
  applicationId: 'application_id',
  externalUserId: 'external_user_id',
  publicKey: 'public_key',
  createdAt: 'created_at',
};

const endUserById = preparedQuery<{ endUserId: string }, EndUser>((db, { endUserId }) =>
  db('end_users').where({ end_user_id: endUserId }).select(endUserColumns),
);

export const findEndUser = async (db: Queries, endUserId: string): Promise<EndUser | undefined> =>
  (await endUserById(db, { endUserId }))[0];

export const insertEndUser = async (db: Queries, user: EndUser): Promise<void> => {
  await db('end_users').insert({
    end_user_id: user.endUserId,
    application_id: user.applicationId,
    external_user_id: user.externalUserId,
    public_key: user.publicKey,
    created_at: user.createdAt,
  });
};

/** The end user that new connections of an external user id are added to. */
export const findCurrentEndUserId = async (
  db: Queries,
  applicationId: string,
  externalUserId: string,
): Promise<string | undefined> => {
  const row = await db('external_users')
    .where({ application_id: applicationId, external_user_id: externalUserId })
    .first('end_user_id');
  return row?.end_user_id;
};

/**
 * Makes an end user the current one of its external user id. Returns false and changes nothing if the current one is
 * not `replaces`.
 */
export const setCurrentEndUser = async (
  db: Queries,
  change: { applicationId: string; externalUserId: string; endUserId: string; replaces: string | undefined },
): Promise<boolean> => {
  const row = { application_id: change.applicationId, external_user_id: change.externalUserId };
  if (change.replaces !== undefined) {
    const current = { ...row, end_user_id: change.replaces };
    return (await db('external_users').where(current).update({ end_user_id: change.endUserId })) === 1;
  }
  const inserted = await db('external_users')
    .insert({ ...row, end_user_id: change.endUserId })
    .onConflict(['application_id', 'external_user_id'])
    .ignore()
    .returning('end_user_id');
  return inserted.length === 1;
};

export type ResourceOwner = { id: string; applicationId: string; endUserId: string };

const resourceOwnerById = preparedQuery<{ id: string }, ResourceOwner>((db, { id }) =>
  db('resource_owners')
    .where({ id })
    .select('id', { applicationId: 'application_id', endUserId: 'end_user_id' }),
);

export const findResourceOwner = async (db: Queries, id: string): Promise<ResourceOwner | undefined> =>
  (await resourceOwnerById(db, { id }))[0];

export const insertResourceOwners = async (db: Queries, owners: ResourceOwner[]): Promise<void> => {
  await db('resource_owners').insert(
    owners.map(({ id, applicationId, endUserId }) => ({
      id,
      application_id: applicationId,
      end_user_id: endUserId,
    })),
  );
};

export const insertDataKey = async (
  db: Queries,
  key: { endUserId: string; id: string; connectionId: string; sealed: Buffer; createdAt: string },
): Promise<void> => {
  await db('data_keys').insert({
    end_user_id: key.endUserId,
    id: key.id,
    connection_id: key.connectionId,
    sealed: key.sealed,
    created_at: key.createdAt,
  });
};

// A wrapped key does not need its sealed box, and each blob costs SQLite's driver more than 1 µs.
const keyColumns = (db: Queries) =>
  ['id', 'wrapped', db.raw('case when wrapped is null then sealed end as sealed')] as const;

const dataKeyById = preparedQuery<{ endUserId: string; id: string }, StoredDataKey>((db, { endUserId, id }) =>
  db('data_keys')
    .where({ end_user_id: endUserId, id })
    .select(...keyColumns(db)),
);

const dataKeysByIds = preparedQuery<{ endUserId: string; ids: string }, StoredDataKey>(
  (db, { endUserId, ids }) => {
    const idList =
      db.client.config.client === 'pg' ? 'json_array_elements_text(?::json)' : 'value from json_each(?)';
    return db('data_keys')
      .where({ end_user_id: endUserId })
      .whereRaw(`id in (select ${idList})`, [ids])
      .select(...keyColumns(db));
  },
);

export const findDataKeys = async (
  db: Queries,
  endUserId: string,
  ids: readonly string[],
): Promise<StoredDataKey[]> => {
  const [id] = ids;
  if (id !== undefined && ids.length === 1) return dataKeyById(db, { endUserId, id });
  // The ids are one JSON value: one placeholder each would need a statement for every number of ids.
  return dataKeysByIds(db, { endUserId, ids: JSON.stringify(ids) });
};

/** Stores a wrapped data key, unless one is stored already. */
export const saveWrappedDataKey = async (
  db: Queries,
  key: { endUserId: string; id: string; wrapped: Buffer },
): Promise<void> => {
  await db('data_keys')
    .where({ end_user_id: key.endUserId, id: key.id })
    .whereNull('wrapped')
    .update({ wrapped: key.wrapped });
};
