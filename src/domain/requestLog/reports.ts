// Requests as the dashboard shows them: metrics for a time span, and the log, newest first.

import type { Queries } from '../../platform/db/open.ts';
import type { LoggedRequestRow } from '../../platform/db/tables.ts';
import { addMilliseconds, seconds } from '../../platform/values/clock.ts';
import {
  decodeListCursor,
  encodeListCursor,
  type ListPage,
  readListPage,
} from '../../platform/values/listPage.ts';
import type { MetricsQuery, MetricsSum, RequestFilter } from './store.ts';
import * as store from './store.ts';

export type TimeRange = 'hour' | 'day' | 'week' | 'month';

const timeRanges: Record<TimeRange, { bucketSeconds: number; steps: number }> = {
  hour: { bucketSeconds: 60, steps: 60 },
  day: { bucketSeconds: 15 * 60, steps: 96 },
  week: { bucketSeconds: 3600, steps: 168 },
  month: { bucketSeconds: 6 * 3600, steps: 120 },
};

export type Period = { from: Date; until: Date; bucketSeconds: number };

/** The period of a time range in whole steps; the last step contains `now`. */
export const periodOfRange = (range: TimeRange, now: Date): Period => {
  const { bucketSeconds, steps } = timeRanges[range];
  const step = seconds(bucketSeconds);
  const until = new Date((Math.floor(now.getTime() / step) + 1) * step);
  return { from: addMilliseconds(until, -steps * step), until, bucketSeconds };
};

export type MetricsBucket = { at: string; total: number; refused: number; failed: number };

/** One bucket per step of the period, oldest first, including empty ones. */
export const metricsOverTime = async (
  db: Queries,
  query: MetricsQuery & { period: Period },
): Promise<MetricsBucket[]> => {
  const { from, until, bucketSeconds } = query.period;
  const step = seconds(bucketSeconds);
  const buckets: MetricsBucket[] = [];
  for (let at = from.getTime(); at < until.getTime(); at += step) {
    buckets.push({ at: new Date(at).toISOString(), total: 0, refused: 0, failed: 0 });
  }
  for (const row of await store.sumMetrics(db, 'minute', query)) {
    const bucket = buckets[Math.floor((Date.parse(row.group) - from.getTime()) / step)]!;
    bucket.total += row.total;
    bucket.refused += row.refused;
    bucket.failed += row.failed;
  }
  return buckets;
};

/** The sums over the whole period by subject, with the average duration. */
export const metricsBySubject = async (
  db: Queries,
  query: MetricsQuery,
): Promise<(MetricsSum & { subject: string; averageMs: number })[]> => {
  const rows = await store.sumMetrics(db, 'subject', query);
  return rows.map(({ group: subject, ...row }) => {
    return { subject, ...row, averageMs: Math.round(row.sumMs / row.total) };
  });
};

/** One page of an application's logged requests. Throws ValidationError for an invalid cursor. */
export const listRequests = (
  db: Queries,
  applicationId: string,
  { cursor, limit, ...filter }: RequestFilter & { cursor?: string; limit?: number },
): Promise<ListPage<LoggedRequestRow>> =>
  readListPage({ cursor, limit }, requestCursors, (page) =>
    store.findRequests(db, applicationId, filter, page),
  );

const requestCursors = {
  encode: ({ id }: LoggedRequestRow) => encodeListCursor(id),
  decode: (cursor: string) => {
    const id = decodeListCursor(cursor);
    return /^[0-9a-z]{11}[0-9a-f]{32}$/.test(id) ? id : undefined;
  },
};
