// List (filters, pages, everything) and get, for a Reader. A walk is bound to the refresh at which it began:
// what changes meanwhile leaves the walk and comes with the next, so that no walk shows an entry twice.

import { findReadableAccount } from '../accounts/readAccounts.ts';
import type { AccountRef } from '../accounts/store.ts';
import { type Access, openAccess } from '../connections/access.ts';
import type { Database } from '../db/open.ts';
import { NotFound } from '../errors.ts';
import { isId } from '../ids.ts';
import { JsonStream, JsonText } from '../json.ts';
import type { YieldTurn } from '../fairScheduler.ts';
import { type Keyring, makeKeyring } from '../users/dataKeys.ts';
import {
  type TransactionPosition,
  decodePageCursor,
  encodePageCursor,
  type CursorScope,
} from './pageCursor.ts';
import {
  findTransactionsByDate,
  findTransactionsByRefreshCursor,
  findTransactionRow,
  type TransactionFilter,
} from './store.ts';
import { transactionToJson, type TransactionRow } from './transaction.ts';

export type TransactionListQuery = {
  cursor?: string;
  limit?: number;
  refreshedSince?: string;
  date?: TransactionFilter['date'];
};

export type TransactionListOptions = { cursorKey: Buffer; chunkRows: number; turn: YieldTurn };

type ListContext = {
  db: Database;
  accountId: string;
  filter: TransactionFilter;
  scope: CursorScope;
  keyring: Keyring;
};

/**
 * With `limit` one page; without it everything that is left, made while it is sent. Throws NotFound, Forbidden,
 * BadInput (cursor), Corrupt.
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
  const walk =
    query.cursor === undefined ? undefined : decodePageCursor(query.cursor, scope, options.cursorKey);
  const listing: ListContext = {
    db,
    accountId,
    filter: toTransactionFilter(account, query, walk?.refreshedUpTo ?? account.lastRefreshCursor),
    scope,
    keyring: makeKeyring(db, access.reader),
  };
  if (query.limit === undefined) {
    const stillThere = async () =>
      findReadableAccount(db, await openAccess(db, access.reader, access.retention), accountId);
    const entries = streamTransactions(listing, walk?.after, { ...options, stillThere });
    return new JsonStream('transactions', entries, '"pagination":{"hasMore":false}');
  }
  return readPage(listing, walk?.after, { limit: query.limit, cursorKey: options.cursorKey });
};

/** One transaction of one account, as JSON text. Throws NotFound, Forbidden, Corrupt. */
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
): Promise<TransactionRow[]> =>
  (filter.refreshedSince === undefined ? findTransactionsByDate : findTransactionsByRefreshCursor)(
    db.read,
    filter,
    after,
    limit,
  );

const readPage = async (
  listing: ListContext,
  after: TransactionPosition | undefined,
  page: { limit: number; cursorKey: Buffer },
): Promise<JsonText> => {
  // One more than asked for tells whether there is more.
  const rows = await findNextRows(listing, after, page.limit + 1);
  const shown = rows.slice(0, page.limit);
  const { refreshedUpTo } = listing.filter;
  const pagination =
    rows.length > shown.length
      ? {
          hasMore: true,
          nextCursor: encodePageCursor(
            { refreshedUpTo, after: shown.at(-1)! },
            listing.scope,
            page.cursorKey,
          ),
        }
      : { hasMore: false };
  const entries = (await rowsToJson(listing, shown)).join(',');
  return new JsonText(`{"transactions":[${entries}],"pagination":${JSON.stringify(pagination)}}`);
};

async function* streamTransactions(
  listing: ListContext,
  start: TransactionPosition | undefined,
  { chunkRows, turn, stillThere }: { chunkRows: number; turn: YieldTurn; stillThere(): Promise<unknown> },
): AsyncGenerator<string[]> {
  let after = start;
  while (true) {
    await turn();
    const rows = await findNextRows(listing, after, chunkRows);
    yield await rowsToJson(listing, rows);
    if (rows.length < chunkRows) break;
    after = rows.at(-1);
  }
  // An account whose time ended on the way is being deleted: what was sent must not end as if it were all.
  if (after !== start) await stillThere();
}

const rowsToJson = async ({ accountId, keyring }: ListContext, rows: TransactionRow[]): Promise<string[]> => {
  await keyring.load(rows.map((row) => row.dataKeyId));
  return rows.map((row) => transactionToJson(row, accountId, keyring.get));
};
