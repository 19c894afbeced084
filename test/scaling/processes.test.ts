// Several real processes of one service: they start at the same time on an empty database, and share one port, link sessions,
// the sandbox clock and API keys. A process that dies is replaced.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createClient } from '../../client/index.ts';
import { openDatabase } from '../../src/platform/db/open.ts';
import { anonymousUser, tokenOf } from '../http/dashboard/users.ts';
import { childrenOf } from '../support/childrenOf.ts';
import { runCli, temporaryDirectory } from '../support/cli.ts';
import { type DatabaseKind, databases } from '../support/databases.ts';
import { freePort } from '../support/freePort.ts';
import { driveToImport, hostOrigin, link, openLinkSession } from '../support/testService.ts';

/** The number of processes that start concurrently. */
const processCount = process.env.TEST_ALL ? 6 : 3;

const program = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

type Running = { child: ChildProcess; result: Record<string, string>; url: string };
type Installation = { env: Record<string, string> };

const makeInstallation = async (kind: DatabaseKind): Promise<Installation> => {
  const directory = await temporaryDirectory();
  onTestFinished(directory.remove);
  const database = await kind.createEmpty();
  onTestFinished(database.drop);
  const env = { PORT: '0', DATA_DIR: directory.path, DATABASE_URL: database.url, LOG_LEVEL: 'silent' };
  return { env };
};

const run = (
  args: string[],
  env: Record<string, string>,
  errors: 'inherit' | 'pipe' = 'inherit',
): ChildProcess =>
  spawn(process.execPath, [program, ...args, '--json'], {
    // The test runner sets its own BASE_URL.
    env: { ...process.env, BASE_URL: '', ...env },
    stdio: ['ignore', 'pipe', errors],
  });

/** The JSON line that a command prints when it is ready. */
const readResult = async (child: ChildProcess): Promise<Record<string, string>> => {
  let text = '';
  child.stdout!.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  await vi.waitUntil(() => text.includes('\n') || child.exitCode !== null, { timeout: 50_000, interval: 20 });
  return JSON.parse(text);
};

const serve = async (env: Record<string, string>, ...args: string[]): Promise<Running> => {
  const child = run(['serve', ...args], env);
  onTestFinished(() => end(child));
  const result = await readResult(child);
  return { child, result, url: result.baseUrl! };
};

const end = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
};

/** The result of an operator's command, run in this process next to the serving ones. */
const command = async (args: string[], env: Record<string, string>) =>
  (await runCli(env, ...args, '--json')).json();

const createApplication = async ({ env }: Installation) => {
  const options = ['--name', 'Shop', '--environment', 'sandbox', '--origin', hostOrigin];
  const application = await command(['applications', 'create', ...options], env);
  const id = String(application.applicationId);
  const { apiKey, keyId } = await command(['api-keys', 'create', '--application', id], env);
  return { id, apiKey: String(apiKey), keyId: String(keyId) };
};

const allowOrigin = async ({ env }: Installation, applicationId: string): Promise<void> => {
  const db = await openDatabase(env.DATABASE_URL!);
  await db
    .write('applications')
    .where({ id: applicationId })
    .update({ origins: JSON.stringify([hostOrigin]) });
  await db.close();
};

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

