// The queries of readers. Each names the end user, because the tables are distributed by it.
import type { Knex } from 'knex';
import type { PublicAccountRow } from '../codec/account.ts';
import type { PublicTransactionRow, TransactionOwner } from '../codec/transaction.ts';
import type { ReadableConnection } from '../connections/store.ts';
import type { Queries } from '../db/open.ts';
import { isPostgres, preparedQuery } from '../db/queries.ts';
import type { AccountRow, EndUserRow } from '../db/tables.ts';
import type { StoredDataKey } from '../vault/scopedToken.ts';
import type { TransactionPosition } from './cursor.ts';

/** Which transactions of an account a list contains. Dates are days since 1970, refreshes times in milliseconds. */
export type TransactionFilter = TransactionOwner & {
  /** Only transactions of a later refresh. */
  refreshedSince?: number;
  /** Only transactions of this refresh or an earlier one. */
  refreshedUpTo: number;
  date: { gte?: number; gt?: number; lte?: number; lt?: number };
};

const rowColumns = ['date', 'seq', 'refreshTime', 'status', 'block', 'position'] as const;

const operators = { gte: '>=', gt: '>', lte: '<=', lt: '<' } as const;
type Operator = keyof typeof operators;
const operatorNames = Object.keys(operators) as Operator[];

type PageValues = TransactionOwner & {
  refreshedUpTo: number;
  refreshedSince: number;
  limit: number;
} & TransactionPosition &
  Record<Operator, number>;
type PageQuery = (db: Queries, values: PageValues) => Promise<PublicTransactionRow[]>;

// One prepared query for each combination of conditions; there are few.
const pageQueries = new Map<string, PageQuery>();

const pageQuery = (
  name: string,
  filter: TransactionFilter,
  build: (query: Knex.QueryBuilder, values: PageValues) => void,
): PageQuery => {
  const dates = operatorNames.filter((operator) => filter.date[operator] !== undefined);
  const key = `${name} ${dates.join(' ')}`;
  const existing = pageQueries.get(key);
  if (existing) return existing;
  const created = preparedQuery('transactions', rowColumns, (query, values: PageValues) => {
    query.where({ endUserId: values.endUserId, accountShortId: values.accountShortId });
    for (const operator of dates) query.where('date', operators[operator], values[operator]);
    build(query, values);
    return query;
  });
  pageQueries.set(key, created);
  return created;
};

const toPageValues = (
  filter: TransactionFilter,
  after: TransactionPosition | undefined,
  limit: number,
): PageValues => ({
  endUserId: filter.endUserId,
  accountShortId: filter.accountShortId,
  refreshedUpTo: filter.refreshedUpTo,
  refreshedSince: after?.refreshTime ?? filter.refreshedSince ?? 0,
  ...(filter.date as Record<Operator, number>),
  ...(after ?? { refreshTime: 0, date: 0, seq: 0 }),
  limit,
});

/** Newest date first, and newest first within a date; starts after a position. */
export const findTransactionsByDate = async (
  db: Queries,
  filter: TransactionFilter,
  after: TransactionPosition | undefined,
  limit: number,
): Promise<PublicTransactionRow[]> => {
  const find = pageQuery(after ? 'by date, after' : 'by date', filter, (query, values) => {
    // The coalesce keeps planners from the index by refresh, which would sort the whole account for one page.
    query.whereRaw('coalesce(refresh_time, 0) <= ?', [values.refreshedUpTo]).orderBy([...newestFirst]);
    if (after) query.whereRaw('(date, seq) < (?, ?)', [values.date, values.seq]);
  });
  return find(db, toPageValues(filter, after, limit));
};

const newestFirst = [
  { column: 'date', order: 'desc' },
  { column: 'seq', order: 'desc' },
] as const;

/**
 * Oldest refresh first, and newest date first within a refresh. Two queries, because one keyset condition over a mixed
 * order would read a whole refresh again for every page.
 */
export const findTransactionsByRefresh = async (
  db: Queries,
  filter: TransactionFilter,
  after: TransactionPosition | undefined,
  limit: number,
): Promise<PublicTransactionRow[]> => {
  if (!after) return findOfLaterRefreshes(db, filter, after, limit);
  if (isPostgres(db)) {
    // Rows may be read in vain, which takes less than a second wait for the answer.
    const found = await Promise.all([
      findRemainingOfRefresh(db, filter, after, limit),
      findOfLaterRefreshes(db, filter, after, limit),
    ]);
    return found.flat().slice(0, limit);
  }
  const rest = await findRemainingOfRefresh(db, filter, after, limit);
  if (rest.length === limit) return rest;
  return [...rest, ...(await findOfLaterRefreshes(db, filter, after, limit - rest.length))];
};

