// Queries for accounts. Each names the end user, because the table is distributed by it.
import type { Queries } from '../db/open.ts';
import { preparedQuery } from '../db/preparedQuery.ts';
import type { AccountRow, PublicAccountRow } from './account.ts';

const accountColumns = {
  id: 'id',
  endUserId: 'end_user_id',
  connectionId: 'connection_id',
  position: 'position',
  bankIdFingerprint: 'bank_id_fingerprint',
  numberFingerprint: 'number_fingerprint',
  detailsSealed: 'details_sealed',
  detailsKeyId: 'details_key_id',
  detailsFingerprint: 'details_fingerprint',
  balanceSealed: 'balance_sealed',
  balanceKeyId: 'balance_key_id',
  balanceFingerprint: 'balance_fingerprint',
  lastRefreshCursor: 'last_refresh_cursor',
  nextSeq: 'next_seq',
  lastSeenAt: 'last_seen_at',
};

type Key = { endUserId: string; id: string };

const { id, endUserId, connectionId, lastRefreshCursor } = accountColumns;
const { detailsSealed, detailsKeyId, balanceSealed, balanceKeyId } = accountColumns;
const sealedColumns = { detailsSealed, detailsKeyId, balanceSealed, balanceKeyId };
const publicColumns = { id, endUserId, connectionId, lastRefreshCursor, ...sealedColumns };

const publicRowByKey = preparedQuery<Key, PublicAccountRow>((db, key) =>
  db('accounts').where({ end_user_id: key.endUserId, id: key.id }).select(publicColumns),
);

export const findPublicAccountRow = async (db: Queries, key: Key): Promise<PublicAccountRow | undefined> =>
  (await publicRowByKey(db, key))[0];

/** The accounts of a connection, in the order in which the end user chose them. */
export const findPublicAccountRows = preparedQuery<
  { endUserId: string; connectionId: string },
  PublicAccountRow
>((db, connection) =>
  db('accounts')
    .where({ end_user_id: connection.endUserId, connection_id: connection.connectionId })
    .orderBy('position')
    .select(publicColumns),
);

/** What listing transactions needs of their account. */
export type AccountRef = Pick<AccountRow, 'id' | 'endUserId' | 'connectionId' | 'lastRefreshCursor'>;

const accountRefByKey = preparedQuery<Key, AccountRef>((db, key) =>
  db('accounts')
    .where({ end_user_id: key.endUserId, id: key.id })
    .select({ id, endUserId, connectionId, lastRefreshCursor }),
);

export const findAccountRef = async (db: Queries, key: Key): Promise<AccountRef | undefined> =>
  (await accountRefByKey(db, key))[0];

/** The accounts of a connection with all columns, in the order in which the end user chose them. */
export const findAccountRows = preparedQuery<{ endUserId: string; connectionId: string }, AccountRow>(
  (db, connection) =>
    db('accounts')
      .where({ end_user_id: connection.endUserId, connection_id: connection.connectionId })
      .orderBy('position')
      .select(accountColumns),
);

const toAccountColumns = (row: Partial<AccountRow>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [accountColumns[name as keyof AccountRow], value]),
  );

export const insertAccount = async (db: Queries, row: AccountRow): Promise<void> => {
  await db('accounts').insert(toAccountColumns(row));
};

export const updateAccount = async (
  db: Queries,
  key: { endUserId: string; id: string },
  change: Partial<AccountRow>,
): Promise<void> => {
  await db('accounts').where({ end_user_id: key.endUserId, id: key.id }).update(toAccountColumns(change));
};

/** How many accounts a connection has. */
export const countAccounts = async (
  db: Queries,
  connection: { endUserId: string; connectionId: string },
): Promise<number> => {
  const row = await db('accounts')
    .where({ end_user_id: connection.endUserId, connection_id: connection.connectionId })
    .count({ count: '*' })
    .first();
  return Number(row?.count);
};
