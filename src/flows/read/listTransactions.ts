// Lists and gets the transactions of a grant. A list ends at the refresh cursor that the account had when the list began.
// Transactions that change later drop out of the list and appear in the next one, so no list contains a transaction twice.

import {
  type Frame,
  type PrintTransactions,
  type PublicTransactionRow,
  type TransactionOwner,
  transactionsToJson,
} from '../../domain/codec/transaction.ts';
import type { Database } from '../../platform/db/open.ts';
import { sql } from '../../platform/db/sql.ts';
import type { YieldTurn } from '../../platform/loops/fairScheduler.ts';
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
import {
  type CursorScope,
  decodePageCursor,
  encodePageCursor,
  scopeOf,
  type TransactionListQuery,
  type TransactionPosition,
} from './cursor.ts';
import type { PageAhead } from './pageAhead.ts';
import { type Days, findNextRows, type TransactionFilter, toDays } from './transactionRows.ts';

export type StreamOptions = { chunkRows: number; yieldTurn: YieldTurn };

type ListContext = {
  /** The database; after the first part of a list, the same one with the longest timeout. */
  source: { db: Database };
  filter: TransactionFilter;
  readBlocks: ReadBlocks;
  /** Used once, instead of the first query. */
  firstRows: PublicTransactionRow[][] | undefined;
  /** Selects the rows of the list; by default all. */
  includes?: (row: PublicTransactionRow) => boolean;
  checkReadable(): Promise<void>;
};

/**
 * With `limit`, one page as JSON; without it, a stream of all remaining transactions. Throws NotFound, Forbidden,
 * ValidationError (cursor), CorruptData.
 */
export const listTransactions = async (
  db: Database,
  grant: ReadGrant,
  request: { accountId: string; query: TransactionListQuery },
  options: StreamOptions & { cursorKeys: Keyset<Buffer>; ahead: Promise<PageAhead | undefined> | undefined },
): Promise<Buffer | JsonStream> => {
  const { accountId, query } = request;
  const account = await requireAccount(db, grant, accountId);
  const scope = scopeOf(accountId, query);
  const cursor =
    query.cursor === undefined ? undefined : decodePageCursor(query.cursor, scope, options.cursorKeys);
  const ahead = await options.ahead;
  const filter = {
    ...toDays(query.date),
    refreshedUpTo: cursor?.refreshedUpTo ?? ahead?.refreshedUpTo ?? account.lastRefreshTime,
    refreshedSince: query.refreshedSince === undefined ? undefined : parseRefreshCursor(query.refreshedSince),
  };
  const context = makeContext(db, grant, account, transactionsToJson, filter, ahead);
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
  ahead?: PageAhead,
): ListContext => {
  const source = { db };
  return {
    source,
    filter: { ...toOwner(account), ...filter },
    readBlocks: makeReadBlocks(source, grant.userKeys, account, print, ahead?.blocks),
    firstRows: ahead && [ahead.rows],
    checkReadable: () => checkStillReadable(source.db, grant, account.id),
  };
};

/**
 * An account's matching transactions, newest first, in chunks that `print` returns. Throws CorruptData, and at the end NotFound
 * or Forbidden if the account can no longer be read.
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
  where transactions.end_user_id = :endUserId and transactions.id = :id and transactions.account_short_id =
    (select short_id from accounts where end_user_id = :endUserId and accounts.id = :accountId)`;
type TransactionRow = PublicTransactionRow & (StoredBlock | { sealedBlock: null });
const selectTransaction = sql<{ endUserId: string; accountId: string; id: Buffer }, TransactionRow>(
  selectTransactionWith(onSqlite),
  selectTransactionWith(onPostgres),
);

/** Reads a transaction's row. Like `readGrantRows`, it may run before the credentials are checked. */
export const readTransactionRow = async (
  db: Database,
  { transactionId, ...ids }: { endUserId: string; accountId: string; transactionId: string },
): Promise<TransactionRow | undefined> => {
  if (!isId('txn', transactionId) || !isId('acc', ids.accountId)) return undefined;
  const id = fromBase62(transactionId.slice('txn_'.length))!;
  return (await selectTransaction(db.read, { ...ids, id }))[0];
};

/** One transaction of one account, from its row, as JSON. Throws NotFound, Forbidden, CorruptData. */
export const readTransaction = async (
  db: Database,
  grant: ReadGrant,
  accountId: string,
  ahead: ReturnType<typeof readTransactionRow>,
): Promise<Buffer> => {
  const account = await requireAccount(db, grant, accountId);
  const row = await ahead;
  if (!row) throw new NotFound('transaction');
  if (row.sealedBlock === null) throw new CorruptData('A transaction refers to a block that does not exist.');
  const block = makeBlockOpener(db, grant.userKeys, account.id)(row);
  return transactionsToJson([row], account.id, () => block, transactionFrame);
};
const transactionFrame: Frame = { before: Buffer.from('{"transaction":'), after: Buffer.from('}') };

const toOwner = (account: AccountRef): TransactionOwner => ({
  endUserId: account.endUserId,
  accountShortId: account.shortId,
});

/** `last` is the last row that was read. */
type PageEnd = { hasMore: boolean; last: TransactionPosition | undefined };

const readNext = async (
  context: ListContext,
  after: TransactionPosition | undefined,
  limit: number,
  toFrame?: (end: PageEnd) => Frame,
): Promise<PageEnd & { json: Buffer }> => {
  const end: PageEnd = { hasMore: false, last: undefined };
  const findRows = async (): Promise<PublicTransactionRow[]> => {
    // One extra row shows whether there is another page.
    const ahead = context.firstRows?.pop();
    const rows = ahead ?? (await findNextRows(context.source.db.read, context.filter, after, limit + 1));
    end.hasMore = rows.length > limit;
    if (end.hasMore) rows.pop();
    end.last = rows.at(-1);
    return context.includes ? rows.filter(context.includes) : rows;
  };
  const json = await context.readBlocks(findRows, toFrame && (() => toFrame(end)));
  return { json, ...end };
};

const readPage = async (
  context: ListContext,
  after: TransactionPosition | undefined,
  page: { limit: number; scope: CursorScope; cursorKeys: Keyset<Buffer> },
): Promise<Buffer> => {
  const { refreshedUpTo } = context.filter;
  const { json } = await readNext(context, after, page.limit, ({ hasMore, last }) => {
    const nextCursor = hasMore
      ? encodePageCursor({ refreshedUpTo, after: last! }, page.scope, page.cursorKeys)
      : undefined;
    const end = Buffer.from(`],"pagination":${JSON.stringify({ hasMore, nextCursor })}}`);
    return { before: pageStart, after: end };
  });
  await context.checkReadable();
  return json;
};
const pageStart = Buffer.from('{"transactions":[');

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
    // For a client that has part of a list, a late remainder is better than none.
    context.source.db = context.source.db.patient;
    after = last ?? after;
    if (!hasMore) break;
  }
  // If the account's retention ended meanwhile, rows may be missing, so the response must not end like a complete one.
  await context.checkReadable();
}
