// How many requests a minute are answered, counted by application. Counted per process: n processes answer n
// times as many, which is right for a guard against runaway callers and nothing to bill by.
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import { RateLimited } from './failures.ts';

const windowSeconds = 60;

/**
 * Counts a request of `key`; beyond `limit` throws RateLimited, with the headers of
 * draft-ietf-httpapi-ratelimit-headers.
 */
export const makeLimit = (limit: number): ((key: string) => Promise<void>) => {
  const limiter = new RateLimiterMemory({ points: limit, duration: windowSeconds });
  return async (key) => {
    try {
      await limiter.consume(key);
    } catch (refused) {
      const seconds = Math.max(1, Math.ceil((refused as RateLimiterRes).msBeforeNext / 1000));
      throw new RateLimited(seconds, {
        RateLimit: `"default";r=0;t=${seconds}`,
        'RateLimit-Policy': `"default";q=${limit};w=${windowSeconds}`,
      });
    }
  };
};
