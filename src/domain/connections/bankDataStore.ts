// A connection's stored data for its operator: counts, times and raw rows.

import type { Queries } from '../../platform/db/open.ts';
import { countRows } from '../../platform/db/queries.ts';
import type { AccountRow, TransactionBlockRow, TransactionRow } from '../../platform/db/tables.ts';
import type { TransactionOwner } from '../codec/transaction.ts';

export const findStoredAccount = async (
  db: Queries,
  key: { endUserId: string; id: string },
): Promise<AccountRow | undefined> => db('accounts').where(key).first();

/** When the transactions of these accounts of an end user were last read. */
export const findReadTimes = async (
  db: Queries,
  endUserId: string,
  ids: readonly string[],
): Promise<Pick<AccountRow, 'id' | 'readAt'>[]> =>
  ids.length === 0
    ? []
    : db('accounts').where({ endUserId }).whereIn('id', ids).orderBy('position').select('id', 'readAt');

export const countAccounts = (
  db: Queries,
  { endUserId, connectionId }: { endUserId: string; connectionId: string },
): Promise<number> => countRows(db('accounts').where({ endUserId, connectionId }));

/** The rows and blocks of an account's newest transactions, as stored. */
export const findStoredTransactions = async (
  db: Queries,
  owner: TransactionOwner,
  limit: number,
): Promise<{ transactions: TransactionRow[]; blocks: TransactionBlockRow[] }> => {
  const transactions = await db('transactions')
    .where(owner)
    .orderBy([
      { column: 'date', order: 'desc' },
      { column: 'seq', order: 'desc' },
    ])
    .limit(limit);
  const numbers = new Set(transactions.map(({ block }) => block));
  const blocks = await db('transaction_blocks')
    .where(owner)
    .whereIn('block', [...numbers])
    .orderBy('block', 'desc');
  return { transactions, blocks };
};

export const countTransactions = (
  db: Queries,
  { endUserId, shortIds }: { endUserId: string; shortIds: readonly number[] },
): Promise<number> => countRows(db('transactions').where({ endUserId }).whereIn('accountShortId', shortIds));
