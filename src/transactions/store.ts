// The questions asked about transactions. Each names the end user: the table is distributed by it.
import type { Knex } from 'knex';
import type { Queries } from '../db/open.ts';
import { preparedQuery } from '../db/preparedQuery.ts';
import type { TransactionPosition } from './pageCursor.ts';
import type { TransactionRow } from './transaction.ts';

/** The part of an account that a walk sees. Dates are YYYY-MM-DD; `since` and `bound` are refresh cursors. */
export type TransactionFilter = {
  endUserId: string;
  accountId: string;
  /** Only what was refreshed after this. */
  refreshedSince?: string;
  /** Only what was refreshed up to this. */
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

// Which conditions a page has decides its statement; there are few such forms, and each is built once.
const pageQueries = new Map<string, PageQuery>();

const pageQuery = (
  form: string,
  given: TransactionFilter,
  build: (query: Knex.QueryBuilder, value: Placeholders) => void,
): PageQuery => {
  const dates = operatorNames.filter((name) => given.date[name] !== undefined);
  const key = `${form} ${dates.join(' ')}`;
  const known = pageQueries.get(key);
  if (known) return known;
  const made = preparedQuery<PageValues, TransactionRow>((db, value) => {
    const query = db('transactions')
      .where({ end_user_id: value.endUserId, account_id: value.accountId })
      .select(rowColumns);
    for (const name of dates) query.where('date', operators[name], value[name]);
    build(query, value);
    return query;
  });
  pageQueries.set(key, made);
  return made;
};

type Placeholders = Parameters<Parameters<typeof preparedQuery<PageValues, TransactionRow>>[0]>[1];

const toPageValues = (
  selection: TransactionFilter,
  after: TransactionPosition | undefined,
  limit: number,
): PageValues => ({
  endUserId: selection.endUserId,
  accountId: selection.accountId,
  refreshedUpTo: selection.refreshedUpTo,
  refreshedSince: after?.refreshCursor ?? selection.refreshedSince ?? '',
  ...(selection.date as Record<Operator, string>),
  ...(after ?? { refreshCursor: '', date: '', seq: 0 }),
  limit,
});

/** Newest date first, newest first within a day, after a position. */
export const findTransactionsByDate = async (
  db: Queries,
  selection: TransactionFilter,
  after: TransactionPosition | undefined,
  limit: number,
): Promise<TransactionRow[]> => {
  const find = pageQuery(after ? 'by date, after' : 'by date', selection, (query, value) => {
    // Spelled so that no planner takes the index by refresh, which would sort the whole account for a page.
    query.whereRaw("coalesce(refresh_cursor, '') <= ?", [value.refreshedUpTo]).orderBy([...newestFirst]);
    if (after) query.whereRaw('(date, seq) < (?, ?)', [value.date, value.seq]);
  });
  return find(db, toPageValues(selection, after, limit));
};

const newestFirst = [
  { column: 'date', order: 'desc' },
  { column: 'seq', order: 'desc' },
] as const;

/**
 * Oldest refresh first, within it as above. In two questions, because one keyset condition over a mixed order
 * would walk through all of a refresh again for every page.
 */
export const findTransactionsByRefreshCursor = async (
  db: Queries,
  selection: TransactionFilter,
  after: TransactionPosition | undefined,
  limit: number,
): Promise<TransactionRow[]> => {
  const rest = after ? await findRemainingOfRefreshCursor(db, selection, after, limit) : [];
  if (rest.length === limit) return rest;
  const findLater = pageQuery('by refresh', selection, (query, value) => {
    query
      .where('refresh_cursor', '>', value.refreshedSince)
      .where('refresh_cursor', '<=', value.refreshedUpTo)
      .orderBy([{ column: 'refresh_cursor' }, ...newestFirst]);
  });
  return [...rest, ...(await findLater(db, toPageValues(selection, after, limit - rest.length)))];
};

const findRemainingOfRefreshCursor = (
  db: Queries,
  selection: TransactionFilter,
  after: TransactionPosition,
  limit: number,
): Promise<TransactionRow[]> => {
  const find = pageQuery('rest of a refresh', selection, (query, value) => {
    query
      .where('refresh_cursor', value.refreshCursor)
      .whereRaw('(date, seq) < (?, ?)', [value.date, value.seq])
      .orderBy([...newestFirst]);
  });
  return find(db, toPageValues(selection, after, limit));
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
  of: { endUserId: string; accountIds: readonly string[] },
): Promise<number> => {
  const row = await db('transactions')
    .where({ end_user_id: of.endUserId })
    .whereIn('account_id', of.accountIds)
    .count({ count: '*' })
    .first();
  return Number(row?.count);
};
