// Queries for transactions. Each names the end user, because the table is distributed by it.
import type { Knex } from 'knex';
import type { Queries } from '../db/open.ts';
import { preparedQuery } from '../db/preparedQuery.ts';
import type { TransactionPosition } from './pageCursor.ts';
import type { TransactionRow } from './transaction.ts';

/** Which transactions of an account a list contains. Dates are YYYY-MM-DD. */
export type TransactionFilter = {
  endUserId: string;
  accountId: string;
  /** Only transactions with a greater refresh cursor. */
  refreshedSince?: string;
  /** Only transactions with this refresh cursor or a smaller one. */
  refreshedUpTo: string;
  date: { gte?: string; gt?: string; lte?: string; lt?: string };
};

const rowColumns = {
  id: 'id',
  date: 'date',
  seq: 'seq',
  refreshCursor: 'refresh_cursor',
  status: 'status',
  sealed: 'sealed',
  dataKeyId: 'data_key_id',
};

const operators = { gte: '>=', gt: '>', lte: '<=', lt: '<' } as const;
type Operator = keyof typeof operators;
const operatorNames = Object.keys(operators) as Operator[];

type PageValues = {
  endUserId: string;
  accountId: string;
  refreshedUpTo: string;
  refreshedSince: string;
  limit: number;
} & TransactionPosition &
  Record<Operator, string>;
type PageQuery = (db: Queries, values: PageValues) => Promise<TransactionRow[]>;

// One prepared query for each combination of conditions; there are few.
const pageQueries = new Map<string, PageQuery>();

const pageQuery = (
  name: string,
  filter: TransactionFilter,
  build: (query: Knex.QueryBuilder, value: Placeholders) => void,
): PageQuery => {
  const dates = operatorNames.filter((operator) => filter.date[operator] !== undefined);
  const key = `${name} ${dates.join(' ')}`;
  const existing = pageQueries.get(key);
  if (existing) return existing;
  const created = preparedQuery<PageValues, TransactionRow>((db, value) => {
    const query = db('transactions')
      .where({ end_user_id: value.endUserId, account_id: value.accountId })
      .select(rowColumns);
    for (const operator of dates) query.where('date', operators[operator], value[operator]);
    build(query, value);
    return query;
  });
  pageQueries.set(key, created);
  return created;
};

type Placeholders = Parameters<Parameters<typeof preparedQuery<PageValues, TransactionRow>>[0]>[1];

const toPageValues = (
  filter: TransactionFilter,
  after: TransactionPosition | undefined,
  limit: number,
): PageValues => ({
  endUserId: filter.endUserId,
  accountId: filter.accountId,
  refreshedUpTo: filter.refreshedUpTo,
  refreshedSince: after?.refreshCursor ?? filter.refreshedSince ?? '',
  ...(filter.date as Record<Operator, string>),
  ...(after ?? { refreshCursor: '', date: '', seq: 0 }),
  limit,
});

/** Newest date first, and newest first within a date; starts after a position. */
export const findTransactionsByDate = async (
  db: Queries,
  filter: TransactionFilter,
  after: TransactionPosition | undefined,
  limit: number,
): Promise<TransactionRow[]> => {
  const find = pageQuery(after ? 'by date, after' : 'by date', filter, (query, value) => {
    // The coalesce keeps planners from the index by refresh cursor, which would sort the whole account for one page.
    query.whereRaw("coalesce(refresh_cursor, '') <= ?", [value.refreshedUpTo]).orderBy([...newestFirst]);
    if (after) query.whereRaw('(date, seq) < (?, ?)', [value.date, value.seq]);
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
export const findTransactionsByRefreshCursor = async (
  db: Queries,
  filter: TransactionFilter,
  after: TransactionPosition | undefined,
  limit: number,
): Promise<TransactionRow[]> => {
  const rest = after ? await findRemainingOfRefreshCursor(db, filter, after, limit) : [];
  if (rest.length === limit) return rest;
  const findLater = pageQuery('by refresh', filter, (query, value) => {
    query
      .where('refresh_cursor', '>', value.refreshedSince)
      .where('refresh_cursor', '<=', value.refreshedUpTo)
      .orderBy([{ column: 'refresh_cursor' }, ...newestFirst]);
  });
  return [...rest, ...(await findLater(db, toPageValues(filter, after, limit - rest.length)))];
};

const findRemainingOfRefreshCursor = (
  db: Queries,
  filter: TransactionFilter,
  after: TransactionPosition,
  limit: number,
): Promise<TransactionRow[]> => {
  const find = pageQuery('remaining of refresh', filter, (query, value) => {
    query
      .where('refresh_cursor', value.refreshCursor)
      .whereRaw('(date, seq) < (?, ?)', [value.date, value.seq])
      .orderBy([...newestFirst]);
  });
  return find(db, toPageValues(filter, after, limit));
};

type Key = { endUserId: string; accountId: string; id: string };

const transactionByKey = preparedQuery<Key, TransactionRow>((db, { endUserId, accountId, id }) =>
  db('transactions').where({ end_user_id: endUserId, account_id: accountId, id }).select(rowColumns),
);

export const findTransactionRow = async (db: Queries, key: Key): Promise<TransactionRow | undefined> =>
  (await transactionByKey(db, key))[0];

/** How many transactions these accounts have. */
export const countTransactions = async (
  db: Queries,
  accounts: { endUserId: string; ids: readonly string[] },
): Promise<number> => {
  const row = await db('transactions')
    .where({ end_user_id: accounts.endUserId })
    .whereIn('account_id', accounts.ids)
    .count({ count: '*' })
    .first();
  return Number(row?.count);
};
