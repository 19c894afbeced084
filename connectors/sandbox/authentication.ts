// Signs in at the sandbox: checks usernames and passwords, and asks for challenges.
import { randomBytes } from 'node:crypto';
import {
  abortableSleep,
  BankRefused,
  BankUnreachable,
  type CallContext,
  type Connector,
  type SignInResult,
  throwIfAborted,
  toIsoDate,
} from '@bank-connection/connector-kit';
import {
  actOnChallenge,
  type ChallengeState,
  decodeChallengeState,
  firstChallenge,
  nextChallenge,
} from './challenges.ts';
import { advanceRound } from './mutatingAccount.ts';
import { decodeStateToken, encodeStateToken, isDeviceToken, makeDeviceToken } from './stateTokens.ts';
import {
  firstSignInKey,
  historyReadKey,
  passwordKey,
  type SandboxStorage,
  signInsKey,
  wrongPasswordsKey,
} from './storage.ts';
import { type ChallengeStep, type SandboxUser, sandboxUsers } from './users.ts';

/** The content of the sandbox's `access` token. */
export type SandboxAccess = {
  institutionId: string;
  username: string;
  device: string;
  /** User `rotates`: the seed of the transaction ids, new at each sign-in. */
  nonce?: string;
  /** User `moves`: the round that this sign-in sees. */
  round?: number;
  /** The sign-in was unattended. */
  unattended?: true;
  /** User `new-account`: the bank has added the account. */
  hasNewAccount?: boolean;
  /** User `statement-tan`: the end user approved reading transactions. */
  approved?: true;
};

export const decodeAccess = (token: string): SandboxAccess =>
  decodeStateToken<SandboxAccess>('access', token);

export type SandboxDeps = {
  /** The calling organization's storage. */
  storage: SandboxStorage;
  /** The real time, for challenges that wait: the sandbox clock may be stopped. */
  realNow: () => Date;
  /** The duration of each step of user `slow`. */
  slowStepMs: number;
};

type SignInRequest = Parameters<Connector['signIn']>[0];
type AnswerRequest = Parameters<Connector['answer']>[0];
type ChallengeActionRequest = Parameters<NonNullable<Connector['challengeAction']>>[0];
type ApproveReadingRequest = Parameters<NonNullable<Connector['approveReading']>>[0];

const passwordAttemptsMax = 3;

export const signIn = async (
  deps: SandboxDeps,
  request: SignInRequest,
  context: CallContext,
): Promise<SignInResult> => {
  throwIfAborted(context.signal);
  const { attended } = request;
  const { id: institutionId } = request.institution;
  const username = (request.credentials.username ?? '').trim();
  const user = sandboxUsers.get(username);
  if (user?.trait === 'slow') await abortableSleep(deps.slowStepMs, context.signal);
  if (user?.trait === 'unavailable') throw new BankUnreachable('down');
  if (user?.trait === 'credentials_expire') {
    await deps.storage.append(signInsKey(institutionId, username), context.now.toISOString());
  }
  await checkPassword(deps.storage, request, username);
  if (user?.trait === 'locked') throw new BankRefused('locked');

  // The bank would ask about each account.
  if (user?.trait === 'reading_asked' && !attended) throw new BankRefused('user_action_required');
  const token = request.deviceToken;
  const device = token && isDeviceToken(token, institutionId, username) ? token : undefined;
  if (user && user.steps.length > 0 && !device) {
    if (!attended) throw new BankRefused('user_action_required');
    const { returnTo } = context;
    return firstChallenge(user.steps, { institutionId, username, returnTo }, deps.realNow());
  }
  const { password } = request.credentials;
  return completeSignIn(deps.storage, { institutionId, username, password, user, device, attended }, context);
};

export const answer = async (
  deps: SandboxDeps,
  request: AnswerRequest,
  context: CallContext,
): Promise<SignInResult> => {
  throwIfAborted(context.signal);
  const state = decodeChallengeState(request.challengeState);
  const { institutionId, username } = state;
  const user = sandboxUsers.get(username);
  const { returnTo } = context;
  const next = nextChallenge(stepsOf(state), state, request.answer, { realNow: deps.realNow(), returnTo });
  if (!next && state.reading) return toApproved(state.reading.access);
  return next ?? completeSignIn(deps.storage, { institutionId, username, user, attended: true }, context);
};

export const challengeAction = async (
  deps: SandboxDeps,
  { challengeState, action }: ChallengeActionRequest,
  context: CallContext,
): Promise<SignInResult> => {
  throwIfAborted(context.signal);
  const state = decodeChallengeState(challengeState);
  return actOnChallenge(stepsOf(state), state, action, deps.realNow());
};

