// The metrics for Prometheus: their counts and sources, and the data that they never contain.
import { readFile } from 'node:fs/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { BankRefused } from '../../src/platform/values/errors.ts';
import { startLongRunning, temporaryDirectory } from '../support/cli.ts';
import { oneDatabase } from '../support/databases.ts';
import { freePort } from '../support/freePort.ts';
import { makeScriptedConnector, northBank, scriptedAccount } from '../support/scriptedConnector.ts';
import { sendRaw } from '../support/sendRaw.ts';
import {
  driveToEnd,
  link,
  openLinkSession,
  startService,
  type TestService,
  type TestServiceOptions,
} from '../support/testService.ts';

/** The value of a metric with exactly these labels; undefined if it is missing. */
const metricValue = (text: string, name: string): number | undefined => {
  const line = text.split('\n').find((one) => one.startsWith(`${name} `));
  return line === undefined ? undefined : Number(line.slice(name.length));
};

const startMeasured = async (options: TestServiceOptions): Promise<TestService> => {
  const service = await startService({ ...options, env: { METRICS_PORT: '0' } });
  onTestFinished(() => service.close());
  return service;
};

const requestCount = 'bank_connection_request_duration_seconds_count';
const jobCount = 'bank_connection_job_duration_seconds_count';

describe.each(oneDatabase)('metrics on $name', (database) => {
  test('count requests, jobs, due work and pools, without identifying anybody', async () => {
    const service = await startMeasured({ database });
    const { apiKey, id } = service.application;
    const read = service.service.signals!.text;
    // Until the institutions are known, each is counted as "other".
    await read();
    const { connectionId, scopedToken } = await link(service, { externalUserId: 'canary-user' });
    const get = (path: string) =>
      fetch(`${service.url}${path}`, {
        headers: { Authorization: `Bearer ${apiKey}`, 'X-Scoped-Token': scopedToken! },
      });
    for (let sent = 0; sent < 3; sent++) await (await get(`/connections/${connectionId}/accounts`)).text();
    await (await get('/connections/con_0000000000000000000000/accounts')).text();
    await (await get('/nothing-at-all')).text();

    const listed = `${requestCount}{operation="listAccounts",status="200"}`;
    const text = await vi.waitUntil(async () => {
      const current = await read();
      return metricValue(current, listed) === 3 ? current : undefined;
    }, 30_000);
    expect(metricValue(text, `${requestCount}{operation="listAccounts",status="404"}`)).toBe(1);
    expect(metricValue(text, `${requestCount}{operation="other",status="404"}`)).toBe(1);
    expect(metricValue(text, `${jobCount}{kind="import",institution="other",outcome="succeeded"}`)).toBe(1);
    expect(metricValue(text, 'bank_connection_workers')).toBe(1);
    expect(metricValue(text, 'bank_connection_webhook_endpoints{state="failing"}')).toBe(0);
    expect(metricValue(text, 'bank_connection_log_lines_dropped_total')).toBe(0);
    expect(text).toMatch(/^bank_connection_database_connections\{pool="\w+",state="used"\} \d+$/m);
    expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds \d/m);
    for (const secret of [id, connectionId, scopedToken!, apiKey, 'canary-user', 'nothing-at-all']) {
      expect(text).not.toContain(secret);
    }
  });

  test('count an import that the bank refuses as refused, and each failed attempt as failed', async () => {
    const scripted = makeScriptedConnector();
    const limits = { importRetrySeconds: 0.01, importAttemptsMax: 2 };
    const service = await startMeasured({ database, connectors: [scripted.module], limits });
    const { id: applicationId } = await service.addApplication({ environment: 'production' });
    const read = service.service.signals!.text;
    await read();
    const linkAs = async (username: string, isSilent: boolean) => {
      scripted.setAccounts(username, [scriptedAccount({ isSilent })]);
      const session = await openLinkSession(service, { applicationId });
      return driveToEnd(session, { username, institutionId: northBank });
    };
    scripted.fail('ada', 'read', new BankRefused('denied'));
    expect(await linkAs('ada', false)).toMatchObject({ state: 'failed', reason: 'denied' });
    expect(await linkAs('bob', true)).toMatchObject({ state: 'failed', reason: 'institution_down' });
    const countOf = (text: string, outcome: string) =>
      metricValue(text, `${jobCount}{kind="import",institution="other",outcome="${outcome}"}`);
    const text = await vi.waitUntil(async () => {
      const current = await read();
      return countOf(current, 'failed') === 2 ? current : undefined;
    }, 30_000);
    expect([countOf(text, 'refused'), countOf(text, 'succeeded')]).toEqual([1, undefined]);
  });
});

