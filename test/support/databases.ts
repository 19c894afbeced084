// The databases that the suites run on, once each: `for (const database of databases) describe(database.name, …)`.
// Every `create` gives a fresh one with this version's tables, copied from one that was migrated once per run.
import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { access, copyFile, readdir, readlink, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { inject } from 'vitest';
import { migrate } from '../../src/db/migrate.ts';
import { openDatabase } from '../../src/db/open.ts';
import { sharedServerUrl } from './sharedServers.ts';

/** `drop` comes after all that used the database has been closed, and fails where something still uses it. */
export type TestDatabase = { url: string; drop(): Promise<void> };

export type DatabaseKind = {
  name: 'SQLite' | 'PostgreSQL';
  /** A fresh database with all tables and no rows. */
  create(): Promise<TestDatabase>;
  /** A fresh database without tables, for tests of migrating. */
  createEmpty(): Promise<TestDatabase>;
};

const migrateDatabase = async (url: string): Promise<void> => {
  const db = await openDatabase(url);
  try {
    await migrate(db);
  } finally {
    await db.close();
  }
};

const makeDatabaseName = (): string => `test_${randomUUID().replaceAll('-', '')}`;

/** How often this process has a file open, where the system shows that (on Linux). */
const countOpenDescriptors = async (file: string): Promise<number> => {
  const open = await readdir('/proc/self/fd').catch(() => []);
  const paths = await Promise.all(open.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')));
  return paths.filter((path) => path === file).length;
};

const stillOpenError = (count: number): Error =>
  new Error(`A database was dropped while ${count} connections to it were open: close what uses it first.`);

const sqliteFile = (): { file: string; database: TestDatabase } => {
  const file = join(inject('runDirectory'), `${makeDatabaseName()}.db`);
  const drop = async () => {
    const connections = await countOpenDescriptors(file);
    for (const part of ['', '-wal', '-shm']) await rm(`${file}${part}`, { force: true });
    if (connections > 0) throw stillOpenError(connections);
  };
  return { file, database: { url: `sqlite:${file}`, drop } };
};

const migratedSqliteFile = async (): Promise<string> => {
  const template = join(inject('runDirectory'), 'migrated.db');
  try {
    await access(template, constants.R_OK);
  } catch {
    // Two processes may both make it; renaming is atomic, and either one's file will do.
    const { file } = sqliteFile();
    await migrateDatabase(`sqlite:${file}`);
    await rename(file, template);
  }
  return template;
};

const sqlite: DatabaseKind = {
  name: 'SQLite',
  create: async () => {
    const { file, database } = sqliteFile();
    await copyFile(await migratedSqliteFile(), file);
    return database;
  },
  createEmpty: async () => sqliteFile().database,
};

/** One conversation with the server's own database, which ends whatever happens in it. */
const withServerClient = async (
  url: string,
  work: (client: pg.Client) => Promise<unknown>,
): Promise<void> => {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
};

const databaseUrlOf = (server: string, name: string): string =>
  Object.assign(new URL(server), { pathname: name }).href;

const templateName = 'migrated';

/** Any number: nothing else takes locks in the server's own database. */
const templateLock = 1;

const ensureTemplate = async (client: pg.Client, server: string): Promise<void> => {
  const held = await client.query('select 1 from pg_database where datname = $1', [templateName]);
  if (held.rowCount) return;
  const unfinished = makeDatabaseName();
  await client.query(`create database ${unfinished}`);
  await migrateDatabase(databaseUrlOf(server, unfinished));
  await client.query(`alter database ${unfinished} rename to ${templateName}`);
};

const closingGraceMs = 1500;

const dropPostgres = async (client: pg.Client, name: string): Promise<void> => {
  const giveUp = Date.now() + closingGraceMs;
  let connections = 0;
  do {
    // A closed connection stays in this list for a moment.
    const { rowCount } = await client.query('select 1 from pg_stat_activity where datname = $1', [name]);
    connections = rowCount ?? 0;
  } while (connections > 0 && Date.now() < giveUp);
  await client.query(`drop database ${name} with (force)`);
  if (connections > 0) throw stillOpenError(connections);
};

const postgresDatabase = async (migrated: boolean): Promise<TestDatabase> => {
  const server = await sharedServerUrl('postgres');
  const name = makeDatabaseName();
  await withServerClient(server, async (client) => {
    // Nobody may be connected to a template while it is copied; the lock ends with the conversation.
    await client.query('select pg_advisory_lock($1)', [templateLock]);
    if (migrated) await ensureTemplate(client, server);
    // Copying the files takes a third of the time that copying through the log does, which is the default.
    const template = migrated ? templateName : 'template0';
    await client.query(`create database ${name} template ${template} strategy file_copy`);
  });
  return {
    url: databaseUrlOf(server, name),
    drop: () => withServerClient(server, (client) => dropPostgres(client, name)),
  };
};

const postgres: DatabaseKind = {
  name: 'PostgreSQL',
  create: () => postgresDatabase(true),
  createEmpty: () => postgresDatabase(false),
};

const requestedDatabases = process.env.TEST_DATABASES;

/** All kinds, or those named in TEST_DATABASES (separated by commas). */
export const databases: DatabaseKind[] = [sqlite, postgres].filter(
  ({ name }) => !requestedDatabases || requestedDatabases.split(',').includes(name),
);
if (databases.length === 0)
  throw new Error(`TEST_DATABASES=${requestedDatabases} names none of SQLite, PostgreSQL.`);