/** Asks user `statement-tan` for one code per account. */
export const approveReading = async (
  { realNow }: SandboxDeps,
  { access, accountIds }: ApproveReadingRequest,
  context: CallContext,
): Promise<SignInResult> => {
  throwIfAborted(context.signal);
  const { institutionId, username } = decodeAccess(access);
  if (sandboxUsers.get(username)?.trait !== 'reading_asked') return { kind: 'signedIn', access };
  const reading = { access, accounts: accountIds.length };
  const state = { institutionId, username, reading };
  return firstChallenge(stepsOf(state), state, realNow());
};

const stepsOf = ({
  username,
  reading,
}: Pick<ChallengeState, 'username' | 'reading'>): readonly ChallengeStep[] =>
  reading ? Array(reading.accounts).fill('code') : (sandboxUsers.get(username)?.steps ?? []);

const toApproved = (access: string): SignInResult => ({
  kind: 'signedIn',
  access: encodeStateToken('access', { ...decodeAccess(access), approved: true }),
});

const checkPassword = async (
  storage: SandboxStorage,
  request: SignInRequest,
  username: string,
): Promise<void> => {
  const password = request.credentials.password ?? '';
  const isBuiltIn = sandboxUsers.has(username);
  if (!isBuiltIn && !(await storage.loadedAccounts(username))) throw new BankRefused('wrong_credentials');
  const setPassword = await storage.get(passwordKey(username));
  const isCorrect = setPassword === undefined ? password.startsWith('password') : password === setPassword;
  if (!isBuiltIn || !request.attended) {
    if (isCorrect) return;
    throw new BankRefused('wrong_credentials');
  }
  // Counted so that the widget has an `attemptsLeft`. Users are never locked, because an organization's developers share them.
  const key = wrongPasswordsKey(request.institution.id, username);
  const wrong = Number((await storage.get(key)) ?? 0);
  if (isCorrect) {
    if (wrong > 0) await storage.put(key, '0');
    return;
  }
  await storage.put(key, String(wrong + 1));
  const attemptsLeft = passwordAttemptsMax - wrong - 1;
  throw new BankRefused('wrong_credentials', attemptsLeft > 0 ? { attemptsLeft } : {});
};

const completeSignIn = async (
  storage: SandboxStorage,
  signIn: {
    institutionId: string;
    username: string;
    password?: string;
    user: SandboxUser | undefined;
    device?: string;
    attended: boolean;
  },
  context: CallContext,
): Promise<SignInResult> => {
  const { institutionId, username, user } = signIn;
  const device = signIn.device ?? makeDeviceToken(institutionId, username);
  if (user?.trait === 'credentials_expire') await checkExpiry(storage, device, signIn.attended);
  const access: SandboxAccess = { institutionId, username, device };
  if (!signIn.attended) access.unattended = true;
  if (user?.transactionIds === 'rotating') access.nonce = randomBytes(16).toString('hex');
  if (user?.trait === 'transactions_change')
    access.round = await advanceRound(storage, access, toIsoDate(context.now));
  if (user?.trait === 'account_added') access.hasNewAccount = await isLaterDay(storage, signIn, context);
  const expiresAt = new Date(context.now.getTime() + consentMs).toISOString();
  return {
    ...{ kind: 'signedIn', access: encodeStateToken('access', access), deviceToken: device },
    ...(user?.trait === 'consent_ends' && signIn.attended && { expiresAt }),
  };
};

/** True if this password was first used on an earlier day. */
const isLaterDay = async (
  storage: SandboxStorage,
  { institutionId, username, password = '' }: { institutionId: string; username: string; password?: string },
  { now }: CallContext,
): Promise<boolean> => {
  const key = firstSignInKey(institutionId, username, password);
  const first = await storage.get(key);
  if (first === undefined) await storage.put(key, toIsoDate(now));
  return first !== undefined && first < toIsoDate(now);
};

const consentMs = 90 * 86_400_000;

// The credentials of `expires` are valid for one complete read. An interrupted import can be retried; a complete one that was
// lost before it was stored needs a reconnect.
const checkExpiry = async (storage: SandboxStorage, device: string, attended: boolean): Promise<void> => {
  const read = (await storage.get(historyReadKey(device))) === 'yes';
  if (!read) return;
  if (!attended) throw new BankRefused('wrong_credentials');
  await storage.put(historyReadKey(device), 'no');
};
