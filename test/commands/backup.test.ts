// The commands backup, verify and restore: a restored service accepts the earlier tokens and keys. The tests of pg_dump run only
// if the PATH has a pg_dump that matches the server. `TEST_POSTGRES_URL=postgres://… npm run vitest` replaces the packaged server.
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { copyFile, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import BetterSqlite3 from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Client, unwrap } from '../../client/index.ts';
import { schemaVersion } from '../../src/platform/db/migrations/migrations.ts';
import { openDatabase } from '../../src/platform/db/open.ts';
import { days } from '../../src/platform/values/clock.ts';
import { hasSmallDisk, noSmallDisk, onSmallDisk } from '../faults/smallDisk.ts';
import { sweepNow } from '../retention/fixture.ts';
import { findInTables } from '../retention/leftoverRows.ts';
import { cliSettingsOf, runCli, type Settings, spawnCli, temporaryDirectory } from '../support/cli.ts';
import { type DatabaseKind, databases, type TestDatabase } from '../support/databases.ts';
import { withClient } from '../support/postgresDatabases.ts';
import { sharedServerUrl } from '../support/sharedServers.ts';
import { link, startService, type TestService } from '../support/testService.ts';
import { withTunables } from '../support/tunables.ts';

const { PATH } = process.env;

const serverMajor = async (): Promise<number> => {
  const { rows } = await withClient(await sharedServerUrl('postgres'), (client) =>
    client.query('show server_version'),
  );
  return Number.parseInt(rows[0].server_version, 10);
};

const toolMajor = (): number => {
  try {
    return Number(/(\d+)\./.exec(execFileSync('pg_dump', ['--version'], { encoding: 'utf8' }))![1]);
  } catch {
    return 0;
  }
};

const canBackUp = async ({ name }: DatabaseKind): Promise<boolean> =>
  name === 'SQLite' || (name === 'PostgreSQL' && toolMajor() >= (await serverMajor()));

const supported: DatabaseKind[] = [];
for (const kind of databases) if (await canBackUp(kind)) supported.push(kind);

let directory: { path: string; remove(): Promise<void> };
beforeAll(async () => {
  directory = await temporaryDirectory();
});
afterAll(() => directory.remove());

const newFile = (): string => join(directory.path, randomBytes(6).toString('hex'));

/** Everything that a token reads. */
const readAll = async (client: Client) => {
  const { connections } = await unwrap(client.GET('/connections'));
  const accounts = [];
  for (const { id: connectionId } of connections) {
    const path = '/connections/{connectionId}/accounts' as const;
    accounts.push(...(await unwrap(client.GET(path, { params: { path: { connectionId } } }))).accounts);
  }
  const transactions = [];
  for (const { id: accountId } of accounts) {
    const path = '/accounts/{accountId}/transactions' as const;
    transactions.push(
      await unwrap(client.GET(path, { params: { path: { accountId }, query: { limit: 1000 } } })),
    );
  }
  return { connections, accounts, transactions };
};

