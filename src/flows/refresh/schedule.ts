// When a connection is refreshed next. `random` is a number from 0 to 1.

import type { NextRefresh } from '../../domain/connections/jobs.ts';
import type { Limits } from '../../platform/settings/limits.ts';
import { addMilliseconds, seconds } from '../../platform/values/clock.ts';
import { type FetchedAccounts, laggingAccountIds } from './fetchAccounts.ts';

/** The next refresh after one that succeeded. */
export const nextRefreshAt = (now: Date, limits: Limits, random = Math.random()): Date =>
  afterAbout(now, limits.refreshEveryHours, random);

/** The next refresh after a refusal that the end user repairs elsewhere. */
export const nextAttemptAt = (now: Date, limits: Limits): Date =>
  afterAbout(now, limits.refusedRefreshEveryHours, Math.random());

/** After so many hours, plus or minus up to 10 %, to spread the load. */
const afterAbout = (now: Date, hours: number, random: number): Date =>
  addMilliseconds(now, seconds(hours * 3600) * (0.9 + 0.2 * random));

/** The next attempt after `attempts` failures in a row: exponential backoff, half of each pause random. */
export const retryAt = (now: Date, attempts: number, limits: Limits, random = Math.random()): Date => {
  const pause = Math.min(limits.retryInitialSeconds * 2 ** (attempts - 1), limits.retryMaxHours * 3600);
  return addMilliseconds(now, seconds(pause) * (0.5 + 0.5 * random));
};

/** The refresh after what was fetched: soon, like after a failure, if the bank did not answer for an account. */
export const refreshAfter = (
  now: Date,
  fetched: FetchedAccounts,
  attempts: number,
  limits: Limits,
): NextRefresh =>
  laggingAccountIds(fetched).length > 0
    ? { dueAt: retryAt(now, attempts, limits).toISOString(), attempts }
    : { dueAt: nextRefreshAt(now, limits).toISOString() };
