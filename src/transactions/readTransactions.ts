// Lists and gets transactions for a Reader. A list ends at the refresh cursor that the account had when the list began.
// Transactions that change later leave the list and belong to the next one, so no list contains a transaction twice.
import { findReadableAccount } from '../accounts/readAccounts.ts';
import type { AccountRef } from '../accounts/store.ts';
import { type Access, openAccess } from '../connections/connection.ts';
import type { Database } from '../db/open.ts';
import { NotFound } from '../errors.ts';
import type { YieldTurn } from '../fairScheduler.ts';
import { isId } from '../ids.ts';
import { JsonStream, JsonText } from '../json.ts';
import { type Keyring, makeKeyring } from '../users/dataKeys.ts';
import type { Keyset } from '../vault/keyset.ts';
import {
  type CursorScope,
  decodePageCursor,
  encodePageCursor,
  type TransactionPosition,
} from './pageCursor.ts';
import {
  findTransactionRow,
  findTransactionsByDate,
  findTransactionsByRefreshCursor,
  type TransactionFilter,
} from './store.ts';
import { type PublicTransactionRow, transactionToJson } from './transaction.ts';

export type TransactionListQuery = {
  cursor?: string;
  limit?: number;
  refreshedSince?: string;
  date?: TransactionFilter['date'];
};

export type TransactionListOptions = { cursorKeys: Keyset<Buffer>; chunkRows: number; yieldTurn: YieldTurn };

type ListContext = {
  db: Database;
  accountId: string;
  filter: TransactionFilter;
  scope: CursorScope;
  keyring: Keyring;
};

/**
 * With `limit` one page; without it a stream of all remaining transactions. Throws NotFound, Forbidden,
 * ValidationError (cursor), CorruptData.
 */
export const listTransactions = async (
  db: Database,
  access: Access,
  request: { accountId: string; query: TransactionListQuery },
  options: TransactionListOptions,
): Promise<JsonText | JsonStream> => {
  const { accountId, query } = request;
  const account = await findReadableAccount(db, access, accountId);
  const scope = { accountId, filters: serializeFilters(query) };
  const cursor =
    query.cursor === undefined ? undefined : decodePageCursor(query.cursor, scope, options.cursorKeys);
  const context: ListContext = {
    db,
    accountId,
    filter: toTransactionFilter(account, query, cursor?.refreshedUpTo ?? account.lastRefreshCursor),
    scope,
    keyring: makeKeyring(db, access.reader),
  };
  if (query.limit === undefined) {
    const checkReadable = async () =>
      findReadableAccount(db, await openAccess(db, access.reader, access.retention), accountId);
    const items = streamTransactions(context, cursor?.after, { ...options, checkReadable });
    return new JsonStream('transactions', items, '"pagination":{"hasMore":false}');
  }
  return readPage(context, cursor?.after, { limit: query.limit, cursorKeys: options.cursorKeys });
};

/** One transaction of one account, as JSON text. Throws NotFound, Forbidden, CorruptData. */
export const readTransaction = async (
  db: Database,
  access: Access,
  key: { accountId: string; transactionId: string },
): Promise<JsonText> => {
  const account = await findReadableAccount(db, access, key.accountId);
  const id = key.transactionId;
  const row = isId('txn', id)
    ? await findTransactionRow(db.read, { endUserId: account.endUserId, accountId: account.id, id })
    : undefined;
  if (!row) throw new NotFound('transaction');
  const keyring = makeKeyring(db, access.reader);
  await keyring.load([row.dataKeyId]);
  return new JsonText(`{"transaction":${transactionToJson(row, account.id, keyring.get)}}`);
};

const serializeFilters = ({ refreshedSince, date = {} }: TransactionListQuery): string =>
  JSON.stringify([refreshedSince, date.gte, date.gt, date.lte, date.lt].map((part) => part ?? null));

const toTransactionFilter = (
  account: AccountRef,
  query: TransactionListQuery,
  refreshedUpTo: string,
): TransactionFilter => ({
  endUserId: account.endUserId,
  accountId: account.id,
  refreshedSince: query.refreshedSince,
  refreshedUpTo,
  date: query.date ?? {},
});

const findNextRows = (
  { db, filter }: ListContext,
  after: TransactionPosition | undefined,
  limit: number,
): Promise<PublicTransactionRow[]> =>
  (filter.refreshedSince === undefined ? findTransactionsByDate : findTransactionsByRefreshCursor)(
    db.read,
    filter,
    after,
    limit,
  );

const readPage = async (
  context: ListContext,
  after: TransactionPosition | undefined,
  page: { limit: number; cursorKeys: Keyset<Buffer> },
): Promise<JsonText> => {
  // One row more than the limit tells whether there is another page.
  const rows = await findNextRows(context, after, page.limit + 1);
  const pageRows = rows.slice(0, page.limit);
  const { refreshedUpTo } = context.filter;
  const pagination =
    rows.length > pageRows.length
      ? {
          hasMore: true,
          nextCursor: encodePageCursor(
            { refreshedUpTo, after: pageRows.at(-1)! },
            context.scope,
            page.cursorKeys,
          ),
        }
      : { hasMore: false };
  const items = (await rowsToJson(context, pageRows)).join(',');
  return new JsonText(`{"transactions":[${items}],"pagination":${JSON.stringify(pagination)}}`);
};

async function* streamTransactions(
  context: ListContext,
  start: TransactionPosition | undefined,
  options: { chunkRows: number; yieldTurn: YieldTurn; checkReadable(): Promise<unknown> },
): AsyncGenerator<string[]> {
  const { chunkRows, yieldTurn, checkReadable } = options;
  let after = start;
  while (true) {
    await yieldTurn();
    const rows = await findNextRows(context, after, chunkRows);
    yield await rowsToJson(context, rows);
    if (rows.length < chunkRows) break;
    after = rows.at(-1);
  }
  // If the account's retention ended meanwhile, rows may be missing: the response must not end like a complete one.
  if (after !== start) await checkReadable();
}

const rowsToJson = async (
  { accountId, keyring }: ListContext,
  rows: PublicTransactionRow[],
): Promise<string[]> => {
  await keyring.load(rows.map((row) => row.dataKeyId));
  return rows.map((row) => transactionToJson(row, accountId, keyring.get));
};
