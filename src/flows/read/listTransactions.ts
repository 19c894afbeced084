// Lists and gets the transactions of a grant. A list ends at the refresh cursor that the account had when the list began.
// Transactions that change later leave the list and belong to the next one, so no list contains a transaction twice.

import {
  type PrintTransactions,
  type PublicTransactionRow,
  type TransactionOwner,
  transactionsToJson,
} from '../../domain/codec/transaction.ts';
import type { Database } from '../../platform/db/open.ts';
import { isPostgres, type Queries } from '../../platform/db/queries.ts';
import { sql } from '../../platform/db/sql.ts';
import type { YieldTurn } from '../../platform/loops/fairScheduler.ts';
import { toDayNumber } from '../../platform/values/clock.ts';
import { CorruptData, NotFound } from '../../platform/values/errors.ts';
import { fromBase62, isId, parseRefreshCursor } from '../../platform/values/ids.ts';
import { JsonStream } from '../../platform/values/json.ts';
import type { Keyset } from '../../platform/vault/keyset.ts';
import { type AccountRef, checkStillReadable, type ReadGrant, requireAccount } from './authorize.ts';
import {
  blockColumns,
  joinDataKeys,
  makeBlockOpener,
  makeReadBlocks,
  onPostgres,
  onSqlite,
  type ReadBlocks,
  type StoredBlock,
} from './blocks.ts';
import { type CursorScope, decodePageCursor, encodePageCursor, type TransactionPosition } from './cursor.ts';

export type TransactionListQuery = {
  cursor?: string;
  limit?: number;
  refreshedSince?: string;
  /** Dates as YYYY-MM-DD. */
  date?: DateFilter;
};

type DateFilter = { gte?: string; gt?: string; lte?: string; lt?: string };

export type StreamOptions = { chunkRows: number; yieldTurn: YieldTurn };

type ListContext = {
  /** The database, which becomes the patient one after the first part of a list. */
  source: { db: Database };
  filter: TransactionFilter;
  readBlocks: ReadBlocks;
  /** Which rows are in the list; by default all. */
  includes?: (row: PublicTransactionRow) => boolean;
  checkReadable(): Promise<void>;
};

/**
 * With `limit` one page as JSON; without it a stream of all remaining transactions. Throws NotFound, Forbidden,
 * ValidationError (cursor), CorruptData.
 */
export const listTransactions = async (
  db: Database,
  grant: ReadGrant,
  request: { accountId: string; query: TransactionListQuery },
  options: StreamOptions & { cursorKeys: Keyset<Buffer> },
): Promise<Buffer | JsonStream> => {
  const { accountId, query } = request;
  const account = await requireAccount(db, grant, accountId);
  const scope = { accountId, filters: serializeFilters(query) };
  const cursor =
    query.cursor === undefined ? undefined : decodePageCursor(query.cursor, scope, options.cursorKeys);
  const context = makeContext(db, grant, account, transactionsToJson, {
    ...toDays(query.date),
    refreshedUpTo: cursor?.refreshedUpTo ?? account.lastRefreshTime,
    refreshedSince: query.refreshedSince === undefined ? undefined : parseRefreshCursor(query.refreshedSince),
  });
  if (query.limit === undefined) {
    const items = streamTransactions(context, cursor?.after, options);
    return new JsonStream('transactions', items, { after: '"pagination":{"hasMore":false}' });
  }
  return readPage(context, cursor?.after, { limit: query.limit, scope, cursorKeys: options.cursorKeys });
};

const makeContext = (
  db: Database,
  grant: ReadGrant,
  account: AccountRef,
  print: PrintTransactions,
  filter: Omit<TransactionFilter, keyof TransactionOwner>,
): ListContext => {
  const source = { db };
  return {
    source,
    filter: { ...toOwner(account), ...filter },
    readBlocks: makeReadBlocks(source, grant.userKeys, account, print),
    checkReadable: () => checkStillReadable(source.db, grant, account.id),
  };
};

/**
 * The transactions of an account that fit, newest first, in chunks as `print` makes them. Throws NotFound or Forbidden at
 * its end if the account cannot be read any more, and CorruptData.
 */
export const streamAccount = (
  db: Database,
  grant: ReadGrant,
  account: AccountRef,
  list: Required<Pick<ListContext, 'includes'>> & { days: Days; print: PrintTransactions },
  options: StreamOptions,
): AsyncGenerator<Buffer> => {
  const { days, includes, print } = list;
  const filter = { ...days, refreshedSince: undefined, refreshedUpTo: account.lastRefreshTime };
  const context = makeContext(db, grant, account, print, filter);
  return streamTransactions({ ...context, includes }, undefined, options);
};

