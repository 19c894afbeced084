// Limits requests with invalid credentials by client address. Only failures count, and the credentials are checked
// first: a request with valid credentials is never refused because of failures from the same address.
import { toAddressKey } from '../addressKey.ts';
import { InvalidAccess, InvalidScopedToken, InvalidSession, Unauthenticated } from '../errors.ts';
import type { RateLimiter } from '../metrics/rateLimiter.ts';
import type { Limits } from '../settings/limits.ts';
import { makeRateLimit } from './rateLimit.ts';

/** Counts a failed authentication. Throws RateLimited where the address has too many of them. */
export type AuthFailureLimit = (error: unknown, address: string | undefined) => void;

export const makeAuthFailureLimit = (service: {
  rateLimiter: RateLimiter;
  config: { limits: Limits };
}): AuthFailureLimit => {
  const consume = makeRateLimit(service, {
    name: 'auth failures',
    limit: service.config.limits.authFailuresPerMinute,
  });
  return (error, address) => {
    if (isAuthFailure(error)) consume(toAddressKey(address));
  };
};

// A request without credentials guesses nothing, and a valid principal may ask for more than it is allowed.
const isAuthFailure = (error: unknown): boolean =>
  error instanceof Unauthenticated ||
  error instanceof InvalidScopedToken ||
  error instanceof InvalidSession ||
  error instanceof InvalidAccess;
