// Request limits per minute or per day. A process counts in memory, and shares its counts later (src/metrics/rateLimiter.ts).
import type { RateLimiter } from '../metrics/rateLimiter.ts';
import { RateLimited } from './problems.ts';

/** Headers of draft-ietf-httpapi-ratelimit-headers. */
export type RateLimitHeaders = { RateLimit: string; 'RateLimit-Policy': string };

/** Counts a request of a key, towards its own limit if it has one. Throws RateLimited. */
export type RateLimit = (key: string, ownLimit?: number) => RateLimitHeaders;

/**
 * Counts a request of `key` towards the limit `name` and returns what is left of it, as headers. Throws RateLimited, with
 * the same headers, where nothing is left.
 */
export const makeRateLimit = (
  { rateLimiter }: { rateLimiter: RateLimiter },
  { name, limit: commonLimit, windowMinutes = 1 }: { name: string; limit: number; windowMinutes?: number },
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
