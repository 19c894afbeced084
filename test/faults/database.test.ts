// A database that is locked, full, frozen, restarted or gone. Requests that need it are refused within their time limit and with
// Retry-After, nothing is half written, and the service recovers by itself. docs/faults.md has the outcomes.
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { expect, test } from 'vitest';
import { openDatabase } from '../../src/db/open.ts';
import { afterFile } from '../support/afterFile.ts';
import { temporaryDirectory } from '../support/cli.ts';
import { type PostgresCommand, startPostgres } from '../support/postgres.ts';
import {
  ask,
  askAll,
  expectKept,
  type FaultService,
  type Linked,
  linkUser,
  startFaultService,
} from './faultHarness.ts';

type Answers = Awaited<ReturnType<typeof askAll>>;

const outcomes = [
  ['Fault', 'Database', '`/health`', 'Reading accounts', 'Revoking', 'Afterwards'],
  ['---', '---', '---', '---', '---', '---'],
];
/** In the order of the tests; answersDuring has checked what is said in the last column. */
const record = (fault: string, database: string, { health, read, revoke }: Answers) =>
  outcomes.push([fault, database, health, read, revoke, 'recovers by itself; nothing acknowledged is lost']);

/** Links some users. */
const linkUsers = async (service: FaultService, count: number): Promise<Linked[]> => {
  const linked: Linked[] = [];
  for (let number = 0; number < count; number++) linked.push(await linkUser(service, `user-${number}`));
  return linked;
};

/** The answers during a fault. A revocation that was refused succeeds after `end`, and one that was acknowledged holds. */
const answersDuring = async (
  service: FaultService,
  linked: Linked[],
  fault: { begin(): unknown; end(): unknown },
): Promise<Answers> => {
  const [read, revoked, ...rest] = linked as [Linked, Linked, ...Linked[]];
  await fault.begin();
  const answers = await askAll(service, read, revoked);
  const acknowledged = new Set(answers.revoke === '204' ? [revoked.connectionId] : []);
  await fault.end();
  await expect.poll(() => ask(service, '/health')).toBe('200');
  await expectKept(service, linked, acknowledged);
  expect(await ask(service, `/connections/${revoked.connectionId}`, { method: 'DELETE' })).toBe('204');
  await expectKept(service, linked, new Set([revoked.connectionId]));
  rest.push(await linkUser(service, 'after the fault'));
  await expectKept(service, rest, new Set());
  return answers;
};

test('another process holds the lock of the SQLite file: reads go on, and changes are refused', async () => {
  const directory = await temporaryDirectory();
  afterFile(directory.remove);
  const file = join(directory.path, 'data.db');
  const service = await startFaultService({ DATABASE_URL: `sqlite:${file}` });
  const linked = await linkUsers(service, 2);
  const other = new BetterSqlite3(file);
  const answers = await answersDuring(service, linked, {
    begin: () => other.exec('begin immediate'),
    end: () => other.exec('rollback'),
  });
  other.close();
  record('locked by another process', 'SQLite', answers);
  expect(answers).toEqual({ health: '200', read: '200', revoke: '503, Retry-After' });
  expect(await service.stop()).toBe(0);
});

/** A file system of 24 MiB, which only the program that it starts has. Needs no rights but a user namespace. */
const onSmallDisk = (directory: string): string[] => {
  const script = 'mount -t tmpfs -o size=24m none "$1" && shift && exec "$@"';
  return ['unshare', '--user', '--map-root-user', '--mount', 'sh', '-c', script, 'sh', directory];
};

test('the disk under the SQLite file is full: reads go on, and changes are refused until there is room', async () => {
  const directory = await temporaryDirectory();
  afterFile(directory.remove);
  const settings = { DATA_DIR: directory.path, DATABASE_URL: `sqlite:${join(directory.path, 'data.db')}` };
  const service = await startFaultService(settings, { wrapper: onSmallDisk(directory.path) });
  const linked = await linkUsers(service, 2);
  const filler = join('/proc', String(service.child.pid), 'root', directory.path, 'filler');
  const fill = async () => {
    const descriptor = openSync(filler, 'w');
    for (let size = 1 << 20; size > 0; ) {
      try {
        writeSync(descriptor, Buffer.alloc(size));
      } catch {
        size >>= 1;
      }
    }
    closeSync(descriptor);
    // Pages and log that the file has already are used up first.
    await expect(linkUntilRefused(service)).rejects.toThrow();
  };
  const answers = await answersDuring(service, linked, { begin: fill, end: () => rmSync(filler) });
  record('full disk', 'SQLite', answers);
  expect(answers).toEqual({ health: '200', read: '200', revoke: '503, Retry-After' });
  expect(await service.stop()).toBe(0);
});

const linkUntilRefused = async (service: FaultService): Promise<void> => {
  for (let number = 0; number < 200; number++) await linkUser(service, `full-${number}`);
};

const onPostgres = async () => {
  const server = await startPostgres();
  afterFile(server.stop);
  const service = await startFaultService({ DATABASE_URL: server.url });
  return { server, service, linked: await linkUsers(service, 2) };
};

const refused: Answers = {
  health: '503, Retry-After',
  read: '503, Retry-After',
  revoke: '503, Retry-After',
};

test.each<[string, PostgresCommand, PostgresCommand]>([
  ['frozen (SIGSTOP)', 'freeze', 'resume'],
  ['stopped, then started', 'stop', 'start'],
])(
  'PostgreSQL is %s: every request is refused in time, until it answers again',
  async (fault, begin, end) => {
    const { server, service, linked } = await onPostgres();
    const answers = await answersDuring(service, linked, {
      begin: () => server.run(begin),
      end: () => server.run(end),
    });
    record(fault, 'PostgreSQL', answers);
    expect(answers).toEqual(refused);
    expect(await service.stop()).toBe(0);
  },
);

test('PostgreSQL closes every connection: at most the requests in progress are refused', async () => {
  const { server, service, linked } = await onPostgres();
  const admin = await openDatabase(server.url);
  const areAllOpen = async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => ask(service, '/health')));
    return answers.every((answer) => answer === '200');
  };
  const close = async () => {
    await admin.read.raw(
      'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()',
    );
    // Requests that had a connection, or got one before the service heard of its end.
    await expect.poll(areAllOpen).toBe(true);
  };
  const answers = await answersDuring(service, linked, { begin: close, end: () => {} });
  await admin.close();
  record('all connections closed', 'PostgreSQL', answers);
  expect(answers).toEqual({ health: '200', read: '200', revoke: '204' });
  expect(await service.stop()).toBe(0);
});

test('docs/faults.md has the outcomes', async () => {
  const table = outcomes.map((row) => `| ${row.join(' | ')} |`).join('\n');
  await expect(`${introduction}${table}\n`).toMatchFileSnapshot('../../docs/faults.md');
});

const introduction = `# Faults

What the service answered while a fault lasted, written by \`test/faults/database.test.ts\`, which makes each of them: a
process of its own, real locks, a real file system without room, a real server that is stopped or frozen. A refusal is 503 with
\`Retry-After\`, at most \`DATABASE_REQUEST_MS\` after the request: 4.5 seconds. The same folder has tests of a process that is
stopped under load, of a worker that is frozen beyond its lease, of a secret that cannot be read, and of a log that cannot be written.
[kills.md](kills.md) has what kills at random moments left.

`;
