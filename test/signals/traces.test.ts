// The traces that a collector receives: the spans, their parents, and the data that they never contain.
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { warningsOf } from '../commands/warnings.ts';
import { type Settings, startLongRunning, temporaryDirectory } from '../support/cli.ts';
import { databases } from '../support/databases.ts';
import { freePort } from '../support/freePort.ts';
import { northBank } from '../support/scriptedConnector.ts';
import { driveToEnd, hostOrigin, link, openLinkSession } from '../support/testService.ts';
import { startReceiver } from '../webhooks/receiver.ts';
import { type ReceivedSpan, startCollector } from './collector.ts';
import { startTracedService, type TracedService, traceTo } from './tracedService.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const callerSpanId = '00f067aa0ba902b7';
const traceparent = `00-${traceId}-${callerSpanId}-01`;
const kinds = { internal: 1, server: 2, client: 3 };
const failed = 2;

/** Fields whose digits may match an account number by chance. */
const idsAndTimes = /"(traceId|spanId|parentSpanId|\w+UnixNano)":"\w+"/g;

/** Every text of a JSON value, except the names of its fields. */
const textsOf = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
};

const named = (name: string) => (span: ReceivedSpan) => span.name === name;

const attributeNames = new Set([
  ...['http.request.method', 'http.response.status_code', 'http.route', 'db.system.name', 'error.type'],
  ...['operation', 'institution', 'step', 'event'].map((name) => `bank_connection.${name}`),
]);

const addEndpoint = ({ run, application }: TracedService, url: string) =>
  run('webhooks', 'create', '--application', application.id, '--url', url);

/** A bank whose connector fails, and the requests that it receives. */
const brokenBank = async () => {
  const requests: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    requests.push(request.headers);
    response.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const settings = {
    CONNECTORS: fileURLToPath(new URL('tracedBank.ts', import.meta.url)),
    BANK_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  };
  return { requests, settings };
};

/** Tries to sign in at the bank, which fails. */
const linkAtBrokenBank = async ({ url, run }: TracedService): Promise<void> => {
  const options = ['--name', 'Shop', '--environment', 'production', '--origin', hostOrigin];
  const { applicationId: id = '' } = await run('applications', 'create', ...options);
  const session = await openLinkSession({ url, application: { id, apiKey: '', keyId: '' } });
  await driveToEnd(session, { institutionId: northBank, username: 'canary-user' });
};

