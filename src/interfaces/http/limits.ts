// Limits requests, and recognizes those from the service's own pages. A process counts in memory, and shares its counts later
// (src/domain/rateLimits/rateLimiter.ts).
import type { Request } from 'express';
import type { RateLimiter } from '../../domain/rateLimits/rateLimiter.ts';
import type { Limits } from '../../platform/settings/limits.ts';
import {
  InvalidScopedToken,
  InvalidSession,
  InvalidSimplefinAccess,
  Unauthenticated,
} from '../../platform/values/errors.ts';
import { toIpKey } from '../../platform/values/ipKey.ts';
import { RateLimited } from './problems.ts';

/** Headers from draft-ietf-httpapi-ratelimit-headers. */
export type RateLimitHeaders = { RateLimit: string; 'RateLimit-Policy': string };

/** Counts a request by a key, toward its own limit if it has one. Throws RateLimited. */
export type RateLimit = (key: string, ownLimit?: number) => RateLimitHeaders;

/**
 * Counts a request by `key` toward the limit `name` and returns the remaining quota as headers. Throws RateLimited, with the
 * same headers, if nothing is left.
 */
export const makeRateLimit = (
  { rateLimiter }: { rateLimiter: RateLimiter },
  name: string,
  commonLimit: number,
  windowMinutes = 1,
): RateLimit => {
  return (key, limit = commonLimit) => {
    const { allowed, remaining, resetSeconds } = rateLimiter.consume(`${name} ${key}`, limit, windowMinutes);
    const headers = {
      RateLimit: `"default";r=${remaining};t=${resetSeconds}`,
      'RateLimit-Policy': `"default";q=${limit};w=${windowMinutes * 60}`,
    };
    if (!allowed) throw new RateLimited(resetSeconds, headers);
    return headers;
  };
};

/**
 * Counts a failed authentication. Credentials are checked first: a request with valid ones is never refused because of failures
 * from the same address. Throws RateLimited if the address has too many failures.
 */
export type AuthFailureLimit = (error: unknown, clientIp: string | undefined) => void;

export const makeAuthFailureLimit = (service: {
  rateLimiter: RateLimiter;
  config: { limits: Limits };
}): AuthFailureLimit => {
  const consume = makeRateLimit(service, 'auth failures', service.config.limits.authFailuresPerMinute);
  return (error, clientIp) => {
    if (isAuthFailure(error)) consume(toIpKey(clientIp));
  };
};

// A request without credentials is not a guess, and a valid principal may request more than it is allowed to read.
const isAuthFailure = (error: unknown): boolean =>
  [Unauthenticated, InvalidScopedToken, InvalidSession, InvalidSimplefinAccess].some(
    (Kind) => error instanceof Kind,
  );

/** False if a header names a sending page outside `baseUrl`. Browsers send these headers, and pages cannot change them. */
export const isFromOwnOrigin = (baseUrl: string, { headers }: Request): boolean =>
  (headers.origin ?? baseUrl) === baseUrl && (headers['sec-fetch-site'] ?? 'same-origin') === 'same-origin';
