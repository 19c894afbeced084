// Counts what happens, by the minute, in memory; every few seconds, and when the process stops, the counts are added
// to the database's. No request waits for that. What was counted and could not be written is tried again later.
import { setTimeout as sleep } from 'node:timers/promises';
import { recordApiKeyUse } from '../applications/store.ts';
import { addMilliseconds, type Clock, days, seconds } from '../clock.ts';
import type { Limits } from '../config.ts';
import type { Database } from '../db/open.ts';
import { addMinuteMetrics, type MinuteMetrics, deleteMetricsBefore } from './store.ts';

/** What is counted: requests by operation and by key, refreshes by institution. */
export type MetricKind = 'operation' | 'key' | 'institution';
export type SampleOutcome = 'succeeded' | 'refused' | 'failed';

export type Sample = {
  applicationId: string;
  kind: MetricKind;
  subject: string;
  outcome: SampleOutcome;
  milliseconds: number;
};

export type MetricsRecorder = {
  observe(happening: Sample): void;
  /** Writes what was counted so far. */
  flush(): Promise<void>;
  /** Writes what was counted and ends. */
  stop(): Promise<void>;
};

export type MetricsDeps = {
  db: Database;
  clock: Clock;
  limits: Limits;
  log: { warn(failure: { err: unknown }, message: string): void };
};

/** Starts to count. */
export const startMetricsRecorder = (tools: MetricsDeps): MetricsRecorder => {
  const { db, clock, limits, log } = tools;
  let counts = new Map<string, MinuteMetrics>();
  let keysUsed = new Map<string, string>();
  let tidiedAt = 0;

  const observe = ({ applicationId, kind, subject, outcome, milliseconds }: Sample): void => {
    const now = clock.real();
    const minute = toMinute(now);
    addToCounts(counts, {
      applicationId,
      kind,
      minute,
      subject,
      total: 1,
      refused: outcome === 'refused' ? 1 : 0,
      failed: outcome === 'failed' ? 1 : 0,
      sumMs: Math.round(milliseconds),
      maxMs: Math.round(milliseconds),
    });
    if (kind === 'key') keysUsed.set(subject, minute);
  };

  const write = async (): Promise<void> => {
    const written = counts;
    const used = keysUsed;
    counts = new Map();
    keysUsed = new Map();
    try {
      if (written.size > 0) await addMinuteMetrics(db, [...written.values()]);
    } catch (error) {
      for (const count of written.values()) addToCounts(counts, count);
      throw error;
    }
    // The minute is as exact as anybody needs it, so a key is written at most once a minute.
    for (const [keyId, minute] of used) await recordApiKeyUse(db.write, keyId, minute);
  };

  const tidy = async (): Promise<void> => {
    const now = clock.real();
    if (now.getTime() - tidiedAt < seconds(3600)) return;
    tidiedAt = now.getTime();
    await deleteMetricsBefore(db.write, toMinute(addMilliseconds(now, -days(limits.metricsRetentionDays))));
  };

  const stopping = new AbortController();
  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const pause = { signal: stopping.signal, ref: false };
      await sleep(seconds(limits.metricsFlushSeconds), undefined, pause).catch(() => {});
      try {
        await write();
        if (!stopping.signal.aborted) await tidy();
      } catch (err) {
        log.warn({ err }, 'counts were not written');
      }
    }
  };
  const looping = loop();
  return {
    observe,
    flush: write,
    stop: async () => {
      stopping.abort();
      await looping;
    },
  };
};

// Asked twice for every request; printing a date costs more than all else that counting does.
let minuteNumber = Number.NaN;
let minuteText = '';
const toMinute = (moment: Date): string => {
  const number = Math.floor(moment.getTime() / seconds(60));
  if (number !== minuteNumber) {
    minuteNumber = number;
    minuteText = new Date(number * seconds(60)).toISOString();
  }
  return minuteText;
};

const addToCounts = (counts: Map<string, MinuteMetrics>, count: MinuteMetrics): void => {
  const { applicationId, kind, minute, subject } = count;
  const key = [applicationId, kind, minute, subject].join('\n');
  const held = counts.get(key);
  if (!held) {
    counts.set(key, { ...count });
    return;
  }
  held.total += count.total;
  held.refused += count.refused;
  held.failed += count.failed;
  held.sumMs += count.sumMs;
  held.maxMs = Math.max(held.maxMs, count.maxMs);
};
