// Fetches the accounts of one connection from the bank and merges their transactions with the stored ones, in bounded chunks
// and without an open database transaction. The result contains everything that publishing needs. If the bank does not respond
// for one account, the others are still fetched.
import { randomBytes, randomInt } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type {
  BankAccount,
  BankTransaction,
  CallContext,
  History,
  Reading,
} from '../../../connectors/kit/contract.ts';
import { statusPosted } from '../../domain/codec/transaction.ts';
import { pauseEnd } from '../../domain/institutions/bankPauses.ts';
import { ByteSemaphore } from '../../platform/loops/byteSemaphore.ts';
import { unpublishedMilliseconds } from '../../platform/settings/limits.ts';
import { addMilliseconds, toIsoDate } from '../../platform/values/clock.ts';
import { BankUnreachable } from '../../platform/values/errors.ts';
import { makeIdNear, nextRefreshTime, toBase62 } from '../../platform/values/ids.ts';
import { type DataKey, makeDataKey } from '../../platform/vault/seal.ts';
import { type AccountFingerprints, accountFingerprints } from '../merge/fingerprints.ts';
import { storeRowsAhead } from './addedRows.ts';
import type { Absences, QueueDeps } from './jobs.ts';
import type { AccountMatch, MatchedAccount } from './matchAccounts.ts';
import { type MergedAccount, mergeAccount } from './mergeAccount.ts';
import { fromStart, startOfSuccessor, voidReplaced } from './replacedAccount.ts';
import type { MemoryBudget } from './staging.ts';

export type FetchedAccount = MatchedAccount & {
  id: string;
  shortId: number;
  fingerprints: AccountFingerprints;
  /** Its first day, if it replaces another account. */
  startsOn?: string | null;
  /** The account that replaces this one and takes over transactions; this one only loses them. */
  replacedBy?: string;
  /** The reason not to poll it: it was read recently, or the bank's limit is reached. */
  skipped?: 'recent' | 'limited';
  /**
   * Its transactions, the first day (YYYY-MM-DD) from which they are complete, if the bank reports it, and the last known day;
   * undefined if the bank did not respond for this account.
   */
  history?: { merged: MergedAccount; completeFrom?: string; readTo: string };
};

export type FetchedAccounts = {
  refreshId: string;
  endUserId: string;
  dataKey: DataKey;
  /** True if everything that the bank has was requested. */
  full: boolean;
  accounts: FetchedAccount[];
  /** The ids of shared accounts that the bank does not list. */
  unlistedIds: string[];
  /** Accounts that the bank lists but the end user does not share. */
  unsharedFingerprints: Buffer[];
  absences: Absences;
  /** When the bank's pause for all accounts ends. */
  pausedUntil?: Date;
  /** When (ISO 8601) the bank's pause for a single account ends, by account id. */
  pauses: Record<string, string>;
};

/** The accounts to fetch, and the others. */
export type AccountsToFetch = Omit<AccountMatch, 'known'>;

export type FetchRequest = AccountsToFetch & {
  endUserId: string;
  connectionId: string;
  fingerprintKey: Buffer;
  reading: Reading;
  /** The first date (YYYY-MM-DD) to fetch transactions from; all that the bank has if absent. */
  since?: string;
  /** True if accounts, but never all, may be omitted when the bank does not respond for them. */
  mayFail: boolean;
  /** The reason not to poll a stored account, if any. */
  skip?(accountId: string): FetchedAccount['skipped'];
  /** The number of consecutive attempts without a response. */
  attempts: number;
  call: CallContext;
  onProgress?: (progress: { done: number; total?: number }) => Promise<void>;
};

const accountShortIdMax = 2 ** 31 - 1;

// The memory that a merge uses per stored transaction if it reads all of them.
const storedBytesPerTransaction = 70;
const concurrentMerges = new ByteSemaphore();

