// When a delivery that has failed is attempted again. Pure: `random` is a number from 0 to 1.
import { addMilliseconds, seconds } from '../clock.ts';
import type { Limits } from '../settings/limits.ts';

const minute = 60;
const hour = 3600;

/** The pauses after each failed attempt, in seconds. */
export const retryPauses: readonly number[] = [
  5,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  10 * hour,
];

/**
 * The next attempt after `attempts` that failed; undefined after the last one. Each pause is moved by up to 10 %, so that
 * events that failed together do not come back together. A longer `Retry-After` of the endpoint is obeyed up to a maximum.
 */
export const nextAttemptAt = (
  now: Date,
  { attempts, retryAfterSeconds = 0 }: { attempts: number; retryAfterSeconds?: number },
  { webhookRetryAfterHoursMax }: Pick<Limits, 'webhookRetryAfterHoursMax'>,
  random: number,
): Date | undefined => {
  const pause = retryPauses[attempts - 1];
  if (pause === undefined) return undefined;
  const requested = Math.min(retryAfterSeconds, webhookRetryAfterHoursMax * hour);
  return addMilliseconds(now, seconds(Math.max(requested, pause * (0.9 + 0.2 * random))));
};
