// Signing in at the sandbox bank: who is known, which password opens, what is asked on the way.
import { toIsoDate } from '../../clock.ts';
import { BankRefused, BankUnreachable } from '../../errors.ts';
import { toBase62 } from '../../ids.ts';
import { randomBytes } from '../../random.ts';
import type { Connector, CallContext, SignInResult } from '../connector.ts';
import { firstChallenge, nextChallenge, decodeChallengeState } from './challenges.ts';
import {
  passwordKey,
  historyReadKey,
  type SandboxStorage,
  signInsKey,
  wrongPasswordsKey,
} from './sandboxStorage.ts';
import { advanceRound } from './mutatingAccount.ts';
import { isDeviceToken, makeDeviceToken, decodeStateToken, encodeStateToken } from './stateTokens.ts';
import { type SandboxUser, sandboxUsers } from './users.ts';
import { abortableSleep, throwIfAborted } from './abortableSleep.ts';

/** What a signed-in user's access says. */
export type SandboxAccess = {
  institutionId: string;
  username: string;
  device: string;
  /** Makes the entry ids of user `rotates`, anew at each sign-in. */
  nonce?: string;
  /** How far the accounts of user `moves` have moved. */
  round?: number;
};

export const decodeAccess = (text: string): SandboxAccess => decodeStateToken<SandboxAccess>('access', text);

export type SandboxDeps = {
  storage: SandboxStorage;
  /** The time outside, for what happens while somebody waits: the clock of the data may stand still. */
  realNow: () => Date;
  /** How long each step takes user `slow`. */
  slowStepMs: number;
};

type SignInRequest = Parameters<Connector['signIn']>[0];

const passwordAttemptsMax = 3;

export const signIn = async (
  parts: SandboxDeps,
  asked: SignInRequest,
  call: CallContext,
): Promise<SignInResult> => {
  throwIfAborted(call.signal);
  const { institutionId, attended } = asked;
  const username = (asked.credentials.username ?? '').trim();
  const user = sandboxUsers.get(username);
  if (user?.trait === 'slow') await abortableSleep(parts.slowStepMs, call.signal);
  if (user?.trait === 'unavailable') throw new BankUnreachable('down');
  if (user?.trait === 'credentials_expire') {
    await parts.storage.append(signInsKey(institutionId, username), call.now.toISOString());
  }
  await checkPassword(parts.storage, asked, username);
  if (user?.trait === 'locked') throw new BankRefused('locked');

  const token = asked.deviceToken;
  const device = token && isDeviceToken(token, institutionId, username) ? token : undefined;
  if (user && user.steps.length > 0 && !device) {
    if (!attended) throw new BankRefused('user_action_required');
    return firstChallenge({ institutionId, username, steps: user.steps }, parts.realNow());
  }
  return completeSignIn(parts.storage, { institutionId, username, user, device, attended }, call);
};

export const answer = async (
  parts: SandboxDeps,
  asked: { challengeState: string; answer: string },
  call: CallContext,
): Promise<SignInResult> => {
  throwIfAborted(call.signal);
  const dialogue = decodeChallengeState(asked.challengeState);
  const { institutionId, username } = dialogue;
  const user = sandboxUsers.get(username);
  const next = nextChallenge(user?.steps ?? [], dialogue, asked.answer, parts.realNow());
  return next ?? completeSignIn(parts.storage, { institutionId, username, user, attended: true }, call);
};

const checkPassword = async (
  memory: SandboxStorage,
  asked: SignInRequest,
  username: string,
): Promise<void> => {
  const password = asked.credentials.password ?? '';
  const isOurs = sandboxUsers.has(username);
  if (!isOurs && !(await memory.loadedAccounts(username))) throw new BankRefused('wrong_credentials');
  const chosen = await memory.get(passwordKey(username));
  const isRight = chosen === undefined ? password.startsWith('password') : password === chosen;
  if (!isOurs || !asked.attended) {
    if (isRight) return;
    throw new BankRefused('wrong_credentials');
  }
  // Counted so that the page has a number to show. Nobody is ever locked out: everybody shares these users.
  const key = wrongPasswordsKey(asked.institutionId, username);
  const wrong = Number((await memory.get(key)) ?? 0);
  if (isRight) {
    if (wrong > 0) await memory.put(key, '0');
    return;
  }
  await memory.put(key, String(wrong + 1));
  const attemptsLeft = passwordAttemptsMax - wrong - 1;
  throw new BankRefused('wrong_credentials', attemptsLeft > 0 ? { attemptsLeft } : {});
};

const completeSignIn = async (
  memory: SandboxStorage,
  who: {
    institutionId: string;
    username: string;
    user: SandboxUser | undefined;
    device?: string;
    attended: boolean;
  },
  call: CallContext,
): Promise<SignInResult> => {
  const { institutionId, username, user } = who;
  const device = who.device ?? makeDeviceToken(institutionId, username);
  if (user?.trait === 'credentials_expire') await checkExpiry(memory, device, who.attended);
  const access: SandboxAccess = { institutionId, username, device };
  if (user?.transactionIds === 'rotating') access.nonce = toBase62(randomBytes(16));
  if (user?.trait === 'transactions_change')
    access.round = await advanceRound(memory, access, toIsoDate(call.now));
  return { kind: 'signedIn', access: encodeStateToken('access', access), deviceToken: device };
};

// The credentials of `expires` are good for one complete reading. An import that was cut off before its end may
// try again; one that had read everything and was lost before it was kept needs its user again.
const checkExpiry = async (memory: SandboxStorage, device: string, attended: boolean): Promise<void> => {
  const read = (await memory.get(historyReadKey(device))) === 'yes';
  if (!read) return;
  if (!attended) throw new BankRefused('wrong_credentials');
  await memory.put(historyReadKey(device), 'no');
};
