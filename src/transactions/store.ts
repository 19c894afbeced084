// The questions asked about transactions. Each names the end user: the table is distributed by it.
import type { Knex } from 'knex';
import type { Queries } from '../db/open.ts';
import { question } from '../db/question.ts';
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
  refresh: 'refresh_cursor',
  status: 'status',
  sealed: 'sealed',
  dataKey: 'data_key_id',
};

const operators = { gte: '>=', gt: '>', lte: '<=', lt: '<' } as const;
type Operator = keyof typeof operators;
const operatorNames = Object.keys(operators) as Operator[];

type Values = {
  endUserId: string;
  accountId: string;
  bound: string;
  since: string;
  limit: number;
} & Position &
  Record<Operator, string>;
type Page = (db: Queries, values: Values) => Promise<TransactionRow[]>;

// Which conditions a page has decides its statement; there are few such forms, and each is built once.
const pages = new Map<string, Page>();

const page = (
  form: string,
  given: Selection,
  build: (query: Knex.QueryBuilder, value: Named) => void,
): Page => {
  const dates = operatorNames.filter((name) => given.date[name] !== undefined);
  const key = `${form} ${dates.join(' ')}`;
  const known = pages.get(key);
  if (known) return known;
  const made = question<Values, TransactionRow>((db, value) => {
    const query = db('transactions')
      .where({ end_user_id: value.endUserId, account_id: value.accountId })
      .select(rowColumns);
    for (const name of dates) query.where('date', operators[name], value[name]);
    build(query, value);
    return query;
  });
  pages.set(key, made);
  return made;
};

type Named = Parameters<Parameters<typeof question<Values, TransactionRow>>[0]>[1];

const valuesOf = (selection: Selection, after: Position | undefined, limit: number): Values => ({
  endUserId: selection.endUserId,
  accountId: selection.accountId,
  bound: selection.bound,
  since: after?.refresh ?? selection.since ?? '',
  ...(selection.date as Record<Operator, string>),
  ...(after ?? { refresh: '', date: '', seq: 0 }),
  limit,
});

/** Newest date first, newest first within a day, after a position. */
export const findByDate = async (
  db: Queries,
  selection: Selection,
  after: Position | undefined,
  limit: number,
): Promise<TransactionRow[]> => {
  const find = page(after ? 'by date, after' : 'by date', selection, (query, value) => {
    // Spelled so that no planner takes the index by refresh, which would sort the whole account for a page.
    query.whereRaw("coalesce(refresh_cursor, '') <= ?", [value.bound]).orderBy([...newestFirst]);
    if (after) query.whereRaw('(date, seq) < (?, ?)', [value.date, value.seq]);
  });
  return find(db, valuesOf(selection, after, limit));
};

const newestFirst = [
  { column: 'date', order: 'desc' },
  { column: 'seq', order: 'desc' },
] as const;

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
  const rest = after ? await findRestOfRefresh(db, selection, after, limit) : [];
  if (rest.length === limit) return rest;
  const findLater = page('by refresh', selection, (query, value) => {
    query
      .where('refresh_cursor', '>', value.since)
      .where('refresh_cursor', '<=', value.bound)
      .orderBy([{ column: 'refresh_cursor' }, ...newestFirst]);
  });
  return [...rest, ...(await findLater(db, valuesOf(selection, after, limit - rest.length)))];
};

const findRestOfRefresh = (
  db: Queries,
  selection: Selection,
  after: Position,
  limit: number,
): Promise<TransactionRow[]> => {
  const find = page('rest of a refresh', selection, (query, value) => {
    query
      .where('refresh_cursor', value.refresh)
      .whereRaw('(date, seq) < (?, ?)', [value.date, value.seq])
      .orderBy([...newestFirst]);
  });
  return find(db, valuesOf(selection, after, limit));
};

type Key = { endUserId: string; accountId: string; id: string };

const transactionByKey = question<Key, TransactionRow>((db, { endUserId, accountId, id }) =>
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
