// Limits how many requests a connector sends in a minute, counted in the database for all processes together.
import type { SendGuarded } from '../../../connectors/kit/guardedRequest.ts';
import { abortableSleep } from '../../../connectors/kit/withTimeout.ts';
import type { Database } from '../../platform/db/open.ts';
import { type Clock, seconds } from '../../platform/values/clock.ts';
import { addRateLimitCounts } from '../rateLimits/store.ts';

/** What all processes share. */
export type Shared = { db: Database; clock: Clock };

/** Sends when a minute has room; undefined is no limit. Throws BankUnreachable('timeout') if it is aborted meanwhile. */
export const throttled =
  (
    send: SendGuarded,
    key: string,
    requestsPerMinute: () => number | undefined,
    shared?: Shared,
  ): SendGuarded =>
  async (request) => {
    for (let max = requestsPerMinute(); shared && max !== undefined; ) {
      const now = shared.clock.real().getTime();
      const minute = Math.floor(now / seconds(60));
      const counts = await addRateLimitCounts(shared.db.write, [{ key, minute, count: 1 }]);
      if (counts.get(key)! <= max) break;
      await abortableSleep((minute + 1) * seconds(60) - now, request.signal);
    }
    return send(request);
  };
