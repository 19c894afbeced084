// A copy of an account's transactions that stays equal to the bank. The service promises that three steps are
// enough (list from the greatest refresh of the last completed walk, walk to the end, then advance); they are
// written here once, so that nobody can advance too early or lose their place in a crash.
import type { Client } from './createClient.ts';
import { type TransactionPage, transactionPage } from './transactions.ts';
import { ProblemError } from './problemError.ts';
import type { Amount, Transaction } from './types.ts';

/**
 * Where the copy of one account stands: plain JSON, for the caller to keep beside the copy and never to look
 * into. `{}` before the first time.
 */
export type SyncState = {
  /** The greatest `transactionRefresh` of the last completed walk. */
  refreshedSince?: string;
  /** A walk that is under way: where it goes on, and the greatest `transactionRefresh` that it has seen. */
  inProgress?: { cursor: string; greatest?: string };
};

export type SyncOptions<As extends Amount = number> = {
  /**
   * Stores one page and the state that belongs to it, both in ONE database transaction: all or nothing.
   * For each entry: insert it, or replace the one with the same `id` unless that has a greater
   * `transactionRefresh` (compare as text). The list may be empty; the state must be stored all the same.
   */
  apply: (transactions: Transaction<As>[], nextState: SyncState) => void | Promise<void>;
  /** At most this many transactions in one answer, 1 to 1000. */
  pageSize?: number;
  signal?: AbortSignal;
};

/**
 * Brings the caller's copy of one account up to date and resolves to the state it then has.
 *
 * - `state` is what `apply` stored last for this account; `{}` at first. Give it back unchanged.
 * - `apply` is called once for each page, one after the other; the next page is asked for when it has
 *   resolved. If it throws, or the process dies, nothing is lost: call again with the state stored last,
 *   and the walk goes on with the page that was not stored.
 * - `refreshedSince` moves only in the state of a walk's last page, so a copy can never skip what a crash
 *   left unread. An entry that changes during the walk comes with the next call.
 * - An entry that the bank withdrew comes with the status `void`; nothing is ever removed.
 * - A stored place that the service no longer knows (`invalid_cursor`) starts the walk anew, from the last
 *   completed one: entries already stored come again, and `apply` makes that harmless.
 *
 * Run one call per account at a time; two at once repeat work but break nothing. Throws ProblemError.
 */
export const syncTransactions = async <As extends Amount>(
  client: Client<As>,
  accountId: string,
  state: SyncState,
  { apply, pageSize, signal }: SyncOptions<As>,
): Promise<SyncState> => {
  let current = state;
  let begunAnew = false;
  for (;;) {
    const { refreshedSince, inProgress } = current;
    let page: TransactionPage<As>;
    try {
      page = await transactionPage(
        client,
        accountId,
        { pageSize, refreshedSince, signal },
        inProgress?.cursor,
      );
    } catch (error) {
      if (begunAnew || !inProgress || !isInvalidCursor(error)) throw error;
      begunAnew = true;
      current = { refreshedSince };
      continue;
    }
    const next = nextSyncState(current, page);
    await apply(page.transactions, next);
    if (!next.inProgress) return next;
    current = next;
  }
};

const isInvalidCursor = (error: unknown): boolean =>
  error instanceof ProblemError && error.code === 'invalid_cursor';

// The only place where refreshedSince moves, and only when nothing more follows.
const nextSyncState = (
  { refreshedSince, inProgress }: SyncState,
  page: TransactionPage<Amount>,
): SyncState => {
  const greatest = page.transactions.reduce(laterRefresh, inProgress?.greatest ?? refreshedSince);
  const cursor = page.pagination.hasMore ? page.pagination.nextCursor : undefined;
  return cursor ? { refreshedSince, inProgress: { cursor, greatest } } : { refreshedSince: greatest };
};

// Refresh cursors grow, so that the greatest text is the newest.
const laterRefresh = (
  held: string | undefined,
  { transactionRefresh }: { transactionRefresh: string },
): string => (held !== undefined && held > transactionRefresh ? held : transactionRefresh);
