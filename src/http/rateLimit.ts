// Request limits per minute, shared by all processes (src/metrics/rateLimiter.ts).
import type { Service } from '../service.ts';
import { RateLimited } from './problems.ts';

const windowSeconds = 60;

/** Headers of draft-ietf-httpapi-ratelimit-headers. */
export type RateLimitHeaders = { RateLimit: string; 'RateLimit-Policy': string };

/**
 * Counts a request of `key` towards the limit `name` and returns what is left of it, as headers. Throws RateLimited, with
 * the same headers, where nothing is left.
 */
export const makeRateLimit = (
  { rateLimiter }: Pick<Service, 'rateLimiter'>,
  { name, limit }: { name: string; limit: number },
): ((key: string) => RateLimitHeaders) => {
  return (key) => {
    const { allowed, remaining, resetSeconds } = rateLimiter.consume(`${name} ${key}`, limit);
    const headers = {
      RateLimit: `"default";r=${remaining};t=${resetSeconds}`,
      'RateLimit-Policy': `"default";q=${limit};w=${windowSeconds}`,
    };
    if (!allowed) throw new RateLimited(resetSeconds, headers);
    return headers;
  };
};
