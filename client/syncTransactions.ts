// Keeps a copy of an account's transactions up to date. Each sync lists the changes since the last complete sync, reads all pages
// and only then advances `refreshedSince`. After a crash, it continues.
import type { Client } from './createClient.ts';
import { ProblemError } from './problemError.ts';
import { type TransactionPage, transactionPage } from './transactions.ts';
import type { Amount, Transaction } from './types.ts';
import { checkObject } from './usageError.ts';

/**
 * The state of one account's copy: JSON that the caller stores with the copy, `{}` before the first sync. Its content is an
 * implementation detail.
 */
export type SyncState = {
  /** The latest `transactionRefresh` of the last complete sync. */
  refreshedSince?: string;
  /** An incomplete sync: its next page, and the latest `transactionRefresh` so far. */
  inProgress?: { cursor: string; latestRefresh?: string };
};

export type SyncOptions<As extends Amount = number> = {
  /**
   * Stores one page and `nextState` in one database transaction. Insert each transaction, or replace the stored one with the same
   * `id` unless the stored `transactionRefresh` is greater (compare as text). If the list is empty, store the state anyway.
   */
  apply: (transactions: Transaction<As>[], nextState: SyncState) => void | Promise<void>;
  /** Transactions per page, 1 to 1000. */
  pageSize?: number;
  signal?: AbortSignal;
};

/**
 * Updates the caller's copy of one account and resolves to the new state.
 *
 * - `state` is the state that `apply` last stored for this account, initially `{}`.
 * - `apply` is called for one page at a time; the next page is fetched once it has resolved. If it throws or the
 *   process dies, call again with the stored state: the sync continues with the first page that was not stored.
 * - `refreshedSince` advances only with the last page, so a crash never skips a transaction. Transactions that change
 *   during a sync are in the next one.
 * - Transactions that the bank removed have the status `void`; they are never absent.
 * - If the service no longer knows the stored cursor (`invalid_cursor`), the sync restarts from the last complete one.
 *   Transactions that are already stored are applied again.
 *
 * Run one sync per account at a time; concurrent ones only repeat work. Throws ProblemError, and UsageError if `state` is missing.
 */
export const syncTransactions = async <As extends Amount>(
  client: Client<As>,
  accountId: string,
  state: SyncState,
  { apply, pageSize, signal }: SyncOptions<As>,
): Promise<SyncState> => {
  checkObject(state, 'state must be the stored state: {} before the first sync.');
  let current = state;
  let restarted = false;
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
      if (restarted || !inProgress || !isInvalidCursor(error)) throw error;
      restarted = true;
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

// refreshedSince advances only here, with the last page.
const nextSyncState = (
  { refreshedSince, inProgress }: SyncState,
  page: TransactionPage<Amount>,
): SyncState => {
  const latestRefresh = page.transactions.reduce(laterRefresh, inProgress?.latestRefresh ?? refreshedSince);
  const cursor = page.pagination.hasMore ? page.pagination.nextCursor : undefined;
  return cursor
    ? { refreshedSince, inProgress: { cursor, latestRefresh } }
    : { refreshedSince: latestRefresh };
};

// Refresh cursors sort from oldest to newest when compared as strings.
const laterRefresh = (
  latest: string | undefined,
  { transactionRefresh }: { transactionRefresh: string },
): string => (latest !== undefined && latest > transactionRefresh ? latest : transactionRefresh);