/** Fetches and merges all accounts. Throws BankRefused or BankUnreachable; the retention sweep then deletes staged rows. */
export const fetchAccounts = async (deps: QueueDeps, request: FetchRequest): Promise<FetchedAccounts> => {
  const { endUserId, mayFail, call } = request;
  const [refreshId, dataKey, full] = [toBase62(randomBytes(16)), makeDataKey(), request.since === undefined];
  const memory = { bytes: deps.limits.mergeMemoryBytes };
  const context = { deps, request, progress: trackProgress(request), refreshId, dataKey, full, memory };
  const accounts: FetchedAccount[] = [];
  const failures: BankUnreachable[] = [];
  const paused = trackPauses(request);
  for (const account of request.matched) {
    const named = {
      ...account,
      id: account.existing?.id ?? makeIdNear('acc', endUserId),
      shortId: account.existing?.shortId ?? randomInt(accountShortIdMax),
      fingerprints: fingerprintAccount(account, request),
    };
    const skipped = paused.until() ? 'limited' : request.skip?.(named.id);
    try {
      accounts.push(...(skipped ? [{ ...named, skipped }] : await fetchAccount(context, named)));
    } catch (error) {
      if (!(error instanceof BankUnreachable) || !mayFail || call.signal.aborted) throw error;
      failures.push(error);
      paused.note(error, named.id);
      // Leaves a replacement to the next refresh.
      if (!account.replaced) accounts.push(named);
    }
  }
  const [firstFailure] = failures;
  if (firstFailure && accounts.every(({ history, skipped }) => !history && !skipped)) throw firstFailure;
  for (const [index, account] of accounts.entries())
    accounts[index] = { ...account, incoming: await withBalance(request, account, paused) };
  const isFull = full && !accounts.some(({ skipped }) => skipped);
  const result = { refreshId, endUserId, dataKey, full: isFull, accounts };
  return {
    ...result,
    unlistedIds: request.unlisted.map(({ id }) => id),
    unsharedFingerprints: request.unshared.map(
      (account) => accountFingerprints(account, request).currencyFingerprint,
    ),
    absences: countAbsences(accounts),
    pausedUntil: paused.until(),
    pauses: paused.ofAccounts,
  };
};

/** Collects the rate limits that the bank reports in this conversation. */
const trackPauses = ({ attempts, call }: FetchRequest) => {
  const ofAccounts: Record<string, string> = {};
  let untilAll: Date | undefined;
  return {
    ofAccounts,
    until: () => untilAll,
    note: ({ rateLimit }: BankUnreachable, accountId: string): void => {
      if (!rateLimit) return;
      const until = pauseEnd(rateLimit, attempts, call.now);
      if (rateLimit.scope === 'account') ofAccounts[accountId] = until.toISOString();
      else untilAll = until;
    },
  };
};

/** Adds the account's balance if that takes a separate request, which may fail on its own. */
const withBalance = async (
  { reading, call }: FetchRequest,
  { id, incoming, replacedBy, skipped }: FetchedAccount,
  paused: ReturnType<typeof trackPauses>,
): Promise<BankAccount> => {
  const isKnown = incoming.balance || replacedBy !== undefined;
  if (!reading.balance || isKnown || skipped || paused.until()) return incoming;
  const balance = await reading.balance(incoming.id).catch((error: unknown) => {
    if (!(error instanceof BankUnreachable) || call.signal.aborted) throw error;
    paused.note(error, id);
  });
  return { ...incoming, ...(balance && { balance }) };
};

/** The ids of the accounts for which the bank did not respond, or omitted too much. */
export const laggingAccountIds = ({ accounts }: Pick<FetchedAccounts, 'accounts'>): string[] =>
  accounts
    .filter(({ history, skipped }) => (history ? history.merged.plan.isDoubted : skipped !== 'recent'))
    .map(({ id }) => id);

