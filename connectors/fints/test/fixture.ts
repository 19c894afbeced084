// The FinTS connector with the test bank, at the time of DKB's recording.
import {
  type BankTransaction,
  type CallContext,
  type ConnectorModule,
  type Credentials,
  type History,
  type Host,
  makeGuardedSender,
  type Reading,
  type SignInResult,
} from '@bank-connection/connector-kit';
import { readHistory } from '@bank-connection/connector-kit/conformance';
import { onTestFinished } from 'vitest';
import type { FintsBank } from '../bankList.ts';
import { makeFintsModule } from '../index.ts';
import { productId, startTestBank, type TestBank } from './testBank.ts';
import { bankUsers } from './users.ts';

export const now = new Date('2019-09-22T12:00:00Z');

export const callAt = (time: Date, signal = new AbortController().signal): CallContext => ({
  ...{ signal, now: time, organizationId: 'org_0000000000000000000000' },
});
export const call = callAt(now);

/** The banks of the test bank, as in an operator's list. */
export const listedBanks = (bank: TestBank): FintsBank[] =>
  [
    { id: 'dkb', name: 'DKB', bankCode: '12030000' },
    { id: 'dkb-camt', name: 'DKB with camt', bankCode: '12030000' },
    { id: 'consors', name: 'Consorsbank', bankCode: '76030080' },
    { id: 'ing', name: 'ING', bankCode: '50010517' },
  ].map(({ id, name, bankCode }) => ({
    institution: {
      ...{ id, name, country: 'DE', codes: [bankCode] },
      fields: [
        { name: 'username', label: 'Anmeldename', labelKey: 'username', secret: false },
        { name: 'pin', label: 'PIN', labelKey: 'pin', secret: true },
      ],
    },
    bankCode,
    url: new URL(bank.url(id)),
  }));

const send = makeGuardedSender(() => true);
export const host: Host = {
  ...{ setting: () => undefined, send, sendAnywhere: send, isAllowed: () => true },
  ...{ answerBytesMax: 32 * 1024 ** 2, timeoutMs: 60_000 },
};

/** A new instance, as in another process. */
export const makeModule = (bank: TestBank, overrides: Partial<Host> = {}): ConnectorModule =>
  makeFintsModule(listedBanks(bank), {
    ...{ productId, ...host, ...overrides },
  });

export const startBank = async (): Promise<TestBank> => {
  const bank = await startTestBank();
  onTestFinished(bank.close);
  return bank;
};

export const credentialsOf = (username: string): Credentials => ({
  username,
  pin: bankUsers[username]!.pin,
});

type SignInOptions = { institutionId?: string; attended?: boolean; deviceToken?: string; pin?: string };

export const signIn = (
  bank: TestBank,
  username: string,
  { institutionId = 'dkb', attended = true, deviceToken, pin }: SignInOptions = {},
  context = call,
): Promise<SignInResult> => {
  const credentials = { ...credentialsOf(username), ...(pin !== undefined && { pin }) };
  const request = {
    institution: { id: institutionId },
    credentials,
    attended,
    ...(deviceToken && { deviceToken }),
  };
  return makeModule(bank).connector.signIn(request, context);
};

export const answer = (
  bank: TestBank,
  step: SignInResult,
  text: string,
  context = call,
): Promise<SignInResult> =>
  makeModule(bank).connector.answer(
    { challengeState: expectChallenge(step).challengeState, answer: text },
    context,
  );

export const approveReading = (
  bank: TestBank,
  access: string,
  accountIds: readonly string[],
  context = call,
): Promise<SignInResult> => makeModule(bank).connector.approveReading!({ access, accountIds }, context);

export const expectChallenge = (step: SignInResult): SignInResult & { kind: 'challenge' } => {
  if (step.kind !== 'challenge') throw new Error('Expected a challenge.');
  return step;
};

export const expectSignedIn = (step: SignInResult): SignInResult & { kind: 'signedIn' } => {
  if (step.kind !== 'signedIn')
    throw new Error(`Expected a completed sign-in instead of ${step.challenge.kind}.`);
  return step;
};

export type ReadRequest = { accountIds?: readonly string[]; since?: string };

export const read = (
  bank: TestBank,
  access: string,
  request: ReadRequest = {},
  context = call,
): Promise<Reading> => makeModule(bank).connector.read(access, request, context);

export type ReadHistory = Omit<History, 'chunks'> & { transactions: BankTransaction[] };

export const readAccount = async (reading: Reading, accountId: string): Promise<ReadHistory> => {
  const { chunks, ...history } = await reading.history(accountId);
  return { ...history, transactions: await readHistory({ chunks }) };
};

/** The accounts in DKB's recording. */
export const giro = '1234567890';
export const card = '4930000001234567';
