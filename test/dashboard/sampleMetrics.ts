// Sample metrics of a busy day with 30 minutes of failures, for the charts.
import { addMinuteMetrics, type MinuteMetrics } from '../../src/domain/requestLog/store.ts';
import type { Service } from '../../src/service.ts';

type SampleTarget = { applicationId: string; keyId: string };

const operations = [
  { subject: 'listTransactions', perMinute: 14, averageMs: 46, maxMs: 912 },
  { subject: 'listAccounts', perMinute: 6, averageMs: 12, maxMs: 210 },
  { subject: 'getAccount', perMinute: 4, averageMs: 9, maxMs: 180 },
  { subject: 'getConnection', perMinute: 1, averageMs: 4, maxMs: 33 },
];
const institutions = [
  { subject: 'sandbox-bank', perMinute: 5, averageMs: 3400 },
  { subject: 'sandbox-credit-union', perMinute: 2, averageMs: 8200 },
];

/** Varies with the time of day; deterministic. */
const requestCountAt = (minute: number, perMinute: number): number =>
  Math.round(perMinute * (1.1 + Math.sin(minute / 229)) * (0.8 + ((minute * 37) % 40) / 100));

const addUp = (left: MinuteMetrics, right: MinuteMetrics): MinuteMetrics => ({
  ...left,
  total: left.total + right.total,
  refused: left.refused + right.refused,
  sumMs: left.sumMs + right.sumMs,
  maxMs: Math.max(left.maxMs, right.maxMs),
});

export const insertSampleMetrics = async ({ db }: Service, target: SampleTarget): Promise<void> => {
  const start = Math.floor(Date.now() / 60_000) - 24 * 60;
  const counts: MinuteMetrics[] = [];
  for (let minute = 0; minute < 24 * 60; minute += 5) {
    const base = {
      applicationId: target.applicationId,
      minute: new Date((start + minute) * 60_000).toISOString(),
    };
    const requests = operations.map(({ subject, perMinute, averageMs, maxMs }): MinuteMetrics => {
      const total = requestCountAt(minute, perMinute) * 5;
      const refused = minute % 55 === 0 ? 2 : 0;
      const times = { sumMs: total * averageMs, maxMs };
      return { ...base, kind: 'operation', subject, total, refused, failed: 0, ...times };
    });
    // The key has one row: PostgreSQL refuses to add to a row twice in one statement.
    counts.push(...requests, { ...requests.reduce(addUp), kind: 'key', subject: target.keyId });
    const isOutage = minute > 900 && minute < 935;
    for (const { subject, perMinute, averageMs } of institutions) {
      const total = Math.max(2, requestCountAt(minute, perMinute) * 3);
      const refused = minute % 120 === 0 ? 1 : 0;
      const failed = isOutage ? Math.ceil(total / 2) : 0;
      counts.push({
        ...base,
        kind: 'institution',
        subject,
        total,
        refused,
        failed,
        sumMs: total * averageMs,
        maxMs: 60_000,
      });
    }
  }
  await addMinuteMetrics(db, counts);
};
