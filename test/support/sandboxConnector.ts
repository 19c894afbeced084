// A visit to the sandbox bank as a test makes it: a fresh database for its memory, one user, everything read.
import type { Connector, BankAccount, BankTransaction, CallContext } from '../../src/connectors/connector.ts';
import type { SandboxStorage } from '../../src/connectors/sandbox/sandboxStorage.ts';
import { makeSandboxConnector } from '../../src/connectors/sandbox/sandboxConnector.ts';
import { type Database, openDatabase } from '../../src/db/open.ts';
import { randomBytes } from '../../src/random.ts';
import { makeDatabaseStorage } from '../../src/connectors/sandbox/storage/databaseStorage.ts';
import { type DatabaseKind, databases } from './databases.ts';

export type TestSandbox = {
  db: Database;
  secret: Buffer;
  keyValueStore: SandboxStorage;
  bank: Connector;
  close(): Promise<void>;
};

/** A sandbox bank over a database of its own. */
export const openSandbox = async (
  parts: { realNow?: () => Date; slowStepMs?: number } = {},
  kind: DatabaseKind = databases[0]!,
): Promise<TestSandbox> => {
  const database = await kind.create();
  const db = await openDatabase(database.url);
  const secret = randomBytes(32);
  const storage = makeDatabaseStorage(db, secret);
  const bank = makeSandboxConnector({ storage, realNow: () => new Date(), ...parts });
  const close = async (): Promise<void> => {
    await db.close();
    await database.drop();
  };
  return { db, secret, keyValueStore: storage, bank, close };
};

export const institutionId = 'sandbox-bank';
export const today = new Date('2026-11-21T10:00:00Z');

export const callAt = (
  now: Date = today,
  signal: AbortSignal = new AbortController().signal,
): CallContext => ({
  now,
  signal,
});

type SandboxUser = {
  username: string;
  password?: string;
  now?: Date;
  attended?: boolean;
  deviceToken?: string;
};

export const signIn = (bank: Connector, visitor: SandboxUser) => {
  const { username, password = 'password', now, attended = true, deviceToken } = visitor;
  const request = { institutionId, credentials: { username, password }, attended, deviceToken };
  return bank.signIn(request, callAt(now));
};

/** Signs in somebody who is asked nothing. */
export const signInDirectly = async (
  bank: Connector,
  visitor: SandboxUser,
): Promise<{ access: string; deviceToken: string }> => {
  const step = await signIn(bank, visitor);
  if (step.kind !== 'signedIn') throw new Error(`${visitor.username} is asked for: ${step.challenge.kind}.`);
  return { access: step.access, deviceToken: step.deviceToken! };
};

export const readTransactions = async (
  bank: Connector,
  request: { access: string; accountId: string; since?: string },
  now?: Date,
): Promise<BankTransaction[]> => {
  const { chunks } = await bank.history(request, callAt(now));
  const entries: BankTransaction[] = [];
  for await (const chunk of chunks) entries.push(...chunk);
  return entries;
};

export type AccountData = { account: BankAccount; transactions: BankTransaction[] };

/** All accounts with all their entries, as one sign-in sees them. */
export const readAllAccounts = async (
  bank: Connector,
  visitor: SandboxUser,
): Promise<{ seen: AccountData[]; access: string; deviceToken: string }> => {
  const { access, deviceToken } = await signInDirectly(bank, visitor);
  const seen: AccountData[] = [];
  for (const account of await bank.accounts(access, callAt(visitor.now))) {
    seen.push({
      account,
      transactions: await readTransactions(bank, { access, accountId: account.id }, visitor.now),
    });
  }
  return { seen, access, deviceToken };
};

/** Decimal text in minor units, to add up exactly. */
export const minorUnits = (text: string): bigint => BigInt(text.replace('.', ''));

export const total = (entries: readonly BankTransaction[]): bigint =>
  entries.reduce((sum, { amount }) => sum + minorUnits(amount), 0n);
