// Opens SQLite or PostgreSQL behind one interface. SQLite gets one writing connection (BEGIN IMMEDIATE, so that two
// processes queue instead of failing midway) and several reading ones, which in WAL mode never wait for it.
import { chmodSync } from 'node:fs';
import BetterSqlite3 from 'better-sqlite3';
import knexModule, { type Knex } from 'knex';
import pg from 'pg';
import { days, seconds } from '../clock.ts';
import { OperatorError } from '../errors.ts';
import { inTransactionSpan } from '../telemetry/tracing.ts';
import { type Disk, PostgresClient, SqliteClient } from './clients.ts';
import { withMaxWait, withStandardWait } from './maxWait.ts';
import { checkPrepared } from './pooler.ts';
import { useSyncReader } from './preparedQuery.ts';
import { markVacuumNeeded, secureVacuum, truncateLog } from './secureVacuum.ts';
import './tables.ts';

const { knex } = knexModule;
const readersMax = 4;
/** How long a start waits for the lock of SQLite. Later, statements wait without blocking the process (clients.ts). */
const busyTimeoutMs = 10_000;
/** How long a read that runs at once may block the process; in WAL mode it has hardly ever to wait. */
const readTimeoutMs = 1000;
/** How long a connection to PostgreSQL may take to open. */
const connectTimeoutMs = 4000;
const standardMaxWaitMs = seconds(300);
/** Knex's own limit for a free connection, which maxWait.ts replaces. */
const acquireConnectionTimeout = days(1);

/** Runs queries: `read` and `write` of a Database, or a transaction. */
export type Queries = Knex;
export type DbTransaction = Knex.Transaction;

export type Database = {
  readonly dialect: 'sqlite' | 'postgres';
  /** For reads outside of a transaction. */
  readonly read: Queries;
  /** For single statements that change rows. */
  readonly write: Queries;
  /**
   * Commits everything that `run` does, or nothing. On SQLite nothing else can write meanwhile, so `run` must await
   * queries only.
   */
  transaction<Result>(run: (trx: DbTransaction) => Promise<Result>): Promise<Result>;
  /** Call before deleting rows of which no copy may remain in SQLite's files. */
  markVacuumNeeded(): Promise<void>;
  /**
   * Removes copies of deleted rows from SQLite's files by rewriting the file, if it has at most this size, and
   * truncating its log. Returns false if copies may remain.
   */
  secureVacuum(options: { rewriteBytesMax: number }): Promise<boolean>;
  /** Removes deleted rows from SQLite's write-ahead log. Returns false if another connection was using it. */
  truncateLog(): Promise<boolean>;
  /** Whether a statement of this process failed within the last minute because the disk of the database is full. */
  isDiskFull(): boolean;
  /** The pools of connections, and how many statements wait for one of each. */
  pools(): { pool: 'read' | 'write' | 'all'; used: number; free: number; waiting: number }[];
  /** In `run` each wait for the database ends after so many milliseconds, with DatabaseUnavailable. */
  withMaxWait<Result>(milliseconds: number, run: () => Result): Result;
  /** In `run` each wait is as long as outside of withMaxWait. */
  withStandardWait<Result>(run: () => Result): Result;
  close(): Promise<void>;
};

/**
 * Opens `sqlite:/path/to/file.db` or `postgres://…`. Creates a missing SQLite file. Throws OperatorError if the database
 * cannot be used. Outside of withMaxWait, a statement waits for `maxWaitMs`, which is 5 minutes by default. With `prepared`
 * PostgreSQL plans the statements of preparedQuery.ts once per connection, by their names.
 */
