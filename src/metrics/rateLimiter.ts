// Limits that hold over all processes together, without a question to the database while somebody waits: each
// process counts in memory, and about once a second writes what it counted and reads what all have counted. So a
// limit may be passed by what the others answer within that second, and by the hundredth that each keeps to itself.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Clock, seconds } from '../clock.ts';
import type { Limits } from '../config.ts';
import type { Database } from '../db/open.ts';
import type { Log } from '../log.ts';
import { hashOpaqueToken } from '../vault/opaqueToken.ts';
import { addRateLimitCounts, deleteRateLimitCountsBefore } from './rateLimitStore.ts';

export type RateLimiter = {
  /** Counts a request of `key`, unless it is beyond `limit` in this minute: then says when the next one begins. */
  consume(key: string, limit: number): { refusedForSeconds: number } | undefined;
  /** Writes and reads now. */
  flush(): Promise<void>;
  stop(): Promise<void>;
};

/** What is known of one key in the present minute. */
type WindowCount = { limit: number; local: number; flushed: number; remote: number };

/** Memory is bounded however many ask: beyond this many the one that was first seen longest ago is forgotten. */
export const trackedKeysMax = 100_000;

/** Who asks little is nobody's concern but one process's: a key is written from this part of its limit on. */
const sharedFromFraction = 0.01;

export const startRateLimiter = (tools: {
  db: Database;
  clock: Clock;
  limits: Limits;
  log: Log;
}): RateLimiter => {
  const { db, clock, limits, log } = tools;
  let minute = 0;
  let tallies = new Map<string, WindowCount>();
  let tidied = 0;
  const forgetPast = (): Date => {
    const now = clock.real();
    const present = Math.floor(now.getTime() / seconds(60));
    if (present !== minute) tallies = new Map();
    minute = present;
    return now;
  };
  const consume = (key: string, limit: number) => {
    const now = forgetPast();
    const tally = tallies.get(key) ?? startWindow(tallies, key, limit);
    if (tally.local + tally.remote >= limit) {
      return { refusedForSeconds: Math.max(1, 60 - Math.floor((now.getTime() / 1000) % 60)) };
    }
    tally.local += 1;
    return undefined;
  };
  const write = async (): Promise<void> => {
    forgetPast();
    const [counted, at] = [tallies, minute];
    const rows = new Map<string, { tally: WindowCount; mine: number; count: number }>();
    for (const [key, tally] of counted) {
      const { local, flushed } = tally;
      if (local > flushed && local >= tally.limit * sharedFromFraction)
        rows.set(hashOpaqueToken(key), { tally, mine: local, count: local - flushed });
    }
    if (rows.size === 0) return;
    const given = [...rows].map(([key, { count }]) => ({ key, minute: at, count }));
    const totals = await db.transaction((trx) => addRateLimitCounts(trx, given));
    for (const [key, { tally, mine }] of rows) {
      tally.flushed = mine;
      tally.remote = Math.max(0, totals.get(key)! - mine);
    }
    if (tidied === at) return;
    tidied = at;
    await deleteRateLimitCountsBefore(db.write, at - 1);
  };
  return { consume, ...startFlushLoop(write, limits.rateLimitFlushMs, log) };
};

const startWindow = (tallies: Map<string, WindowCount>, key: string, limit: number): WindowCount => {
  if (tallies.size >= trackedKeysMax) tallies.delete(tallies.keys().next().value!);
  const tally = { limit, local: 0, flushed: 0, remote: 0 };
  tallies.set(key, tally);
  return tally;
};

const startFlushLoop = (
  write: () => Promise<void>,
  everyMs: number,
  log: Log,
): Pick<RateLimiter, 'flush' | 'stop'> => {
  const stopping = new AbortController();
  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await sleep(everyMs, undefined, { signal: stopping.signal, ref: false }).catch(() => {});
      if (stopping.signal.aborted) return;
      // Without the database each process keeps to the limit by itself.
      await write().catch((err) => log.warn({ err }, 'counts of requests were not written'));
    }
  };
  const looping = loop();
  return {
    flush: write,
    stop: async () => {
      stopping.abort();
      await looping;
    },
  };
};
