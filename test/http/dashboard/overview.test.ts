// What is counted: requests by operation and key, refreshes by institution; by several processes, without losing any.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { days, seconds } from '../../../src/clock.ts';
import { startMetricsRecorder } from '../../../src/metrics/recorder.ts';
import { databases } from '../../support/databases.ts';
import { link, startService, type TestService } from '../../support/testService.ts';
import { createMember, type DashboardUser } from './users.ts';

const limits = { metricsFlushSeconds: 3600 };

for (const database of databases) {
  describe(`the overview on ${database.name}`, () => {
    let service: TestService;
    let second: TestService;
    let viewer: DashboardUser;
    beforeAll(async () => {
      service = await startService({ database, limits });
      const { databaseUrl, secretsDir } = service.service.config;
      second = await startService({ existing: { databaseUrl, secretsDir }, limits, worker: false });
      viewer = await createMember(service, { role: 'viewer', email: 'viewer@example.com' });
    });
    afterAll(async () => {
      await second.close();
      await service.close();
    });

    const overview = async (range: 'hour' | 'day' | 'week' | 'month', person = viewer) => {
      const { data } = await person.client.GET('/dashboard/api/applications/{applicationId}/overview', {
        params: { path: { applicationId: service.application.id }, query: { range } },
      });
      return data!;
    };
    const sum = <Row>(rows: Row[], read: (row: Row) => number) =>
      rows.reduce((all, row) => all + read(row), 0);

    test('what two processes answered and refreshed is there after they have written', async () => {
      const { connectionId, scopedToken } = await link(service, { username: 'good' });
      const { apiKey, keyId } = service.application;
      for (const url of [service.url, second.url]) {
        const headers = { Authorization: `Bearer ${apiKey}`, 'X-Scoped-Token': scopedToken! };
        for (let at = 0; at < 5; at++) await fetch(`${url}/connections`, { headers });
        await fetch(`${url}/connections/con_0000000000000000000000`, { headers });
      }
      const developer = await createMember(service, { role: 'developer', email: 'dev@example.com' });
      const path = { applicationId: service.application.id, connectionId };
      const one = '/dashboard/api/applications/{applicationId}/connections/{connectionId}';
      const finished = async (kind: string) => {
        await developer.client.POST(`${one}/refresh`, { params: { path } });
        await vi.waitUntil(
          async () => {
            const { data } = await developer.client.GET(one, { params: { path } });
            return data?.events[0]?.kind === kind;
          },
          { timeout: 20_000 },
        );
      };
      await finished('refreshed');
      await developer.client.POST(`${one}/break-credentials`, { params: { path } });
      await finished('refresh_refused');
      expect((await overview('hour')).operations).toEqual([]);
      await vi.waitUntil(async () => {
        // One after the other: here both share one thread, which would wait for itself.
        await service.service.metrics.flush();
        await second.service.metrics.flush();
        const { operations, refreshes } = await overview('hour');
        return (
          sum(operations, ({ requests }) => requests) === 12 && sum(refreshes, ({ refused }) => refused) === 1
        );
      });
      for (const range of ['hour', 'day', 'week', 'month'] as const) {
        const shown = await overview(range);
        expect(shown.operations).toMatchObject([
          { operationId: 'listConnections', requests: 10, clientErrors: 0, serverErrors: 0 },
          { operationId: 'getConnection', requests: 2, clientErrors: 2, serverErrors: 0 },
        ]);
        expect(shown.apiKeys).toMatchObject([{ keyId, name: 'test', requests: 12, clientErrors: 2 }]);
        expect(shown.institutions).toMatchObject([
          { institution: { id: 'sandbox-bank', name: 'Sandbox Bank' }, refreshes: 2, failures: 1 },
        ]);
        expect(sum(shown.requests, ({ requests }) => requests)).toBe(12);
        expect(sum(shown.refreshes, ({ succeeded }) => succeeded)).toBe(1);
        const steps = shown.requests.map(({ at }) => Date.parse(at));
        expect(steps.length).toBe(shown.refreshes.length);
        const step = seconds(shown.bucketSeconds);
        expect(steps).toEqual(steps.map((_, at) => Date.parse(shown.from) + at * step));
        expect(steps.at(-1)! + step).toBe(Date.parse(shown.until));
      }
    });

    test('counts are not kept for ever', async () => {
      const { metrics, db } = service.service;
      service.advance(days(32));
      const applicationId = service.application.id;
      metrics.observe({ applicationId, kind: 'key', subject: 'key_x', outcome: 'failed', milliseconds: 3 });
      const quick = startMetricsRecorder({
        db,
        clock: service.service.clock,
        limits: { ...service.service.config.limits, metricsFlushSeconds: 0.01 },
        log: { warn: () => {} },
      });
      await metrics.flush();
      await vi.waitUntil(async () => (await db.write('metrics_per_minute').distinct('minute')).length === 1);
      await quick.stop();
    });
  });
}
