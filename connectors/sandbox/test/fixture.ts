// The sandbox connector in tests, and functions that sign in and read everything.
import type {
  Balance,
  BankAccount,
  BankTransaction,
  CallContext,
  Connector,
  History,
} from '@bank-connection/connector-kit';
import { readHistory } from '@bank-connection/connector-kit/conformance';
import { makeSandboxConnector } from '../sandboxConnector.ts';
import { makeMemoryStorage } from './memoryStorage.ts';

export const institutionId = 'sandbox-bank';
/** The organization for which these functions sign in. */
export const organizationId = 'org_0000000000000000000000';
export const today = new Date('2026-11-21T10:00:00Z');

export const daysAfter = (date: Date, count: number): Date => new Date(date.getTime() + count * 86_400_000);

// Each call advances the real time by three seconds, so that no test waits for `push` or for resending a code.
let realTime = today.getTime();
const realNow = (): Date => {
  realTime += 3_000;
  return new Date(realTime);
};

/** A new instance, as in another process; by default with empty storage. */
export const makeConnector = (storageOf = makeMemoryStorage()): Connector =>
  makeSandboxConnector({ storageOf, realNow, slowStepMs: 20 });

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
  const request = {
    institution: { id: institutionId },
    credentials: { username, password },
    attended,
    deviceToken,
  };
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

/** The history of one account, from its own conversation, which is not ended. */
export const historyOf = async (
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
): Promise<BankTransaction[]> => readHistory(await historyOf(connector, request, callAt(now)));

/** Every account of the sandbox has a balance. */
export type AccountData = { account: BankAccount & { balance: Balance }; transactions: BankTransaction[] };

/** All accounts with all transactions, read in one conversation. */
export const readAllAccounts = async (
  connector: Connector,
  user: SandboxUser,
): Promise<{ seen: AccountData[]; access: string; deviceToken: string }> => {
  const { access, deviceToken } = await signInDirectly(connector, user);
  const seen: AccountData[] = [];
  const reading = await connector.read(access, {}, callAt(user.now));
  for (const account of reading.accounts) {
    const transactions = await readHistory(await reading.history(account.id));
    seen.push({ account: { ...account, balance: account.balance! }, transactions });
  }
  await reading.end();
  return { seen, access, deviceToken };
};

/** Decimal text without the point, for exact sums. */
export const minorUnits = (text: string): bigint => BigInt(text.replace('.', ''));

export const total = (transactions: readonly BankTransaction[]): bigint =>
  transactions.reduce((sum, { amount }) => sum + minorUnits(amount), 0n);
