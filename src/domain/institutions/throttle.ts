// Limits a connector's requests per minute, counted in the database across all processes.
import type { SendGuarded } from '../../../connectors/kit/guardedRequest.ts';
import { abortableSleep } from '../../../connectors/kit/withTimeout.ts';
import type { Database } from '../../platform/db/open.ts';
import { type Clock, seconds } from '../../platform/values/clock.ts';
import { addRateLimitCounts } from '../rateLimits/store.ts';

/** Dependencies shared by all processes. */
export type Shared = { db: Database; clock: Clock };

/** Sends once the current minute allows it; undefined means no limit. Throws BankUnreachable('timeout') if aborted. */
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
