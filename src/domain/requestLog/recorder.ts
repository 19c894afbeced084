// Records requests in memory: metrics per minute, and a log of requests with a valid API key, so that an application's owner
// can find a request by its id. A failed write is retried with the next batch. A crash loses a few seconds of both.

import type { Database } from '../../platform/db/open.ts';
import type { LoggedRequestRow } from '../../platform/db/tables.ts';
import { startLoop } from '../../platform/loops/loop.ts';
import type { Limits } from '../../platform/settings/limits.ts';
import { addMilliseconds, type Clock, days, seconds } from '../../platform/values/clock.ts';
import { recordApiKeyUse } from '../applications/store.ts';
import type { MinuteMetrics } from './store.ts';
import * as store from './store.ts';

/**
 * Requests by operation, requests by API key, refreshes by institution, link sessions deleted by the sweep (by state), and
 * widget sign-ins above the application's limit.
 */
type MetricKind = MinuteMetrics['kind'];
type SampleOutcome = 'succeeded' | 'refused' | 'failed';

type Sample = {
  applicationId: string;
  kind: MetricKind;
  subject: string;
  outcome: SampleOutcome;
  milliseconds: number;
};

type RecorderDeps = {
  db: Database;
  clock: Clock;
  limits: Limits;
  log: { warn(failure: { err: unknown }, message: string): void };
};

type Flushed = { flush(): Promise<void>; deleteExpired(): Promise<void>; failure: string };

/** Writes the records to the database every few seconds and when the process stops, so that no request waits for it. */
const startFlushing = ({ clock, limits, log }: RecorderDeps, { flush, deleteExpired, failure }: Flushed) => {
  let deletedAt = 0;
  const warn = (err: unknown): void => log.warn({ err }, failure);
  const deleteHourly = async (): Promise<void> => {
    const now = clock.real().getTime();
    if (now - deletedAt < seconds(3600)) return;
    deletedAt = now;
    await deleteExpired();
  };
  const loop = startLoop(
    () => seconds(limits.metricsFlushSeconds),
    () => flush().then(deleteHourly).catch(warn),
  );
  return {
    /** Writes the records so far. */
    flush,
    /** Writes the records and stops the loop. */
    stop: async (): Promise<void> => {
      await loop.stop();
      await flush().catch(warn);
    },
  };
};

export type MetricsRecorder = ReturnType<typeof startMetricsRecorder>;

export const startMetricsRecorder = (deps: RecorderDeps) => {
  const { db, clock, limits } = deps;
  let pending = new Map<string, MinuteMetrics>();
  /** Each API key's last use, until it is written. */
  const usedKeys = new Map<string, string>();

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
      if (written.size > 0) await store.addMinuteMetrics(db, [...written.values()]);
    } catch (error) {
      for (const one of written.values()) addMetrics(pending, one);
      throw error;
    }
    // Last-used times have minute precision, so each key is written at most once a minute.
    for (const [keyId, minute] of [...usedKeys]) {
      await recordApiKeyUse(db.write, keyId, minute);
      if (usedKeys.get(keyId) === minute) usedKeys.delete(keyId);
    }
  };

  const deleteExpired = async (): Promise<void> => {
    const first = addMilliseconds(clock.real(), -days(limits.metricsRetentionDays));
    await store.deleteMetricsBefore(db.write, toMinute(first));
  };
  return { observe, ...startFlushing(deps, { flush, deleteExpired, failure: 'metrics not written' }) };
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

/** `parameters` are the names of invalid parameters. No value from the request is logged. */
export type LoggedRequest = Pick<
  LoggedRequestRow,
  'applicationId' | 'requestId' | 'keyId' | 'operation' | 'status' | 'outcome' | 'milliseconds'
> & { code?: string; parameters?: readonly string[] };

export type RequestLog = ReturnType<typeof startRequestLog>;

/** `ordinal` counts the requests within one millisecond. */
type Pending = { at: number; ordinal: number; request: LoggedRequest };

type PendingGroups = Record<'successes' | 'failures', Pending[]>;

export const startRequestLog = (deps: RecorderDeps) => {
  const { db, clock, limits } = deps;
  /** Keyed by application. Each group stays below twice the number that is kept. */
  const pending = new Map<string, PendingGroups>();
  let lastAt = 0;
  let ordinal = 0;

  const record = (request: LoggedRequest): void => {
    const ofApplication = pending.get(request.applicationId) ?? { successes: [], failures: [] };
    pending.set(request.applicationId, ofApplication);
    const isSuccess = request.outcome === 'succeeded';
    const group = isSuccess ? ofApplication.successes : ofApplication.failures;
    const max = isSuccess ? limits.requestLogSuccessesMax : limits.requestLogFailuresMax;
    const at = clock.real().getTime();
    ordinal = at === lastAt ? ordinal + 1 : 0;
    lastAt = at;
    group.push({ at, ordinal, request });
    // Trimmed rarely, because trimming moves all remaining entries.
    if (group.length >= 2 * max) group.splice(0, group.length - max);
  };

  /** At most as many as the log keeps. */
  const newestOf = ({ successes, failures }: PendingGroups): PendingGroups => ({
    successes: successes.slice(-limits.requestLogSuccessesMax),
    failures: failures.slice(-limits.requestLogFailuresMax),
  });

  const putBack = (applicationId: string, { successes, failures }: PendingGroups): void => {
    const since = pending.get(applicationId) ?? { successes: [], failures: [] };
    const all = {
      successes: [...successes, ...since.successes],
      failures: [...failures, ...since.failures],
    };
    pending.set(applicationId, newestOf(all));
  };

  const flush = async (): Promise<void> => {
    for (const [applicationId, recorded] of [...pending]) {
      pending.delete(applicationId);
      const { successes, failures } = newestOf(recorded);
      try {
        await store.insertRequests(db, [...successes, ...failures].map(toRow));
      } catch (error) {
        putBack(applicationId, recorded);
        throw error;
      }
      const { requestLogSuccessesMax, requestLogFailuresMax } = limits;
      if (successes.length > 0)
        await store.keepNewestRequests(db.write, applicationId, ['succeeded'], requestLogSuccessesMax);
      if (failures.length > 0)
        await store.keepNewestRequests(db.write, applicationId, ['refused', 'failed'], requestLogFailuresMax);
    }
  };

  const deleteExpired = async (): Promise<void> => {
    const first = addMilliseconds(clock.real(), -days(limits.requestLogDays));
    await store.deleteRequestsBefore(db.write, first.toISOString());
  };
  return { record, ...startFlushing(deps, { flush, deleteExpired, failure: 'requests not logged' }) };
};

const toRow = ({ at, ordinal, request }: Pending): LoggedRequestRow => ({
  ...request,
  id: `${at.toString(36).padStart(9, '0')}${ordinal.toString(36).padStart(2, '0')}${request.requestId}`,
  at: new Date(at).toISOString(),
  milliseconds: Math.round(request.milliseconds),
  code: request.code ?? null,
  parameters: request.parameters ? JSON.stringify(request.parameters) : null,
});
