// The health reports for supervisors and load balancers, and warnings that do not take a process out of service.
import { describe, expect, onTestFinished, test } from 'vitest';
import { startServer } from '../../src/interfaces/commands/serve.ts';
import { warningsOf } from '../../src/operations/signals/operationalState.ts';
import { readConfig } from '../../src/platform/settings/config.ts';
import { days } from '../../src/platform/values/clock.ts';
import { temporaryDirectory } from '../support/cli.ts';
import { databases, oneDatabase } from '../support/databases.ts';
import { freePort } from '../support/freePort.ts';
import { withClient } from '../support/postgresDatabases.ts';
import { startTcpProxy } from '../support/tcpProxy.ts';
import { link, startService, type TestServiceOptions } from '../support/testService.ts';

const start = async (options: TestServiceOptions) => {
  const service = await startService(options);
  onTestFinished(() => service.close());
  const get = async (path: string) => {
    const response = await fetch(`${service.url}${path}`);
    return { status: response.status, body: await response.json() };
  };
  return { service, get };
};

describe.each(oneDatabase)('health on $name', (database) => {
  test('a process that can respond is ready, and has no warnings', async () => {
    const { service, get } = await start({ database });
    await link(service);
    expect(await get('/health/ready')).toEqual({ status: 200, body: { status: 'ok' } });
    expect(await get('/health')).toEqual({ status: 200, body: { status: 'ok', warnings: [] } });
    expect(await get('/health/live')).toEqual({ status: 200, body: { status: 'ok' } });
    const response = await fetch(`${service.url}/health/live`);
    expect(response.headers.get('Cache-Control')).toBe('no-store');
  });

  test('a missing worker and overdue work are reported, and the process stays ready', async () => {
    const { service } = await start({ database });
    await link(service);
    const { databaseUrl, secretsDir } = service.service.config;
    // Two days later, without the first process.
    const later = await start({ existing: { databaseUrl, secretsDir }, worker: false });
    later.service.advance(days(2));
    const warnings = ['no_worker', 'overdue_refreshes'];
    expect(await later.get('/health')).toEqual({ status: 200, body: { status: 'ok', warnings } });
    expect(await later.get('/health/ready')).toEqual({ status: 200, body: { status: 'ok' } });
  });
});

for (const database of databases.filter(({ name }) => name === 'PostgreSQL')) {
  describe(`health on ${database.name}`, () => {
    test('a locked table of the warnings does not take a process out of service, and is itself a warning', async () => {
      const { service, get } = await start({
        database,
        env: { METRICS_PORT: '0' },
        limits: { databaseRequestMs: 300 },
      });
      await withClient(service.service.config.databaseUrl, async (client) => {
        await client.query('begin; lock table webhook_endpoints');
        const warnings = ['state_unknown'];
        expect(await get('/health')).toEqual({ status: 200, body: { status: 'ok', warnings } });
        expect(await get('/health/ready')).toEqual({ status: 200, body: { status: 'ok' } });
        expect(await service.service.signals!.text()).toContain('bank_connection_database_up 1');
      });
      expect(await get('/health')).toEqual({ status: 200, body: { status: 'ok', warnings: [] } });
    });
  });
}

for (const database of databases.filter(({ name }) => name === 'PostgreSQL')) {
  test('a process that waits for its database is alive and not ready, and then serves', async () => {
    const directory = await temporaryDirectory();
    onTestFinished(directory.remove);
    const { url: databaseUrl, drop } = await database.create();
    onTestFinished(drop);
    const address = new URL(databaseUrl);
    const proxy = await startTcpProxy({ host: address.hostname, port: Number(address.port) });
    onTestFinished(proxy.stop);
    proxy.freeze();
    const through = Object.assign(new URL(address), { host: `127.0.0.1:${proxy.port}` }).href;
    const port = await freePort();
    const get = async (path: string) => {
      const response = await fetch(`http://127.0.0.1:${port}${path}`);
      const retryAfter = response.headers.get('Retry-After');
      return { status: response.status, body: await response.json(), retryAfter };
    };
    const env = { PORT: String(port), DATA_DIR: directory.path, DATABASE_URL: through, LOG_LEVEL: 'silent' };
    const started = startServer(readConfig(env, { shutdownIdleMs: 0 }), { worker: false });
    onTestFinished(() => started.then((server) => server.close()));
    const live = { status: 200, body: { status: 'ok' }, retryAfter: null };
    await expect
      .poll(() => get('/health/live').catch(() => undefined), { timeout: 20_000, interval: 20 })
      .toEqual(live);
    const starting = { status: 503, body: { status: 'starting' }, retryAfter: '5' };
    expect(await get('/health/ready')).toEqual(starting);
    expect(await get('/health')).toEqual(starting);
    const problem = { code: 'unavailable', requestId: expect.stringMatching(/^[\da-f]{32}$/) };
    expect(await get('/connections')).toMatchObject({ status: 503, body: problem, retryAfter: '5' });
    proxy.resume();
    await started;
    expect(await get('/health/ready')).toEqual(live);
  });
}

describe('warnings', () => {
  const fine = {
    workers: 1,
    due: [],
    failing: {},
    webhookEndpoints: { failing: 0, disabled: 0 },
    diskFull: false,
  };
  const due = (kind: 'refresh' | 'import' | 'reconnect', longestSeconds: number) => [
    { kind, institutionId: 'north', count: 1, longestSeconds },
  ];

  test('name the problems that operators should check', () => {
    const failing = { failing: 1, disabled: 0 };
    const disabled = { failing: 0, disabled: 1 };
    const cases: [object, string[]][] = [
      [{}, []],
      [{ workers: 0 }, ['no_worker']],
      [{ due: due('refresh', 3600) }, []],
      [{ due: due('refresh', 3601) }, ['overdue_refreshes']],
      [{ due: due('import', 60) }, []],
      [{ due: due('reconnect', 61) }, ['overdue_imports']],
      [{ diskFull: true }, ['disk_full']],
      [{ webhookEndpoints: failing }, ['failing_webhooks']],
      [{ webhookEndpoints: disabled }, ['failing_webhooks']],
    ];
    for (const [state, warnings] of cases)
      expect(warningsOf({ ...fine, ...state }), JSON.stringify(state)).toEqual(warnings);
  });
});
