// The questions asked about counts.
import type { Database, Queries } from '../db/open.ts';

export type MinuteMetrics = {
  applicationId: string;
  kind: string;
  minute: string;
  subject: string;
  total: number;
  refused: number;
  failed: number;
  sumMs: number;
  maxMs: number;
};

const rowsPerStatement = 100;

/** Adds counts to those of the same minute, whichever process wrote them. */
export const addMinuteMetrics = async (db: Database, counts: readonly MinuteMetrics[]): Promise<void> => {
  // Always in one order, so that two processes that write the same minutes do not wait for each other in a circle.
  const rows = counts
    .map((count) => ({
      application_id: count.applicationId,
      kind: count.kind,
      minute: count.minute,
      subject: count.subject,
      total: count.total,
      refused: count.refused,
      failed: count.failed,
      sum_ms: count.sumMs,
      max_ms: count.maxMs,
    }))
    .sort((left, right) => (keyOf(left) < keyOf(right) ? -1 : 1));
  const { write } = db;
  const larger =
    'case when excluded.max_ms > metrics_per_minute.max_ms then excluded.max_ms else metrics_per_minute.max_ms end';
  const sums = ['total', 'refused', 'failed', 'sum_ms'].map((column) => [
    column,
    write.raw(`metrics_per_minute.${column} + excluded.${column}`),
  ]);
  await db.transaction(async (trx) => {
    for (let at = 0; at < rows.length; at += rowsPerStatement) {
      await trx('metrics_per_minute')
        .insert(rows.slice(at, at + rowsPerStatement))
        .onConflict(['application_id', 'kind', 'minute', 'subject'])
        .merge({ ...Object.fromEntries(sums), max_ms: write.raw(larger) });
    }
  });
};

const keyOf = (row: { application_id: string; kind: string; minute: string; subject: string }): string =>
  [row.application_id, row.kind, row.minute, row.subject].join('\n');

export const deleteMetricsBefore = async (db: Queries, minute: string): Promise<void> => {
  await db('metrics_per_minute').where('minute', '<', minute).delete();
};

export type MetricsSum = Pick<MinuteMetrics, 'total' | 'refused' | 'failed' | 'sumMs' | 'maxMs'>;

type MetricsRange = { applicationId: string; kind: string; from: string; until: string };

const metricsInRange = (db: Queries, { applicationId, kind, from, until }: MetricsRange) =>
  db('metrics_per_minute')
    .where({ application_id: applicationId, kind })
    .where('minute', '>=', from)
    .where('minute', '<', until);

const sums = {
  total: 'total',
  refused: 'refused',
  failed: 'failed',
  sumMs: 'sum_ms',
};

type MetricsSumRow<Group extends string> = Record<keyof MetricsSum, never> & Record<Group, string>;

// PostgreSQL gives sums as text.
const toNumbers = (row: Record<keyof MetricsSum, unknown>): MetricsSum => ({
  total: Number(row.total),
  refused: Number(row.refused),
  failed: Number(row.failed),
  sumMs: Number(row.sumMs),
  maxMs: Number(row.maxMs),
});

/** Summed up by minute, the oldest first; minutes without counts are left out. */
export const sumByMinute = async (
  db: Queries,
  range: MetricsRange,
): Promise<(MetricsSum & { minute: string })[]> => {
  const rows: MetricsSumRow<'minute'>[] = await metricsInRange(db, range)
    .groupBy('minute')
    .orderBy('minute')
    .select('minute')
    .sum(sums)
    .max({ maxMs: 'max_ms' });
  return rows.map((row) => ({ minute: row.minute, ...toNumbers(row) }));
};

/** Summed up by subject. */
export const sumBySubject = async (
  db: Queries,
  range: MetricsRange,
): Promise<(MetricsSum & { subject: string })[]> => {
  const rows: MetricsSumRow<'subject'>[] = await metricsInRange(db, range)
    .groupBy('subject')
    .orderBy('subject')
    .select('subject')
    .sum(sums)
    .max({ maxMs: 'max_ms' });
  return rows.map((row) => ({ subject: row.subject, ...toNumbers(row) }));
};
