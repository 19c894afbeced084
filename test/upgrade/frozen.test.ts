// Databases of released versions, which freeze.ts made: this version upgrades a copy of each, returns the same bytes with the
// credentials of that time, and continues. A field that a compatible change adds to responses needs a comparison that ignores it.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { cp, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { unwrap, verifyWebhook, type WebhookEvent } from '../../client/index.ts';
import { createManagementClient } from '../../client/management.ts';
import type { Clock } from '../../src/platform/values/clock.ts';
import { addMilliseconds, days, seconds } from '../../src/platform/values/clock.ts';
import { runCli, temporaryDirectory } from '../support/cli.ts';
import { type DatabaseKind, databases, type TestDatabase } from '../support/databases.ts';
import { withClient } from '../support/postgresDatabases.ts';
import { link, startService, type TestService } from '../support/testService.ts';
import { parseYaml } from '../support/yaml.ts';
import { baseUrl, type Credentials, type FrozenResponse, sendRequest, webhookPort } from './frozen.ts';

const root = join(import.meta.dirname, '../..');
const versions = readdirSync(import.meta.dirname).filter((name) => /^\d/.test(name));
const readJson = (...path: string[]) => JSON.parse(readFileSync(join(...path), 'utf8'));
const unzip = (...path: string[]): Buffer => gunzipSync(readFileSync(join(...path)));

/** The frozen database without psql's own commands. */
const toStatements = (script: string): string => script.replace(/^\\(un)?restrict .*$/gm, '');

const copies: Record<string, (kind: DatabaseKind, folder: string) => Promise<TestDatabase>> = {
  SQLite: async (kind, folder) => {
    const database = await kind.createEmpty();
    await writeFile(database.url.replace('sqlite:', ''), unzip(folder, 'backup.gz'));
    return database;
  },
  PostgreSQL: async (kind, folder) => {
    const database = await kind.createEmpty();
    const statements = toStatements(unzip(folder, 'database.sql.gz').toString());
    await withClient(database.url, (client) => client.query(statements));
    return database;
  },
};

/** Starts at the time of the frozen service, whose sandbox clock was ahead. */
const makeClock = ({ frozenAt, sandboxOffsetSeconds, organizationId }: Credentials) => {
  let offset = seconds(sandboxOffsetSeconds);
  const started = Date.now();
  const real = () => addMilliseconds(new Date(frozenAt), Date.now() - started);
  const clock: Clock = {
    real,
    now: ({ environment }) => (environment === 'sandbox' ? addMilliseconds(real(), offset) : real()),
    organizationsAhead: () => [organizationId],
  };
  const advance = (milliseconds: number): void => {
    offset += milliseconds;
  };
  return { clock, advance };
};

const frozen = versions.flatMap((version) =>
  databases.filter(({ name }) => copies[name]).map((kind) => ({ version, name: kind.name, kind })),
);

describe.each(frozen)('the $name database of $version', ({ version, name, kind }) => {
  const folder = join(import.meta.dirname, version, name);
  const credentials: Credentials = readJson(folder, 'credentials.json');
  const responses: FrozenResponse[] = JSON.parse(unzip(folder, 'responses.json.gz').toString());
  const { clock, advance } = makeClock(credentials);
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
  let database: TestDatabase;
  let secretsDir: string;
  beforeAll(async () => {
    directory = await temporaryDirectory();
    secretsDir = join(directory.path, 'secrets');
    await cp(join(folder, 'secrets'), secretsDir, { recursive: true });
    database = await copies[name]!(kind, folder);
  });
  afterAll(async () => {
    await database.drop();
    await directory.remove();
  });

  const start = async (worker: boolean): Promise<TestService> => {
    const existing = { databaseUrl: database.url, secretsDir };
    const env = { BASE_URL: baseUrl, ALLOWED_NETWORKS: '127.0.0.1' };
    const limits = { webhookPollMs: 50, workerPollMs: 50 };
    const service = await startService({ existing, worker, clock, env, limits });
    onTestFinished(service.close);
    return service;
  };

  test('returns the same bytes for every GET operation', async () => {
    const { url } = await start(false);
    for (const { as, path, body } of responses)
      expect({ path, ...(await sendRequest(url, credentials, { as, path })) }).toEqual({
        ...{ path, status: 200, body },
      });
    const { paths } = parseYaml(readFileSync(join(root, 'openapi.yaml'), 'utf8'));
    const unread = Object.entries(paths as Record<string, object>)
      .filter(([, item]) => 'get' in item)
      .map(([path]) => path)
      .filter((path) => {
        const pattern = new RegExp(`^${path.replace(/\{\w+\}/g, '[^/?]+')}(\\?|$)`);
        return !responses.some((one) => pattern.test(one.path));
      });
    expect(unread).toEqual([]);
  });

  test('is refreshed and linked by a worker, and sends webhooks with the old secret', async () => {
    const events: WebhookEvent[] = [];
    const receiver = createServer(async (request, response) => {
      const body = await buffer(request);
      events.push(verifyWebhook(credentials.webhookSecret, request.headers, body, { at: clock.real() }));
      response.end();
    });
    receiver.listen(webhookPort, '127.0.0.1');
    await once(receiver, 'listening');
    onTestFinished(async () => {
      receiver.close();
      receiver.closeAllConnections();
    });
    const service = await start(true);
    const { applicationId, apiKey, user, managementToken, movingConnectionId } = credentials;
    const client = service.client(user, apiKey);
    const connectionsBefore = (await unwrap(client.GET('/connections'))).connections.length;
    await link(service, { applicationId, externalUserId: 'user-1', username: 'otp', answers: ['123456'] });
    const { connections } = await unwrap(client.GET('/connections'));
    expect(connections).toHaveLength(connectionsBefore + 1);
    const params = { path: { applicationId, connectionId: movingConnectionId } };
    const path = '/management/applications/{applicationId}/connections/{connectionId}/refresh';
    const management = createManagementClient({ baseUrl: service.url, token: managementToken });
    advance(days(1));
    await unwrap(management.POST(path, { params }));
    const isChanged = ({ type, data }: WebhookEvent) =>
      type === 'transactions.updated' && data.connectionId === movingConnectionId;
    await expect.poll(() => events.some(isChanged)).toBe(true);
  });

  test('has a backup that verifies', async ({ skip }) => {
    const file = join(directory.path, 'backup');
    await writeFile(file, unzip(folder, 'backup.gz'));
    await cp(join(folder, 'backup.sha256'), `${file}.sha256`);
    const { PATH } = process.env;
    const settings = { PATH, DATA_DIR: directory.path, SECRETS_DIR: secretsDir };
    const { code, out, err } = await runCli(settings, 'verify', file);
    skip(/pg_restore (is not in the PATH|failed: .*unsupported version)/.test(err), err);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain('Checksum OK.');
  });
});

test.each(versions)('the migrations of %s are unchanged', (version) => {
  for (const [file, released] of Object.entries(readJson(import.meta.dirname, version, 'migrations.json'))) {
    const content = readFileSync(join(root, 'src/platform/db/migrations', file));
    const hash = createHash('sha256').update(content).digest('hex');
    expect(hash, `${file} was released with ${version}: add a new migration instead.`).toBe(released);
  }
});
