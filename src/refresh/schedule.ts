// When a connection is refreshed next. Pure: `chance` is a number from 0 to 1.
import { addMilliseconds, seconds } from '../clock.ts';
import type { Limits } from '../config.ts';

type ScheduleLimits = Pick<Limits, 'refreshEveryHours' | 'retryInitialSeconds' | 'retryMaxHours'>;

/** After a refresh: the interval, moved by up to a tenth so that connections made together spread out. */
export const nextRefreshAt = (now: Date, rules: ScheduleLimits, chance: number): Date =>
  addMilliseconds(now, seconds(rules.refreshEveryHours * 3600) * (0.9 + 0.2 * chance));

/** After the bank failed `attempts` times in a row: growing pauses, half of each left to chance. */
export const retryAt = (now: Date, attempts: number, rules: ScheduleLimits, chance: number): Date => {
  const pause = Math.min(rules.retryInitialSeconds * 2 ** (attempts - 1), rules.retryMaxHours * 3600);
  return addMilliseconds(now, seconds(pause) * (0.5 + 0.5 * chance));
};
