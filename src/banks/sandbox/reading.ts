// What a signed-in user sees at the sandbox bank: their accounts and the entries of each.
import { BankUnreachable } from '../../errors.ts';
import type { Bank, BankAccount, BankEntry, Call, History } from '../bank.ts';
import { dateOfDay, dayOf, dayOfDate } from './calendar.ts';
import { mark } from './dice.ts';
import { makeHousehold } from './household.ts';
import { balanceOf, entriesOf, type Ledger } from './ledger.ts';
import { readKey } from './memory.ts';
import { makeMerchant } from './merchant.ts';
import { movedEntries, movedTotals } from './moves.ts';
import { type Access, readAccess, type SandboxParts } from './signingIn.ts';
import { type SandboxUser, sandboxUsers } from './users.ts';
import { pause, stopIfAborted } from './waiting.ts';
import { firstShownDay } from './window.ts';

const chunkMax = 1_000;
/** Loaded data are as old as they are, and all of it is shown. */
const beginningOfTime = '1900-01-01';

export const accounts = async (parts: SandboxParts, text: string, call: Call): Promise<BankAccount[]> => {
  stopIfAborted(call.signal);
  const access = readAccess(text);
  const user = sandboxUsers.get(access.username);
  if (!user) return loadedAccounts(parts, access);
  if (user.trait === 'slow') await pause(parts.slowStepMs, call.signal);
  const moved = movedTotals(await movesOf(parts, access, user));
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

type Asked = Parameters<Bank['history']>[0];

export const history = async (parts: SandboxParts, asked: Asked, call: Call): Promise<History> => {
  stopIfAborted(call.signal);
  const access = readAccess(asked.access);
  const user = sandboxUsers.get(access.username);
  if (!user) return loadedHistory(parts, access, asked, call);
  if (user.trait === 'slow') await pause(parts.slowStepMs, call.signal);
  const ledger = ledgersOf(access, user).find(({ id }) => id === asked.accountId);
  // An account that is gone must never look like one whose entries are.
  if (!ledger) throw new BankUnreachable('incomplete');

  const today = dayOf(call.now);
  const from = Math.max(firstShownDay(today), asked.since ? dayOfDate(asked.since) : 0);
  const moved = (await movesOf(parts, access, user)).filter(({ day }) => day >= from);
  const shown = withMoves(entriesOf(ledger, from, today), moved);
  const whenRead = async (): Promise<void> => {
    if (user.trait === 'expires') await parts.memory.put(readKey(access.device), 'yes');
  };
  return {
    completeFrom: dateOfDay(from),
    count: ledger.count(from, today) + moved.length,
    chunks: inChunks(withIds(shown, access, user), call.signal, whenRead),
  };
};

const ledgersOf = ({ institutionId, username }: Access, user: SandboxUser): Ledger[] => {
  const seed = `${institutionId}/${username}`;
  if (user.accounts === 'merchant') return [makeMerchant(seed)];
  return makeHousehold({ seed, currency: user.currency, twins: user.twins === true }, user.accounts);
};

const movesOf = async (
  { memory }: SandboxParts,
  { institutionId, username, round = 0 }: Access,
  user: SandboxUser,
): ReturnType<typeof movedEntries> =>
  user.trait === 'moves'
    ? movedEntries(memory, { institutionId, username, currency: user.currency }, round)
    : [];

type Moves = Awaited<ReturnType<typeof movedEntries>>;

const withMoves = (entries: Iterable<BankEntry>, moved: Moves): Iterable<BankEntry> => {
  if (moved.length === 0) return entries;
  const all = [...entries, ...moved.map(({ entry }) => entry)];
  return all.sort((left, right) => (left.date < right.date ? -1 : Number(left.date > right.date)));
};

function* withIds(entries: Iterable<BankEntry>, access: Access, user: SandboxUser): Iterable<BankEntry> {
  for (const { id = '', ...entry } of entries) {
    if (user.entryIds === 'none') yield entry;
    else if (user.entryIds === 'rotating') yield { id: mark(access.nonce ?? '', id), ...entry };
    else yield { id, ...entry };
  }
}

async function* inChunks(
  entries: Iterable<BankEntry>,
  signal: AbortSignal,
  whenRead: () => Promise<void>,
): AsyncGenerator<BankEntry[]> {
  let chunk: BankEntry[] = [];
  for (const entry of entries) {
    chunk.push(entry);
    if (chunk.length < chunkMax) continue;
    stopIfAborted(signal);
    yield chunk;
    chunk = [];
  }
  stopIfAborted(signal);
  if (chunk.length > 0) yield chunk;
  await whenRead();
}

const loadedAccounts = async ({ memory }: SandboxParts, { username }: Access): Promise<BankAccount[]> => {
  const loaded = (await memory.loadedAccounts(username)) ?? [];
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
  { memory }: SandboxParts,
  { username }: Access,
  { accountId, since }: Asked,
  { signal }: Call,
): Promise<History> => {
  const known = (await memory.loadedAccounts(username)) ?? [];
  if (!known.some(({ account }) => account === accountId)) throw new BankUnreachable('incomplete');
  const { count, chunks } = await memory.loadedEntries({ login: username, account: accountId, since });
  const completeFrom = since !== undefined && since > beginningOfTime ? since : beginningOfTime;
  return { completeFrom, count, chunks: abortable(chunks, signal) };
};

async function* abortable(
  chunks: AsyncIterable<BankEntry[]>,
  signal: AbortSignal,
): AsyncGenerator<BankEntry[]> {
  for await (const chunk of chunks) {
    stopIfAborted(signal);
    yield chunk;
  }
  stopIfAborted(signal);
}
