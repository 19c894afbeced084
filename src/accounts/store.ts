// Queries for accounts. Each names the end user, because the table is distributed by it.
import type { ReadableConnection } from '../connections/store.ts';
import type { Queries } from '../db/open.ts';
import { preparedQuery } from '../db/queries.ts';
import type { AccountRow, EndUserRow } from '../db/tables.ts';
import type { PublicAccountRow } from './account.ts';

type Key = { endUserId: string; id: string };

const publicColumns = [
  'id',
  'endUserId',
  'connectionId',
  'shortId',
  'lastRefreshTime',
  'sealed',
  'keyWrapped',
] as const;

/** The columns of the public account, and its key. */
export type ReadableAccountRow = PublicAccountRow &
  Pick<AccountRow, 'endUserId' | 'shortId'> &
  ({ keySealed: Buffer; keyWrapped: null } | { keySealed: null; keyWrapped: Buffer });

// A wrapped key does not need its sealed box, and each blob costs SQLite's driver more than 1 µs.
const sealedUnlessWrapped = 'case when key_wrapped is null then key_sealed end as "keySealed"';

const readableRowByKey = preparedQuery('accounts', publicColumns, (query, { endUserId, id }: Key) =>
  query.where({ endUserId, id }).select(query.client.raw(sealedUnlessWrapped)),
);

export const findReadableAccountRow = async (
  db: Queries,
  key: Key,
): Promise<ReadableAccountRow | undefined> =>
  ((await readableRowByKey(db, key)) as unknown as ReadableAccountRow[])[0];

const readableRowsByConnection = preparedQuery(
  'accounts',
  publicColumns,
  (query, { endUserId, connectionId }: { endUserId: string; connectionId: string }) =>
    query
      .where({ endUserId, connectionId })
      .orderBy('position')
      .select(query.client.raw(sealedUnlessWrapped)),
);

/** The accounts of a connection, in the order in which the bank listed them. */
export const findReadableAccountRows = async (
  db: Queries,
  connection: { endUserId: string; connectionId: string },
): Promise<ReadableAccountRow[]> =>
  (await readableRowsByConnection(db, connection)) as unknown as ReadableAccountRow[];

/** The ids of the accounts of these connections. */
export const findAccountIds = (
  db: Queries,
  { endUserId, connectionIds }: { endUserId: string; connectionIds: readonly string[] },
): Promise<string[]> =>
  db('accounts').where({ endUserId }).whereIn('connectionId', connectionIds).pluck('id');

/** Stores the wrapped key of an account, unless a refresh has replaced the key. */
export const saveWrappedAccountKey = async (
  db: Queries,
  { endUserId, id, keySealed }: Key & { keySealed: Buffer },
  keyWrapped: Buffer,
): Promise<void> => {
  await db('accounts').where({ endUserId, id, keySealed }).whereNull('keyWrapped').update({ keyWrapped });
};

/** What listing transactions needs of their account. */
export type AccountRef = Pick<
  AccountRow,
  'id' | 'endUserId' | 'connectionId' | 'shortId' | 'lastRefreshTime'
>;

/** An end user with all connections, and one account. */
export type AccessRows = {
  user: Pick<EndUserRow, 'endUserId' | 'applicationId' | 'publicKey'>;
  connections: ReadableConnection[];
  account: AccountRef | undefined;
};

// A row for each connection, or one without. Not sorted: that takes SQLite 25 µs, even for one row.
const accessRows = preparedQuery(
  'end_users',
  ['endUserId', 'applicationId', 'publicKey'],
  (query, { endUserId, accountId }: { endUserId: string; accountId: string }) =>
    query
      .leftJoin('connections', 'connections.endUserId', 'end_users.endUserId')
      .leftJoin('accounts', (join) =>
        join.on('accounts.endUserId', 'end_users.endUserId').andOnVal('accounts.id', accountId),
      )
      .where('end_users.endUserId', endUserId)
      .select(
        query.client.raw(
          `connections.id, institution_id as "institutionId", institution_name as "institutionName",
           connections.created_at as "createdAt", refreshed_at as "refreshedAt", revoked_at as "revokedAt",
           delivery_expires_at as "deliveryExpiresAt", reconnect_reason as "reconnectReason",
           lagging_account_ids as "laggingAccountIds", purge_started_at as "purgeStartedAt",
           accounts.id as "accountId", accounts.connection_id as "accountConnectionId", short_id as "shortId",
           last_refresh_time as "lastRefreshTime"`,
        ),
      ),
);

type AccessRow = AccessRows['user'] & {
  [Column in keyof ReadableConnection]: ReadableConnection[Column] | null;
} & {
  accountId: string | null;
  accountConnectionId: string;
} & Pick<AccountRef, 'shortId' | 'lastRefreshTime'>;

/** What decides the access of an end user; `accountId` may be empty. Undefined if there is no such end user. */
export const findAccessRows = async (
  db: Queries,
  key: { endUserId: string; accountId: string },
): Promise<AccessRows | undefined> => {
  const rows = (await accessRows(db, key)) as unknown as AccessRow[];
  const [first] = rows;
  if (!first) return undefined;
  const { endUserId, accountId: id, accountConnectionId: connectionId, shortId, lastRefreshTime } = first;
  return {
    user: first,
    connections: rows.filter((row) => row.id !== null) as ReadableConnection[],
    account: id === null ? undefined : { id, endUserId, connectionId, shortId, lastRefreshTime },
  };
};

/** The whole row of an account, as stored. */
export const findStoredAccount = async (db: Queries, key: Key): Promise<AccountRow | undefined> =>
  db('accounts').where(key).first();

/** What a refresh needs of a stored account. */
export type StoredAccountRow = Omit<AccountRow, 'sealed' | 'keySealed' | 'keyWrapped' | 'readAt'>;

/** The accounts of a connection, in the order in which the bank listed them. */
export const findAccountRows = preparedQuery(
  'accounts',
  [
    'id',
    'endUserId',
    'connectionId',
    'lastRefreshTime',
    'position',
    'bankIdFingerprint',
    'numberFingerprint',
    'shortId',
    'nextSeq',
    'balanceAsOf',
    'lastSeenAt',
    'readTo',
  ],
  (query, { endUserId, connectionId }: { endUserId: string; connectionId: string }) =>
    query.where({ endUserId, connectionId }).orderBy('position'),
);

export const insertAccount = async (db: Queries, row: AccountRow): Promise<void> => {
  await db('accounts').insert(row);
};

export const updateAccount = async (
  db: Queries,
  { endUserId, id }: Key,
  change: Partial<AccountRow>,
): Promise<void> => {
  await db('accounts').where({ endUserId, id }).update(change);
};

/** When the transactions of these accounts of an end user were last read. */
export const findReadTimes = async (
  db: Queries,
  endUserId: string,
  ids: readonly string[],
): Promise<Pick<AccountRow, 'id' | 'readAt'>[]> =>
  ids.length === 0
    ? []
    : db('accounts').where({ endUserId }).whereIn('id', ids).orderBy('position').select('id', 'readAt');

/** How many accounts a connection has. */
export const countAccounts = async (
  db: Queries,
  connection: { endUserId: string; connectionId: string },
): Promise<number> => {
  const row = await db('accounts')
    .where({ endUserId: connection.endUserId, connectionId: connection.connectionId })
    .count({ count: '*' })
    .first();
  return Number(row?.count);
};
