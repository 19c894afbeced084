// A consumer that keeps a copy of one account with the client's syncTransactions, and retries after any failure of the process it
// reads from.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, type SyncState, syncTransactions, type Transaction } from '../../client/index.ts';

export type Consumer = {
  accountId: string;
  transactions: Map<string, Transaction>;
  completedSyncs: number;
  failedSyncs: number;
  /** Transactions that one sync returned twice. */
  duplicates: number;
  /** Repeats the sync until it succeeds. */
  catchUp(): Promise<void>;
  stop(): Promise<void>;
};

export const startConsumer = (client: Client, accountId: string, pageSize: number): Consumer => {
  let state: SyncState = {};
  let stopping = false;
  const seenInSync = new Set<string>();
  const consumer: Consumer = {
    accountId,
    transactions: new Map(),
    ...{ completedSyncs: 0, failedSyncs: 0, duplicates: 0 },
    catchUp: async () => {
      while (!(await sync())) await sleep(200);
    },
    stop: async () => {
      stopping = true;
      await running;
    },
  };
  const apply = (page: Transaction[], next: SyncState): void => {
    for (const transaction of page) {
      if (seenInSync.has(transaction.id)) consumer.duplicates += 1;
      seenInSync.add(transaction.id);
      const existing = consumer.transactions.get(transaction.id);
      if (existing && existing.transactionRefresh > transaction.transactionRefresh) continue;
      consumer.transactions.set(transaction.id, transaction);
    }
    state = next;
    if (!next.inProgress) seenInSync.clear();
  };
  const sync = async (): Promise<boolean> => {
    const signal = AbortSignal.timeout(30_000);
    try {
      await syncTransactions(client, accountId, state, { apply, pageSize, signal });
      consumer.completedSyncs += 1;
      return true;
    } catch {
      consumer.failedSyncs += 1;
      return false;
    }
  };
  const run = async (): Promise<void> => {
    while (!stopping) {
      await sync();
      await sleep(300);
    }
  };
  const running = run();
  return consumer;
};