for (const database of databases) {
  const system = database.name === 'SQLite' ? 'sqlite' : 'postgresql';
  describe(`traces on ${database.name}`, () => {
    test('requests, imports, refreshes, calls of a bank, statements and webhooks have spans, and no values', async () => {
      const collector = await startCollector();
      const receiver = await startReceiver();
      const service = await startTracedService(traceTo(collector.url), database);
      const endpointUrl = `${receiver.url}/canary-endpoint`;
      const endpoint = await addEndpoint(service, endpointUrl);
      const externalUserId = 'canary-user';
      const { apiKey, id } = service.application;
      const { connectionId, scopedToken, session } = await link(service, { externalUserId });
      const headers = {
        ...{ Authorization: `Bearer ${apiKey}`, 'X-Scoped-Token': scopedToken! },
        ...{ traceparent, tracestate: 'canary=canary-state', 'X-Canary': 'canary-header' },
      };
      const get = async (path: string) => (await fetch(`${service.url}${path}`, { headers })).json();
      const { accounts } = await get(`/connections/${connectionId}/accounts`);
      const [account] = accounts;
      const listed = await get(`/accounts/${account.id}/transactions?limit=20`);
      await get('/canary-path?canary=canary-query');
      const wrong = { Authorization: 'Bearer canary-token' };
      await fetch(`${service.url}/connections/canary-id`, { headers: wrong });
      await fetch(`${service.url}/connect/api/link-sessions`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: '{"applicationId":"canary-body"}',
      });
      await receiver.waitForType('connection.created');
      await service.run('sandbox', 'advance', '--days', '1');

      const refresh = await collector.waitFor(named('refresh connection'));
      const imported = await collector.waitFor(named('import connection'));
      const list = await collector.waitFor(named('GET /accounts/{accountId}/transactions'));
      const refused = await collector.waitFor(named('GET /connections/{connectionId}'));
      const unknown = await collector.waitFor(named('GET'));
      const delivered = await collector.waitFor(named('deliver webhook'));
      await collector.waitFor(named('POST /connect/api/link-sessions'));

      const ofCaller = { traceId, parentSpanId: callerSpanId, kind: kinds.server, status: { code: 0 } };
      expect(list).toMatchObject(ofCaller);
      expect(list.attributes).toEqual({
        'http.request.method': 'GET',
        'http.response.status_code': '200',
        'http.route': '/accounts/{accountId}/transactions',
        'bank_connection.operation': 'listTransactions',
      });
      expect(BigInt(list.endTimeUnixNano) > BigInt(list.startTimeUnixNano)).toBe(true);
      expect(refused).toMatchObject({
        attributes: { 'http.response.status_code': '401' },
        status: { code: 0 },
      });
      expect(refused.parentSpanId).toBeUndefined();
      expect(unknown.attributes).toEqual({
        'http.request.method': 'GET',
        'http.response.status_code': '404',
      });
      expect(delivered.attributes).toEqual({
        'bank_connection.event': 'connection.created',
        'http.response.status_code': '204',
      });

      const spans = collector.spans();
      const childrenOf = ({ spanId }: ReceivedSpan) => spans.filter((span) => span.parentSpanId === spanId);
      const namesIn = (span: ReceivedSpan) => new Set(childrenOf(span).map(({ name }) => name));
      expect(namesIn(list)).toEqual(new Set([`${system} statement`]));
      for (const child of childrenOf(list)) {
        expect(child).toMatchObject({ traceId, kind: kinds.client });
        expect(child.attributes).toEqual({ 'db.system.name': system });
      }
      for (const job of [imported, refresh]) {
        expect(job).toMatchObject({ kind: kinds.internal, status: { code: 0 } });
        expect(job.parentSpanId).toBeUndefined();
        expect(job.attributes).toEqual({ 'bank_connection.institution': 'sandbox-bank' });
        for (const name of ['begin reading', 'read transactions', 'end reading'])
          expect(namesIn(job)).toContain(`bank ${name}`);
        expect(namesIn(job)).toContain(`${system} transaction`);
      }
      const signIn = await collector.waitFor(named('bank sign in'));
      expect(signIn.attributes).toEqual({
        'bank_connection.institution': 'sandbox-bank',
        'bank_connection.step': 'sign in',
      });
      const step = spans.find(({ spanId }) => spanId === signIn.parentSpanId)!;
      expect(step.name).toBe('POST /connect/api/link-sessions/{linkSessionId}/steps');
      // The queries of an idle loop are not traces.
      expect(spans.filter(({ name, parentSpanId }) => name.startsWith(system) && !parentSpanId)).toEqual([]);

      const unknownNames = spans.flatMap(({ attributes }) =>
        Object.keys(attributes).filter((name) => !attributeNames.has(name)),
      );
      expect(unknownNames).toEqual([]);
      const values = [...textsOf(account), ...textsOf(listed)].filter((text) => text.length >= 4);
      const words = new Set(['depository', 'checking', 'posted', 'pending', 'active', 'sandbox-bank']);
      const secrets = [
        ...values.filter((text) => !words.has(text)),
        ...[apiKey, id, connectionId, scopedToken!, session.id, session.secret, endpoint.endpointId!],
        ...[endpoint.secret!, endpointUrl, service.url, '127.0.0.1', 'canary', 'password'],
        ...[service.organizationId, service.settings.DATABASE_URL!, 'select ', 'insert '],
      ];
      expect(values.length).toBeGreaterThan(20);
      const received = collector.requests.map(({ text }) => text.replace(idsAndTimes, '')).join();
      expect(secrets.filter((secret) => received.includes(secret))).toEqual([]);
    });
  });
}

