// A process that is stopped or frozen while it works, and one that cannot read its secrets.
import { once } from 'node:events';
import { mkdir, rm } from 'node:fs/promises';
import { Agent, type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createClient, transactions, unwrap } from '../../client/index.ts';
import { runCli, runCliProcess, type Settings, spawnCli, temporaryDirectory } from '../support/cli.ts';
import { lastDatabase } from '../support/databases.ts';
import { startService } from '../support/testService.ts';
import { withTunables } from '../support/tunables.ts';
import { linkUser, startFaultService } from './faultHarness.ts';

type Result = 'answered' | 'refused' | 'broken off';

const get = (url: string, agent: Agent): Promise<Result> =>
  new Promise((resolve) => {
    const sent = request(`${url}/health/ready`, { agent }, (response) => {
      response.on('end', () => resolve('answered')).on('error', () => resolve('broken off'));
      response.resume();
    });
    sent.on('error', ({ code }: NodeJS.ErrnoException) =>
      resolve(code === 'ECONNREFUSED' ? 'refused' : 'broken off'),
    );
    sent.end();
  });

test('SIGTERM under load: every request that was accepted is answered, on connections that are kept open', async () => {
  const service = await startFaultService({});
  const results: Result[] = [];
  const client = async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let result: Result = 'answered'; result !== 'refused'; ) {
      result = await get(service.url, agent);
      results.push(result);
    }
    agent.destroy();
  };
  const clients = Array.from({ length: 16 }, client);
  await expect.poll(() => results.length).toBeGreaterThan(500);
  expect(await service.stop()).toBe(0);
  await Promise.all(clients);
  expect(results.filter((result) => result === 'refused')).toHaveLength(clients.length);
  expect(results.filter((result) => result === 'broken off')).toEqual([]);
});

/** Sends a request with an unfinished body. The server has read its headers. */
const beginRequest = async (url: string) => {
  const agent = new Agent({ keepAlive: true });
  const headers = { 'Content-Type': 'application/json', Expect: '100-continue' };
  const sent = request(`${url}/connect/api/link-sessions`, { agent, method: 'POST', headers });
  const response = new Promise<IncomingMessage>((resolve, reject) => {
    sent.once('response', resolve).once('error', reject);
  });
  // For tests that fail before they wait for the process.
  response.catch(() => {});
  sent.flushHeaders();
  await once(sent, 'continue');
  return { sent, response };
};

test('a stopping process is not ready, closes connections after their responses, and cuts off those that do not end', async () => {
  const limits = { shutdownDelaySeconds: 2, shutdownTimeoutSeconds: 1 };
  const service = await startService({ worker: false, limits });
  const ending = await beginRequest(service.url);
  const endless = await beginRequest(service.url);
  const closed = service.close();
  onTestFinished(() => closed);
  const cutOff = endless.response.catch(({ code }: NodeJS.ErrnoException) => code);
  const ready = await fetch(`${service.url}/health/ready`);
  expect(await ready.json()).toEqual({ status: 'stopping' });
  expect({ status: ready.status, retryAfter: ready.headers.get('Retry-After') }).toEqual({
    ...{ status: 503, retryAfter: '5' },
  });
  ending.sent.end('{}');
  const response = await ending.response;
  response.resume();
  expect(response.headers.connection).toBe('close');
  expect(await cutOff).toBe('ECONNRESET');
  await closed;
  expect(await get(service.url, new Agent())).toBe('refused');
});

const startWorker = async (settings: Settings) => {
  const child = spawnCli(['worker', '--json'], { LOG_LEVEL: 'info', ...settings });
  const exited = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  await once(child.stdout!, 'data');
  return child;
};

// Takes half a minute, mostly waiting.
test.each(lastDatabase)(
  'a worker that is frozen beyond its lease publishes nothing when it goes on ($name)',
  { timeout: 180_000 },
  async (kind) => {
    const directory = await temporaryDirectory();
    onTestFinished(directory.remove);
    const database = await kind.create();
    onTestFinished(database.drop);
    const settings = {
      ...{ DATA_DIR: directory.path, DATABASE_URL: database.url },
      ...withTunables({ leaseSeconds: 1 }),
    };
    const service = await startFaultService(settings, { args: ['--no-worker'] });
    onTestFinished(async () => void (await service.stop()));
    const runningImports = async () => {
      const status = await runCli(settings, 'refresh', 'status', '--json');
      return status.json<{ imports: { running: number } }>().imports.running;
    };
    const frozen = await startWorker(settings);
    // Each step at the bank takes some seconds, so that the freeze hits the worker while it waits for the bank.
    const linking = linkUser(service, 'user-1', 'slow');
    await expect.poll(runningImports, { interval: 100 }).toBe(1);
    frozen.kill('SIGSTOP');
    await startWorker(settings);
    const { scopedToken, connectionId } = await linking;
    const client = createClient({ baseUrl: service.url, apiKey: service.apiKey, scopedToken });
    const readAll = async () => {
      const { connections } = await unwrap(client.GET('/connections'));
      const request = { params: { path: { connectionId } } };
      const { accounts } = await unwrap(client.GET('/connections/{connectionId}/accounts', request));
      const ids: string[] = [];
      for (const { id } of accounts) {
        for await (const transaction of transactions(client, id)) ids.push(transaction.id);
      }
      return { connections: connections.map(({ id }) => id), accounts: accounts.map(({ id }) => id), ids };
    };
    const published = await readAll();
    expect(published.connections).toEqual([connectionId]);
    expect(published.ids.length).toBeGreaterThan(10);
    let log = '';
    frozen.stderr!.on('data', (text) => {
      log += text;
    });
    frozen.kill('SIGCONT');
    // When its step at the bank ends, or before, it notices that it has lost the lease.
    await expect.poll(() => log).toMatch(/"msg":"job dropped"/);
    frozen.kill('SIGTERM');
    const [code] = await once(frozen, 'exit');
    expect(code).toBe(0);
    expect(await readAll()).toEqual(published);
  },
);

test('an unreadable secret stops the start, with a sentence that names the file', async () => {
  const directory = await temporaryDirectory();
  onTestFinished(directory.remove);
  const settings = { DATA_DIR: directory.path, PORT: '0' };
  expect((await runCliProcess(settings, 'organizations', 'list')).code).toBe(0);
  const file = join(directory.path, 'secrets', 'cursors');
  await rm(file);
  await mkdir(file);
  expect(await runCliProcess(settings, 'serve')).toMatchObject({
    code: 1,
    err: `${file} in SECRETS_DIR cannot be read or written (EISDIR).\n`,
  });
});
