// Operators can read the number of connections that the limits can refresh on schedule, before refreshes become overdue.
import { expect, onTestFinished, test } from 'vitest';
import { createMember } from '../http/dashboard/users.ts';
import { cliSettingsOf, runInCliServer } from '../support/cli.ts';
import { oneDatabase } from '../support/databases.ts';
import { link, startService } from '../support/testService.ts';

test.each(oneDatabase)(
  'the refresh capacity of a bank follows from its refreshes, on $name',
  async (database) => {
    const service = await startService({ database, env: { METRICS_PORT: '0' } });
    onTestFinished(() => service.close());
    for (let linked = 0; linked < 2; linked++) await link(service);
    const status = (...args: string[]) =>
      runInCliServer(cliSettingsOf(service.service.config), 'refresh', 'status', ...args);

    // Two at a time for six hours, at the assumed 5 seconds each.
    const { loads } = (await status('--json')).json<{ loads: object[] }>();
    expect(loads).toEqual([{ institutionId: 'sandbox-bank', connections: 2, capacity: 8640 }]);
    expect((await status()).out).toMatch(/^Capacity +sandbox-bank: 2 connections, capacity 8640$/m);
    const metrics = await service.service.signals!.text();
    expect(metrics).toContain('bank_connection_scheduled_refreshes{institution="sandbox-bank"} 2\n');
    expect(metrics).toContain('bank_connection_refresh_capacity{institution="sandbox-bank"} 8640\n');

    const minute = `${service.service.clock.real().toISOString().slice(0, 16)}:00.000Z`;
    await service.service.db.write('metrics_per_minute').insert({
      ...{ applicationId: service.application.id, kind: 'institution', subject: 'sandbox-bank', minute },
      ...{ total: 4, refused: 0, failed: 0, sumMs: 4 * 30_000_000, maxMs: 40_000_000 },
    });
    const viewer = await createMember(service, { role: 'viewer', email: 'viewer@example.com' });
    const { data } = await viewer.client.GET('/management/applications/{applicationId}/overview', {
      params: { path: { applicationId: service.application.id } },
    });
    expect(data!.refreshLoad).toEqual({ institution: 'Sandbox Bank', percent: 200 });
    expect((await status()).out).toMatch(
      /^Capacity +sandbox-bank: 2 connections, capacity 1; some refreshes become overdue/m,
    );
  },
);
