// A database that is locked, full, frozen, restarted or gone. Requests that need it are refused within their time limit and with
// Retry-After, nothing is half written, and the service recovers by itself. bench/results/faults.md has the outcomes.
import type { ChildProcess } from 'node:child_process';
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
import { fillDisk, hasSmallDisk, noSmallDisk, onSmallDisk } from './smallDisk.ts';

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

type End = () => unknown;

/**
 * The answers during a fault; `begin` returns what ends it. A revocation that was refused succeeds afterwards, and one that was
 * acknowledged holds.
 */
const answersDuring = async (
  service: FaultService,
  linked: Linked[],
  begin: () => Promise<End>,
): Promise<Answers> => {
  const [read, revoked, ...rest] = linked as [Linked, Linked, ...Linked[]];
  const end = await begin();
  const answers = await askAll(service, read, revoked);
  const acknowledged = new Set(answers.revoke === '204' ? [revoked.connectionId] : []);
  await end();
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
  const answers = await answersDuring(service, linked, async () => {
    other.exec('begin immediate');
    return () => other.exec('rollback');
  });
  other.close();
  record('locked by another process', 'SQLite', answers);
  expect(answers).toEqual({ health: '200', read: '200', revoke: '503, Retry-After' });
  expect(await service.stop()).toBe(0);
});

test('the disk under the SQLite file is full: reads go on, and changes are refused until there is room', async ({
  skip,
}) => {
  skip(!hasSmallDisk(), noSmallDisk);
  const directory = await temporaryDirectory();
  afterFile(directory.remove);
  const settings = { DATA_DIR: directory.path, DATABASE_URL: `sqlite:${join(directory.path, 'data.db')}` };
  const service = await startFaultService(settings, {
    wrapper: onSmallDisk(directory.path, { mebibytes: 24 }),
  });
  const linked = await linkUsers(service, 2);
  const answers = await answersDuring(service, linked, async () => {
    const makeRoom = await fillUntilRefused(service, service.child, directory.path);
    await expectWarning(service, 'disk_full');
    return makeRoom;
  });
  record('full disk', 'SQLite', answers);
  expect(answers).toEqual({ health: '200', read: '200', revoke: '503, Retry-After' });
  expect(await service.stop()).toBe(0);
});

/** Fills the disk of a program; then the pages and the log that its files have already are used up. */
const fillUntilRefused = async (
  service: FaultService,
  program: ChildProcess,
  directory: string,
): Promise<End> => {
  const makeRoom = fillDisk(program, directory);
  await expect(linkUntilRefused(service)).rejects.toThrow();
  return makeRoom;
};

const expectWarning = async ({ url }: FaultService, warning: string): Promise<void> => {
  const read = async () => (await (await fetch(`${url}/health`)).json()).warnings;
  await expect.poll(read).toContain(warning);
};

const linkUntilRefused = async (service: FaultService): Promise<void> => {
  for (let number = 0; number < 200; number++) await linkUser(service, `full-${number}`);
};

const onPostgres = async (options?: Parameters<typeof startPostgres>[0]) => {
  const server = await startPostgres(options);
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
    const answers = await answersDuring(service, linked, async () => {
      await server.run(begin);
      return () => server.run(end);
    });
    record(fault, 'PostgreSQL', answers);
    expect(answers).toEqual(refused);
    expect(await service.stop()).toBe(0);
  },
);

/** PostgreSQL with its files on a small disk. */
const onPostgresWithSmallDisk = async () => {
  const { path, remove } = await temporaryDirectory();
  afterFile(remove);
  const wrapper = onSmallDisk(path, { mebibytes: 128, asUser: true });
  const postgres = await onPostgres({ directory: path, wrapper });
  return { ...postgres, fill: () => fillUntilRefused(postgres.service, postgres.server.supervisor, path) };
};

test('the disk under PostgreSQL is full: reads go on, and changes are refused until there is room', async ({
  skip,
}) => {
  skip(!hasSmallDisk(), noSmallDisk);
  const { service, linked, fill } = await onPostgresWithSmallDisk();
  const answers = await answersDuring(service, linked, async () => {
    const makeRoom = await fill();
    await expectWarning(service, 'disk_full');
    return makeRoom;
  });
  record('full disk', 'PostgreSQL', answers);
  expect(answers).toEqual({ health: '200', read: '200', revoke: '503, Retry-After' });
  expect(await service.stop()).toBe(0);
});

test('PostgreSQL ends because its log has no room: every request is refused until it is started', async ({
  skip,
}) => {
  skip(!hasSmallDisk(), noSmallDisk);
  const { server, service, linked, fill } = await onPostgresWithSmallDisk();
  const admin = await openDatabase(server.url);
  // The tests' server may otherwise lose what it committed just before it ends.
  await admin.read.raw('alter database postgres set synchronous_commit = on');
  const useUpLog = async () => {
    for (let megabytes = 0; megabytes < 40; megabytes++) {
      await admin.read.raw("select pg_logical_emit_message(false, 'filler', repeat('x', 1000000))");
    }
  };
  const answers = await answersDuring(service, linked, async () => {
    const makeRoom = await fill();
    // The server says why, or its connection ends before.
    await expect(useUpLog()).rejects.toThrow();
    await expect.poll(() => ask(service, '/health')).toBe(refused.health);
    return async () => {
      await makeRoom();
      await server.run('start');
    };
  });
  await admin.close();
  record('no room for the log, then started', 'PostgreSQL', answers);
  expect(answers).toEqual(refused);
  expect(await service.stop()).toBe(0);
});

test('PostgreSQL closes every connection: at most the requests in progress are refused', async () => {
  const { server, service, linked } = await onPostgres();
  const admin = await openDatabase(server.url);
  const areAllOpen = async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => ask(service, '/health')));
    return answers.every((answer) => answer === '200');
  };
  const closeAll = async () => {
    await admin.read.raw(
      'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()',
    );
    // Requests that had a connection, or got one before the service heard of its end.
    await expect.poll(areAllOpen).toBe(true);
    return () => {};
  };
  const answers = await answersDuring(service, linked, closeAll);
  await admin.close();
  record('all connections closed', 'PostgreSQL', answers);
  expect(answers).toEqual({ health: '200', read: '200', revoke: '204' });
  expect(await service.stop()).toBe(0);
});

test('bench/results/faults.md has the outcomes', async () => {
  const table = outcomes.map((row) => `| ${row.join(' | ')} |`).join('\n');
  await expect(`${introduction}${table}\n`).toMatchFileSnapshot('../../bench/results/faults.md');
});

const introduction = `# Faults

What the service answered while a fault lasted, written by \`test/faults/database.test.ts\`, which makes each of them: a
process of its own, real locks, a real file system without room, a real server that is stopped or frozen. A refusal is 503 with
\`Retry-After\`, at most \`DATABASE_REQUEST_MS\` after the request: 4.5 seconds. The same folder has tests of a process that is
stopped under load, of a worker that is frozen beyond its lease, of a secret that cannot be read, of a log that cannot be written,
of a clock that is set back, and of a list that is being sent: its rest comes when the database answers again within
\`DATABASE_JOB_SECONDS\`, or its response is broken off and never looks complete.
[kills.md](kills.md) has what kills at random moments left.

`;
