// Asks the bank for the accounts of one connection and stages what it says, in bounded chunks and with no
// database transaction open. What comes out is everything that publishing needs, but nothing is published yet.
import { setImmediate } from 'node:timers/promises';
import type { AccountRow } from '../accounts/account.ts';
import type { Connector, BankAccount, BankTransaction, CallContext } from '../connectors/connector.ts';
import { type Clock, toIsoDate } from '../clock.ts';
import type { Limits } from '../config.ts';
import type { Database } from '../db/open.ts';
import { BankUnreachable } from '../errors.ts';
import { makeId, toBase62 } from '../ids.ts';
import { isDecimal } from '../json.ts';
import { randomBytes } from '../random.ts';
import { type DataKey, newDataKey } from '../users/dataKeys.ts';
import { type StagedTransactions, stageExistingAccount, stageNewAccount } from './stageAccount.ts';

/** An account that the bank shows, and the row that we hold of it, if we do. */
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
  /** Only entries from this date on; without it, everything that the bank shows. */
  since?: string;
  call: CallContext;
  onProgress?: (progress: { done: number; total?: number }) => Promise<void>;
};

export type FetchDeps = { db: Database; clock: Clock; fingerprintKey: Buffer; limits: Limits };

/** Stages and merges all accounts. Throws BankRefused or BankUnreachable; what was staged is then swept away later. */
export const fetchAccounts = async (tools: FetchDeps, request: FetchRequest): Promise<FetchedAccounts> => {
  const refreshId = toBase62(randomBytes(16));
  const dataKey = newDataKey();
  const progress = trackProgress(request);
  const accounts: FetchedAccount[] = [];
  for (const wanted of request.accounts) {
    checkAccount(wanted.incoming);
    const id = wanted.existing?.id ?? makeId('acc');
    const of = { endUserId: request.endUserId, refreshId, accountId: id };
    const history = await request.connector.history(
      { access: request.access, accountId: wanted.incoming.id, since: request.since },
      request.call,
    );
    progress.expect(history.count);
    const createdAt = tools.clock.real().toISOString();
    const place = {
      ...of,
      currency: wanted.incoming.currency,
      dataKey: dataKey.key,
      fingerprintKey: tools.fingerprintKey,
      createdAt,
    };
    const chunks = inBatches(history.chunks, request.call.signal, {
      entriesMax: tools.limits.fetchChunkTransactions,
      onTaken: progress.add,
    });
    const gathered = wanted.existing
      ? await stageExistingAccount(tools, { completeFrom: history.completeFrom, chunks }, place)
      : await stageNewAccount(tools, chunks, place);
    if (history.count !== undefined && history.count !== gathered.transactionCount)
      throw new BankUnreachable('incomplete');
    accounts.push({ ...wanted, id, ...gathered });
  }
  return { refreshId, endUserId: request.endUserId, dataKey, accounts };
};

// However much a bank says at once, whoever else asks something of this process waits for one piece of it at most.
async function* inBatches(
  chunks: AsyncIterable<BankTransaction[]>,
  signal: AbortSignal,
  { entriesMax, onTaken }: { entriesMax: number; onTaken(count: number): Promise<void> },
): AsyncGenerator<BankTransaction[]> {
  for await (const chunk of chunks) {
    signal.throwIfAborted();
    checkTransactions(chunk);
    for (let at = 0; at < chunk.length; at += entriesMax) {
      const piece = chunk.slice(at, at + entriesMax);
      yield piece;
      await onTaken(piece.length);
      await setImmediate();
    }
  }
}

// A connector that breaks its contract is a bank that answered badly: nothing of such an answer is kept.
const checkAccount = ({ balance }: BankAccount): void => {
  const amounts = [balance.current, balance.available, balance.limit].filter(
    (amount) => amount !== undefined,
  );
  if (!amounts.every(isDecimal)) throw new BankUnreachable('incomplete');
};

const checkTransactions = (entries: readonly BankTransaction[]): void => {
  // Many entries share a day, and parsing a date costs more than all else that is checked.
  let genuineDate = '';
  for (const entry of entries) {
    if (entry.date !== genuineDate && isDate(entry.date)) genuineDate = entry.date;
    if (entry.date !== genuineDate || !isDecimal(entry.amount)) throw new BankUnreachable('incomplete');
  }
};

const isDate = (text: string): boolean => {
  const date = new Date(text);
  return !Number.isNaN(date.getTime()) && toIsoDate(date) === text;
};

const trackProgress = (request: FetchRequest) => {
  let done = 0;
  let total: number | undefined = 0;
  let accountsSeen = 0;
  return {
    expect: (count: number | undefined): void => {
      accountsSeen += 1;
      total = total === undefined || count === undefined ? undefined : total + count;
    },
    add: async (count: number): Promise<void> => {
      done += count;
      // The total is known only once every account has said how many it has.
      const known = accountsSeen === request.accounts.length ? total : undefined;
      await request.onProgress?.({ done, total: known });
    },
  };
};
