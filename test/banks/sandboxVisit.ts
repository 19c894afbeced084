// A visit to the sandbox bank as a test makes it: a fresh database for its memory, one user, everything read.
import type { Bank, BankAccount, BankEntry, Call } from '../../src/banks/bank.ts';
import type { SandboxMemory } from '../../src/banks/sandbox/memory.ts';
import { makeSandboxBank } from '../../src/banks/sandbox/sandboxBank.ts';
import { type Database, openDatabase } from '../../src/db/open.ts';
import { randomBytes } from '../../src/random.ts';
import { makeSandboxMemory } from '../../src/sandbox/memory.ts';
import { type DatabaseKind, databases } from '../databases.ts';

export type Sandbox = {
  db: Database;
  secret: Buffer;
  memory: SandboxMemory;
  bank: Bank;
  close(): Promise<void>;
};

/** A sandbox bank over a database of its own. */
export const openSandbox = async (
  parts: { realNow?: () => Date; slowStepMs?: number } = {},
  kind: DatabaseKind = databases[0]!,
): Promise<Sandbox> => {
  const database = await kind.create();
  const db = await openDatabase(database.url);
  const secret = randomBytes(32);
  const memory = makeSandboxMemory(db, secret);
  const bank = makeSandboxBank({ memory, realNow: () => new Date(), ...parts });
  const close = async (): Promise<void> => {
    await db.close();
    await database.drop();
  };
  return { db, secret, memory, bank, close };
};

export const institutionId = 'sandbox-bank';
export const today = new Date('2026-11-21T10:00:00Z');

export const callAt = (now: Date = today, signal: AbortSignal = new AbortController().signal): Call => ({
  now,
  signal,
});

type Visitor = { username: string; password?: string; now?: Date; attended?: boolean; deviceToken?: string };

export const signIn = (bank: Bank, visitor: Visitor) => {
  const { username, password = 'password', now, attended = true, deviceToken } = visitor;
  const request = { institutionId, credentials: { username, password }, attended, deviceToken };
  return bank.signIn(request, callAt(now));
};

/** Signs in somebody who is asked nothing. */
export const letIn = async (
  bank: Bank,
  visitor: Visitor,
): Promise<{ access: string; deviceToken: string }> => {
  const step = await signIn(bank, visitor);
  if (step.kind !== 'signedIn') throw new Error(`${visitor.username} is asked for: ${step.challenge.kind}.`);
  return { access: step.access, deviceToken: step.deviceToken! };
};

export const entriesOf = async (
  bank: Bank,
  request: { access: string; accountId: string; since?: string },
  now?: Date,
): Promise<BankEntry[]> => {
  const { chunks } = await bank.history(request, callAt(now));
  const entries: BankEntry[] = [];
  for await (const chunk of chunks) entries.push(...chunk);
  return entries;
};

export type Seen = { account: BankAccount; entries: BankEntry[] };

/** All accounts with all their entries, as one sign-in sees them. */
export const visit = async (
  bank: Bank,
  visitor: Visitor,
): Promise<{ seen: Seen[]; access: string; deviceToken: string }> => {
  const { access, deviceToken } = await letIn(bank, visitor);
  const seen: Seen[] = [];
  for (const account of await bank.accounts(access, callAt(visitor.now))) {
    seen.push({ account, entries: await entriesOf(bank, { access, accountId: account.id }, visitor.now) });
  }
  return { seen, access, deviceToken };
};

/** Decimal text in minor units, to add up exactly. */
export const minorUnits = (text: string): bigint => BigInt(text.replace('.', ''));

export const total = (entries: readonly BankEntry[]): bigint =>
  entries.reduce((sum, { amount }) => sum + minorUnits(amount), 0n);
