// Counts over a span of time, put together as the dashboard's charts want them.
import { addMilliseconds, seconds } from '../clock.ts';
import type { Queries } from '../db/open.ts';
import type { MetricKind } from './recorder.ts';
import { type MetricsSum, sumByMinute, sumBySubject } from './store.ts';

export type Span = 'hour' | 'day' | 'week' | 'month';

const spans: Record<Span, { stepSeconds: number; steps: number }> = {
  hour: { stepSeconds: 60, steps: 60 },
  day: { stepSeconds: 15 * 60, steps: 96 },
  week: { stepSeconds: 3600, steps: 168 },
  month: { stepSeconds: 6 * 3600, steps: 120 },
};

export type Period = { from: Date; until: Date; stepSeconds: number };

/** The whole steps of a span, the last of which is the present one. */
export const periodOfSpan = (span: Span, now: Date): Period => {
  const { stepSeconds, steps } = spans[span];
  const step = seconds(stepSeconds);
  const until = new Date((Math.floor(now.getTime() / step) + 1) * step);
  return { from: addMilliseconds(until, -steps * step), until, stepSeconds };
};

type OverviewQuery = { applicationId: string; kind: MetricKind; period: Period };

const toRange = ({ applicationId, kind, period }: OverviewQuery) => ({
  applicationId,
  kind,
  from: period.from.toISOString(),
  until: period.until.toISOString(),
});

export type MetricsBucket = { at: string; total: number; refused: number; failed: number };

/** One entry for each step of the period, empty ones too. */
export const metricsOverTime = async (db: Queries, asked: OverviewQuery): Promise<MetricsBucket[]> => {
  const { from, until, stepSeconds } = asked.period;
  const step = seconds(stepSeconds);
  const steps: MetricsBucket[] = [];
  for (let at = from.getTime(); at < until.getTime(); at += step) {
    steps.push({ at: new Date(at).toISOString(), total: 0, refused: 0, failed: 0 });
  }
  for (const row of await sumByMinute(db, toRange(asked))) {
    const entry = steps[Math.floor((Date.parse(row.minute) - from.getTime()) / step)]!;
    entry.total += row.total;
    entry.refused += row.refused;
    entry.failed += row.failed;
  }
  return steps;
};

/** The whole period by subject. */
export const metricsBySubject = async (
  db: Queries,
  asked: OverviewQuery,
): Promise<(MetricsSum & { subject: string; averageMs: number })[]> => {
  const rows = await sumBySubject(db, toRange(asked));
  return rows.map((row) => ({ ...row, averageMs: Math.round(row.sumMs / row.total) }));
};
