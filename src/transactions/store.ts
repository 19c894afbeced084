// The questions asked about transactions. Each names the end user: the table is distributed by it.
import type { Queries } from '../db/open.ts';
import type { Position } from './page.ts';
import type { TransactionRow } from './transaction.ts';

/** The part of an account that a walk sees. Dates are YYYY-MM-DD; `since` and `bound` are refresh cursors. */
export type Selection = {
  endUserId: string;
  accountId: string;
  /** Only what was refreshed after this. */
  since?: string;
  /** Only what was refreshed up to this. */
  bound: string;
  date: { gte?: string; gt?: string; lte?: string; lt?: string };
};

const rowColumns = {
  id: 'id',
  date: 'date',
  seq: 'seq',
  refresh: 'refresh',
  status: 'status',
  sealed: 'sealed',
  dataKey: 'data_key',
};

const operators = { gte: '>=', gt: '>', lte: '<=', lt: '<' } as const;

const select = (db: Queries, selection: Selection, limit: number) => {
  const query = db('transactions')
    .where({ end_user_id: selection.endUserId, account_id: selection.accountId })
    .select(rowColumns)
    .limit(limit);
  for (const [name, operator] of Object.entries(operators)) {
    const date = selection.date[name as keyof typeof operators];
    if (date !== undefined) query.where('date', operator, date);
  }
  return query;
};

/** Newest date first, newest first within a day, after a position. */
export const findByDate = async (
  db: Queries,
  selection: Selection,
  after: Position | undefined,
  limit: number,
): Promise<TransactionRow[]> => {
  const query = select(db, selection, limit)
    .where('refresh', '<=', selection.bound)
    .orderBy([
      { column: 'date', order: 'desc' },
      { column: 'seq', order: 'desc' },
    ]);
  if (after) query.whereRaw('(date, seq) < (?, ?)', [after.date, after.seq]);
  return query;
};

/**
 * Oldest refresh first, within it as above. In two questions, because one keyset condition over a mixed order
 * would walk through all of a refresh again for every page.
 */
export const findByRefresh = async (
  db: Queries,
  selection: Selection,
  after: Position | undefined,
  limit: number,
): Promise<TransactionRow[]> => {
  const rest = after
    ? await select(db, selection, limit)
        .where('refresh', after.refresh)
        .whereRaw('(date, seq) < (?, ?)', [after.date, after.seq])
        .orderBy([
          { column: 'date', order: 'desc' },
          { column: 'seq', order: 'desc' },
        ])
    : [];
  if (rest.length === limit) return rest;
  const later = await select(db, selection, limit - rest.length)
    .where('refresh', '>', after?.refresh ?? selection.since ?? '')
    .where('refresh', '<=', selection.bound)
    .orderBy([{ column: 'refresh' }, { column: 'date', order: 'desc' }, { column: 'seq', order: 'desc' }]);
  return [...rest, ...later];
};

export const findTransactionRow = async (
  db: Queries,
  key: { endUserId: string; accountId: string; id: string },
): Promise<TransactionRow | undefined> =>
  db('transactions')
    .where({ end_user_id: key.endUserId, account_id: key.accountId, id: key.id })
    .first(rowColumns);

/** How many transactions these accounts have. */
export const countTransactions = async (
  db: Queries,
  of: { endUserId: string; accountIds: readonly string[] },
): Promise<number> => {
  const row = await db('transactions')
    .where({ end_user_id: of.endUserId })
    .whereIn('account_id', of.accountIds)
    .count({ count: '*' })
    .first();
  return Number(row?.count);
};
