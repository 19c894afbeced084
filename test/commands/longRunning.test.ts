// The long-running commands: serve, and worker next to serve --no-worker.
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createClient } from '../../client/index.ts';
import {
  type LongRunningCommand,
  runCli,
  type Settings,
  spawnCli,
  startLongRunning,
  temporaryDirectory,
} from '../support/cli.ts';
import { oneDatabase } from '../support/databases.ts';
import { driveToImport, hostOrigin, link, openLinkSession } from '../support/testService.ts';

describe.each(oneDatabase)('on $name', (database) => {
  let settings: Settings;
  let cleanUp: () => Promise<void>;
  beforeAll(async () => {
    const directory = await temporaryDirectory();
    const created = await database.createEmpty();
    settings = { DATA_DIR: directory.path, DATABASE_URL: created.url, PORT: '0' };
    cleanUp = async () => {
      await created.drop();
      await directory.remove();
    };
  });
  afterAll(() => cleanUp());

  const runJson = async (...args: string[]): Promise<Record<string, string>> =>
    (await runCli(settings, ...args, '--json')).json();
  const shopOptions = ['--name', 'Shop', '--environment', 'sandbox', '--origin', hostOrigin];

  test('serve without a worker, while another process is the worker', async () => {
    const server = await startLongRunning(settings, 'serve', '--no-worker');
    const { baseUrl, health } = server.result as Record<string, string>;
    const url = baseUrl!.replace('localhost', '127.0.0.1');
    let worker: LongRunningCommand | undefined;
    try {
      const shop = await runJson('applications', 'create', ...shopOptions);
      const { apiKey } = await runJson('api-keys', 'create', '--application', shop.applicationId!);
      const state = await (await fetch(health!.replace('localhost', '127.0.0.1'))).json();
      expect(state).toEqual({ status: 'ok', warnings: ['no_worker'] });
      const target = { url, application: { id: shop.applicationId!, apiKey: apiKey!, keyId: '' } };
      const session = await openLinkSession(target);
      expect((await driveToImport(session, { username: 'usd' })).state).toBe('importing');
      worker = await startLongRunning(settings, 'worker');
      expect(worker.result).toEqual({ working: true });
      expect((await session.waitForImport()).state).toBe('finished');
      const { scopedToken, connectionId } = await link(target, { username: 'jpy' });
      const client = createClient({ baseUrl: url, apiKey: apiKey!, scopedToken });
      const { data } = await client.GET('/connections');
      expect(data?.connections.map(({ id }) => id)).toEqual([connectionId]);
      // Next to a worker, `refresh run` ends when no refresh is due, regardless of which process ran the last one.
      const result = await runCli(settings, 'refresh', 'run', '--json');
      expect(result).toMatchObject({ code: 0, err: '' });
      const { refreshed, byOtherProcesses, ...problems } = result.json<Record<string, number>>();
      expect(refreshed! + byOtherProcesses!).toBe(2);
      expect(problems).toEqual({ failed: [], needsReconnect: [] });
      expect(await runJson('refresh', 'status')).toMatchObject({ scheduled: 2, due: 0 });
    } finally {
      expect(await worker?.stop()).toBe(0);
      expect(await server.stop('SIGINT')).toBe(0);
    }
  });

  test('only the first start returns an API key', async () => {
    const { out } = await runCli(settings, 'applications', 'list', '--json');
    expect(JSON.parse(out).applications).toHaveLength(2);
    const server = await startLongRunning(settings, 'serve');
    expect(server.result).not.toHaveProperty('apiKey');
    expect(server.result).toMatchObject({ port: expect.any(Number), reference: expect.any(String) });
    expect(await server.stop()).toBe(0);
  });
});

test('DEMO=on logs that it has no effect after a first start without a demo', async () => {
  const directory = await temporaryDirectory();
  onTestFinished(directory.remove);
  const settings = { DATA_DIR: directory.path, PORT: '0' };
  await runCli(settings, 'organizations', 'create', '--name', 'Acme');
  const shop = ['--name', 'Shop', '--environment', 'sandbox', '--origin', hostOrigin];
  await runCli(settings, 'applications', 'create', ...shop);
  for (const [DEMO, said] of [
    ['on', /^DEMO=on has no effect: .*\.\n$/],
    ['', /^$/],
  ] as const) {
    const server = await startLongRunning({ ...settings, DEMO }, 'serve');
    expect(server.output.err).toMatch(said);
    expect(await server.stop()).toBe(0);
  }
});

test('the first start prints the next steps, and the API key on its own line', async () => {
  const directory = await temporaryDirectory();
  onTestFinished(directory.remove);
  const server = spawnCli(['serve'], { DATA_DIR: directory.path, PORT: '0' });
  const output = text(server.stdout!);
  // The server writes the whole text at once.
  await once(server.stdout!, 'data');
  server.kill();
  const lines = (await output).split('\n');
  const address = 'http://localhost:\\d+';
  for (const [label, path] of [
    ['Demo', '/demo'],
    ['Create the owner account', '/dashboard/invitation#[\\w-]+'],
    ['API reference', '/docs'],
  ])
    expect(lines).toContainEqual(expect.stringMatching(`^  ${label} +${address}${path}$`));
  expect(lines).toContainEqual(
    expect.stringMatching(/^ +connect Sandbox Bank as "otp", password "password", code 123456$/),
  );
  expect(lines).toContainEqual(expect.stringMatching(/^eyJ[\w-]+\.[\w-]+\.[\w-]+$/));
});