export const openDatabase = async (
  url: string,
  { maxWaitMs = standardMaxWaitMs, prepared = false }: { maxWaitMs?: number; prepared?: boolean } = {},
): Promise<Database> => {
  const waiting = { maxWaitMs, acquireConnectionTimeout, disk: { fullAt: Number.NEGATIVE_INFINITY } };
  if (url.startsWith('sqlite:')) return openSqlite(url.slice('sqlite:'.length), waiting);
  if (/^postgres(ql)?:\/\//.test(url)) return openPostgres(url, { ...waiting, prepared });
  throw new OperatorError('DATABASE_URL must begin with sqlite: or postgres://.');
};

/** Runs a function on a database that is opened for it, and closes it. Throws OperatorError if it cannot be used. */
export const withDatabase = async <Result>(
  url: string,
  run: (db: Database) => Promise<Result>,
): Promise<Result> => {
  const db = await openDatabase(url);
  try {
    return await run(db);
  } finally {
    await db.close();
  }
};

// Knex would print statements to the console, bypassing the log. It throws the same errors as well.
const silentLog = { debug: () => {}, warn: () => {}, error: () => {}, deprecate: () => {} };

type Waiting = { maxWaitMs: number; acquireConnectionTimeout: number; disk: Disk };

const openSqlite = async (filename: string, waiting: Waiting): Promise<Database> => {
  const connect = (readers: boolean): Knex =>
    knex({
      ...waiting,
      client: SqliteClient as unknown as typeof Knex.Client,
      connection: { filename },
      log: silentLog,
      useNullAsDefault: true,
      pool: {
        min: readers ? 0 : 1,
        max: readers ? readersMax : 1,
        afterCreate: (connection: BetterSqlite3.Database, done: (error?: Error) => void) => {
          connection.pragma(`busy_timeout = ${busyTimeoutMs}`);
          connection.pragma('foreign_keys = ON');
          connection.pragma('secure_delete = ON');
          connection.pragma('synchronous = NORMAL');
          if (readers) connection.pragma('query_only = ON');
          else connection.pragma('journal_mode = WAL');
          connection.pragma('busy_timeout = 0');
          done();
        },
      },
    });
  const write = connect(false);
  // The writer connects first: it creates the file, and WAL mode is a property of the file.
  await write.raw('select 1').catch(async (error: Error) => {
    await write.destroy();
    throw new OperatorError(`The database file ${filename} cannot be used: ${error.message}.`);
  });
  for (const file of [filename, `${filename}-wal`, `${filename}-shm`]) {
    try {
      chmodSync(file, 0o600);
    } catch {
      // The -wal and -shm files exist only after the first write; SQLite creates them with the mode of the file.
    }
  }
  const read = connect(true);
  const syncReader = new BetterSqlite3(filename, { timeout: readTimeoutMs });
  syncReader.pragma('query_only = ON');
  useSyncReader(read, syncReader);
  const file = { filename, write, vacuumTimeoutMs: busyTimeoutMs };
  return {
    dialect: 'sqlite',
    read,
    write,
    transaction: (run) => inTransactionSpan('sqlite', () => write.transaction(run)),
    isDiskFull: () => isFull(waiting.disk),
    markVacuumNeeded: () => markVacuumNeeded(file),
    secureVacuum: (options) => secureVacuum(file, options),
    truncateLog: () => truncateLog(file),
    pools: () => [useOf('read', read), useOf('write', write)],
    withMaxWait,
    withStandardWait,
    close: async () => {
      syncReader.close();
      await read.destroy();
      await write.destroy();
    },
  };
};

const diskFullMs = seconds(60);

const isFull = ({ fullAt }: Disk): boolean => performance.now() - fullAt < diskFullMs;

const useOf = <Name>(name: Name, { client }: Knex) => ({
  pool: name,
  used: client.pool.numUsed() as number,
  free: client.pool.numFree() as number,
  waiting: client.pool.numPendingAcquires() as number,
});

// The driver returns 64-bit integers as text; those of the tables are exact as numbers.
const types = {
  getTypeParser: (id: number, format?: 'text' | 'binary') =>
    id === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(id, format as 'text'),
};

const openPostgres = async (url: string, options: Waiting & { prepared: boolean }): Promise<Database> => {
  const pool = knex({
    ...options,
    client: PostgresClient as unknown as typeof Knex.Client,
    connection: {
      ...{ connectionString: url, types, keepAlive: true, connectionTimeoutMillis: connectTimeoutMs },
    } as Knex.PgConnectionConfig,
    pool: { min: 0, max: 10 },
    log: silentLog,
  });
  try {
    await pool.raw('select 1');
    if (options.prepared) await checkPrepared(pool);
  } catch (error) {
    await pool.destroy();
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(`The database of DATABASE_URL does not answer: ${(error as Error).message}`);
  }
  return {
    dialect: 'postgres',
    read: pool,
    write: pool,
    transaction: (run) => inTransactionSpan('postgres', () => pool.transaction(run)),
    isDiskFull: () => isFull(options.disk),
    markVacuumNeeded: async () => {},
    // The server vacuums by itself; docs/operating.md says what its log and backups keep.
    secureVacuum: async () => true,
    truncateLog: async () => true,
    pools: () => [useOf('all', pool)],
    withMaxWait,
    withStandardWait,
    close: () => pool.destroy(),
  };
};