describe.each(supported)('a backup of $name', (kind) => {
  let service: TestService;
  let settings: Settings;
  beforeAll(async () => {
    service = await startService({ database: kind });
    settings = { PATH, ...cliSettingsOf(service.service.config) };
  });
  afterAll(() => service.close());

  const run = (...args: string[]) => runCli(settings, ...args);
  const failureOf = async (own: Settings, ...args: string[]): Promise<string> => {
    const { code, out, err } = await runCli({ ...settings, ...own }, ...args);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    return err;
  };
  const backUp = async (): Promise<string> => {
    const file = newFile();
    expect(await run('backup', file)).toMatchObject({ code: 0 });
    return file;
  };
  const restoreTarget = async (): Promise<TestDatabase> =>
    kind.name === 'SQLite' ? { url: `sqlite:${newFile()}.db`, drop: async () => {} } : kind.createEmpty();

  test('is written under load, and a service on the restored database accepts the old token', async () => {
    const { scopedToken, connectionId } = await link(service, { externalUserId: 'user-1' });
    const before = await readAll(service.client(scopedToken));
    let reading = true;
    const load = Array.from({ length: 4 }, async () => {
      while (reading) await readAll(service.client(scopedToken));
    });
    const refreshing = run('refresh', 'run', '--connection', connectionId);
    const file = newFile();
    const result = await run('backup', file, '--json');
    reading = false;
    await Promise.all(load);
    expect((await refreshing).code).toBe(0);
    const refreshed = await readAll(service.client(scopedToken));
    expect(result.json()).toMatchObject({ file, bytes: (await stat(file)).size });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const later = await link(service, { externalUserId: 'user-2' });

    const target = await restoreTarget();
    onTestFinished(target.drop);
    const restored = await runCli({ ...settings, DATABASE_URL: target.url }, 'restore', file, '--json');
    expect(restored).toMatchObject({ code: 0 });
    expect(restored.json()).toMatchObject({
      rows: { applications: 1, end_users: 1, connections: 1 },
      secretProblems: [],
      deleted: { connections: 0 },
    });
    const { secretsDir } = service.service.config;
    const second = await startService({ existing: { databaseUrl: target.url, secretsDir }, worker: false });
    onTestFinished(second.close);
    const { apiKey } = service.application;
    const after = await readAll(second.client(scopedToken, apiKey));
    // The backup has the state before or after the refresh, never a mixture.
    expect([before, refreshed]).toContainEqual(after);
    const { response } = await second.client(later.scopedToken, apiKey).GET('/connections');
    expect(response.status).toBe(403);
  });

  /** Links and revokes a connection, and moves the clock past its retention. */
  const linkExpired = async (externalUserId?: string): Promise<string> => {
    const { connectionId } = await link(service, { externalUserId });
    const params = { path: { connectionId } };
    await unwrap(service.client().DELETE('/connections/{connectionId}', { params }));
    service.advance(days(31));
    return connectionId;
  };

  test('is restored without data that has expired since then', async () => {
    service.advance(-days(31));
    const connectionId = await linkExpired();
    const file = await backUp();
    const target = await restoreTarget();
    onTestFinished(target.drop);
    const here = { ...settings, DATABASE_URL: target.url, ...withTunables({ sweepGraceSeconds: 1 }) };
    const restored = await runCli(here, 'restore', file, '--json');
    expect(restored.json()).toMatchObject({ deleted: { connections: 1 } });
    const db = await openDatabase(target.url);
    const left = await findInTables({ db }, [connectionId]);
    await db.close();
    expect(left).toEqual([]);
  });

  test('has no data that was deleted before', async () => {
    const canary = 'a-user-who-was-deleted';
    await linkExpired(canary);
    await sweepNow(service);
    expect((await readFile(await backUp())).includes(canary)).toBe(false);
  });

  test('is verified, and names secrets that are missing or belong to another database', async () => {
    const file = await backUp();
    const { code, out } = await run('verify', file);
    expect(code).toBe(0);
    expect(out).toMatch(
      new RegExp(
        `^${file} has schema version ${schemaVersion}: \\d+ organization.*\\nChecksum OK\\.\\nThe secrets in`,
      ),
    );
    const other = newFile();
    await mkdir(other);
    await copyFile(join(settings.SECRETS_DIR!, 'cursors'), join(other, 'api-keys'));
    const wrong = await runCli({ ...settings, SECRETS_DIR: other }, 'verify', file, '--json');
    expect(wrong.code).toBe(1);
    const [foreign, missing] = ['api-keys', 'worker.pub'].map((name) => `The secret ${join(other, name)}`);
    expect(wrong.json().secretProblems).toEqual(
      expect.arrayContaining([
        `${foreign} is for another database: SECRETS_DIR and DATABASE_URL must match.`,
        `${missing} is missing: restore it from your backup, together with its database.`,
      ]),
    );
  });

  test('is not written over a file, and not restored over a database; nothing else is left', async () => {
    const file = await backUp();
    expect(await failureOf({}, 'backup', file)).toBe(`${file} already exists: choose another name.\n`);
    expect(await failureOf({}, 'backup', join(file, 'in-a-file'))).toContain('cannot be created (ENOTDIR)');
    expect(await failureOf({}, 'restore', file)).toMatch(
      kind.name === 'SQLite'
        ? /^The database .* already exists: move it elsewhere first/
        : /^The database in DATABASE_URL is not empty: it has the table/,
    );
    const names = await readdir(directory.path);
    expect(names.filter((name) => name.includes('.part'))).toEqual([]);
  });

  test('is refused if it is damaged, foreign, or from a newer version', async () => {
    const file = await backUp();
    const intact = await readFile(file);
    const refusal = async (bytes: Buffer, { checksum = false } = {}): Promise<string> => {
      const damaged = newFile();
      await writeFile(damaged, bytes);
      if (checksum) await copyFile(`${file}.sha256`, `${damaged}.sha256`);
      const error = await failureOf({}, 'verify', damaged);
      const target = await restoreTarget();
      expect(await failureOf({ DATABASE_URL: target.url }, 'restore', damaged)).toBe(error);
      await target.drop();
      return error.replaceAll(damaged, 'FILE');
    };
    const flipped = Buffer.from(intact);
    flipped[Math.floor(flipped.length * 0.7)]! ^= 1;
    expect(await refusal(flipped, { checksum: true })).toBe(
      'FILE is damaged: its checksum does not match FILE.sha256.\n',
    );
    expect(await refusal(intact.subarray(0, intact.length >> 1))).toMatch(
      /^(FILE is damaged: SQLite found errors|pg_restore failed:)/,
    );
    for (const bytes of [Buffer.alloc(0), Buffer.from('-- SQL'), randomBytes(4096)]) {
      expect(await refusal(bytes)).toMatch(/^FILE is not a backup: it is neither/);
    }
    expect(await failureOf({}, 'verify', join(directory.path, 'none'))).toContain('cannot be read (ENOENT)');
  });

  test('of a newer version, on which this one cannot run, is refused', async () => {
    const { write } = service.service.db;
    const newer = () => write('schema_migrations').where({ name: '9999_newer' });
    await write('schema_migrations').insert({ name: '9999_newer' });
    await write('schema_compatibility').update({ oldestVersion: 9999 });
    const file = await backUp();
    await newer().delete();
    await write('schema_compatibility').update({ oldestVersion: 1 });
    const cannotRun = `schema version ${schemaVersion} cannot run on it: use that version.`;
    expect(await failureOf({}, 'verify', file)).toBe(
      `${file} belongs to a newer version of the service (9999_newer), and ${cannotRun}\n`,
    );
  });

  test('of an older version is refused as older', async () => {
    const { db } = service.service;
    const [name] = await db.read('schema_migrations').pluck('name');
    await db.write('schema_migrations').update({ name: '0001_schema' });
    const file = await backUp();
    await db.write('schema_migrations').update({ name });
    expect(await failureOf({}, 'verify', file)).toContain(
      `${file} belongs to an older version of the service (0001_schema)`,
    );
  });
});

