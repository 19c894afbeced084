// A database that is locked, full, frozen, restarted or gone. Requests that need it are refused within their time limit and with
// Retry-After, nothing is half written, and the service recovers on its own. bench/results/faults.md has the outcomes.
import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/platform/db/open.ts';
import { afterFile } from '../support/cleanups.ts';
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
/** Links two users for a fault. */
const linkUsers = async (service: FaultService, fault: string): Promise<Linked[]> => [
  await linkUser(service, `reads, ${fault}`),
  await linkUser(service, `revoked, ${fault}`),
];

type End = () => unknown;

/**
 * Records the responses during a fault; `begin` returns the function that ends it. A refused revocation succeeds afterwards, and an
 * acknowledged one persists.
 */
const answersDuring = async (
  service: FaultService,
  { fault, database }: { fault: string; database: string },
  begin: () => Promise<End>,
): Promise<Answers> => {
  const linked = await linkUsers(service, fault);
  const [read, revoked] = linked as [Linked, Linked];
  const end = await begin();
  const answers = await askAll(service, read, revoked);
  const acknowledged = new Set(answers.revoke === '204' ? [revoked.connectionId] : []);
  await end();
  await expect.poll(() => ask(service, '/health')).toBe('200');
  await expectKept(service, linked, acknowledged);
  expect(await ask(service, `/connections/${revoked.connectionId}`, { method: 'DELETE' })).toBe('204');
  await expectKept(service, linked, new Set([revoked.connectionId]));
  await expectKept(service, [await linkUser(service, `linked after ${fault}`)], new Set());
  outcomes.push([
    ...[fault, database, answers.health, answers.read, answers.revoke],
    'recovers by itself; nothing acknowledged is lost',
  ]);
  return answers;
};

test('another process holds the lock of the SQLite file: reads continue, and changes are refused', async () => {
  const directory = await temporaryDirectory();
  afterFile(directory.remove);
  const file = join(directory.path, 'data.db');
  const service = await startFaultService({ DATABASE_URL: `sqlite:${file}` });
  const other = new BetterSqlite3(file);
  const lock = { fault: 'locked by another process', database: 'SQLite' };
  const answers = await answersDuring(service, lock, async () => {
    other.exec('begin immediate');
    return () => other.exec('rollback');
  });
  other.close();
  expect(answers).toEqual({ health: '200', read: '200', revoke: '503, Retry-After' });
  expect(await service.stop()).toBe(0);
});

test('the disk of the SQLite file is full: reads continue, and changes are refused until there is room', async ({
  skip,
}) => {
  skip(!hasSmallDisk(), noSmallDisk);
  const directory = await temporaryDirectory();
  afterFile(directory.remove);
  const settings = { DATA_DIR: directory.path, DATABASE_URL: `sqlite:${join(directory.path, 'data.db')}` };
  const service = await startFaultService(settings, {
    wrapper: onSmallDisk(directory.path, { mebibytes: 24 }),
  });
  const answers = await answersDuring(service, { fault: 'full disk', database: 'SQLite' }, async () => {
    const makeRoom = await fillUntilRefused(service, service.child, directory.path);
    await expectWarning(service, 'disk_full');
    return makeRoom;
  });
  expect(answers).toEqual({ health: '200', read: '200', revoke: '503, Retry-After' });
  expect(await service.stop()).toBe(0);
});

/** Fills the disk of a program, and then uses up the free pages and the log in its files. */
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

const refused: Answers = {
  health: '503, Retry-After',
  read: '503, Retry-After',
  revoke: '503, Retry-After',
};

/** A service on its own server, which all tests of a `describe` use; the last one stops it. */
const startOnPostgres = async (options?: Parameters<typeof startPostgres>[0]) => {
  const server = await startPostgres(options);
  afterFile(server.stop);
  return { server, service: await startFaultService({ DATABASE_URL: server.url }) };
};
type OnPostgres = Awaited<ReturnType<typeof startOnPostgres>>;
const onPostgres = (fault: string) => ({ fault, database: 'PostgreSQL' });

