// Many processes: they start on an empty database at the same time, share one port, see the same sessions, clock and
// keys, and one that dies is replaced. Real processes, started as an operator starts them.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createClient } from '../../client/index.ts';
import { openDatabase } from '../../src/db/open.ts';
import { runCli } from '../support/cli.ts';
import { type DatabaseKind, databases } from '../support/databases.ts';
import { driveToImport, hostOrigin, link, openLinkSession } from '../support/testService.ts';

/** How many start at once. */
const many = process.env.TEST_ALL ? 6 : 3;

const program = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

type Running = { child: ChildProcess; answer: Record<string, string>; url: string };
type ServiceLocation = { env: Record<string, string>; drop(): Promise<void> };

const makeLocation = async (kind: DatabaseKind): Promise<ServiceLocation> => {
  const directory = await mkdtemp(join(tmpdir(), 'bank-connection-processes-'));
  const database = await kind.createEmpty();
  return {
    env: { PORT: '0', DATA_DIR: directory, DATABASE_URL: database.url, LOG_LEVEL: 'silent' },
    drop: async () => {
      await database.drop();
      await rm(directory, { recursive: true, force: true });
    },
  };
};

const run = (args: string[], env: Record<string, string>): ChildProcess =>
  spawn(process.execPath, [program, ...args, '--json'], {
    // The test runner has a BASE_URL of its own.
    env: { ...process.env, BASE_URL: '', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });

/** The one line that a command answers with. */
const answerOf = async (child: ChildProcess): Promise<Record<string, string>> => {
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
  const answer = await answerOf(child);
  return { child, answer, url: answer.baseUrl! };
};

const end = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
};

/** What an operator's command answers, run in this process: it is one more beside those that serve. */
const command = async (args: string[], env: Record<string, string>) =>
  (await runCli(env, ...args, '--json')).json();

const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);

const allowOrigin = async ({ env }: ServiceLocation, applicationId: string): Promise<void> => {
  const db = await openDatabase(env.DATABASE_URL!);
  await db
    .write('applications')
    .where({ id: applicationId })
    .update({ origins: JSON.stringify([hostOrigin]) });
  await db.close();
};

for (const kind of databases) {
  describe(kind.name, () => {
    test('several start at once on an empty database, and are one service', {
      timeout: 180_000,
    }, async () => {
      const place = await makeLocation(kind);
      onTestFinished(place.drop);
      const started = await Promise.all(Array.from({ length: many }, () => serve(place.env)));
      const welcomed = started.filter(({ answer }) => answer.apiKey);
      expect(welcomed.length).toBe(1);
      const { applicationId, apiKey } = welcomed[0]!.answer as { applicationId: string; apiKey: string };
      await allowOrigin(place, applicationId);
      const [first, second, third] = started as [Running, Running, Running];
      const last = started.at(-1)!;
      const application = { id: applicationId, apiKey, keyId: '' };

      // A session that begins at one goes on at another, and whoever claims its import does it once.
      const begun = await openLinkSession({ url: first.url, application });
      await begun.step({ kind: 'consent' });
      const { id, secret } = begun;
      const continued = await openLinkSession({ url: second.url, application }, { session: { id, secret } });
      await driveToImport(continued);
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
      const seen = await read(last);
      expect(seen?.connectionId).toBe(connectionId);
      expect(await Promise.all(started.map(read))).toEqual(started.map(() => seen));

      // The sandbox's clock is moved by yet another process; the connection comes due at whichever sees it first.
      await command(['sandbox', 'advance', '--days', '3'], place.env);
      const later = async () => (await read(first))?.lastTransactionRefresh !== seen?.lastTransactionRefresh;
      await vi.waitUntil(later, { timeout: 30_000, interval: 100 });
      const after = await read(first);
      expect(await Promise.all(started.map(read))).toEqual(started.map(() => after));

      // A key that is withdrawn is dead within a second everywhere.
      const keys = await command(['api-keys', 'list', '--application', applicationId], place.env);
      const key = (keys.keys as unknown as { keyId: string; name: string }[]).find(
        ({ name }) => name === 'First key',
      );
      await command(['api-keys', 'revoke', key!.keyId], place.env);
      await sleep(1000);
      const headers = { Authorization: `Bearer ${apiKey}` };
      const statuses = started.map(async ({ url }) => {
        return (await fetch(`${url}/connections/${connectionId}`, { headers })).status;
      });
      expect(await Promise.all(statuses)).toEqual(started.map(() => 401));
      await Promise.all(started.map(({ child }) => end(child)));
      expect(started.map(({ child }) => child.exitCode)).toEqual(started.map(() => 0));
    });

    // Sharing a port asks nothing of the database: one kind of it shows as much as both.
    if (kind !== databases[0] && !process.env.TEST_ALL) return;
    test('WEB_CONCURRENCY shares one port, replaces who dies, and ends all together', {
      timeout: 180_000,
    }, async () => {
      const place = await makeLocation(kind);
      onTestFinished(place.drop);
      const { child, answer, url } = await serve({ ...place.env, WEB_CONCURRENCY: '2' });
      const before = childrenOf(child.pid!);
      expect(before.length).toBe(2);
      expect(answer).toMatchObject({ apiKey: expect.any(String), port: expect.any(Number) });
      expect(answer.demo).toBeUndefined();
      await allowOrigin(place, answer.applicationId!);
      const application = { id: answer.applicationId!, apiKey: answer.apiKey!, keyId: '' };
      // Each request may meet either of the two.
      const linked = await link({ url, application });
      process.kill(before[0]!, 'SIGKILL');
      const client = createClient({ baseUrl: url, apiKey: answer.apiKey!, scopedToken: linked.scopedToken });
      const replaced = () => {
        const now = childrenOf(child.pid!);
        return now.length === 2 && !now.includes(before[0]!);
      };
      await vi.waitUntil(replaced, { timeout: 30_000, interval: 50 });
      const { data } = await client.GET('/connections');
      expect(data?.connections.map(({ id }) => id)).toEqual([linked.connectionId]);
      const last = childrenOf(child.pid!);
      await end(child);
      expect(child.exitCode).toBe(0);
      const alive = (pid: number): boolean => {
        try {
          return process.kill(pid, 0);
        } catch {
          return false;
        }
      };
      expect(last.filter(alive)).toEqual([]);
    });
  });
}

test('their parent’s death ends them, and what keeps one from starting ends all', {
  timeout: 120_000,
}, async () => {
  const place = await makeLocation(databases[0]!);
  onTestFinished(place.drop);
  const { child } = await serve({ ...place.env, WEB_CONCURRENCY: '2' });
  const children = childrenOf(child.pid!);
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
  const gone = () =>
    children.every((pid) => {
      try {
        return !process.kill(pid, 0);
      } catch {
        return true;
      }
    });
  await vi.waitUntil(gone, { timeout: 20_000, interval: 50 });
  const refused = run(['serve'], { ...place.env, WEB_CONCURRENCY: '2', DEMO: 'on' });
  const [code] = await once(refused, 'exit');
  expect(code).toBe(1);
});
