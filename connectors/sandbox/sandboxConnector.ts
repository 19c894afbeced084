// The Sandbox's connector. The username and the date determine accounts and transactions, so any process can handle any call. The
// little state that exists is in SandboxStorage.
import {
  abortableSleep,
  type BankAccount,
  BankRefused,
  type BankTransaction,
  BankUnreachable,
  type CallContext,
  type Connector,
  fromDayNumber,
  type History,
  readSeparately,
  throwIfAborted,
  toDayNumber,
} from '@bank-connection/connector-kit';
import { LRUCache } from 'lru-cache';
import {
  answer,
  approveReading,
  challengeAction,
  decodeAccess,
  type SandboxAccess,
  type SandboxDeps,
  signIn,
} from './authentication.ts';
import { firstRememberedDay, withEdits } from './carelessBank.ts';
import { makeLargeAccount } from './largeAccount.ts';
import { balanceOf, dayOf, firstHistoryDay, type Ledger, toBankTransactions } from './ledger.ts';
import { byDate, type MutatedTransaction, mutatedTotals, mutatedTransactions } from './mutatingAccount.ts';
import { accountNames, makePersonaLedgers } from './personaLedger.ts';
import { stableHash } from './seededRandom.ts';
import { historyReadKey, type SandboxStorage } from './storage.ts';
import { type SandboxUser, sandboxUsers } from './users.ts';

/**
 * Creates the sandbox connector. Each organization has its own storage for loaded logins and the bank's state. `slowStepMs` is
 * the duration of each step of user `slow` (default 5 s).
 */
export const makeSandboxConnector = (options: {
  storageOf(organizationId: string): SandboxStorage;
  realNow: SandboxDeps['realNow'];
  slowStepMs?: number;
}): Connector => {
  const { storageOf, realNow, slowStepMs = 5_000 } = options;
  const depsOf = ({ organizationId }: CallContext): SandboxDeps => ({
    storage: storageOf(organizationId),
    realNow,
    slowStepMs,
  });
  return {
    signIn: (request, context) => signIn(depsOf(context), request, context),
    answer: (request, context) => answer(depsOf(context), request, context),
    challengeAction: (request, context) => challengeAction(depsOf(context), request, context),
    accounts: (access, context) => accounts(depsOf(context), access, context),
    approveReading: (request, context) => approveReading(depsOf(context), request, context),
    read: readSeparately({
      accounts: (access, context) => accounts(depsOf(context), access, context),
      history: (request, context) => history(depsOf(context), request, context),
    }),
  };
};

const chunkMax = 1_000;
/** Loaded transactions of any date are returned. */
const earliestDate = '1900-01-01';
const latestDate = '9999-12-31';

const accounts = async (deps: SandboxDeps, token: string, context: CallContext): Promise<BankAccount[]> => {
  throwIfAborted(context.signal);
  const access = decodeAccess(token);
  const user = sandboxUsers.get(access.username);
  if (!user) return loadedAccounts(deps, access, context);
  if (user.trait === 'slow') await abortableSleep(deps.slowStepMs, context.signal);
  const mutated = mutatedTotals(await findMutated(deps, access, user));
  const today = dayOf(context.now);
  return ledgersOf(access, user).map((ledger) => ({
    id: ledger.id,
    name: ledger.name,
    type: ledger.type,
    ...(ledger.subtype && { subtype: ledger.subtype }),
    number: ledger.number,
    currency: ledger.currency,
    balance: { ...balanceOf(ledger, today, mutated), asOf: context.now.toISOString() },
  }));
};

type HistoryRequest = { access: string; accountId: string; since?: string };

const history = async (
  deps: SandboxDeps,
  request: HistoryRequest,
  context: CallContext,
): Promise<History> => {
  throwIfAborted(context.signal);
  const access = decodeAccess(request.access);
  const user = sandboxUsers.get(access.username);
  if (!user) return loadedHistory(deps, access, request, context);
  if (user.trait === 'slow') await abortableSleep(deps.slowStepMs, context.signal);
  // User `rate-limited`: every other day, until the next day.
  if (user.trait === 'rate_limited' && access.unattended && dayOf(context.now) % 2 === 1) {
    const until = new Date(`${fromDayNumber(dayOf(context.now) + 1)}T00:00:00Z`);
    throw new BankUnreachable('rate_limited', { scope: 'connection', until });
  }
  if (user.trait === 'reading_asked' && !access.approved) throw new BankRefused('user_action_required');
  const ledger = ledgersOf(access, user).find(({ id }) => id === request.accountId);
  // An empty history would make all transactions of a missing account void.
  if (!ledger) throw new BankUnreachable('incomplete');

  const today = dayOf(context.now);
  // User `lags`: refreshes every other day.
  const lags = user.trait === 'account_lags' && access.unattended && ledger.name === accountNames.savings;
  if (lags && today % 2 === 1) throw new BankUnreachable('down');
  const from = Math.max(firstHistoryDay(today), request.since ? toDayNumber(request.since) : 0);
  const mutated = (await findMutated(deps, access, user)).filter(({ day }) => day >= from);
  const isForgetful = user.trait === 'history_forgotten' && access.unattended;
  const listedFrom = isForgetful
    ? await firstRememberedDay(deps.storage, { ...ledger, device: access.device }, { from, today })
    : from;
  const planned = toBankTransactions(ledger, listedFrom, today);
  const transactions = mergeMutated(
    user.trait === 'posted_change' ? withEdits(planned, today) : planned,
    mutated,
  );
  const onComplete = async (): Promise<void> => {
    if (user.trait === 'credentials_expire') await deps.storage.put(historyReadKey(access.device), 'yes');
  };
  return {
    completeFrom: fromDayNumber(from),
    completeTo: fromDayNumber(today),
    count: ledger.count(listedFrom, today) + mutated.length,
    chunks: inChunks(withIds(transactions, access, user), context.signal, onComplete),
  };
};

