// Schedules the next refresh of a connection. `random` is a number from 0 to 1.

import type { BankLimits } from '../../../connectors/kit/contract.ts';
import type { NextRefresh } from '../../domain/connections/jobs.ts';
import type { Limits } from '../../platform/settings/limits.ts';
import { addMilliseconds, seconds } from '../../platform/values/clock.ts';
import { allowedFrom, formatPolls, type Polls } from './budget.ts';
import { type FetchedAccounts, laggingAccountIds } from './fetchAccounts.ts';

/** The next refresh after a successful one. */
export const nextRefreshAt = (now: Date, limits: Limits, random = Math.random()): Date =>
  afterAbout(now, limits.refreshEveryHours, random);

/** The next refresh after a refusal that the end user can fix elsewhere. */
export const nextAttemptAt = (now: Date, limits: Limits): Date =>
  afterAbout(now, limits.refusedRefreshEveryHours, Math.random());

/** A time about `hours` from now, ±10 % at random to spread the load. */
const afterAbout = (now: Date, hours: number, random: number): Date =>
  addMilliseconds(now, seconds(hours * 3600) * (0.9 + 0.2 * random));

/** The next attempt after `attempts` failures in a row: exponential backoff, half of each pause random. */
export const retryAt = (now: Date, attempts: number, limits: Limits, random = Math.random()): Date => {
  const pause = Math.min(limits.retryInitialSeconds * 2 ** (attempts - 1), limits.retryMaxHours * 3600);
  return addMilliseconds(now, seconds(pause) * (0.5 + 0.5 * random));
};

/** Inputs for scheduling, besides the fetched data: the job's counted conversations, and its bank's limits. */
type Counted = { attempts: number; fullAt?: string | null; polls: Polls; bank: Required<BankLimits> };

/**
 * The next refresh, at a time that the bank allows. If accounts lag, it runs soon, as after a failure, and polls only those
 * until all are due.
 */
export const refreshAfter = (
  now: Date,
  fetched: FetchedAccounts,
  { attempts, fullAt = null, polls, bank }: Counted,
  limits: Limits,
): NextRefresh => {
  const paused = fetched.pausedUntil?.toISOString() ?? '';
  const allowedFor = (ids: readonly string[]): string =>
    latest(paused, ids.map((id) => allowedFrom(polls, bank, id)).sort()[0] ?? '');
  const lagging = laggingAccountIds(fetched);
  const notBefore = allowedFor(fetched.accounts.map(({ id }) => id));
  const isDue = fullAt === null || fullAt <= now.toISOString();
  const all = latest(isDue ? nextRefreshAt(now, limits).toISOString() : fullAt, notBefore);
  const retry = latest(retryAt(now, attempts, limits).toISOString(), allowedFor(lagging));
  const next = { notBefore: notBefore || null, asked: formatPolls(polls, bank) };
  if (lagging.length === 0) return { ...next, dueAt: all };
  return retry < all ? { ...next, dueAt: retry, fullAt: all, attempts } : { ...next, dueAt: all, attempts };
};

const latest = (...times: string[]): string => times.sort().at(-1)!;
