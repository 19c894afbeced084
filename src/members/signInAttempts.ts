// How often somebody may try to sign in, by email and by address, counted in the database so that it holds over any
// number of processes, to the last try: one statement counts and answers. Requests, of which there are many and the
// exact number matters less, are counted in src/metrics/quotas.ts.
import { addMilliseconds, seconds } from '../clock.ts';
import { TooManyAttempts } from '../errors.ts';
import { hashOpaqueToken } from '../vault/opaqueToken.ts';
import type { MemberDeps } from './deps.ts';
import { deleteSignInAttempts, incrementSignInAttempts } from './signInStore.ts';

export type SignInAttempt = { email: string; address: string };

// What was typed as an email may be a password by mistake, so it is not kept as it is.
const keyOf = (kind: 'email' | 'address', text: string): string => `${kind} ${hashOpaqueToken(text)}`;

/** Counts a try; throws TooManyAttempts beyond what an email, known or not, or an address has. */
export const recordSignInAttempt = async (
  tools: MemberDeps,
  { email, address }: SignInAttempt,
): Promise<void> => {
  const { signInAttemptsPerEmail, signInAttemptsPerAddress } = tools.limits;
  await countAttempt(tools, keyOf('address', address), signInAttemptsPerAddress);
  await countAttempt(tools, keyOf('email', email), signInAttemptsPerEmail);
};

/** Tries without an email, such as those of a passkey or a link. */
export const recordAddressAttempt = async (tools: MemberDeps, address: string): Promise<void> =>
  countAttempt(tools, keyOf('address', address), tools.limits.signInAttemptsPerAddress);

/** Whoever got in has their tries back. */
export const resetSignInAttempts = async (tools: MemberDeps, email: string): Promise<void> =>
  deleteSignInAttempts(tools.db.write, keyOf('email', email));

const countAttempt = async (
  { db, clock, limits }: MemberDeps,
  key: string,
  allowed: number,
): Promise<void> => {
  const now = clock.real();
  const until = addMilliseconds(now, seconds(limits.signInAttemptsMinutes * 60)).toISOString();
  const tried = await incrementSignInAttempts(db.write, key, { now: now.toISOString(), until });
  if (tried.count <= allowed) return;
  throw new TooManyAttempts(Math.max(1, Math.ceil((Date.parse(tried.until) - now.getTime()) / seconds(1))));
};
