// The kinds of database that the suites run on: `for (const database of databases) describe(database.name, …)`. Each
// `create` copies a template that is migrated once.
import { constants } from 'node:fs';
import { access, copyFile, readdir, readlink, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { inject } from 'vitest';
import {
  citusCluster,
  createEmptyDatabase,
  createFromTemplate,
  distributedTemplate,
  makeDatabaseName,
  migrateDatabase,
  migratedTemplate,
  postgresServer,
  stillOpenError,
  type TestDatabase,
} from './postgresDatabases.ts';

export type { TestDatabase };

export type DatabaseKind = {
  name: 'SQLite' | 'PostgreSQL' | 'Citus';
  /** A fresh database with all tables and no rows. */
  create(): Promise<TestDatabase>;
  /** A fresh database without tables, for tests of migrations. */
  createEmpty(): Promise<TestDatabase>;
};

/** The number of times that this process has a file open; always 0 on systems without /proc. */
const countOpenDescriptors = async (file: string): Promise<number> => {
  const open = await readdir('/proc/self/fd').catch(() => []);
  const paths = await Promise.all(open.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')));
  return paths.filter((path) => path === file).length;
};

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
    // Two processes may both create it. Renaming is atomic, and either file will do.
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

const postgres: DatabaseKind = {
  name: 'PostgreSQL',
  create: async () => createFromTemplate(await postgresServer(), migratedTemplate),
  createEmpty: async () => createEmptyDatabase(await postgresServer()),
};

const citus: DatabaseKind = {
  name: 'Citus',
  create: async () => createFromTemplate(await citusCluster(), distributedTemplate),
  createEmpty: async () => createEmptyDatabase(await citusCluster()),
};

const requestedDatabases = process.env.TEST_DATABASES || 'SQLite,PostgreSQL';

/**
 * SQLite and PostgreSQL, or the comma-separated list in TEST_DATABASES: for tests with two concurrent writers, and for tests of
 * statements, locks, claims, migrations and deletion.
 */
export const databases: DatabaseKind[] = [sqlite, postgres, citus].filter(({ name }) =>
  requestedDatabases.split(',').includes(name),
);
if (databases.length === 0)
  throw new Error(`TEST_DATABASES=${requestedDatabases} names none of SQLite, PostgreSQL, Citus.`);

/**
 * The first database, for all other tests: test/db/storeFunctions.test.ts runs their statements on PostgreSQL. `npm run test:all`
 * runs them on each database.
 */
export const oneDatabase: DatabaseKind[] = process.env.TEST_ALL ? databases : databases.slice(0, 1);

/** The last database, for tests with a counterpart on the first; all in `npm run test:all` and `npm run test:nightly`. */
export const lastDatabase: DatabaseKind[] =
  process.env.TEST_ALL || process.env.TEST_NIGHTLY ? databases : databases.slice(-1);
