// What a signed-in user sees at the sandbox bank: their accounts and the entries of each.
import { BankUnreachable } from '../../errors.ts';
import type { Connector, BankAccount, BankTransaction, CallContext, History } from '../connector.ts';
import { dateOfDay, dayOf, dayOfDate } from './calendar.ts';
import { stableHash } from './seededRandom.ts';
import { makePersonaLedgers } from './personaLedger.ts';
import { balanceOf, toBankTransactions, type Ledger } from './ledger.ts';
import { historyReadKey } from './sandboxStorage.ts';
import { makeLargeAccount } from './largeAccount.ts';
import { mutatedTransactions, mutatedTotals } from './mutatingAccount.ts';
import { type SandboxAccess, decodeAccess, type SandboxDeps } from './authentication.ts';
import { type SandboxUser, sandboxUsers } from './users.ts';
import { abortableSleep, throwIfAborted } from './abortableSleep.ts';
import { firstVisibleDay } from './historyWindow.ts';

const chunkMax = 1_000;
/** Loaded data are as old as they are, and all of it is shown. */
const earliestDate = '1900-01-01';

export const accounts = async (
  parts: SandboxDeps,
  text: string,
  call: CallContext,
): Promise<BankAccount[]> => {
  throwIfAborted(call.signal);
  const access = decodeAccess(text);
  const user = sandboxUsers.get(access.username);
  if (!user) return loadedAccounts(parts, access);
  if (user.trait === 'slow') await abortableSleep(parts.slowStepMs, call.signal);
  const moved = mutatedTotals(await findMutated(parts, access, user));
  const today = dayOf(call.now);
  return ledgersOf(access, user).map((ledger) => ({
    id: ledger.id,
    name: ledger.name,
    type: ledger.type,
    number: ledger.number,
    currency: ledger.currency,
    balance: balanceOf(ledger, today, moved),
  }));
};

type HistoryRequest = Parameters<Connector['history']>[0];

export const history = async (
  parts: SandboxDeps,
  asked: HistoryRequest,
  call: CallContext,
): Promise<History> => {
  throwIfAborted(call.signal);
  const access = decodeAccess(asked.access);
  const user = sandboxUsers.get(access.username);
  if (!user) return loadedHistory(parts, access, asked, call);
  if (user.trait === 'slow') await abortableSleep(parts.slowStepMs, call.signal);
  const ledger = ledgersOf(access, user).find(({ id }) => id === asked.accountId);
  // An account that is gone must never look like one whose entries are.
  if (!ledger) throw new BankUnreachable('incomplete');

  const today = dayOf(call.now);
  const from = Math.max(firstVisibleDay(today), asked.since ? dayOfDate(asked.since) : 0);
  const moved = (await findMutated(parts, access, user)).filter(({ day }) => day >= from);
  const shown = mergeMutated(toBankTransactions(ledger, from, today), moved);
  const whenRead = async (): Promise<void> => {
    if (user.trait === 'credentials_expire') await parts.storage.put(historyReadKey(access.device), 'yes');
  };
  return {
    completeFrom: dateOfDay(from),
    count: ledger.count(from, today) + moved.length,
    chunks: inChunks(withIds(shown, access, user), call.signal, whenRead),
  };
};

const ledgersOf = ({ institutionId, username }: SandboxAccess, user: SandboxUser): Ledger[] => {
  const seed = `${institutionId}/${username}`;
  if (user.accounts === 'large') return [makeLargeAccount(seed)];
  return makePersonaLedgers({ seed, currency: user.currency, twins: user.twins === true }, user.accounts);
};

const findMutated = async (
  { storage }: SandboxDeps,
  { institutionId, username, round = 0 }: SandboxAccess,
  user: SandboxUser,
): ReturnType<typeof mutatedTransactions> =>
  user.trait === 'transactions_change'
    ? mutatedTransactions(storage, { institutionId, username, currency: user.currency }, round)
    : [];

type Mutated = Awaited<ReturnType<typeof mutatedTransactions>>;

const mergeMutated = (entries: Iterable<BankTransaction>, moved: Mutated): Iterable<BankTransaction> => {
  if (moved.length === 0) return entries;
  const all = [...entries, ...moved.map(({ transaction }) => transaction)];
  return all.sort((left, right) => (left.date < right.date ? -1 : Number(left.date > right.date)));
};

function* withIds(
  entries: Iterable<BankTransaction>,
  access: SandboxAccess,
  user: SandboxUser,
): Iterable<BankTransaction> {
  for (const { id = '', ...entry } of entries) {
    if (user.transactionIds === 'none') yield entry;
    else if (user.transactionIds === 'rotating') yield { id: stableHash(access.nonce ?? '', id), ...entry };
    else yield { id, ...entry };
  }
}

async function* inChunks(
  entries: Iterable<BankTransaction>,
  signal: AbortSignal,
  whenRead: () => Promise<void>,
): AsyncGenerator<BankTransaction[]> {
  let chunk: BankTransaction[] = [];
  for (const entry of entries) {
    chunk.push(entry);
    if (chunk.length < chunkMax) continue;
    throwIfAborted(signal);
    yield chunk;
    chunk = [];
  }
  throwIfAborted(signal);
  if (chunk.length > 0) yield chunk;
  await whenRead();
}

const loadedAccounts = async (
  { storage }: SandboxDeps,
  { username }: SandboxAccess,
): Promise<BankAccount[]> => {
  const loaded = (await storage.loadedAccounts(username)) ?? [];
  return loaded.map(({ account, currency, balance }) => ({
    id: account,
    name: `Account ${account}`,
    type: 'depository',
    number: account,
    currency,
    balance: { current: balance },
  }));
};

const loadedHistory = async (
  { storage }: SandboxDeps,
  { username }: SandboxAccess,
  { accountId, since }: HistoryRequest,
  { signal }: CallContext,
): Promise<History> => {
  const known = (await storage.loadedAccounts(username)) ?? [];
  if (!known.some(({ account }) => account === accountId)) throw new BankUnreachable('incomplete');
  const { count, chunks } = await storage.loadedTransactions({ login: username, account: accountId, since });
  const completeFrom = since !== undefined && since > earliestDate ? since : earliestDate;
  return { completeFrom, count, chunks: abortable(chunks, signal) };
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
