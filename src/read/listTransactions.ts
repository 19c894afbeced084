// Lists and gets transactions for a Reader. A list ends at the refresh cursor that the account had when the list began.
// Transactions that change later leave the list and belong to the next one, so no list contains a transaction twice.

import { toDayNumber } from '../clock.ts';
import { Block, blockOf } from '../codec/block.ts';
import {
  type PrintTransactions,
  type PublicTransactionRow,
  transactionsToJson,
} from '../codec/transaction.ts';
import type { Database } from '../db/open.ts';
import { CorruptData, NotFound } from '../errors.ts';
import { fromBase62, isId, parseRefreshCursor } from '../ids.ts';
import { JsonBytes, JsonStream } from '../json.ts';
import type { YieldTurn } from '../loops/fairScheduler.ts';
import { makeKeyring } from '../users/dataKeys.ts';
import type { Keyset } from '../vault/keyset.ts';
import { type Access, checkStillReadable, requireAccount } from './authorize.ts';
import { type BlockReader, makeBlockReader } from './blocks.ts';
import { type CursorScope, decodePageCursor, encodePageCursor, type TransactionPosition } from './cursor.ts';
import {
  type AccountRef,
  findTransactionsByDate,
  findTransactionsByRefresh,
  findTransactionWithBlock,
  type TransactionFilter,
} from './store.ts';

export type TransactionListQuery = {
  cursor?: string;
  limit?: number;
  refreshedSince?: string;
  /** Dates as YYYY-MM-DD. */
  date?: { gte?: string; gt?: string; lte?: string; lt?: string };
};

export type TransactionListOptions = { cursorKeys: Keyset<Buffer>; chunkRows: number; yieldTurn: YieldTurn };

type ListContext = {
  /** The database, which becomes the patient one after the first part of a list. */
  source: { db: Database };
  filter: TransactionFilter;
  blocks: BlockReader;
  /** Which rows are in the list; by default all. */
  includes?: (row: PublicTransactionRow) => boolean;
};

export type StreamOptions = Pick<TransactionListOptions, 'chunkRows' | 'yieldTurn'>;

/**
 * With `limit` one page; without it a stream of all remaining transactions. Throws NotFound, Forbidden,
 * ValidationError (cursor), CorruptData.
 */
export const listTransactions = async (
  db: Database,
  access: Access,
  request: { accountId: string; query: TransactionListQuery },
  options: TransactionListOptions,
): Promise<JsonBytes | JsonStream> => {
  const { accountId, query } = request;
  const account = await requireAccount(db, access, accountId);
  const scope = { accountId, filters: serializeFilters(query) };
  const cursor =
    query.cursor === undefined ? undefined : decodePageCursor(query.cursor, scope, options.cursorKeys);
  const source = { db };
  const context: ListContext = {
    source,
    filter: toTransactionFilter(account, query, cursor?.refreshedUpTo ?? account.lastRefreshTime),
    blocks: makeBlockReader(source, access.reader, account, transactionsToJson),
  };
  if (query.limit === undefined) {
    const checkReadable = () => checkStillReadable(source.db, access, accountId);
    const items = streamTransactions(context, cursor?.after, { ...options, checkReadable });
    return new JsonStream({ name: 'transactions', items, after: '"pagination":{"hasMore":false}' });
  }
  return readPage(context, cursor?.after, { limit: query.limit, scope, cursorKeys: options.cursorKeys });
};

/**
 * The transactions of an account that fit, newest first, in chunks as `print` makes them. Throws NotFound or Forbidden at
 * its end if the account cannot be read any more, and CorruptData.
 */
export const streamAccount = (
  db: Database,
  access: Access,
  account: AccountRef,
  list: Pick<TransactionFilter, 'date'> &
    Required<Pick<ListContext, 'includes'>> & { print: PrintTransactions },
  options: StreamOptions,
): AsyncGenerator<Buffer> => {
  const { date, includes, print } = list;
  const source = { db };
  const blocks = makeBlockReader(source, access.reader, account, print);
  const filter = { ...toOwner(account), refreshedUpTo: account.lastRefreshTime, date };
  const checkReadable = () => checkStillReadable(source.db, access, account.id);
  return streamTransactions({ source, filter, blocks, includes }, undefined, { ...options, checkReadable });
};

