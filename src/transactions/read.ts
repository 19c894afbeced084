// List (filters, pages, everything) and get, for a Reader. A walk is bound to the refresh at which it began:
// what changes meanwhile leaves the walk and comes with the next, so that no walk shows an entry twice.

import { findReadableAccount } from '../accounts/read.ts';
import type { AccountPlace } from '../accounts/store.ts';
import { type Access, openAccess } from '../connections/find.ts';
import type { Database } from '../db/open.ts';
import { NotFound } from '../errors.ts';
import { isId } from '../ids.ts';
import { JsonStream, JsonText } from '../json.ts';
import type { Turn } from '../turns.ts';
import { type Keyring, makeKeyring } from '../users/dataKeys.ts';
import { type Position, parseCursor, printCursor, type WalkScope } from './page.ts';
import { findByDate, findByRefresh, findTransactionRow, type Selection } from './store.ts';
import { printTransaction, type TransactionRow } from './transaction.ts';

export type ListQuery = {
  cursor?: string;
  limit?: number;
  refreshedSince?: string;
  date?: Selection['date'];
};

export type ListOptions = { cursorKey: Buffer; chunkRows: number; turn: Turn };

type Listing = {
  db: Database;
  accountId: string;
  selection: Selection;
  scope: WalkScope;
  keyring: Keyring;
};

/**
 * With `limit` one page; without it everything that is left, made while it is sent. Throws NotFound, Forbidden,
 * BadInput (cursor), Corrupt.
 */
export const listTransactions = async (
  db: Database,
  access: Access,
  request: { accountId: string; query: ListQuery },
  options: ListOptions,
): Promise<JsonText | JsonStream> => {
  const { accountId, query } = request;
  const account = await findReadableAccount(db, access, accountId);
  const scope = { accountId, filters: spellFilters(query) };
  const walk = query.cursor === undefined ? undefined : parseCursor(query.cursor, scope, options.cursorKey);
  const listing: Listing = {
    db,
    accountId,
    selection: selectionOf(account, query, walk?.bound ?? account.lastRefresh),
    scope,
    keyring: makeKeyring(db, access.reader),
  };
  if (query.limit === undefined) {
    const stillThere = async () =>
      findReadableAccount(db, await openAccess(db, access.reader, access.lifetime), accountId);
    const entries = everything(listing, walk?.after, { ...options, stillThere });
    return new JsonStream('transactions', entries, '"pagination":{"hasMore":false}');
  }
  return onePage(listing, walk?.after, { limit: query.limit, cursorKey: options.cursorKey });
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
  await keyring.load([row.dataKey]);
  return new JsonText(`{"transaction":${printTransaction(row, account.id, keyring.get)}}`);
};

const spellFilters = ({ refreshedSince, date = {} }: ListQuery): string =>
  JSON.stringify([refreshedSince, date.gte, date.gt, date.lte, date.lt].map((part) => part ?? null));

const selectionOf = (account: AccountPlace, query: ListQuery, bound: string): Selection => ({
  endUserId: account.endUserId,
  accountId: account.id,
  since: query.refreshedSince,
  bound,
  date: query.date ?? {},
});

const nextRows = (
  { db, selection }: Listing,
  after: Position | undefined,
  limit: number,
): Promise<TransactionRow[]> =>
  (selection.since === undefined ? findByDate : findByRefresh)(db.read, selection, after, limit);

const onePage = async (
  listing: Listing,
  after: Position | undefined,
  page: { limit: number; cursorKey: Buffer },
): Promise<JsonText> => {
  // One more than asked for tells whether there is more.
  const rows = await nextRows(listing, after, page.limit + 1);
  const shown = rows.slice(0, page.limit);
  const { bound } = listing.selection;
  const pagination =
    rows.length > shown.length
      ? {
          hasMore: true,
          nextCursor: printCursor({ bound, after: shown.at(-1)! }, listing.scope, page.cursorKey),
        }
      : { hasMore: false };
  const entries = (await print(listing, shown)).join(',');
  return new JsonText(`{"transactions":[${entries}],"pagination":${JSON.stringify(pagination)}}`);
};

async function* everything(
  listing: Listing,
  start: Position | undefined,
  { chunkRows, turn, stillThere }: { chunkRows: number; turn: Turn; stillThere(): Promise<unknown> },
): AsyncGenerator<string[]> {
  let after = start;
  while (true) {
    await turn();
    const rows = await nextRows(listing, after, chunkRows);
    yield await print(listing, rows);
    if (rows.length < chunkRows) break;
    after = rows.at(-1);
  }
  // An account whose time ended on the way is being deleted: what was sent must not end as if it were all.
  if (after !== start) await stillThere();
}

const print = async ({ accountId, keyring }: Listing, rows: TransactionRow[]): Promise<string[]> => {
  await keyring.load(rows.map((row) => row.dataKey));
  return rows.map((row) => printTransaction(row, accountId, keyring.get));
};
