// The sandbox connector on a fresh database, and helpers that sign in and read everything.
import type {
  Balance,
  BankAccount,
  BankTransaction,
  CallContext,
  Connector,
  History,
} from '../../connectors/kit/contract.ts';
import { makeSandboxConnector } from '../../connectors/sandbox/sandboxConnector.ts';
import type { SandboxStorage } from '../../connectors/sandbox/storage.ts';
import { insertOrganization } from '../../src/applications/store.ts';
import { type Database, openDatabase } from '../../src/db/open.ts';
import { makeDatabaseStorage } from '../../src/institutions/sandbox/databaseStorage.ts';
import { deriveSandboxKeys, type SandboxKeyset } from '../../src/institutions/sandbox/rowEncryption.ts';
import { makeSecret } from '../../src/vault/keys.ts';
import { type DatabaseKind, databases } from './databases.ts';
import { keysetOf } from './keysetOf.ts';

export type TestSandbox = {
  db: Database;
  secrets: SandboxKeyset;
  storageOf(organizationId: string): SandboxStorage;
  /** Of the organization that the helpers sign in for. */
  storage: SandboxStorage;
  connector: Connector;
  close(): Promise<void>;
};

/** The sandbox connector on its own database. */
export const openSandbox = async (
  options: { realNow?: () => Date; slowStepMs?: number } = {},
  kind: DatabaseKind = databases[0]!,
): Promise<TestSandbox> => {
  const database = await kind.create();
  const db = await openDatabase(database.url);
  const secrets = keysetOf(deriveSandboxKeys(makeSecret()));
  await insertOrganization(db.write, { id: organizationId, name: 'Tests', createdAt: today.toISOString() });
  const storageOf = (id: string) => makeDatabaseStorage(db, secrets, id);
  const connector = makeSandboxConnector({ storageOf, realNow: () => new Date(), ...options });
  const close = async (): Promise<void> => {
    await db.close();
    await database.drop();
  };
  return { db, secrets, storageOf, storage: storageOf(organizationId), connector, close };
};

export const institutionId = 'sandbox-bank';
/** The organization that the helpers sign in for. */
export const organizationId = 'org_0000000000000000000000';
export const today = new Date('2026-11-21T10:00:00Z');

export const callAt = (
  now: Date = today,
  signal: AbortSignal = new AbortController().signal,
): CallContext => ({
  now,
  signal,
  organizationId,
});

type SandboxUser = {
  username: string;
  password?: string;
  now?: Date;
  attended?: boolean;
  deviceToken?: string;
};

export const signIn = (connector: Connector, user: SandboxUser) => {
  const { username, password = 'password', now, attended = true, deviceToken } = user;
  const request = { institutionId, credentials: { username, password }, attended, deviceToken };
  return connector.signIn(request, callAt(now));
};

/** Signs in a user without a challenge. */
export const signInDirectly = async (
  connector: Connector,
  user: SandboxUser,
): Promise<{ access: string; deviceToken: string }> => {
  const result = await signIn(connector, user);
  if (result.kind !== 'signedIn')
    throw new Error(`${user.username} got a challenge: ${result.challenge.kind}.`);
  return { access: result.access, deviceToken: result.deviceToken! };
};

type HistoryRequest = { access: string; accountId: string; since?: string };

/** The history of one account, from a conversation of its own, which is not ended. */
export const readHistory = async (
  connector: Connector,
  { access, accountId, since }: HistoryRequest,
  call: CallContext,
): Promise<History> => {
  const reading = await connector.read(access, { accountIds: [accountId], since }, call);
  return reading.history(accountId);
};

export const readTransactions = async (
  connector: Connector,
  request: HistoryRequest,
  now?: Date,
): Promise<BankTransaction[]> => allOf(await readHistory(connector, request, callAt(now)));

const allOf = async ({ chunks }: History): Promise<BankTransaction[]> => {
  const transactions: BankTransaction[] = [];
  for await (const chunk of chunks) transactions.push(...chunk);
  return transactions;
};

/** Each account of the sandbox has a balance. */
export type AccountData = { account: BankAccount & { balance: Balance }; transactions: BankTransaction[] };

/** All accounts with all their transactions, read in one conversation. */
export const readAllAccounts = async (
  connector: Connector,
  user: SandboxUser,
): Promise<{ seen: AccountData[]; access: string; deviceToken: string }> => {
  const { access, deviceToken } = await signInDirectly(connector, user);
  const seen: AccountData[] = [];
  const reading = await connector.read(access, {}, callAt(user.now));
  for (const account of reading.accounts) {
    const transactions = await allOf(await reading.history(account.id));
    seen.push({ account: { ...account, balance: account.balance! }, transactions });
  }
  await reading.end();
  return { seen, access, deviceToken };
};

/** Decimal text without its point, for exact sums. */
export const minorUnits = (text: string): bigint => BigInt(text.replace('.', ''));

export const total = (transactions: readonly BankTransaction[]): bigint =>
  transactions.reduce((sum, { amount }) => sum + minorUnits(amount), 0n);
