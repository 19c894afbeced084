// Limits wrong passwords by email and client address, so that failures from one address do not block others. If an email has
// many failures across all addresses, each address waits longer after its own. Attempts are counted in the database, so the
// limit is exact across processes, unlike request rate limits (src/domain/rateLimits/rateLimiter.ts). Passkeys and links are
// not limited, because they cannot be guessed.
import { addMilliseconds, seconds } from '../../platform/values/clock.ts';
import { TooManyAttempts } from '../../platform/values/errors.ts';
import { toIpKey } from '../../platform/values/ipKey.ts';
import { fingerprint } from '../../platform/vault/keys.ts';
import type { MemberDeps } from './member.ts';
import * as signInStore from './signInStore.ts';

export type SignInAttempt = { email: string; clientIp: string };

// Emails are hashed, because a user may have typed a password into the field. Known and unknown emails count the same.
const keyOf = ({ hashKeys }: MemberDeps, ...parts: string[]): string =>
  fingerprint(hashKeys.current(), 'sign-in attempts', '', parts).toString('base64url');

const minutesLater = (now: Date, minutes: number): string =>
  addMilliseconds(now, seconds(minutes * 60)).toISOString();

/**
 * Counts an attempt before its password is checked, so that parallel attempts cannot exceed the limit. Throws TooManyAttempts
 * if this address has too many failures for this email.
 */
export const recordSignInAttempt = async (
  deps: MemberDeps,
  { email, clientIp }: SignInAttempt,
): Promise<void> => {
  const { db, clock, limits } = deps;
  const now = clock.real();
  await signInStore.deleteExpiredSignInAttempts(db.write, now);
  const failures = await signInStore.findSignInAttempts(db.write, keyOf(deps, email));
  const isSlowed = failures >= limits.signInAttemptsPerEmail;
  const minutes = isSlowed ? limits.signInAttemptsSlowedMinutes : limits.signInAttemptsMinutes;
  const key = keyOf(deps, email, toIpKey(clientIp));
  const attempts = await signInStore.incrementSignInAttempts(db.write, key, minutesLater(now, minutes));
  if (attempts.count <= limits.signInAttemptsMax) return;
  const remainingMs = Date.parse(attempts.windowEndsAt) - now.getTime();
  throw new TooManyAttempts(Math.max(1, Math.ceil(remainingMs / seconds(1))));
};

/** Counts a failed attempt for its email, across all addresses. */
export const recordSignInFailure = async (deps: MemberDeps, { email }: SignInAttempt): Promise<void> => {
  const { db, clock, limits } = deps;
  const endsAt = minutesLater(clock.real(), limits.signInAttemptsMinutes);
  await signInStore.incrementSignInAttempts(db.write, keyOf(deps, email), endsAt);
};

/** After a successful attempt, resets the count of this address for this email. */
export const resetSignInAttempts = async (
  deps: MemberDeps,
  { email, clientIp }: SignInAttempt,
): Promise<void> => signInStore.deleteSignInAttempts(deps.db.write, keyOf(deps, email, toIpKey(clientIp)));
