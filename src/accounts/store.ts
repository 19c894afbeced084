// The questions asked about accounts. Each names the end user: the tables are distributed by it.
import type { Queries } from '../db/open.ts';
import { question } from '../db/question.ts';
import type { AccountRow, ShownAccount } from './account.ts';

const accountColumns = {
  id: 'id',
  endUserId: 'end_user_id',
  connectionId: 'connection_id',
  position: 'position',
  bankIdPrint: 'bank_id_fingerprint',
  numberPrint: 'number_fingerprint',
  detailsSealed: 'details_sealed',
  detailsKey: 'details_key_id',
  detailsPrint: 'details_fingerprint',
  balanceSealed: 'balance_sealed',
  balanceKey: 'balance_key_id',
  balancePrint: 'balance_fingerprint',
  lastRefresh: 'last_refresh_cursor',
  nextSeq: 'next_seq',
  seenAt: 'last_seen_at',
};

type Key = { endUserId: string; id: string };

const { id, endUserId, connectionId, lastRefresh } = accountColumns;
const { detailsSealed, detailsKey, balanceSealed, balanceKey } = accountColumns;
const sealedColumns = { detailsSealed, detailsKey, balanceSealed, balanceKey };
const shownColumns = { id, endUserId, connectionId, lastRefresh, ...sealedColumns };

const shownByKey = question<Key, ShownAccount>((db, key) =>
  db('accounts').where({ end_user_id: key.endUserId, id: key.id }).select(shownColumns),
);

/** An account as far as it is shown. */
export const findShownAccount = async (db: Queries, key: Key): Promise<ShownAccount | undefined> =>
  (await shownByKey(db, key))[0];

/** The accounts of a connection as far as they are shown, in the order in which they were chosen. */
export const findShownAccounts = question<{ endUserId: string; connectionId: string }, ShownAccount>(
  (db, of) =>
    db('accounts')
      .where({ end_user_id: of.endUserId, connection_id: of.connectionId })
      .orderBy('position')
      .select(shownColumns),
);

/** Where an account belongs and how far it was refreshed: all that a walk through its entries needs. */
export type AccountPlace = Pick<AccountRow, 'id' | 'endUserId' | 'connectionId' | 'lastRefresh'>;

const placeByKey = question<Key, AccountPlace>((db, key) =>
  db('accounts')
    .where({ end_user_id: key.endUserId, id: key.id })
    .select({ id, endUserId, connectionId, lastRefresh }),
);

export const findAccountPlace = async (db: Queries, key: Key): Promise<AccountPlace | undefined> =>
  (await placeByKey(db, key))[0];

/** In the order in which they were chosen. */
export const findAccountRows = question<{ endUserId: string; connectionId: string }, AccountRow>((db, of) =>
  db('accounts')
    .where({ end_user_id: of.endUserId, connection_id: of.connectionId })
    .orderBy('position')
    .select(accountColumns),
);

const toColumns = (row: Partial<AccountRow>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [accountColumns[name as keyof AccountRow], value]),
  );

export const insertAccount = async (db: Queries, row: AccountRow): Promise<void> => {
  await db('accounts').insert(toColumns(row));
};

export const updateAccount = async (
  db: Queries,
  key: { endUserId: string; id: string },
  change: Partial<AccountRow>,
): Promise<void> => {
  await db('accounts').where({ end_user_id: key.endUserId, id: key.id }).update(toColumns(change));
};

/** How many accounts a connection has. */
export const countAccounts = async (
  db: Queries,
  of: { endUserId: string; connectionId: string },
): Promise<number> => {
  const row = await db('accounts')
    .where({ end_user_id: of.endUserId, connection_id: of.connectionId })
    .count({ count: '*' })
    .first();
  return Number(row?.count);
};