const selectTransactionWith = (sealed: string) => `
  select date, seq, refresh_time as "refreshTime", status, position, ${blockColumns(sealed)}
  from transactions
  left join transaction_blocks on transaction_blocks.end_user_id = transactions.end_user_id
    and transaction_blocks.account_short_id = transactions.account_short_id
    and transaction_blocks.block = transactions.block
  ${joinDataKeys}
  where transactions.end_user_id = :endUserId and transactions.account_short_id = :accountShortId
    and transactions.id = :id`;
const selectTransaction = sql<
  TransactionOwner & { id: Buffer },
  PublicTransactionRow & (StoredBlock | { sealedBlock: null })
>(selectTransactionWith(onSqlite), selectTransactionWith(onPostgres));

/** One transaction of one account, as JSON. Throws NotFound, Forbidden, CorruptData. */
export const readTransaction = async (
  db: Database,
  grant: ReadGrant,
  key: { accountId: string; transactionId: string },
): Promise<Buffer> => {
  const account = await requireAccount(db, grant, key.accountId);
  const { transactionId } = key;
  if (!isId('txn', transactionId)) throw new NotFound('transaction');
  const id = fromBase62(transactionId.slice('txn_'.length))!;
  const [row] = await selectTransaction(db.read, { ...toOwner(account), id });
  if (!row) throw new NotFound('transaction');
  if (row.sealedBlock === null) throw new CorruptData('A transaction refers to a block that does not exist.');
  const block = makeBlockOpener(db, grant.userKeys, account.id)(row);
  const bytes = transactionsToJson([row], account.id, () => block);
  return Buffer.concat([Buffer.from('{"transaction":'), bytes, Buffer.from('}')]);
};

const toOwner = (account: AccountRef): TransactionOwner => ({
  endUserId: account.endUserId,
  accountShortId: account.shortId,
});

const serializeFilters = ({ refreshedSince, date = {} }: TransactionListQuery): string =>
  JSON.stringify([refreshedSince, date.gte, date.gt, date.lte, date.lt].map((part) => part ?? null));

/** The days of a list, since 1970, both included. */
type Days = { firstDay: number; lastDay: number };

/** What a list contains. Refreshes are times in milliseconds. */
type TransactionFilter = TransactionOwner &
  Days & {
    /** Only transactions of a later refresh. */
    refreshedSince: number | undefined;
    /** Only transactions of this refresh or an earlier one. */
    refreshedUpTo: number;
  };

const lastInteger = 2 ** 31 - 1;
/** All that the column can hold. */
export const allDays: Days = { firstDay: -(2 ** 31), lastDay: lastInteger };

const toDays = ({ gte, gt, lte, lt }: DateFilter = {}): Days => {
  let { firstDay, lastDay } = allDays;
  if (gte !== undefined) firstDay = toDayNumber(gte);
  if (gt !== undefined) firstDay = Math.max(firstDay, toDayNumber(gt) + 1);
  if (lte !== undefined) lastDay = toDayNumber(lte);
  if (lt !== undefined) lastDay = Math.min(lastDay, toDayNumber(lt) - 1);
  return { firstDay, lastDay };
};

const select = `select date, seq, refresh_time as "refreshTime", status, block, position from transactions`;
const ofAccount = 'end_user_id = :endUserId and account_short_id = :accountShortId';
const newestFirst = 'date desc, seq desc';

/** The page begins after a position. */
type Values = TransactionFilter & TransactionPosition & { limit: number };

/** PostgreSQL sends the rows as one text of numbers: reading each number of each row costs more than finding it. */
const pageStatement = (indexOnSqlite: string, where: string, order: string) => {
  const text = (index: string) => `
    ${select} ${index} where ${ofAccount} and ${where} order by ${order} limit :limit`;
  const findRows = sql<Values, PublicTransactionRow & { numbers: string | null }>(
    text(indexOnSqlite),
    `select string_agg(concat_ws(' ', date, seq, "refreshTime", status, block, position), ' ' order by ${order}) as numbers
     from (${text('')}) as page`,
  );
  return async (db: Queries, values: Values): Promise<PublicTransactionRow[]> => {
    const rows = await findRows(db, values);
    return isPostgres(db) ? toRows(rows[0]?.numbers?.split(' ') ?? []) : rows;
  };
};

