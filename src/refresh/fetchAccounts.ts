// Fetches the accounts of one connection from the bank and merges their transactions with the stored ones, in bounded
// chunks and without an open database transaction. The result is everything that publishing needs.
import { randomBytes, randomInt } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { StoredAccountRow } from '../accounts/store.ts';
import { ByteSemaphore } from '../byteSemaphore.ts';
import { addMilliseconds, type Clock } from '../clock.ts';
import { type Limits, unpublishedMilliseconds } from '../config.ts';
import type { BankAccount, BankTransaction, CallContext, Connector } from '../connectors/connector.ts';
import type { Database } from '../db/open.ts';
import type { AccountRow } from '../db/tables.ts';
import { BankUnreachable } from '../errors.ts';
import { makeId, toBase62 } from '../ids.ts';
import { type DataKey, newDataKey } from '../users/dataKeys.ts';
import type { KeyVersion } from '../vault/keyset.ts';
import { makeSlowFingerprintParameters } from '../vault/slowFingerprint.ts';
import {
  accountIdFingerprint,
  accountNumberFingerprint,
  type FingerprintKeys,
  findFingerprintKey,
} from './fingerprints.ts';
import { type MergedAccount, mergeAccount } from './mergeAccount.ts';

/** An account that the bank lists, and our row of it unless it is new. */
export type MatchedAccount = { incoming: BankAccount; existing?: StoredAccountRow };

export type FetchedAccount = MatchedAccount & {
  id: string;
  shortId: number;
  fingerprints: AccountFingerprints;
  merged: MergedAccount;
};

type AccountFingerprints = Pick<
  AccountRow,
  'fingerprintKeyId' | 'bankIdFingerprint' | 'numberFingerprint' | 'slowFingerprintParameters'
>;

export type FetchedAccounts = {
  refreshId: string;
  endUserId: string;
  dataKey: DataKey;
  /** Whether everything that the bank shows was read. */
  full: boolean;
  /** The version of the key with which new fingerprints are made. */
  fingerprintKeyId: string;
  accounts: FetchedAccount[];
};

export type FetchRequest = {
  endUserId: string;
  connectionId: string;
  connector: Connector;
  access: string;
  accounts: readonly MatchedAccount[];
  /** Only transactions from this date (YYYY-MM-DD) on; if missing, all that the bank has. */
  since?: string;
  call: CallContext;
  onProgress?: (progress: { done: number; total?: number }) => Promise<void>;
};

export type FetchDeps = { db: Database; clock: Clock; fingerprintKeys: FingerprintKeys; limits: Limits };

const accountShortIdMax = 2 ** 31 - 1;

// What a merge keeps in memory of each stored transaction, if it reads all of them.
const storedBytesPerTransaction = 64;
const concurrentMerges = new ByteSemaphore();

/**
 * Fetches and merges all accounts. Throws BankRefused or BankUnreachable; the retention sweep then deletes what
 * was staged.
 */
export const fetchAccounts = async (deps: FetchDeps, request: FetchRequest): Promise<FetchedAccounts> => {
  const refreshId = toBase62(randomBytes(16));
  const dataKey = newDataKey();
  const progress = trackProgress(request);
  const memory = { bytes: deps.limits.mergeMemoryBytes };
  const full = request.since === undefined;
  const accounts: FetchedAccount[] = [];
  for (const account of request.accounts) {
    const { incoming, existing } = account;
    const id = existing?.id ?? makeId('acc');
    const history = await request.connector.history(
      { access: request.access, accountId: incoming.id, since: request.since },
      request.call,
    );
    progress.expect(history.count);
    const version = chooseVersion(deps, account, full);
    const fingerprints = await fingerprintAccount(deps, request.connectionId, account, version);
    const shortId = existing?.shortId ?? randomInt(accountShortIdMax);
    const target = {
      endUserId: request.endUserId,
      refreshId,
      accountId: id,
      accountShortId: shortId,
      currency: incoming.currency,
      dataKey,
      fingerprintKey: version.stored,
      newFingerprintKey: version.new?.key,
      slowFingerprintParameters: fingerprints.slowFingerprintParameters,
      createdAt: deps.clock.real().toISOString(),
      deleteAfter: addMilliseconds(deps.clock.real(), unpublishedMilliseconds(deps.limits)).toISOString(),
    };
    const chunks = splitChunks(history.chunks, request.call.signal, {
      transactionsMax: deps.limits.fetchChunkTransactions,
      onProcessed: progress.add,
    });
    const { completeFrom, count } = history;
    const bytes = full ? (existing?.nextSeq ?? 0) * storedBytesPerTransaction : 0;
    const merged = await concurrentMerges.run({ bytes, bytesMax: deps.limits.concurrentMergeBytes }, () =>
      mergeAccount({ ...deps, memory }, { completeFrom, chunks }, target, existing),
    );
    if (count !== undefined && count !== merged.transactionCount) throw new BankUnreachable('incomplete');
    accounts.push({ ...account, id, shortId, fingerprints, merged });
  }
  const fingerprintKeyId = deps.fingerprintKeys.current.id;
  return { refreshId, endUserId: request.endUserId, dataKey, full, fingerprintKeyId, accounts };
};

/** The key of an account's stored fingerprints; and where a full refresh replaces it, the new one. */
type FingerprintVersion = { stored: Buffer; new: KeyVersion<Buffer> | undefined };

const chooseVersion = (
  { fingerprintKeys }: FetchDeps,
  { existing }: MatchedAccount,
  full: boolean,
): FingerprintVersion => {
  const { current } = fingerprintKeys;
  const keyId = existing?.fingerprintKeyId ?? current.id;
  const isReplaced = full && keyId !== current.id;
  return { stored: findFingerprintKey(fingerprintKeys, keyId), new: isReplaced ? current : undefined };
};

// The slow fingerprint of the number is computed once for each key: a bank whose ids change does not change the numbers as
// well.
const fingerprintAccount = async (
  { fingerprintKeys, limits }: FetchDeps,
  connectionId: string,
  { incoming, existing }: MatchedAccount,
  version: FingerprintVersion,
): Promise<AccountFingerprints> => {
  const scope = { connectionId, fingerprintKey: version.new?.key ?? version.stored };
  const bankIdFingerprint = accountIdFingerprint(incoming.id, scope);
  if (existing && !version.new) {
    const { fingerprintKeyId, numberFingerprint, slowFingerprintParameters } = existing;
    return { fingerprintKeyId, bankIdFingerprint, numberFingerprint, slowFingerprintParameters };
  }
  const slowFingerprintParameters =
    existing?.slowFingerprintParameters ??
    makeSlowFingerprintParameters({
      memoryMib: limits.slowFingerprintMemoryMib,
      passes: limits.slowFingerprintPasses,
    });
  const numberFingerprint = await accountNumberFingerprint(incoming.number, scope, slowFingerprintParameters);
  const fingerprintKeyId = fingerprintKeys.current.id;
  return { fingerprintKeyId, bankIdFingerprint, numberFingerprint, slowFingerprintParameters };
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
