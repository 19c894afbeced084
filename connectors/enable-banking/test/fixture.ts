// Starts the connector with the fake provider on loopback, whose clock moves only when a test moves it.
import {
  type BankTransaction,
  type CallContext,
  type Challenge,
  type ConnectorModule,
  type Credentials,
  type History,
  makeGuardedSender,
  type PresentUser,
  type Reading,
  type SignInResult,
} from '@bank-connection/connector-kit';
import { readHistory } from '@bank-connection/connector-kit/conformance';
import { onTestFinished } from 'vitest';
import type { EnableBankingDeps } from '../client.ts';
import { makeEnableBankingModule } from '../index.ts';
import { type FakeAccount, type FakeTransaction, fakeAccount } from './fakeProvider/account.ts';
import { type FakeBank, fakeBank } from './fakeProvider/bank.ts';
import { type FakeProvider, type ProviderOptions, startFakeProvider } from './fakeProvider/provider.ts';

export const noon = new Date('2026-11-24T12:00:00Z');
export const today = '2026-11-24';
export const minutes = 60_000;
export const days = 24 * 60 * minutes;
export const iban = 'DE00123456780000000001';
export const returnUrl = 'https://service.example/connect/return';

export const user: PresentUser = {
  ...{ ip: '192.0.2.7', userAgent: 'A browser', acceptLanguage: 'de-DE' },
  ...{ language: 'de-AT', reference: 'reference of ada' },
};

/** The day (YYYY-MM-DD) this many days before `noon`. */
export const daysBefore = (count: number): string =>
  new Date(noon.getTime() - count * days).toISOString().slice(0, 10);

export const makeModule = (
  { url, application, privateKey }: Pick<FakeProvider, 'url' | 'application' | 'privateKey'>,
  more: Partial<EnableBankingDeps> = {},
): ConnectorModule =>
  makeEnableBankingModule({
    ...{ sendAnywhere: makeGuardedSender(() => true), answerBytesMax: 32 * 1024 ** 2, timeoutMs: 10_000 },
    ...{ application: { id: application.kid, key: privateKey }, url: new URL(url), emptyPagePauseMs: 1 },
    ...more,
  });

export type Service = {
  provider: FakeProvider;
  /** The time of the provider and of all calls, in milliseconds since 1970. */
  clock: { now: number };
  module: ConnectorModule;
  /** The context for a call with the end user, or without one if `user` is undefined. */
  call(user?: PresentUser | undefined): CallContext;
};

/** Starts the connector, with a provider that is closed when the test ends. */
export const startService = async (
  banks: readonly FakeBank[],
  options: Partial<ProviderOptions> = {},
): Promise<Service> => {
  const clock = { now: noon.getTime() };
  const now = () => new Date(clock.now);
  const provider = await startFakeProvider({ banks, now, redirectUrls: [returnUrl], ...options });
  onTestFinished(provider.close);
  const call = (present?: PresentUser): CallContext => ({
    ...{ signal: new AbortController().signal, now: now(), organizationId: 'org_0000000000000000000000' },
    ...(present && { user: present, returnTo: { url: returnUrl, state: crypto.randomUUID() } }),
  });
  return { provider, clock, module: makeModule(provider), call };
};

/** Starts a sign-in at the bank with this name, or at the only bank in the directory. */
export const startSignIn = async (
  { module, call }: Service,
  name?: string,
  credentials: Credentials = {},
): Promise<SignInResult> => {
  const { signal, now } = call();
  const listed = await module.directory!({ signal, now });
  const { id, ref } = listed.find((one) => name === undefined || one.name === name)!;
  const request = { institution: { id, ref }, credentials, attended: true };
  return module.connector.signIn(request, call(user));
};

/** The challenge of a step. Throws if it has none. */
export const challengeOf = (step: SignInResult): { challenge: Challenge; challengeState: string } => {
  if (step.kind !== 'challenge') throw new Error('Expected a challenge.');
  return step;
};

/** The URL of the bank's page in a step. */
export const pageOf = (step: SignInResult): string => {
  const { challenge } = challengeOf(step);
  if (challenge.kind !== 'redirect') throw new Error("Expected the bank's page.");
  return challenge.url;
};

export const answer = (
  { module, call }: Service,
  step: SignInResult,
  text: string,
): Promise<SignInResult> => {
  const { challengeState } = challengeOf(step);
  return module.connector.answer({ challengeState, answer: text }, call(user));
};

/** Submits the user's decision on the bank's page and returns from it. */
export const returnFrom = async (
  service: Service,
  step: SignInResult,
  decision: { user: string } | 'refuse',
): Promise<SignInResult> => {
  const { search } = await service.provider.decide(pageOf(step), decision);
  return answer(service, step, search.slice(1));
};

export type SignedIn = SignInResult & { kind: 'signedIn' };

/** Links a user's accounts at the only bank. */
export const link = async (service: Service, name = 'ada'): Promise<SignedIn> => {
  const step = await returnFrom(service, await startSignIn(service), { user: name });
  if (step.kind !== 'signedIn') throw new Error('The sign-in should be complete.');
  return step;
};

/** Links these accounts at a new bank. */
export const startLinked = async (
  accounts: FakeAccount[],
  more: Partial<FakeBank> = {},
): Promise<Service & { signedIn: SignedIn }> => {
  const service = await startService([fakeBank('First Bank', { ada: accounts }, more)]);
  return { ...service, signedIn: await link(service) };
};

/** Links an account with these transactions. */
export const startWith = (transactions: FakeTransaction[], more: Partial<FakeAccount> = {}) =>
  startLinked([fakeAccount(iban, transactions, more)]);

type Linked = Service & { signedIn: SignedIn };

/** Starts reading while the end user is present. */
export const read = (
  { module, call, signedIn }: Linked,
  request: { accountIds?: readonly string[]; since?: string } = {},
): Promise<Reading> => module.connector.read(signedIn.access, request, call(user));

/** Starts reading as a refresh does: after an unattended sign-in, and without the user. */
export const refresh = async ({ module, call, signedIn }: Linked, since?: string): Promise<Reading> => {
  const { deviceToken } = signedIn;
  const institution = { id: 'unlisted' };
  const request = { institution, credentials: {}, deviceToken, attended: false };
  const again = await module.connector.signIn(request, call());
  if (again.kind !== 'signedIn') throw new Error('A refresh should have no challenge.');
  return module.connector.read(again.access, { since }, call());
};

export type ReadAccount = Omit<History, 'chunks'> & { transactions: BankTransaction[] };

/** The history of the first account, or of another one. */
export const historyOf = async (reading: Reading, index = 0): Promise<ReadAccount> => {
  const { chunks, ...history } = await reading.history(reading.accounts[index]!.id);
  return { ...history, transactions: await readHistory({ chunks }) };
};

/** One line per transaction: id, day, amount, description and status. */
export const linesOf = ({ transactions }: ReadAccount): string[] =>
  transactions.map(
    ({ id = '-', date, amount, description, status }) =>
      `${id} ${date || '-'} ${amount} ${description} ${status}`,
  );

/** Ada's requests for transactions, with their parameters. */
export const transactionQueries = ({ provider }: Service) =>
  provider
    .requestsOf('ada')
    .filter(({ operationId }) => operationId === 'getTransactions')
    .map(({ parameters: { account_id: _, ...query } }) => query);
