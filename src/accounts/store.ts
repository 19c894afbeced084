// Queries for accounts. Each names the end user, because the table is distributed by it.
import type { Queries } from '../db/open.ts';
import { preparedQuery } from '../db/preparedQuery.ts';
import type { AccountRow } from '../db/tables.ts';
import type { PublicAccountRow } from './account.ts';

type Key = { endUserId: string; id: string };

const publicColumns = [
  'id',
  'endUserId',
  'connectionId',
  'lastRefreshTime',
  'detailsSealed',
  'detailsKeyId',
  'balanceSealed',
  'balanceKeyId',
] as const;

const publicRowByKey = preparedQuery('accounts', publicColumns, (query, { endUserId, id }: Key) =>
  query.where({ endUserId, id }),
);

export const findPublicAccountRow = async (db: Queries, key: Key): Promise<PublicAccountRow | undefined> =>
  (await publicRowByKey(db, key))[0];

/** The accounts of a connection, in the order in which the end user chose them. */
export const findPublicAccountRows = preparedQuery(
  'accounts',
  publicColumns,
  (query, { endUserId, connectionId }: { endUserId: string; connectionId: string }) =>
    query.where({ endUserId, connectionId }).orderBy('position'),
);

/** What listing transactions needs of their account. */
export type AccountRef = Pick<
  AccountRow,
  'id' | 'endUserId' | 'connectionId' | 'shortId' | 'lastRefreshTime'
>;

const accountRefByKey = preparedQuery(
  'accounts',
  ['id', 'endUserId', 'connectionId', 'shortId', 'lastRefreshTime'],
  (query, { endUserId, id }: Key) => query.where({ endUserId, id }),
);

export const findAccountRef = async (db: Queries, key: Key): Promise<AccountRef | undefined> =>
  (await accountRefByKey(db, key))[0];

/** The accounts of a connection with all columns, in the order in which the end user chose them. */
export const findAccountRows = preparedQuery(
  'accounts',
  [
    ...publicColumns,
    'position',
    'bankIdFingerprint',
    'numberFingerprint',
    'detailsFingerprint',
    'balanceFingerprint',
    'shortId',
    'nextSeq',
    'nextBlock',
    'lastSeenAt',
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