test('another SQLite database is not a backup', async () => {
  const file = newFile();
  const other = new BetterSqlite3(file);
  other.exec('create table notes (text)');
  other.close();
  const err = `${file} is not a backup of this service: tables are missing.\n`;
  expect(await runCli({ DATA_DIR: directory.path }, 'verify', file)).toMatchObject({ code: 1, err });
});

test('a backup without room on the disk reports it, and leaves nothing behind', async ({ skip }) => {
  skip(!hasSmallDisk(), noSmallDisk);
  const source = newFile();
  const large = new BetterSqlite3(source);
  large.exec('create table filler as select randomblob(3000000) as bytes');
  large.close();
  const small = join(directory.path, 'small');
  await mkdir(small);
  const file = join(small, 'backup');
  const child = spawnCli(
    ['backup', file],
    { DATABASE_URL: `sqlite:${source}`, DATA_DIR: directory.path },
    ['ignore', 'pipe', 'pipe'],
    { wrapper: onSmallDisk(small, { mebibytes: 1 }) },
  );
  expect(await text(child.stderr!)).toBe(`${file} cannot be written: the disk is full.\n`);
  expect(await readdir(small)).toEqual([]);
});

test('without a database there is no backup, and no database is created', async () => {
  const missing = newFile();
  const settings = { DATABASE_URL: `sqlite:${missing}`, DATA_DIR: directory.path };
  expect((await runCli(settings, 'backup', newFile())).err).toContain('There is no database to back up');
  expect(await stat(missing).catch(({ code }) => code)).toBe('ENOENT');
});