const ledgersOf = (access: SandboxAccess, user: SandboxUser): Ledger[] => {
  const { institutionId, username } = access;
  const seed = `${institutionId}/${username}`;
  if (user.accounts === 'large') return [makeLargeAccount(seed)];
  const persona = { seed, currency: user.currency, twins: user.twins === true };
  const made = ledgers.get(seed) ?? makePersonaLedgers(persona, user.accounts);
  ledgers.set(seed, made);
  // User `new-account`: the bank adds the savings account later.
  const hasAll = user.trait !== 'account_added' || access.hasNewAccount;
  return hasAll ? made : made.filter(({ name }) => name !== accountNames.savings);
};

/** Cached by seed, because computing the months of a history takes longer than reading them. */
const ledgers = new LRUCache<string, Ledger[]>({ max: 32 });

const findMutated = async (
  { storage }: SandboxDeps,
  { institutionId, username, round = 0 }: SandboxAccess,
  user: SandboxUser,
): Promise<MutatedTransaction[]> =>
  user.trait === 'transactions_change'
    ? mutatedTransactions(storage, { institutionId, username, currency: user.currency }, round)
    : [];

const mergeMutated = (
  transactions: Iterable<BankTransaction>,
  mutated: MutatedTransaction[],
): Iterable<BankTransaction> => {
  if (mutated.length === 0) return transactions;
  const all = [...transactions, ...mutated.map(({ transaction }) => transaction)];
  return all.sort(byDate);
};

function* withIds(
  transactions: Iterable<BankTransaction>,
  access: SandboxAccess,
  user: SandboxUser,
): Iterable<BankTransaction> {
  for (const { id = '', ...rest } of transactions) {
    if (user.transactionIds === 'none') yield rest;
    else if (user.transactionIds === 'rotating') yield { id: stableHash(access.nonce ?? '', id), ...rest };
    else yield { id, ...rest };
  }
}

async function* inChunks(
  transactions: Iterable<BankTransaction>,
  signal: AbortSignal,
  onComplete: () => Promise<void>,
): AsyncGenerator<BankTransaction[]> {
  let chunk: BankTransaction[] = [];
  for (const transaction of transactions) {
    chunk.push(transaction);
    if (chunk.length < chunkMax) continue;
    throwIfAborted(signal);
    yield chunk;
    chunk = [];
  }
  throwIfAborted(signal);
  if (chunk.length > 0) yield chunk;
  await onComplete();
}

const loadedAccounts = async (
  { storage }: SandboxDeps,
  { username }: SandboxAccess,
  { now }: CallContext,
): Promise<BankAccount[]> => {
  const loaded = (await storage.loadedAccounts(username)) ?? [];
  return loaded.map(({ account, currency, balance }) => ({
    id: account,
    name: `Account ${account}`,
    type: 'depository',
    number: account,
    currency,
    balance: { current: balance, asOf: now.toISOString() },
  }));
};

const loadedHistory = async (
  { storage }: SandboxDeps,
  { username }: SandboxAccess,
  { accountId, since }: HistoryRequest,
  { signal }: CallContext,
): Promise<History> => {
  const { count, chunks } = await storage.loadedTransactions({ login: username, account: accountId, since });
  const completeFrom = since !== undefined && since > earliestDate ? since : earliestDate;
  // A file may have dates later than the sandbox clock.
  return { completeFrom, completeTo: latestDate, count, chunks: abortable(chunks, signal) };
};

async function* abortable(
  chunks: AsyncIterable<BankTransaction[]>,
  signal: AbortSignal,
): AsyncGenerator<BankTransaction[]> {
  for await (const chunk of chunks) {
    throwIfAborted(signal);
    yield chunk;
  }
  throwIfAborted(signal);
}
