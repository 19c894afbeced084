// The metrics: requests by operation and API key, refreshes by institution, from several processes.
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { startMetricsRecorder } from '../../../src/domain/requestLog/recorder.ts';
import { days, seconds } from '../../../src/platform/values/clock.ts';
import { type DatabaseKind, databases, oneDatabase } from '../../support/databases.ts';
import { untilWaiting } from '../../support/holdRow.ts';
import {
  driveToImport,
  link,
  openLinkSession,
  startService,
  type TestService,
} from '../../support/testService.ts';
import { createMember, type DashboardUser } from './users.ts';

const limits = { metricsFlushSeconds: 3600 };
const overviewPath = '/management/applications/{applicationId}/overview';

/** A service that is closed after the tests, with a viewer of its application. */
const useService = (database: DatabaseKind) => {
  const fixture = {} as { service: TestService; viewer: DashboardUser };
  beforeAll(async () => {
    fixture.service = await startService({ database, limits });
    fixture.viewer = await createMember(fixture.service, { role: 'viewer', email: 'viewer@example.com' });
  });
  afterAll(() => fixture.service.close());
  return fixture;
};

/** A recorder that flushes continuously, like that of another process. */
const startQuickRecorder = ({ service: { db, clock, config } }: TestService) => {
  const limits = { ...config.limits, metricsFlushSeconds: 0.01 };
  return startMetricsRecorder({ db, clock, limits, log: { warn: () => {} } });
};

describe.each(oneDatabase)('the overview on $name', (database) => {
  const fixture = useService(database);

  test('no worker, overdue imports and overdue refreshes are reported', async () => {
    const serving = await startService({ database, limits, worker: false });
    onTestFinished(serving.close);
    const { databaseUrl, secretsDir } = serving.service.config;
    const worker = await startService({ existing: { databaseUrl, secretsDir }, limits });
    const member = await createMember(serving, { role: 'viewer', email: 'other@example.com' });
    const params = { path: { applicationId: serving.application.id } };
    const health = async () => {
      const { data } = await member.client.GET(overviewPath, { params });
      const { workers, overdueImports, overdueRefreshes } = data!;
      return { workers, overdueImports, overdueRefreshes };
    };
    const none = { count: 0, longestSeconds: 0 };
    const target = { url: serving.url, application: serving.application };
    await link(target, { username: 'good' });
    expect(await health()).toEqual({ workers: 1, overdueImports: none, overdueRefreshes: none });
    await worker.close();
    expect((await health()).workers).toBe(0);
    const waiting = await openLinkSession(target);
    expect(await driveToImport(waiting)).toMatchObject({ state: 'importing' });
    serving.advance(seconds(50));
    expect((await health()).overdueImports).toEqual(none);
    serving.advance(seconds(30));
    const { overdueImports } = await health();
    expect(overdueImports.count).toBe(1);
    expect(overdueImports.longestSeconds).toBeGreaterThanOrEqual(80);
    // A refresh is due after about six hours, and a member's session expires after twelve.
    serving.advance(seconds(11 * 3600));
    const { overdueRefreshes } = await health();
    expect(overdueRefreshes.count).toBe(1);
    expect(overdueRefreshes.longestSeconds).toBeGreaterThan(4 * 3600);
    expect(overdueRefreshes.longestSeconds).toBeLessThan(6 * 3600);
  });

  test('the first steps of an application are known even after its link sessions and metrics are deleted', async () => {
    const { service, viewer } = fixture;
    const application = await service.addApplication();
    const { db, metrics } = service.service;
    const params = { path: { applicationId: application.id } };
    const firstSteps = async () => (await viewer.client.GET(overviewPath, { params })).data!.firstSteps;
    expect(await firstSteps()).toEqual({ hasApiKey: true, widgetOpened: false, requestSent: false });
    await openLinkSession({ url: service.url, application });
    expect(await firstSteps()).toEqual({ hasApiKey: true, widgetOpened: true, requestSent: false });
    await fetch(`${service.url}/connections`, { headers: { Authorization: `Bearer ${application.apiKey}` } });
    await metrics.flush();
    const { id: applicationId } = application;
    await db.write('link_sessions').where({ applicationId }).delete();
    await db.write('metrics_per_minute').where({ applicationId }).delete();
    expect(await firstSteps()).toEqual({ hasApiKey: true, widgetOpened: true, requestSent: true });
    const revokedAt = service.service.clock.real().toISOString();
    await db.write('api_keys').where({ applicationId }).update({ revokedAt });
    expect(await firstSteps()).toEqual({ hasApiKey: false, widgetOpened: true, requestSent: true });
  });

  test('old metrics are deleted', async () => {
    const { service } = fixture;
    const { metrics, db } = service.service;
    const applicationId = service.application.id;
    const observe = () =>
      metrics.observe({ applicationId, kind: 'key', subject: 'key_x', outcome: 'failed', milliseconds: 3 });
    observe();
    await metrics.flush();
    service.advance(days(32));
    observe();
    const quick = startQuickRecorder(service);
    await metrics.flush();
    await expect.poll(async () => (await db.write('metrics_per_minute').distinct('minute')).length).toBe(1);
    await quick.stop();
  });
});

