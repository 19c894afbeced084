// Limits that hold over all processes together, without a question to the database while somebody waits: each
// process counts in memory, and about once a second writes what it counted and reads what all have counted. So a
// limit may be passed by what the others answer within that second, and by the hundredth that each keeps to itself.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Clock, seconds } from '../clock.ts';
import type { Limits } from '../config.ts';
import type { Database } from '../db/open.ts';
import type { Log } from '../log.ts';
import { hashOpaqueToken } from '../vault/opaqueToken.ts';
import { addRequestCounts, deleteRequestCountsBefore } from './quotaStore.ts';

export type Quotas = {
  /** Counts a request of `key`, unless it is beyond `limit` in this minute: then says when the next one begins. */
  take(key: string, limit: number): { refusedForSeconds: number } | undefined;
  /** Writes and reads now. */
  flush(): Promise<void>;
  stop(): Promise<void>;
};

/** What is known of one key in the present minute. */
type Tally = { limit: number; mine: number; written: number; others: number };

/** Memory is bounded however many ask: beyond this many the one that was first seen longest ago is forgotten. */
export const keysMax = 100_000;

/** Who asks little is nobody's concern but one process's: a key is written from this part of its limit on. */
const writtenFrom = 0.01;

export const startQuotas = (tools: { db: Database; clock: Clock; limits: Limits; log: Log }): Quotas => {
  const { db, clock, limits, log } = tools;
  let minute = 0;
  let tallies = new Map<string, Tally>();
  let tidied = 0;
  const forgetPast = (): Date => {
    const now = clock.real();
    const present = Math.floor(now.getTime() / seconds(60));
    if (present !== minute) tallies = new Map();
    minute = present;
    return now;
  };
  const take = (key: string, limit: number) => {
    const now = forgetPast();
    const tally = tallies.get(key) ?? begin(tallies, key, limit);
    if (tally.mine + tally.others >= limit) {
      return { refusedForSeconds: Math.max(1, 60 - Math.floor((now.getTime() / 1000) % 60)) };
    }
    tally.mine += 1;
    return undefined;
  };
  const write = async (): Promise<void> => {
    forgetPast();
    const [counted, at] = [tallies, minute];
    const rows = new Map<string, { tally: Tally; mine: number; count: number }>();
    for (const [key, tally] of counted) {
      const { mine, written } = tally;
      if (mine > written && mine >= tally.limit * writtenFrom)
        rows.set(hashOpaqueToken(key), { tally, mine, count: mine - written });
    }
    if (rows.size === 0) return;
    const given = [...rows].map(([key, { count }]) => ({ key, minute: at, count }));
    const totals = await db.transaction((trx) => addRequestCounts(trx, given));
    for (const [key, { tally, mine }] of rows) {
      tally.written = mine;
      tally.others = Math.max(0, totals.get(key)! - mine);
    }
    if (tidied === at) return;
    tidied = at;
    await deleteRequestCountsBefore(db.write, at - 1);
  };
  return { take, ...repeatedly(write, limits.requestCountsFlushMs, log) };
};

const begin = (tallies: Map<string, Tally>, key: string, limit: number): Tally => {
  if (tallies.size >= keysMax) tallies.delete(tallies.keys().next().value!);
  const tally = { limit, mine: 0, written: 0, others: 0 };
  tallies.set(key, tally);
  return tally;
};

const repeatedly = (
  write: () => Promise<void>,
  everyMs: number,
  log: Log,
): Pick<Quotas, 'flush' | 'stop'> => {
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