/** One transaction of one account, as JSON. Throws NotFound, Forbidden, CorruptData. */
export const readTransaction = async (
  db: Database,
  access: Access,
  key: { accountId: string; transactionId: string },
): Promise<JsonBytes> => {
  const account = await requireAccount(db, access, key.accountId);
  const { transactionId } = key;
  const row = isId('txn', transactionId)
    ? await findTransactionWithBlock(db.read, {
        ...toOwner(account),
        id: fromBase62(transactionId.slice('txn_'.length))!,
      })
    : undefined;
  if (!row) throw new NotFound('transaction');
  if (row.sealedBlock === null) throw new CorruptData('A transaction refers to a block that does not exist.');
  const keyring = makeKeyring(db, access.reader);
  if (row.id !== null) keyring.open([row]);
  const block = new Block(row.sealedBlock, keyring.get(row.dataKeyId), blockOf(account.id));
  const bytes = transactionsToJson([row], account.id, () => block);
  return new JsonBytes(Buffer.concat([Buffer.from('{"transaction":'), bytes, Buffer.from('}')]));
};

const toOwner = (account: AccountRef) => ({ endUserId: account.endUserId, accountShortId: account.shortId });

const serializeFilters = ({ refreshedSince, date = {} }: TransactionListQuery): string =>
  JSON.stringify([refreshedSince, date.gte, date.gt, date.lte, date.lt].map((part) => part ?? null));

const toTransactionFilter = (
  account: AccountRef,
  { refreshedSince, date = {} }: TransactionListQuery,
  refreshedUpTo: number,
): TransactionFilter => ({
  ...toOwner(account),
  ...(refreshedSince !== undefined && { refreshedSince: parseRefreshCursor(refreshedSince) }),
  refreshedUpTo,
  date: mapValues(date, toDayNumber),
});

const mapValues = <Key extends string>(
  values: { [K in Key]?: string },
  map: (value: string) => number,
): { [K in Key]?: number } =>
  Object.fromEntries(
    Object.entries<string | undefined>(values).flatMap(([key, value]) =>
      value === undefined ? [] : [[key, map(value)]],
    ),
  ) as { [K in Key]?: number };

const findNextRows = (
  { source: { db }, filter }: ListContext,
  after: TransactionPosition | undefined,
  limit: number,
): Promise<PublicTransactionRow[]> =>
  (filter.refreshedSince === undefined ? findTransactionsByDate : findTransactionsByRefresh)(
    db.read,
    filter,
    after,
    limit,
  );

/** `hasMore` is whether there are further rows; `last` the last one that `json` contains. */
type Page = { json: Buffer; hasMore: boolean; last: TransactionPosition | undefined };

const readNext = async (
  context: ListContext,
  after: TransactionPosition | undefined,
  limit: number,
): Promise<Page> => {
  let hasMore = false;
  let last: TransactionPosition | undefined;
  const json = await context.blocks.read(async () => {
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
): Promise<JsonBytes> => {
  const { json, hasMore, last } = await readNext(context, after, page.limit);
  const { refreshedUpTo } = context.filter;
  const pagination = hasMore
    ? {
        hasMore,
        nextCursor: encodePageCursor({ refreshedUpTo, after: last! }, page.scope, page.cursorKeys),
      }
    : { hasMore };
  const end = Buffer.from(`],"pagination":${JSON.stringify(pagination)}}`);
  return new JsonBytes(Buffer.concat([Buffer.from('{"transactions":['), json, end]));
};

async function* streamTransactions(
  context: ListContext,
  start: TransactionPosition | undefined,
  options: { chunkRows: number; yieldTurn: YieldTurn; checkReadable(): Promise<void> },
): AsyncGenerator<Buffer> {
  const { chunkRows, yieldTurn, checkReadable } = options;
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
  if (after !== start) await checkReadable();
}
