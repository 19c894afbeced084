// Records metrics per minute in memory. Every few seconds, and when the process stops, it adds them to the database; no
// request waits for that. If writing fails, the metrics are written with the next flush.
import { recordApiKeyUse } from '../applications/store.ts';
import { addMilliseconds, type Clock, days, seconds } from '../clock.ts';
import type { Database } from '../db/open.ts';
import { startLoop } from '../loops/loop.ts';
import type { Limits } from '../settings/limits.ts';
import { addMinuteMetrics, deleteMetricsBefore, type MinuteMetrics } from './store.ts';

/**
 * Requests by operation, requests by API key, refreshes by institution, link sessions that the sweep has deleted by state, and
 * sign-ins in the widget beyond the application's limit.
 */
export type MetricKind = MinuteMetrics['kind'];
export type SampleOutcome = 'succeeded' | 'refused' | 'failed';

export type Sample = {
  applicationId: string;
  kind: MetricKind;
  subject: string;
  outcome: SampleOutcome;
  milliseconds: number;
};

export type MetricsRecorder = {
  observe(sample: Sample): void;
  /** Writes the metrics recorded so far. */
  flush(): Promise<void>;
  /** Writes the metrics and stops the loop. */
  stop(): Promise<void>;
};

export type MetricsDeps = {
  db: Database;
  clock: Clock;
  limits: Limits;
  log: { warn(failure: { err: unknown }, message: string): void };
};

export const startMetricsRecorder = (deps: MetricsDeps): MetricsRecorder => {
  const { db, clock, limits, log } = deps;
  let pending = new Map<string, MinuteMetrics>();
  /** By API key: when it was used last, until that is written. */
  const usedKeys = new Map<string, string>();
  let deletedAt = 0;

  const observe = ({ applicationId, kind, subject, outcome, milliseconds }: Sample): void => {
    const now = clock.real();
    const minute = toMinute(now);
    addMetrics(pending, {
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
    if (kind === 'key') usedKeys.set(subject, minute);
  };

  const flush = async (): Promise<void> => {
    const written = pending;
    pending = new Map();
    try {
      if (written.size > 0) await addMinuteMetrics(db, [...written.values()]);
    } catch (error) {
      for (const one of written.values()) addMetrics(pending, one);
      throw error;
    }
    // Last-used times have a precision of a minute, so that each key is written once a minute at most.
    for (const [keyId, minute] of [...usedKeys]) {
      await recordApiKeyUse(db.write, keyId, minute);
      if (usedKeys.get(keyId) === minute) usedKeys.delete(keyId);
    }
  };

  const deleteExpired = async (): Promise<void> => {
    const now = clock.real();
    if (now.getTime() - deletedAt < seconds(3600)) return;
    deletedAt = now.getTime();
    await deleteMetricsBefore(db.write, toMinute(addMilliseconds(now, -days(limits.metricsRetentionDays))));
  };

  const loop = startLoop(
    () => seconds(limits.metricsFlushSeconds),
    () =>
      flush()
        .then(deleteExpired)
        .catch((err) => log.warn({ err }, 'metrics not written')),
  );
  return {
    observe,
    flush,
    stop: async () => {
      await loop.stop();
      await flush().catch((err) => log.warn({ err }, 'metrics not written'));
    },
  };
};

// Called twice per request; formatting a date would cost more than the rest of `observe`, so the text is cached.
let minuteNumber = Number.NaN;
let minuteText = '';
const toMinute = (date: Date): string => {
  const number = Math.floor(date.getTime() / seconds(60));
  if (number !== minuteNumber) {
    minuteNumber = number;
    minuteText = new Date(number * seconds(60)).toISOString();
  }
  return minuteText;
};

const addMetrics = (pending: Map<string, MinuteMetrics>, added: MinuteMetrics): void => {
  const { applicationId, kind, minute, subject } = added;
  const key = [applicationId, kind, minute, subject].join('\n');
  const existing = pending.get(key);
  if (!existing) {
    pending.set(key, { ...added });
    return;
  }
  existing.total += added.total;
  existing.refused += added.refused;
  existing.failed += added.failed;
  existing.sumMs += added.sumMs;
  existing.maxMs = Math.max(existing.maxMs, added.maxMs);
};
