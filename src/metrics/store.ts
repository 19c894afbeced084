// Queries for the metrics per minute.
import type { Database, Queries } from '../db/open.ts';
import type { MetricsRow } from '../db/tables.ts';

export type MinuteMetrics = MetricsRow;

const rowsPerStatement = 100;

/** Adds metrics to the rows of the same minute and subject. */
export const addMinuteMetrics = async (
  db: Pick<Database, 'write' | 'transaction'>,
  metrics: readonly MinuteMetrics[],
): Promise<void> => {
  // Sorted, so that two processes that write the same rows do not deadlock.
  const rows = metrics.toSorted((left, right) => (keyOf(left) < keyOf(right) ? -1 : 1));
  const { write } = db;
  const maximum =
    'case when excluded.max_ms > metrics_per_minute.max_ms then excluded.max_ms else metrics_per_minute.max_ms end';
  const sumColumns = (['total', 'refused', 'failed', 'sumMs'] as const).map((column) => [
    column,
    write.raw('metrics_per_minute.?? + excluded.??', [column, column]),
  ]);
  await db.transaction(async (trx) => {
    for (let at = 0; at < rows.length; at += rowsPerStatement) {
      await trx('metrics_per_minute')
        .insert(rows.slice(at, at + rowsPerStatement))
        .onConflict(['applicationId', 'kind', 'minute', 'subject'])
        .merge({ ...Object.fromEntries(sumColumns), maxMs: write.raw(maximum) });
    }
  });
};

const keyOf = (row: MetricsRow): string => [row.applicationId, row.kind, row.minute, row.subject].join('\n');

export const deleteMetricsBefore = async (db: Queries, minute: string): Promise<void> => {
  await db('metrics_per_minute').where('minute', '<', minute).delete();
};

export type MetricsSum = Pick<MinuteMetrics, 'total' | 'refused' | 'failed' | 'sumMs' | 'maxMs'>;

type MetricsRange = { applicationId: string; kind: MetricsRow['kind']; from: string; until: string };

const metricsInRange = (db: Queries, { applicationId, kind, from, until }: MetricsRange) =>
  db('metrics_per_minute')
    .where({ applicationId, kind })
    .where('minute', '>=', from)
    .where('minute', '<', until);

const sums = {
  total: 'total',
  refused: 'refused',
  failed: 'failed',
  sumMs: 'sumMs',
};

type MetricsSumRow<Group extends string> = Record<keyof MetricsSum, never> & Record<Group, string>;

// PostgreSQL returns sums as text.
const toNumbers = (row: Record<keyof MetricsSum, unknown>): MetricsSum => ({
  total: Number(row.total),
  refused: Number(row.refused),
  failed: Number(row.failed),
  sumMs: Number(row.sumMs),
  maxMs: Number(row.maxMs),
});

/** The sums by minute, oldest first, without the minutes that have no rows. */
export const sumByMinute = async (
  db: Queries,
  range: MetricsRange,
): Promise<(MetricsSum & { minute: string })[]> => {
  const rows: MetricsSumRow<'minute'>[] = await metricsInRange(db, range)
    .groupBy('minute')
    .orderBy('minute')
    .select('minute')
    .sum(sums)
    .max({ maxMs: 'maxMs' });
  return rows.map((row) => ({ minute: row.minute, ...toNumbers(row) }));
};

/** The sums by subject. */
export const sumBySubject = async (
  db: Queries,
  range: MetricsRange,
): Promise<(MetricsSum & { subject: string })[]> => {
  const rows: MetricsSumRow<'subject'>[] = await metricsInRange(db, range)
    .groupBy('subject')
    .orderBy('subject')
    .select('subject')
    .sum(sums)
    .max({ maxMs: 'maxMs' });
  return rows.map((row) => ({ subject: row.subject, ...toNumbers(row) }));
};