test('a failure has its class but not its message, and neither banks nor webhook receivers get a traceparent', async () => {
  const collector = await startCollector();
  const receiver = await startReceiver();
  const bank = await brokenBank();
  const settings = { ...traceTo(collector.url), ...bank.settings, OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip' };
  const service = await startTracedService(settings);
  await addEndpoint(service, receiver.url);
  await link(service, { username: 'usd' });
  await linkAtBrokenBank(service);
  const { headers } = await receiver.waitForType('connection.created');
  await collector.waitFor(named('deliver webhook'));
  const signIn = await collector.waitFor(({ status }) => status.code === failed);
  expect(signIn).toMatchObject({ name: 'bank sign in', status: { code: failed } });
  expect(signIn.attributes).toEqual({
    ...{ 'bank_connection.institution': northBank, 'bank_connection.step': 'sign in' },
    'error.type': 'BrokenConnector',
  });
  expect(collector.requests.map(({ text }) => text).join()).not.toContain('canary');
  expect(bank.requests).toHaveLength(1);
  const traced = [headers, ...bank.requests].filter((one) => 'traceparent' in one || 'tracestate' in one);
  expect(traced).toEqual([]);
});

const warning = 'nothing is traced: no tracer is preloaded';

const traceWarnings = async (settings: Settings, command: string) =>
  (await warningsOf(warning, settings, [command])).length;

test('without the preload file nothing is traced, and a start warns once if a collector is set', async () => {
  const collector = await startCollector();
  const { NODE_OPTIONS, ...settings } = traceTo(collector.url);
  const ofTraces = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: collector.url };
  expect(await traceWarnings({}, 'serve')).toBe(0);
  const ofTwo = { PORT: String(await freePort()), WEB_CONCURRENCY: '2' };
  expect(await traceWarnings({ ...settings, ...ofTwo }, 'serve')).toBe(1);
  expect(await traceWarnings(ofTraces, 'worker')).toBe(1);
  expect(collector.requests).toEqual([]);
  // A tracer that records nothing also counts.
  expect(await traceWarnings({ ...settings, NODE_OPTIONS, OTEL_TRACES_SAMPLER_ARG: '0' }, 'serve')).toBe(0);
  expect(collector.requests).toEqual([]);
});

test('settings provide a sampler, which no caller overrides, a service name, attributes and headers', async () => {
  const collector = await startCollector();
  const service = await startTracedService({
    ...traceTo(collector.url),
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/custom`,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20one,x-tenant=a',
    OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'x-tenant=b',
    OTEL_SERVICE_NAME: 'banks',
    OTEL_RESOURCE_ATTRIBUTES: 'service.name=other,deployment.environment.name=test%2C1',
    OTEL_TRACES_SAMPLER_ARG: '0.5',
  });
  // The sampler keeps the second trace and not the first one. Their callers request the opposite.
  const [dropped, kept] = ['ffffffff000000000000000000000001', '00000000000000000000000000000001'];
  for (const traceparent of [`00-${dropped}-${callerSpanId}-01`, `00-${kept}-${callerSpanId}-00`]) {
    await (await fetch(`${service.url}/connections`, { headers: { traceparent } })).text();
  }
  const sampled = await collector.waitFor(named('GET /connections'));
  expect(sampled).toMatchObject({ traceId: kept, parentSpanId: callerSpanId });
  expect(collector.spans().filter((span) => span.traceId !== kept)).toEqual([]);
  expect(collector.resource()).toMatchObject({
    'service.name': 'banks',
    'deployment.environment.name': 'test,1',
  });
  const [request] = collector.requests;
  expect(request).toMatchObject({
    path: '/custom',
    headers: { authorization: 'Bearer one', 'x-tenant': 'b', 'content-type': 'application/json' },
  });
});

test('processes send their last spans when they stop, even in a cluster', async () => {
  const collector = await startCollector();
  const directory = await temporaryDirectory();
  onTestFinished(directory.remove);
  const settings = {
    ...{ DATA_DIR: directory.path, PORT: String(await freePort()), WEB_CONCURRENCY: '2' },
    ...traceTo(collector.url),
    OTEL_BSP_SCHEDULE_DELAY: '600000',
  };
  const server = await startLongRunning(settings, 'serve');
  await (await fetch(`http://127.0.0.1:${server.result.port}/connections`)).text();
  expect(collector.requests).toEqual([]);
  expect(await server.stop()).toBe(0);
  expect(collector.spans().map(({ name }) => name)).toContain('GET /connections');
});

test('a collector that does not respond, or refuses, causes no failures or delays', async () => {
  const refusing = await startCollector({ status: 503 });
  const silent = await startCollector({ status: 'silent' });
  const missing = `http://127.0.0.1:${await freePort()}`;
  for (const url of [refusing.url, silent.url, missing]) {
    const service = await startTracedService(traceTo(url));
    expect(await (await fetch(`${service.url}/health`)).json()).toMatchObject({ status: 'ok' });
    expect(await service.stop()).toBe(0);
    if (url === missing) expect(service.errors()).toContain('ECONNREFUSED');
  }
  expect(refusing.requests).not.toEqual([]);
  expect(silent.requests).not.toEqual([]);
});
