// Queries for the metrics per minute and the request log.
import type { Database, Queries } from '../../platform/db/open.ts';
import type { LoggedRequestRow, MetricsRow } from '../../platform/db/tables.ts';
import { inBatches } from '../../platform/loops/fairScheduler.ts';
import { prefixUpperBound } from '../../platform/values/text.ts';

export type MinuteMetrics = MetricsRow;

/** Adds metrics to the rows of the same minute and subject. */
export const addMinuteMetrics = async (
  db: Pick<Database, 'write' | 'transaction'>,
  metrics: readonly MinuteMetrics[],
): Promise<void> => {
  // Sorted so that two processes writing the same rows do not deadlock.
  const rows = metrics.toSorted((left, right) => (keyOf(left) < keyOf(right) ? -1 : 1));
  const { write } = db;
  const maximum =
    'case when excluded.max_ms > metrics_per_minute.max_ms then excluded.max_ms else metrics_per_minute.max_ms end';
  const sumColumns = (['total', 'refused', 'failed', 'sumMs'] as const).map((column) => [
    column,
    write.raw('metrics_per_minute.?? + excluded.??', [column, column]),
  ]);
  await db.transaction((trx) =>
    inBatches(rows, (batch) =>
      trx('metrics_per_minute')
        .insert(batch)
        .onConflict(['applicationId', 'kind', 'minute', 'subject'])
        .merge({ ...Object.fromEntries(sumColumns), maxMs: write.raw(maximum) }),
    ),
  );
};

const keyOf = (row: MetricsRow): string => [row.applicationId, row.kind, row.minute, row.subject].join('\n');

export const deleteMetricsBefore = async (db: Queries, minute: string): Promise<void> => {
  await db('metrics_per_minute').where('minute', '<', minute).delete();
};

export type MetricsSum = Pick<MinuteMetrics, 'total' | 'refused' | 'failed' | 'sumMs' | 'maxMs'>;

export type MetricsQuery = Pick<MetricsRow, 'kind'> & {
  /** All applications if absent. */
  applicationId?: string;
  period: { from: Date; until: Date };
};

/** Sums by minute or by subject, sorted by that column; groups without rows are absent. */
export const sumMetrics = async (
  db: Queries,
  by: 'minute' | 'subject',
  { applicationId, kind, period }: MetricsQuery,
): Promise<(MetricsSum & { group: string })[]> => {
  const rows: (Record<keyof MetricsSum, never> & { group: string })[] = await db('metrics_per_minute')
    .where({ kind, ...(applicationId !== undefined && { applicationId }) })
    .where('minute', '>=', period.from.toISOString())
    .where('minute', '<', period.until.toISOString())
    .groupBy(by)
    .orderBy(by)
    .select({ group: by })
    .sum({ total: 'total', refused: 'refused', failed: 'failed', sumMs: 'sumMs' })
    .max({ maxMs: 'maxMs' });
  // PostgreSQL returns sums as text.
  return rows.map((row) => ({
    group: row.group,
    total: Number(row.total),
    refused: Number(row.refused),
    failed: Number(row.failed),
    sumMs: Number(row.sumMs),
    maxMs: Number(row.maxMs),
  }));
};

/** Ignores rows already stored: they are written twice if the response to a successful commit was lost. */
export const insertRequests = async (db: Database, rows: readonly LoggedRequestRow[]): Promise<void> => {
  await db.transaction((trx) =>
    inBatches(rows, (batch) => trx('request_log').insert(batch).onConflict(['applicationId', 'id']).ignore()),
  );
};

type Outcome = LoggedRequestRow['outcome'];

/** Deletes all but the newest `count` requests of an application with these outcomes. */
export const keepNewestRequests = async (
  db: Queries,
  applicationId: string,
  outcomes: readonly Outcome[],
  count: number,
): Promise<void> => {
  const matching = () => db('request_log').where({ applicationId }).whereIn('outcome', outcomes);
  const newestToDelete = matching().orderBy('id', 'desc').offset(count).limit(1).select('id');
  await matching().where('id', '<=', newestToDelete).delete();
};

export const deleteRequestsBefore = async (db: Queries, time: string): Promise<void> => {
  await db('request_log').where('at', '<', time).delete();
};

export type RequestFilter = { requestId?: string; outcome?: Outcome; operation?: string };

/** One page of an application's matching requests that are older than the id `after`, newest first. */
export const findRequests = async (
  db: Queries,
  applicationId: string,
  { requestId, outcome, operation }: RequestFilter,
  page: { after?: string; limit: number },
): Promise<LoggedRequestRow[]> => {
  const query = db('request_log')
    .where({
      applicationId,
      ...(requestId !== undefined && { requestId }),
      ...(outcome !== undefined && { outcome }),
      ...(operation !== undefined && { operation }),
    })
    .orderBy('id', 'desc')
    .limit(page.limit)
    .select('*');
  if (page.after !== undefined) query.where('id', '<', page.after);
  return query;
};

/** The first `limit` requests of an application whose ids begin with `prefix`. */
export const findRequestsByPrefix = async (
  db: Queries,
  applicationId: string,
  prefix: string,
  limit: number,
): Promise<LoggedRequestRow[]> =>
  db('request_log')
    .where({ applicationId })
    .where('requestId', '>=', prefix)
    .where('requestId', '<', prefixUpperBound(prefix)!)
    .orderBy('requestId')
    .limit(limit)
    .select('*');
