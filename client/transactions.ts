// One account's transactions, page by page. Only the page being read is in memory, however long the account.
import type { Client } from './createClient.ts';
import { unwrap } from './problemError.ts';
import type { Amount, Pagination, Transaction } from './types.ts';

export type TransactionQuery = {
  /** At most this many transactions in one answer, 1 to 1000. */
  pageSize?: number;
  /** Only what was created or updated after this `txr_` cursor, oldest refresh first. */
  refreshedSince?: string;
  /** Only entries within these dates, each YYYY-MM-DD; operators combine. */
  date?: { gte?: string; lte?: string; gt?: string; lt?: string };
  signal?: AbortSignal;
};

export type TransactionPage<As extends Amount = number> = {
  transactions: Transaction<As>[];
  pagination: Pagination;
};

/** Small enough to answer at once, large enough that the round trips do not count. */
export const defaultPageSize = 500;

/** One page: the first, or the one that `cursor` leads to. */
export const transactionPage = async <As extends Amount>(
  client: Client<As>,
  accountId: string,
  { pageSize = defaultPageSize, refreshedSince, date, signal }: TransactionQuery,
  cursor?: string,
): Promise<TransactionPage<As>> => {
  // Which of the two forms of money a client reads cannot be seen by the compiler while it is still open.
  const plain = client as unknown as Client<number>;
  const page = await unwrap(
    plain.GET('/accounts/{accountId}/transactions', {
      params: { path: { accountId }, query: { limit: pageSize, cursor, refreshedSince, date } },
      signal,
    }),
  );
  const next = page.pagination.nextCursor;
  // A walk that does not move would ask for ever.
  if (page.pagination.hasMore && (!next || next === cursor)) {
    throw new Error('The service says that more follows, and does not say where.');
  }
  return page as TransactionPage<As>;
};

/** Every page of the account's transactions, in the order of the interface. */
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
 * Every transaction of the account, newest first (with `refreshedSince`: oldest change first):
 * `for await (const transaction of transactions(client, accountId)) ...`.
 * Pages are fetched as the loop comes to them; leaving the loop early asks for no more.
 */
export async function* transactions<As extends Amount>(
  client: Client<As>,
  accountId: string,
  query: TransactionQuery = {},
): AsyncGenerator<Transaction<As>, void, undefined> {
  for await (const page of transactionPages(client, accountId, query)) yield* page.transactions;
}
