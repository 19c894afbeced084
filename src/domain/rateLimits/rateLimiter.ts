// Rate limits shared by all processes. Each process counts in memory; about once a second it writes its counts and reads the
// sums, so that no request waits for the database. A limit can be exceeded by the requests that other processes allow within
// that second, and by up to 1 % of the limit per process, which is counted only locally.
import { LRUCache } from 'lru-cache';
import type { Database } from '../../platform/db/open.ts';
import { startLoop } from '../../platform/loops/loop.ts';
import type { Limits } from '../../platform/settings/limits.ts';
import type { Log } from '../../platform/telemetry/log.ts';
import { type Clock, seconds } from '../../platform/values/clock.ts';
import { fingerprint } from '../../platform/vault/keys.ts';
import type { Keyset } from '../../platform/vault/keyset.ts';
import * as store from './store.ts';

export type RateLimiter = ReturnType<typeof startRateLimiter>;

export type RateLimitResult = {
  allowed: boolean;
  /** Requests left in this window after this request. */
  remaining: number;
  /** Seconds until the next window. */
  resetSeconds: number;
};

/** One key's requests in a window whose last minute is `minute`. */
type WindowCount = { limit: number; minute: number; local: number; flushed: number; remote: number };

/** Bounds memory: beyond this many keys, the least recently used count is dropped. */
const trackedKeysMax = 100_000;

/** A key below this fraction of its limit is counted only locally. */
const sharedFromFraction = 0.01;

export const startRateLimiter = (deps: {
  db: Database;
  clock: Clock;
  limits: Limits;
  log: Log;
  /** Hash the stored keys, which contain client addresses. Shared by all processes; changing them resets the counts. */
  hashKeys: Keyset<Buffer>;
}) => {
  const { db, clock, limits, log, hashKeys } = deps;
  const storedKey = (key: string): string =>
    fingerprint(hashKeys.current(), 'rate limit', '', [key]).toString('base64url');
  let minute = 0;
  // With `max`, it would allocate room for all keys at once.
  const counts = new LRUCache<string, WindowCount>({ maxSize: trackedKeysMax, sizeCalculation: () => 1 });
  let deletedAtMinute = 0;
  const startMinute = (): Date => {
    const now = clock.real();
    const current = Math.floor(now.getTime() / seconds(60));
    if (current !== minute) for (const [key, count] of counts) if (count.minute < current) counts.delete(key);
    minute = current;
    return now;
  };
  const findCount = (key: string, limit: number, windowMinutes: number): WindowCount => {
    const lastMinute = minute - (minute % windowMinutes) + windowMinutes - 1;
    const found = counts.get(key);
    // If the clock was set back, `counts` has windows from a later time.
    const count =
      found?.minute === lastMinute ? found : { limit, minute: lastMinute, local: 0, flushed: 0, remote: 0 };
    // An owner may have changed the limit.
    count.limit = limit;
    if (count !== found) counts.set(key, count);
    return count;
  };
  /** Counts a request by `key` unless the key has reached `limit` in the current window, by default a minute. */
  const consume = (key: string, limit: number, windowMinutes = 1): RateLimitResult => {
    const now = startMinute();
    const count = findCount(key, limit, windowMinutes);
    const allowed = count.local + count.remote < limit;
    if (allowed) count.local += 1;
    return {
      allowed,
      remaining: Math.max(0, limit - count.local - count.remote),
      resetSeconds: Math.max(1, (count.minute + 1) * 60 - Math.floor(now.getTime() / 1000)),
    };
  };
  /** Undoes a `consume` with the same arguments that this or another process made at `countedAt`. */
  const release = (countedAt: Date, key: string, limit: number, windowMinutes = 1): void => {
    startMinute();
    const count = findCount(key, limit, windowMinutes);
    const isOfWindow = Math.floor(countedAt.getTime() / seconds(60)) > count.minute - windowMinutes;
    if (isOfWindow) count.local -= 1;
  };
  /** Writes the local counts and reads those of all processes. */
  const flush = async (): Promise<void> => {
    startMinute();
    const flushedMinute = minute;
    const changed = new Map<string, { count: WindowCount; local: number; added: number }>();
    for (const [key, count] of counts) {
      const { local, flushed } = count;
      const isShared = flushed !== 0 || Math.abs(local) >= count.limit * sharedFromFraction;
      if (isShared && local !== flushed)
        changed.set(storedKey(key), { count, local, added: local - flushed });
    }
    if (changed.size === 0) return;
    const rows = [...changed].map(([key, { count, added }]) => ({ key, minute: count.minute, count: added }));
    const totals = await db.transaction((trx) => store.addRateLimitCounts(trx, rows));
    for (const [key, { count, local }] of changed) {
      count.flushed = local;
      // Negative if others released more than they counted.
      count.remote = totals.get(key)! - local;
    }
    if (deletedAtMinute === flushedMinute) return;
    deletedAtMinute = flushedMinute;
    await store.deleteRateLimitCountsBefore(db.write, flushedMinute - 1);
  };
  const { stop } = startLoop(
    () => limits.rateLimitFlushMs,
    // Without the database, each process applies the limit to its own requests.
    () => flush().catch((err) => log.warn({ err }, 'rate limit counts not written')),
  );
  return { consume, release, flush, stop };
};