const findOfLaterRefreshes = (
  db: Queries,
  filter: TransactionFilter,
  after: TransactionPosition | undefined,
  limit: number,
): Promise<PublicTransactionRow[]> => {
  const find = pageQuery('by refresh', filter, (query, values) => {
    query
      .where('refreshTime', '>', values.refreshedSince)
      .where('refreshTime', '<=', values.refreshedUpTo)
      .orderBy([{ column: 'refreshTime' }, ...newestFirst]);
  });
  return find(db, toPageValues(filter, after, limit));
};

const findRemainingOfRefresh = (
  db: Queries,
  filter: TransactionFilter,
  after: TransactionPosition,
  limit: number,
): Promise<PublicTransactionRow[]> => {
  const find = pageQuery('remaining of refresh', filter, (query, values) => {
    query
      .where('refreshTime', values.refreshTime)
      .whereRaw('(date, seq) < (?, ?)', [values.date, values.seq])
      .orderBy([...newestFirst]);
  });
  return find(db, toPageValues(filter, after, limit));
};

type Key = TransactionOwner & { id: Buffer };

/** A sealed block with its data key; no data key where that does not exist. */
export type StoredBlock = { block: number; sealedBlock: Buffer; dataKeyId: string } & (
  | StoredDataKey
  | { id: null }
);

const joinDataKey = (query: Knex.QueryBuilder): Knex.QueryBuilder =>
  query
    .leftJoin('data_keys', (join) =>
      join
        .on('data_keys.endUserId', 'transaction_blocks.endUserId')
        .andOn('data_keys.id', 'transaction_blocks.dataKeyId'),
    )
    .select(
      // A wrapped key does not need its sealed box, and each blob costs SQLite's driver more than 1 µs.
      query.client.raw(
        `transaction_blocks.sealed as "sealedBlock", data_keys.id, wrapped,
         case when wrapped is null then data_keys.sealed end as sealed`,
      ),
    );

const transactionByKey = preparedQuery(
  'transactions',
  rowColumns,
  (query, { endUserId, accountShortId, id }: Key) =>
    joinDataKey(
      query
        .leftJoin('transaction_blocks', (join) =>
          join
            .on('transaction_blocks.endUserId', 'transactions.endUserId')
            .andOn('transaction_blocks.accountShortId', 'transactions.accountShortId')
            .andOn('transaction_blocks.block', 'transactions.block'),
        )
        .where('transactions.endUserId', endUserId)
        .where('transactions.accountShortId', accountShortId)
        .where('transactions.id', id)
        .select(query.client.raw('data_key_id as "dataKeyId"')),
    ),
);

/** A transaction with its block; no block where that does not exist. */
export type TransactionWithBlock = PublicTransactionRow & (StoredBlock | { sealedBlock: null });

/** The transaction with these 16 bytes as id. */
export const findTransactionWithBlock = async (
  db: Queries,
  key: Key,
): Promise<TransactionWithBlock | undefined> =>
  ((await transactionByKey(db, key)) as unknown as TransactionWithBlock[])[0];

const blocksByNumber = preparedQuery(
  'transaction_blocks',
  ['block', 'dataKeyId'],
  (query, { endUserId, accountShortId, blocks }: TransactionOwner & { blocks: string }) => {
    // An array is looked up in the index; of a subquery PostgreSQL does not know that it is short.
    const isListed = isPostgres(query)
      ? "= any(cast(translate(?, '[]', '{}') as bigint[]))"
      : 'in (select value from json_each(?))';
    return joinDataKey(query)
      .where('transaction_blocks.endUserId', endUserId)
      .where({ accountShortId })
      .whereRaw(`block ${isListed}`, [blocks]);
  },
);

/** Those of these blocks of an account that exist, with their data keys. */
export const findBlocks = async (
  db: Queries,
  owner: TransactionOwner,
  blocks: readonly number[],
): Promise<StoredBlock[]> =>
  (await blocksByNumber(db, { ...owner, blocks: JSON.stringify(blocks) })) as unknown as StoredBlock[];

type AccountKey = { endUserId: string; id: string };

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

const readableRowByKey = preparedQuery('accounts', publicColumns, (query, { endUserId, id }: AccountKey) =>
  query.where({ endUserId, id }).select(query.client.raw(sealedUnlessWrapped)),
);

export const findReadableAccountRow = async (
  db: Queries,
  key: AccountKey,
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

/** Stores the wrapped key of an account, unless a refresh has replaced the key. */
export const saveWrappedAccountKey = async (
  db: Queries,
  { endUserId, id, keySealed }: AccountKey & { keySealed: Buffer },
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
