// The kinds of database that the suites run on: `for (const database of databases) describe(database.name, …)`. Each
// `create` copies a template that is migrated once per run.
import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { access, copyFile, readdir, readlink, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { inject } from 'vitest';
import { migrate } from '../../src/db/migrate.ts';
import { openDatabase } from '../../src/db/open.ts';
import { sharedServerUrl } from './sharedServers.ts';

/** Close everything that uses the database before `drop`, which fails otherwise. */
export type TestDatabase = { url: string; drop(): Promise<void> };

export type DatabaseKind = {
  name: 'SQLite' | 'PostgreSQL';
  /** A fresh database with all tables and no rows. */
  create(): Promise<TestDatabase>;
  /** A fresh database without tables, for tests of migrations. */
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

/** How often this process has a file open; always 0 on systems without /proc. */
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
    // Two processes may both make it; renaming is atomic, and either file will do.
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

/** Runs queries on one connection to the server's own database, then closes it. */
const withServerClient = async (url: string, run: (client: pg.Client) => Promise<unknown>): Promise<void> => {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await run(client);
  } finally {
    await client.end();
  }
};

const databaseUrlOf = (server: string, name: string): string =>
  Object.assign(new URL(server), { pathname: name }).href;

const templateName = 'migrated';

/** Any number: nothing else takes advisory locks in the server's own database. */
const templateLock = 1;

const ensureTemplate = async (client: pg.Client, server: string): Promise<void> => {
  const existing = await client.query('select 1 from pg_database where datname = $1', [templateName]);
  if (existing.rowCount) return;
  const unfinished = makeDatabaseName();
  await client.query(`create database ${unfinished}`);
  await migrateDatabase(databaseUrlOf(server, unfinished));
  await client.query(`alter database ${unfinished} rename to ${templateName}`);
};

const closingGraceMs = 1500;

const dropPostgres = async (client: pg.Client, name: string): Promise<void> => {
  const deadline = Date.now() + closingGraceMs;
  let connections = 0;
  do {
    // The server lists a closed connection for a moment.
    const { rowCount } = await client.query('select 1 from pg_stat_activity where datname = $1', [name]);
    connections = rowCount ?? 0;
  } while (connections > 0 && Date.now() < deadline);
  await client.query(`drop database ${name} with (force)`);
  if (connections > 0) throw stillOpenError(connections);
};

const postgresDatabase = async (migrated: boolean): Promise<TestDatabase> => {
  const server = await sharedServerUrl('postgres');
  const name = makeDatabaseName();
  await withServerClient(server, async (client) => {
    // A template cannot be copied while a connection uses it; the lock ends with this connection.
    await client.query('select pg_advisory_lock($1)', [templateLock]);
    if (migrated) await ensureTemplate(client, server);
    // Copying files takes a third of the time of the default, which copies through the write-ahead log.
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

/** All kinds, or those listed in TEST_DATABASES, separated by commas. */
export const databases: DatabaseKind[] = [sqlite, postgres].filter(
  ({ name }) => !requestedDatabases || requestedDatabases.split(',').includes(name),
);
if (databases.length === 0)
  throw new Error(`TEST_DATABASES=${requestedDatabases} names none of SQLite, PostgreSQL.`);
