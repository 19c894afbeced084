// How many requests a minute are answered to whom, by all processes together (src/metrics/rateLimiter.ts).
import type { Service } from '../service.ts';
import { RateLimited } from './problems.ts';

const windowSeconds = 60;

/**
 * Counts a request of `key` within what is counted as `name`; beyond `limit` throws RateLimited, with the headers of
 * draft-ietf-httpapi-ratelimit-headers.
 */
export const makeRateLimit = (
  { rateLimiter }: Pick<Service, 'rateLimiter'>,
  { name, limit }: { name: string; limit: number },
): ((key: string) => Promise<void>) => {
  return async (key) => {
    const refused = rateLimiter.consume(`${name} ${key}`, limit);
    if (!refused) return;
    const seconds = refused.retryAfterSeconds;
    throw new RateLimited(seconds, {
      RateLimit: `"default";r=0;t=${seconds}`,
      'RateLimit-Policy': `"default";q=${limit};w=${windowSeconds}`,
    });
  };
};
