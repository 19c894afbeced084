// Queries for transactions. Each names the end user, because the table is distributed by it.
import type { Knex } from 'knex';
import type { Queries } from '../db/open.ts';
import { preparedQuery } from '../db/preparedQuery.ts';
import type { TransactionPosition } from './pageCursor.ts';
import type { PublicTransactionRow } from './transaction.ts';

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

const rowColumns = ['id', 'date', 'seq', 'refreshCursor', 'status', 'sealed', 'dataKeyId'] as const;

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
    query.where({ endUserId: values.endUserId, accountId: values.accountId });
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
): Promise<PublicTransactionRow[]> => {
  const find = pageQuery(after ? 'by date, after' : 'by date', filter, (query, values) => {
    // The coalesce keeps planners from the index by refresh cursor, which would sort the whole account for one page.
    query.whereRaw("coalesce(refresh_cursor, '') <= ?", [values.refreshedUpTo]).orderBy([...newestFirst]);
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
export const findTransactionsByRefreshCursor = async (
  db: Queries,
  filter: TransactionFilter,
  after: TransactionPosition | undefined,
  limit: number,
): Promise<PublicTransactionRow[]> => {
  const rest = after ? await findRemainingOfRefreshCursor(db, filter, after, limit) : [];
  if (rest.length === limit) return rest;
  const findLater = pageQuery('by refresh', filter, (query, values) => {
    query
      .where('refreshCursor', '>', values.refreshedSince)
      .where('refreshCursor', '<=', values.refreshedUpTo)
      .orderBy([{ column: 'refreshCursor' }, ...newestFirst]);
  });
  return [...rest, ...(await findLater(db, toPageValues(filter, after, limit - rest.length)))];
};

const findRemainingOfRefreshCursor = (
  db: Queries,
  filter: TransactionFilter,
  after: TransactionPosition,
  limit: number,
): Promise<PublicTransactionRow[]> => {
  const find = pageQuery('remaining of refresh', filter, (query, values) => {
    query
      .where('refreshCursor', values.refreshCursor)
      .whereRaw('(date, seq) < (?, ?)', [values.date, values.seq])
      .orderBy([...newestFirst]);
  });
  return find(db, toPageValues(filter, after, limit));
};

type Key = { endUserId: string; accountId: string; id: string };

const transactionByKey = preparedQuery(
  'transactions',
  rowColumns,
  (query, { endUserId, accountId, id }: Key) => query.where({ endUserId, accountId, id }),
);

export const findTransactionRow = async (db: Queries, key: Key): Promise<PublicTransactionRow | undefined> =>
  (await transactionByKey(db, key))[0];

/** How many transactions these accounts have. */
export const countTransactions = async (
  db: Queries,
  accounts: { endUserId: string; ids: readonly string[] },
): Promise<number> => {
  const row = await db('transactions')
    .where({ endUserId: accounts.endUserId })
    .whereIn('accountId', accounts.ids)
    .count({ count: '*' })
    .first();
  return Number(row?.count);
};