for (const kind of databases.filter(({ name }) => name === 'PostgreSQL')) {
  test('without a pg_dump, or with an older one, both versions are named', async () => {
    const database = await kind.create();
    const major = await serverMajor();
    const settings = { DATABASE_URL: database.url, DATA_DIR: directory.path, PATH: directory.path };
    const file = newFile();
    const failure = async () => (await runCli(settings, 'backup', file)).err;
    const isNone = `pg_dump is not in the PATH: install .* version ${major} or later\\.`;
    expect(await failure()).toMatch(new RegExp(`^The server is PostgreSQL ${major}\\.\\d+, but ${isNone}`));
    const older = '#!/bin/sh\necho "pg_dump (PostgreSQL) 9.6.24"\n';
    await writeFile(join(directory.path, 'pg_dump'), older, { mode: 0o755 });
    const isOlder = 'pg_dump is the older version 9\\.6\\.24: install';
    expect(await failure()).toMatch(new RegExp(`^The server is PostgreSQL ${major}\\.\\d+, but ${isOlder}`));
    await rm(join(directory.path, 'pg_dump'));
    expect(await stat(file).catch(({ code }) => code)).toBe('ENOENT');
    await database.drop();
  });

  test('pg_dump gets a password in the query of the URL by its environment, not as an argument', async () => {
    const database = await kind.create();
    onTestFinished(database.drop);
    const path = newFile();
    await mkdir(path);
    const fake = `#!/bin/sh
[ "$1" = --version ] && echo "pg_dump (PostgreSQL) 99.1" && exit
echo "$@" > "$0.arguments"
echo "$PGPASSWORD" > "$0.password"
`;
    await writeFile(join(path, 'pg_dump'), fake, { mode: 0o755 });
    const url = new URL(database.url);
    url.search = '?application_name=a%20b&password=s%26cret&keepalives=1';
    const settings = { DATABASE_URL: url.href, DATA_DIR: directory.path, PATH: path };
    await runCli(settings, 'backup', newFile());
    url.search = '?application_name=a%20b&keepalives=1';
    expect(await readFile(join(path, 'pg_dump.arguments'), 'utf8')).toContain(` --dbname=${url.href}\n`);
    expect(await readFile(join(path, 'pg_dump.password'), 'utf8')).toBe('s&cret\n');
  });
}

const postgres = databases.find(({ name }) => name === 'PostgreSQL');
test.runIf(postgres)(
  'tables that are distributed with Citus are not backed up, and nothing is written',
  async () => {
    const database = await postgres!.create();
    // A table `pg_extension` in the public schema replaces the catalog's, so that Citus seems to be installed.
    const url = `${database.url}?options=-c%20search_path%3Dpublic,pg_catalog`;
    const db = await openDatabase(url);
    await db.write.raw(`
    create table pg_extension (extname text);
    insert into pg_extension values ('citus');
    create table pg_dist_partition (logicalrelid regclass);
    insert into pg_dist_partition values ('end_users');
  `);
    await db.close();
    const file = newFile();
    const result = await runCli({ PATH, DATABASE_URL: url, DATA_DIR: directory.path }, 'backup', file);
    await database.drop();
    expect(result).toMatchObject({ code: 1, out: '' });
    expect(result.err).toContain('To back up a cluster, see docs/operating/back-up.md.');
    expect((await readdir(directory.path)).filter((name) => file.endsWith(name.split('.')[0]!))).toEqual([]);
  },
);
