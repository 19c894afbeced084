// Limits sign-in attempts by email and by IP address. The database counts them, so that the limit is exact over all
// processes; rate limits of requests are approximate instead (src/metrics/rateLimiter.ts).
import { addMilliseconds, seconds } from '../clock.ts';
import { TooManyAttempts } from '../errors.ts';
import { fingerprint } from '../vault/keys.ts';
import type { MemberDeps } from './deps.ts';
import { deleteSignInAttempts, incrementSignInAttempts } from './signInStore.ts';

export type SignInAttempt = { email: string; address: string };

// The email is hashed, because a user may have typed a password into its field.
const keyOf = ({ hashKey }: MemberDeps, kind: 'email' | 'address', text: string): string =>
  `${kind} ${fingerprint(hashKey, 'sign-in attempts', kind, [text]).toString('base64url')}`;

/** Counts an attempt. Throws TooManyAttempts beyond the limit of the email, known or not, or of the address. */
export const recordSignInAttempt = async (
  deps: MemberDeps,
  { email, address }: SignInAttempt,
): Promise<void> => {
  const { signInAttemptsPerEmail, signInAttemptsPerAddress } = deps.limits;
  await countAttempt(deps, keyOf(deps, 'address', address), signInAttemptsPerAddress);
  await countAttempt(deps, keyOf(deps, 'email', email), signInAttemptsPerEmail);
};

/** Counts an attempt without an email, such as one by passkey or link. Throws TooManyAttempts. */
export const recordAddressAttempt = async (deps: MemberDeps, address: string): Promise<void> =>
  countAttempt(deps, keyOf(deps, 'address', address), deps.limits.signInAttemptsPerAddress);

/** Resets the count of an email after a successful sign-in. */
export const resetSignInAttempts = async (deps: MemberDeps, email: string): Promise<void> =>
  deleteSignInAttempts(deps.db.write, keyOf(deps, 'email', email));

const countAttempt = async ({ db, clock, limits }: MemberDeps, key: string, limit: number): Promise<void> => {
  const now = clock.real();
  const windowEndsAt = addMilliseconds(now, seconds(limits.signInAttemptsMinutes * 60)).toISOString();
  const attempts = await incrementSignInAttempts(db.write, key, {
    now: now.toISOString(),
    endsAt: windowEndsAt,
  });
  if (attempts.count <= limit) return;
  const remainingMs = Date.parse(attempts.windowEndsAt) - now.getTime();
  throw new TooManyAttempts(Math.max(1, Math.ceil(remainingMs / seconds(1))));
};