for (const kind of databases) {
  describe(kind.name, () => {
    test('several processes that start concurrently on an empty database are one service', {
      timeout: 180_000,
    }, async () => {
      const installation = await makeInstallation(kind);
      const started = await Promise.all(Array.from({ length: processCount }, () => serve(installation.env)));
      const withApiKey = started.filter(({ result }) => result.apiKey);
      expect(withApiKey.length).toBe(1);
      const links = started.flatMap(({ result }) => result.firstOwner ?? []);
      expect(links.length).toBe(1);
      const { response: found } = await anonymousUser(started[0]!.url).client.POST(
        '/management/invitation/view',
        { body: { token: tokenOf(links[0]!) } },
      );
      expect(found.status).toBe(200);
      const { applicationId, apiKey } = withApiKey[0]!.result as { applicationId: string; apiKey: string };
      await allowOrigin(installation, applicationId);
      const [first, second, third] = started as [Running, Running, Running];
      const last = started.at(-1)!;
      const application = { id: applicationId, apiKey, keyId: '' };

      // A link session continues in another process, and one process runs its import once.
      const begun = await openLinkSession({ url: first.url, application });
      await begun.step({ kind: 'consent' });
      const { id, secret } = begun;
      const continued = await openLinkSession({ url: second.url, application }, { session: { id, secret } });
      await driveToImport(continued, { username: 'good' });
      const followed = await openLinkSession({ url: third.url, application }, { session: { id, secret } });
      const view = await followed.waitForImport();
      if (view.state !== 'finished') throw new Error(`Linking ended as ${JSON.stringify(view)}.`);
      await followed.acknowledge();
      const { connectionId, accounts, scopedToken } = view.result;
      const read = async ({ url }: Running) => {
        const client = createClient({ baseUrl: url, apiKey, scopedToken });
        const path = { accountId: accounts[0]!.id };
        return (await client.GET('/accounts/{accountId}', { params: { path } })).data?.account;
      };
      const account = await read(last);
      expect(account?.connectionId).toBe(connectionId);
      expect(await Promise.all(started.map(read))).toEqual(started.map(() => account));

      // Another process advances the sandbox clock; any process may run the refresh that becomes due.
      await command(['sandbox', 'advance', '--days', '5'], installation.env);
      const isRefreshed = async () =>
        (await read(first))?.lastTransactionRefresh !== account?.lastTransactionRefresh;
      await vi.waitUntil(isRefreshed, { timeout: 30_000, interval: 100 });
      const refreshed = await read(first);
      expect(await Promise.all(started.map(read))).toEqual(started.map(() => refreshed));

      // Every process refuses a revoked API key at once.
      const keys = await command(['api-keys', 'list', '--application', applicationId], installation.env);
      const key = (keys.keys as unknown as { keyId: string; name: string }[]).find(
        ({ name }) => name === 'First key',
      );
      await command(['api-keys', 'revoke', key!.keyId], installation.env);
      const headers = { Authorization: `Bearer ${apiKey}` };
      const statuses = started.map(async ({ url }) => {
        return (await fetch(`${url}/connections/${connectionId}`, { headers })).status;
      });
      expect(await Promise.all(statuses)).toEqual(started.map(() => 401));
      await Promise.all(started.map(({ child }) => end(child)));
      expect(started.map(({ child }) => child.exitCode)).toEqual(started.map(() => 0));
    });

    // Port sharing does not depend on the database, so one kind suffices.
    if (kind !== databases[0] && !process.env.TEST_ALL) return;
    test('WEB_CONCURRENCY shares one port, replaces a process that dies, and stops all together', {
      timeout: 180_000,
    }, async () => {
      const installation = await makeInstallation(kind);
      const { child, result, url } = await serve({
        ...{ ...installation.env, PORT: String(await freePort()), WEB_CONCURRENCY: '2' },
        // Longer than two time-outs plus the grace period of a process.
        ...{ SHUTDOWN_TIMEOUT_SECONDS: '1', SHUTDOWN_DELAY_SECONDS: '8' },
      });
      const before = childrenOf(child.pid!);
      expect(before.length).toBe(2);
      expect(Object.keys(result)).toEqual([
        ...['port', 'baseUrl', 'dashboard', 'firstOwner', 'reference', 'health'],
      ]);
      const application = await createApplication(installation);
      // Either of the two processes may serve a request.
      const linked = await link({ url, application });
      const { apiKey } = application;
      const client = createClient({ baseUrl: url, apiKey, scopedToken: linked.scopedToken });
      const killAndAwaitNext = async (killed: number): Promise<number> => {
        const others = childrenOf(child.pid!);
        process.kill(killed, 'SIGKILL');
        const next = () => childrenOf(child.pid!).find((pid) => !others.includes(pid));
        return vi.waitUntil(next, { timeout: 30_000, interval: 50 });
      };
      const answer = async () => {
        const sent = get(`${url}/health/live`, { agent: false }, (response) => response.resume());
        await once(sent, 'response');
      };
      // A replacement is also replaced. The other process is frozen, so that the replacement serves.
      const next = await killAndAwaitNext(before[0]!);
      process.kill(before[1]!, 'SIGSTOP');
      await Promise.any([answer(), answer()]);
      process.kill(before[1]!, 'SIGCONT');
      await killAndAwaitNext(next);
      const { data } = await client.GET('/connections');
      expect(data?.connections.map(({ id }) => id)).toEqual([linked.connectionId]);
      const last = childrenOf(child.pid!);
      const stoppingAt = performance.now();
      await end(child);
      expect(child.exitCode).toBe(0);
      expect(performance.now() - stoppingAt).toBeGreaterThan(8000);
      expect(last.filter(isAlive)).toEqual([]);
    });
  });
}

const exampleConnector = fileURLToPath(
  new URL('../../examples/new-connector/src/connector.ts', import.meta.url),
);

/** The source of connectors with which the second child of a cluster does not start. Each child writes its id to a file. */
const failingInSecondChild = (file: string): string => `
  import cluster from 'node:cluster';
  import { appendFileSync } from 'node:fs';
  if (cluster.isWorker) appendFileSync(${JSON.stringify(file)}, process.pid + '\\n');
  if (cluster.worker?.id === 2) throw new Error('The second process does not start.');
  export { default } from ${JSON.stringify(exampleConnector)};
`;

test('processes end when their parent dies, and when one of them cannot start', {
  timeout: 120_000,
}, async () => {
  const installation = await makeInstallation(databases[0]!);
  const settings = { ...installation.env, PORT: String(await freePort()), WEB_CONCURRENCY: '2' };
  const { child } = await serve(settings);
  const children = childrenOf(child.pid!);
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
  await vi.waitUntil(() => !children.some(isAlive), { timeout: 20_000, interval: 50 });

  const pids = join(installation.env.DATA_DIR!, 'pids');
  const connector = join(installation.env.DATA_DIR!, 'connector.mjs');
  await writeFile(connector, failingInSecondChild(pids));
  const refused = run(['serve'], { ...settings, CONNECTORS: connector }, 'pipe');
  const errors = text(refused.stderr!);
  const [code] = await once(refused, 'exit');
  expect(code).toBe(1);
  expect(await errors).toContain('The second process does not start.');
  const started = (await readFile(pids, 'utf8')).trim().split('\n').map(Number);
  expect(started).toHaveLength(2);
  expect(started.filter(isAlive)).toEqual([]);
});