describe('a server that is stopped', () => {
  let { server, service } = {} as OnPostgres;
  beforeAll(async () => {
    ({ server, service } = await startOnPostgres());
  });

  test.each<[string, PostgresCommand, PostgresCommand]>([
    ['frozen (SIGSTOP)', 'freeze', 'resume'],
    ['stopped, then started', 'stop', 'start'],
  ])(
    'PostgreSQL is %s: every request is refused in time, until it answers again',
    async (fault, begin, end) => {
      const answers = await answersDuring(service, onPostgres(fault), async () => {
        await server.run(begin);
        return () => server.run(end);
      });
      expect(answers).toEqual(refused);
    },
  );

  test('PostgreSQL closes every connection: at most the requests in progress are refused', async () => {
    const admin = await openDatabase(server.url);
    const areAllOpen = async () => {
      const answers = await Promise.all(Array.from({ length: 10 }, () => ask(service, '/health')));
      return answers.every((answer) => answer === '200');
    };
    const closeAll = async () => {
      await admin.read.raw(
        'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()',
      );
      // Requests that had a connection, or got one before the service noticed its end.
      await expect.poll(areAllOpen).toBe(true);
      return () => {};
    };
    const answers = await answersDuring(service, onPostgres('all connections closed'), closeAll);
    await admin.close();
    expect(answers).toEqual({ health: '200', read: '200', revoke: '204' });
    expect(await service.stop()).toBe(0);
  });
});

describe('a server without room', () => {
  let { server, service } = {} as OnPostgres;
  let fill: () => Promise<End>;
  beforeAll(async () => {
    if (!hasSmallDisk()) return;
    const { path: directory, remove } = await temporaryDirectory();
    afterFile(remove);
    const wrapper = onSmallDisk(directory, { mebibytes: 128, asUser: true });
    ({ server, service } = await startOnPostgres({ directory, wrapper }));
    fill = () => fillUntilRefused(service, server.supervisor, directory);
  });

  test('the disk of PostgreSQL is full: reads continue, and changes are refused until there is room', async ({
    skip,
  }) => {
    skip(!hasSmallDisk(), noSmallDisk);
    const answers = await answersDuring(service, onPostgres('full disk'), async () => {
      const makeRoom = await fill();
      await expectWarning(service, 'disk_full');
      return makeRoom;
    });
    expect(answers).toEqual({ health: '200', read: '200', revoke: '503, Retry-After' });
  });

  test('PostgreSQL ends because its log has no room: every request is refused until it is started', async ({
    skip,
  }) => {
    skip(!hasSmallDisk(), noSmallDisk);
    const admin = await openDatabase(server.url);
    // The test server could otherwise lose transactions that it committed just before its end.
    await admin.read.raw('alter database postgres set synchronous_commit = on');
    const useUpLog = async () => {
      for (let megabytes = 0; megabytes < 40; megabytes++) {
        await admin.read.raw("select pg_logical_emit_message(false, 'filler', repeat('x', 1000000))");
      }
    };
    const noRoom = onPostgres('no room for the log, then started');
    const answers = await answersDuring(service, noRoom, async () => {
      const makeRoom = await fill();
      // The server reports the reason, unless the connection ends first.
      await expect(useUpLog()).rejects.toThrow();
      await expect.poll(() => ask(service, '/health')).toBe(refused.health);
      return async () => {
        await makeRoom();
        await server.run('start');
      };
    });
    await admin.close();
    expect(answers).toEqual(refused);
    expect(await service.stop()).toBe(0);
  });
});

test('bench/results/faults.md has the outcomes', async () => {
  const table = outcomes.map((row) => `| ${row.join(' | ')} |`).join('\n');
  await expect(`${introduction}${table}\n`).toMatchFileSnapshot('../../bench/results/faults.md');
});

const introduction = `# Faults

Responses while a fault lasts, written by \`test/faults/database.test.ts\`. Each fault is real: a process of its own, locks, a file
system without room, a server that is stopped or frozen. A refusal is 503 with \`Retry-After\`, at most \`DATABASE_REQUEST_MS\` (4.5
seconds) after the request. The same folder tests a process that is stopped under load, a worker that is frozen beyond its lease,
an unreadable secret, a log that cannot be written, a clock that is set back, and a list that is being sent: it continues if the
database answers again within \`DATABASE_JOB_SECONDS\`, or else breaks off and never looks complete.
[kills.md](kills.md) has the results of kills at random moments.

`;