const countAbsences = (accounts: readonly FetchedAccount[]): Absences => {
  const merges = accounts.flatMap(({ history, replacedBy }) =>
    history && !replacedBy ? history.merged : [],
  );
  const withdrawn = merges.flatMap(({ plan, stored }) =>
    plan.voided.filter((row) => stored.status(row) === statusPosted),
  );
  return { withdrawn: withdrawn.length, doubted: merges.filter(({ plan }) => plan.isDoubted).length };
};

type FetchContext = Pick<FetchedAccounts, 'refreshId' | 'dataKey' | 'full'> & {
  deps: QueueDeps;
  request: FetchRequest;
  progress: ReturnType<typeof trackProgress>;
  memory: MemoryBudget;
};

type NamedAccount = Omit<FetchedAccount, 'history'>;

/** Returns the account, and the one that it replaces. */
const fetchAccount = async (context: FetchContext, account: NamedAccount): Promise<FetchedAccount[]> => {
  const { deps, request, progress, full, memory } = context;
  const { incoming, existing, replaced } = account;
  const history = await request.reading.history(incoming.id);
  const startsOn = existing ? existing.startsOn : replaced && startOfSuccessor(replaced, history, deps);
  progress.expect(history.count);
  const target = {
    endUserId: request.endUserId,
    refreshId: context.refreshId,
    accountId: account.id,
    accountShortId: account.shortId,
    currency: incoming.currency,
    dataKey: context.dataKey,
    fingerprintKey: request.fingerprintKey,
    createdAt: deps.clock.real().toISOString(),
    deleteAfter: addMilliseconds(deps.clock.real(), unpublishedMilliseconds(deps.limits)).toISOString(),
  };
  const chunks = splitChunks(history.chunks, request.call.signal, {
    transactionsMax: deps.limits.fetchChunkTransactions,
    onProcessed: progress.add,
  });
  const { since } = request;
  const { now, signal } = request.call;
  const bytes = full ? (existing?.nextSeq ?? 0) * storedBytesPerTransaction : 0;
  const shared = fromStart({ ...history, since, now }, startsOn);
  const merged = await concurrentMerges.run({ bytes, bytesMax: deps.limits.concurrentMergeBytes }, () =>
    mergeAccount({ ...deps, memory }, { ...shared, chunks }, target, existing),
  );
  const { count } = history;
  if (count !== undefined && count !== merged.transactionCount) throw new BankUnreachable('incomplete');
  const readTo = readToOf(history, request.call);
  const ahead = { refreshTime: nextRefreshTime(undefined, now), signal };
  const stored = existing ? merged : await storeRowsAhead(deps, merged, target, ahead);
  const { completeFrom } = shared;
  const fetched = { ...account, startsOn, history: { merged: stored, completeFrom, readTo } };
  if (!replaced) return [fetched];
  const voided = await voidReplaced({ ...deps, memory }, shared, target, replaced);
  const { id, shortId } = replaced;
  const ended = { ...account, existing: replaced, id, shortId, replacedBy: account.id };
  return [fetched, { ...ended, history: { merged: voided, readTo } }];
};

// If the bank does not report up to which day an account is complete, it counts as read up to today.
const readToOf = ({ completeTo }: History, { now }: CallContext): string => {
  const today = toIsoDate(now);
  return completeTo !== undefined && completeTo < today ? completeTo : today;
};

/** The fingerprints to store. Keeps that of a number the bank no longer returns, because it may come back. */
const fingerprintAccount = (
  { incoming, existing }: MatchedAccount,
  request: FetchRequest,
): AccountFingerprints => ({
  ...accountFingerprints(incoming, request),
  ...(incoming.number === '' && existing && { numberFingerprint: existing.numberFingerprint }),
});

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
      // The total is known only once the bank has sent every account's count.
      const knownTotal = accountsStarted === request.matched.length ? total : undefined;
      await request.onProgress?.({ done, total: knownTotal });
    },
  };
};