test('each metric of the alerts and of the Grafana dashboard exists, and each alert is explained', async () => {
  const service = await startMeasured({});
  const text = await service.service.signals!.text();
  const known = new Set([...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name!));
  const alerts = await readFile('deploy/prometheus/alerts.yaml', 'utf8');
  const dashboard = await readFile('deploy/grafana/dashboard.json', 'utf8');
  const used = `${alerts}${dashboard}`.matchAll(/\b(bank_connection|nodejs)_\w+/g);
  const names = new Set([...used].map(([name]) => name.replace(/_(count|bucket|sum)$/, '')));
  expect([...names].filter((name) => !known.has(name))).toEqual([]);
  expect(names.size).toBeGreaterThan(8);
  const runbook = await readFile('docs/operating/troubleshoot.md', 'utf8');
  const alertNames = [...alerts.matchAll(/alert: (\w+)/g)].map(([, name]) => name!);
  expect(alertNames.filter((name) => !runbook.includes(`**${name}**`))).toEqual([]);
  expect(alertNames).toHaveLength(12);
});

test('metrics have their own port, and are summed over the processes of a machine', async () => {
  const directory = await temporaryDirectory();
  onTestFinished(directory.remove);
  const [PORT, METRICS_PORT] = [String(await freePort()), String(await freePort())];
  const settings = { DATA_DIR: directory.path, PORT, WEB_CONCURRENCY: '2', METRICS_PORT };
  const server = await startLongRunning(settings, 'serve');
  const url = `http://127.0.0.1:${server.result.port}`;
  // Each connection may reach another process.
  for (let sent = 0; sent < 20; sent++)
    await (await fetch(`${url}/connections/con_1`, { headers: { Connection: 'close' } })).text();
  const metrics = `http://127.0.0.1:${METRICS_PORT}`;
  const read = async () => (await fetch(`${metrics}/metrics`)).text();
  const refused = `${requestCount}{operation="getConnection",status="401"}`;
  await expect.poll(async () => metricValue(await read(), refused)).toBe(20);
  expect(metricValue(await read(), 'bank_connection_workers')).toBe(2);
  expect((await fetch(`${metrics}/health`)).status).toBe(404);
  expect((await fetch(`${url}/metrics`)).status).toBe(404);
  // The absolute form of a target means its path (RFC 9112, section 3.2.2).
  const ofPath = (path: string) =>
    sendRaw(metrics, `GET http://else.example${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
  expect((await ofPath('/metrics')).head).toMatch(/^HTTP\/1\.1 200 /);
  expect((await ofPath('/health')).head).toMatch(/^HTTP\/1\.1 404 /);
  expect(await server.stop()).toBe(0);
});

test.each([['serve'], ['worker']])(
  '%s exits where another program has the port, and names it',
  async (command) => {
    const directory = await temporaryDirectory();
    onTestFinished(directory.remove);
    const service = await startService();
    onTestFinished(() => service.close());
    const { port } = new URL(service.url);
    const settings = { DATA_DIR: directory.path, PORT: '0', METRICS_PORT: port };
    await expect(startLongRunning(settings, command)).rejects.toThrow(
      `The command exited with 1: Cannot listen on 127.0.0.1:${port}: the address is already in use. Change METRICS_PORT or METRICS_HOST.`,
    );
  },
);