describe.each(databases)('the overview on $name', (database) => {
  const fixture = useService(database);

  const overview = async (range: 'hour' | 'day' | 'week' | 'month') => {
    const { service, viewer } = fixture;
    const params = { path: { applicationId: service.application.id }, query: { range } };
    return (await viewer.client.GET(overviewPath, { params })).data!;
  };
  const sum = <Row>(rows: Row[], read: (row: Row) => number) => rows.reduce((all, row) => all + read(row), 0);

  test('requests and refreshes of two processes are counted after both have flushed', async () => {
    const { service } = fixture;
    const { databaseUrl, secretsDir } = service.service.config;
    const second = await startService({ existing: { databaseUrl, secretsDir }, limits, worker: false });
    onTestFinished(second.close);
    const { connectionId, scopedToken } = await link(service, { username: 'good' });
    const { apiKey, keyId } = service.application;
    for (const url of [service.url, second.url]) {
      const headers = { Authorization: `Bearer ${apiKey}`, 'X-Scoped-Token': scopedToken! };
      for (let at = 0; at < 5; at++) await fetch(`${url}/connections`, { headers });
      await fetch(`${url}/connections/con_0000000000000000000000`, { headers });
    }
    const developer = await createMember(service, { role: 'developer', email: 'dev@example.com' });
    const path = { applicationId: service.application.id, connectionId };
    const one = '/management/applications/{applicationId}/connections/{connectionId}';
    const refreshUntil = async (kind: string) => {
      await developer.client.POST(`${one}/refresh`, { params: { path } });
      const newest = async () =>
        (await developer.client.GET(one, { params: { path } })).data?.events[0]?.kind;
      await expect.poll(newest).toBe(kind);
    };
    await refreshUntil('refreshed');
    await developer.client.POST(`${one}/break-credentials`, { params: { path } });
    await refreshUntil('refresh_refused');
    expect((await overview('hour')).operations).toEqual([]);
    const counts = async () => {
      // Not in parallel: both services share this thread and would block each other.
      await service.service.metrics.flush();
      await second.service.metrics.flush();
      const { operations, refreshes } = await overview('hour');
      return [sum(operations, ({ requests }) => requests), sum(refreshes, ({ refused }) => refused)];
    };
    await expect.poll(counts).toEqual([12, 1]);
    for (const range of ['hour', 'day', 'week', 'month'] as const) {
      const result = await overview(range);
      expect(result.operations).toMatchObject([
        { operationId: 'listConnections', requests: 10, clientErrors: 0, serverErrors: 0 },
        { operationId: 'getConnection', requests: 2, clientErrors: 2, serverErrors: 0 },
      ]);
      expect(result.apiKeys).toMatchObject([{ keyId, name: 'test', requests: 12, clientErrors: 2 }]);
      expect(result.institutions).toMatchObject([
        { institution: { id: 'sandbox-bank', name: 'Sandbox Bank' }, refreshes: 2, failures: 1 },
      ]);
      expect(sum(result.requests, ({ requests }) => requests)).toBe(12);
      expect(sum(result.refreshes, ({ succeeded }) => succeeded)).toBe(1);
      const buckets = result.requests.map(({ at }) => Date.parse(at));
      expect(buckets.length).toBe(result.refreshes.length);
      const bucket = seconds(result.bucketSeconds);
      expect(buckets).toEqual(buckets.map((_, at) => Date.parse(result.from) + at * bucket));
      expect(buckets.at(-1)! + bucket).toBe(Date.parse(result.until));
    }
  });

  test('events recorded while a flush waits for the database are written before the recorder stops', async () => {
    const { service } = fixture;
    const { db } = service.service;
    const recorder = startQuickRecorder(service);
    const observe = (subject: string) =>
      recorder.observe({
        ...{ applicationId: service.application.id, kind: 'operation', outcome: 'succeeded' },
        ...{ subject, milliseconds: 1 },
      });
    const stopped = await db.transaction(async (trx) => {
      if (db.dialect === 'postgres') await trx.raw('lock table metrics_per_minute');
      observe('before');
      await untilWaiting(db, 1);
      observe('since');
      return [recorder.stop()];
    });
    await Promise.all(stopped);
    const written = await db
      .read('metrics_per_minute')
      .whereIn('subject', ['before', 'since'])
      .pluck('subject');
    expect(written.sort()).toEqual(['before', 'since']);
  });
});
