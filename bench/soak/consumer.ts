// A consumer: keeps a copy of one account by the client's three steps, and goes on whatever happens to the process
// that answers it.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, type SyncState, syncTransactions, type Transaction } from '../../client/index.ts';

export type Consumer = {
  accountId: string;
  transactions: Map<string, Transaction>;
  /** Completed walks, and those that broke off. */
  completedWalks: number;
  failedWalks: number;
  /** An entry that a single walk showed twice. */
  duplicates: number;
  /** Walks to the end once, and again until it succeeds. */
  catchUp(): Promise<void>;
  stop(): Promise<void>;
};

export const startConsumer = (client: Client, accountId: string, pageSize: number): Consumer => {
  let state: SyncState = {};
  let stopping = false;
  const shown = new Set<string>();
  const reader: Consumer = {
    accountId,
    transactions: new Map(),
    ...{ completedWalks: 0, failedWalks: 0, duplicates: 0 },
    catchUp: async () => {
      while (!(await walk())) await sleep(200);
    },
    stop: async () => {
      stopping = true;
      await reading;
    },
  };
  const apply = (page: Transaction[], next: SyncState): void => {
    for (const transaction of page) {
      if (shown.has(transaction.id)) reader.duplicates += 1;
      shown.add(transaction.id);
      const known = reader.transactions.get(transaction.id);
      if (known && known.transactionRefresh > transaction.transactionRefresh) continue;
      reader.transactions.set(transaction.id, transaction);
    }
    state = next;
    if (!next.inProgress) shown.clear();
  };
  const walk = async (): Promise<boolean> => {
    try {
      await syncTransactions(client, accountId, state, {
        apply,
        pageSize,
        signal: AbortSignal.timeout(30_000),
      });
      reader.completedWalks += 1;
      return true;
    } catch {
      reader.failedWalks += 1;
      return false;
    }
  };
  const read = async (): Promise<void> => {
    while (!stopping) {
      await walk();
      await sleep(300);
    }
  };
  const reading = read();
  return reader;
};
