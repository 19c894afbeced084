// Reads an account's transactions page by page, with only one page in memory.
import type { Client } from './createClient.ts';
import { unwrap } from './problemError.ts';
import type { Amount, Pagination, Transaction } from './types.ts';

export type TransactionQuery = {
  /** Transactions per page, 1 to 1000. */
  pageSize?: number;
  /** Only transactions created or updated after this refresh cursor (`txr_`), oldest refresh first. */
  refreshedSince?: string;
  /** Only transactions in this range of dates, each YYYY-MM-DD. */
  date?: { gte?: string; lte?: string; gt?: string; lt?: string };
  signal?: AbortSignal;
};

export type TransactionPage<As extends Amount = number> = {
  transactions: Transaction<As>[];
  pagination: Pagination;
};

/** Small enough for a fast response, and large enough that round trips do not matter. */
export const defaultPageSize = 500;

/** The first page, or the page at `cursor`. */
export const transactionPage = async <As extends Amount>(
  client: Client<As>,
  accountId: string,
  { pageSize = defaultPageSize, refreshedSince, date, signal }: TransactionQuery,
  cursor?: string,
): Promise<TransactionPage<As>> => {
  const page = await unwrap(
    client.GET('/accounts/{accountId}/transactions', {
      params: { path: { accountId }, query: { limit: pageSize, cursor, refreshedSince, date } },
      signal,
    }),
  );
  const next = page.pagination.nextCursor;
  // Without a new cursor, pagination would never end.
  if (page.pagination.hasMore && (!next || next === cursor)) {
    throw new Error('The response has hasMore but no new nextCursor.');
  }
  return page;
};

/** All pages of the account's transactions, in the API's order. */
export async function* transactionPages<As extends Amount>(
  client: Client<As>,
  accountId: string,
  query: TransactionQuery = {},
): AsyncGenerator<TransactionPage<As>, void, undefined> {
  let cursor: string | undefined;
  do {
    const page = await transactionPage(client, accountId, query, cursor);
    yield page;
    cursor = page.pagination.hasMore ? page.pagination.nextCursor : undefined;
  } while (cursor);
}

/**
 * All transactions of the account, newest first (with `refreshedSince`: oldest refresh first):
 * `for await (const transaction of transactions(client, accountId)) ...`.
 * Each page is fetched when the loop reaches it.
 */
export async function* transactions<As extends Amount>(
  client: Client<As>,
  accountId: string,
  query: TransactionQuery = {},
): AsyncGenerator<Transaction<As>, void, undefined> {
  for await (const page of transactionPages(client, accountId, query)) yield* page.transactions;
}