const toRows = (numbers: readonly string[]): PublicTransactionRow[] => {
  const rows: PublicTransactionRow[] = [];
  for (let at = 0; at < numbers.length; at += 6) {
    rows.push({
      date: Number(numbers[at]),
      seq: Number(numbers[at + 1]),
      refreshTime: Number(numbers[at + 2]),
      status: Number(numbers[at + 3]),
      block: Number(numbers[at + 4]),
      position: Number(numbers[at + 5]),
    });
  }
  return rows;
};

// Each page begins at or before the last day.
const selectByDate = pageStatement(
  '',
  'date >= :firstDay and (date, seq) < (:date, :seq) and refresh_time <= :refreshedUpTo',
  newestFirst,
);

/** The condition of the index by refresh. */
const byRefresh = 'refresh_time > 0';

// The coalesce keeps planners from the primary key, whose rows would have to be sorted: with plain conditions they expect few.
const selectOfLaterRefreshes = pageStatement(
  '',
  `${byRefresh} and refresh_time > :refreshTime and refresh_time <= :refreshedUpTo
     and coalesce(date >= :firstDay and date <= :lastDay, false)`,
  `"refreshTime", ${newestFirst}`,
);

// Without statistics SQLite would take the primary key, and read all that is older for a page deep in the account.
const selectRemainingOfRefresh = pageStatement(
  'indexed by transactions_by_refresh',
  `${byRefresh} and refresh_time = :refreshTime and date >= :firstDay and (date, seq) < (:date, :seq)`,
  newestFirst,
);

/**
 * Newest date first; with `refreshedSince` oldest refresh first. Two statements then, because one keyset condition over a mixed
 * order would read a whole refresh again for every page.
 */
const findNextRows = async (
  { source: { db }, filter }: ListContext,
  after: TransactionPosition | undefined,
  limit: number,
): Promise<PublicTransactionRow[]> => {
  const { refreshedSince, lastDay } = filter;
  const start = after ?? { refreshTime: refreshedSince ?? 0, date: lastDay, seq: lastInteger };
  const values = { ...filter, ...start, limit };
  if (refreshedSince === undefined) return selectByDate(db.read, values);
  if (!after) return selectOfLaterRefreshes(db.read, values);
  // Rows of later refreshes may be read in vain: that is cheaper than to wait for the answer twice.
  const found = await Promise.all([
    selectRemainingOfRefresh(db.read, values),
    selectOfLaterRefreshes(db.read, values),
  ]);
  return found.flat().slice(0, limit);
};

/** `hasMore` is whether there are further rows; `last` the last one that `json` contains. */
type Page = { json: Buffer; hasMore: boolean; last: TransactionPosition | undefined };

const readNext = async (
  context: ListContext,
  after: TransactionPosition | undefined,
  limit: number,
): Promise<Page> => {
  let hasMore = false;
  let last: TransactionPosition | undefined;
  const json = await context.readBlocks(async () => {
    // One row more than the limit tells whether there is another page.
    const rows = await findNextRows(context, after, limit + 1);
    hasMore = rows.length > limit;
    if (hasMore) rows.pop();
    last = rows.at(-1);
    return context.includes ? rows.filter(context.includes) : rows;
  });
  return { json, hasMore, last };
};

const readPage = async (
  context: ListContext,
  after: TransactionPosition | undefined,
  page: { limit: number; scope: CursorScope; cursorKeys: Keyset<Buffer> },
): Promise<Buffer> => {
  const { json, hasMore, last } = await readNext(context, after, page.limit);
  await context.checkReadable();
  const { refreshedUpTo } = context.filter;
  const nextCursor = hasMore
    ? encodePageCursor({ refreshedUpTo, after: last! }, page.scope, page.cursorKeys)
    : undefined;
  const end = Buffer.from(`],"pagination":${JSON.stringify({ hasMore, nextCursor })}}`);
  return Buffer.concat([Buffer.from('{"transactions":['), json, end]);
};

async function* streamTransactions(
  context: ListContext,
  start: TransactionPosition | undefined,
  { chunkRows, yieldTurn }: StreamOptions,
): AsyncGenerator<Buffer> {
  let after = start;
  while (true) {
    await yieldTurn();
    const { json, hasMore, last } = await readNext(context, after, chunkRows);
    yield json;
    // A client that has a part of a list is better served by a late rest than by none.
    context.source.db = context.source.db.patient;
    after = last ?? after;
    if (!hasMore) break;
  }
  // If the account's retention ended meanwhile, rows may be missing: the response must not end like a complete one.
  await context.checkReadable();
}
