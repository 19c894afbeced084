// Fetches the accounts of one connection from the bank and stages their transactions, in bounded chunks and without an
// open database transaction. The result is everything that publishing needs.

import { randomBytes } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../clock.ts';
import type { Limits } from '../config.ts';
import type { BankAccount, BankTransaction, CallContext, Connector } from '../connectors/connector.ts';
import type { Database } from '../db/open.ts';
import type { AccountRow } from '../db/tables.ts';
import { BankUnreachable } from '../errors.ts';
import { makeId, toBase62 } from '../ids.ts';
import { type DataKey, newDataKey } from '../users/dataKeys.ts';
import { type StagedTransactions, stageExistingAccount, stageNewAccount } from './stageAccount.ts';

/** An account that the bank lists, and our row of it unless it is new. */
export type MatchedAccount = { incoming: BankAccount; existing?: AccountRow };

export type FetchedAccount = MatchedAccount & { id: string } & StagedTransactions;

export type FetchedAccounts = {
  refreshId: string;
  endUserId: string;
  dataKey: DataKey;
  accounts: FetchedAccount[];
};

export type FetchRequest = {
  endUserId: string;
  connector: Connector;
  access: string;
  accounts: readonly MatchedAccount[];
  /** Only transactions from this date (YYYY-MM-DD) on; if missing, all that the bank has. */
  since?: string;
  call: CallContext;
  onProgress?: (progress: { done: number; total?: number }) => Promise<void>;
};

export type FetchDeps = { db: Database; clock: Clock; fingerprintKey: Buffer; limits: Limits };

/**
 * Fetches, stages and merges all accounts. Throws BankRefused or BankUnreachable; the retention sweep then deletes what
 * was staged.
 */
export const fetchAccounts = async (deps: FetchDeps, request: FetchRequest): Promise<FetchedAccounts> => {
  const refreshId = toBase62(randomBytes(16));
  const dataKey = newDataKey();
  const progress = trackProgress(request);
  const accounts: FetchedAccount[] = [];
  for (const account of request.accounts) {
    const { incoming, existing } = account;
    const id = existing?.id ?? makeId('acc');
    const history = await request.connector.history(
      { access: request.access, accountId: incoming.id, since: request.since },
      request.call,
    );
    progress.expect(history.count);
    const target = {
      endUserId: request.endUserId,
      refreshId,
      accountId: id,
      currency: incoming.currency,
      dataKey: dataKey.key,
      fingerprintKey: deps.fingerprintKey,
      createdAt: deps.clock.real().toISOString(),
    };
    const chunks = splitChunks(history.chunks, request.call.signal, {
      transactionsMax: deps.limits.fetchChunkTransactions,
      onProcessed: progress.add,
    });
    const staged = existing
      ? await stageExistingAccount(deps, { completeFrom: history.completeFrom, chunks }, target)
      : await stageNewAccount(deps, chunks, target);
    if (history.count !== undefined && history.count !== staged.transactionCount)
      throw new BankUnreachable('incomplete');
    accounts.push({ ...account, id, ...staged });
  }
  return { refreshId, endUserId: request.endUserId, dataKey, accounts };
};

// Splits a bank's chunks into smaller ones and lets other requests run in between.
async function* splitChunks(
  chunks: AsyncIterable<BankTransaction[]>,
  signal: AbortSignal,
  { transactionsMax, onProcessed }: { transactionsMax: number; onProcessed(count: number): Promise<void> },
): AsyncGenerator<BankTransaction[]> {
  for await (const chunk of chunks) {
    signal.throwIfAborted();
    for (let start = 0; start < chunk.length; start += transactionsMax) {
      const part = chunk.slice(start, start + transactionsMax);
      yield part;
      await onProcessed(part.length);
      await setImmediate();
    }
  }
}

const trackProgress = (request: FetchRequest) => {
  let done = 0;
  let total: number | undefined = 0;
  let accountsStarted = 0;
  return {
    expect: (count: number | undefined): void => {
      accountsStarted += 1;
      total = total === undefined || count === undefined ? undefined : total + count;
    },
    add: async (count: number): Promise<void> => {
      done += count;
      // The total is known only when the bank has sent the count of every account.
      const knownTotal = accountsStarted === request.accounts.length ? total : undefined;
      await request.onProgress?.({ done, total: knownTotal });
    },
  };
};
