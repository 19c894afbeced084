// Opens SQLite or PostgreSQL behind one interface.
import type { Knex } from 'knex';
import { inStatementSpan, inTransactionSpan } from '../telemetry/tracing.ts';
import { seconds } from '../values/clock.ts';
import { OperatorError } from '../values/errors.ts';
import type { Dialect, Driver, PoolUse, Run } from './driver.ts';
import { openPostgres } from './postgres.ts';
import { makeBuilder, makeQueries, type Queries } from './queries.ts';
import { useNodeWatch } from './reachableNodes.ts';
import { secureVacuum } from './secureVacuum.ts';
import { openSqlite } from './sqlite.ts';

export type { Queries } from './queries.ts';
/** Queries within a transaction. */
export type DbTransaction = Queries;

export type Database = {
  readonly dialect: Dialect;
  /** For reads outside a transaction. On PostgreSQL, reads for requests share two connections (pipeline.ts). */
  readonly read: Queries;
  /** For single statements that change rows. */
  readonly write: Queries;
  /**
   * Commits everything that `run` does, or nothing. On SQLite nothing else can write meanwhile, so `run` may await only
   * queries or a turn of the event loop.
   */
  transaction<Result>(run: (trx: DbTransaction) => Promise<Result>): Promise<Result>;
  /** The same database with a timeout in milliseconds for each wait, which then throws DatabaseUnavailable. */
  within(milliseconds: number): Database;
  /** The same database with the longest wait. */
  readonly patient: Database;
  /** Call before deleting rows if no copy of them may remain in SQLite's files. */
  markVacuumNeeded(): Promise<void>;
  /**
   * Removes copies of deleted rows from SQLite's files by rewriting the file, if it is at most this large, and
   * truncating its log. Returns false if copies may remain.
   */
  secureVacuum(options: { rewriteBytesMax: number }): Promise<boolean>;
  /** Removes deleted rows from SQLite's write-ahead log. Returns false if another connection was using it. */
  truncateLog(): Promise<boolean>;
  /** True if a statement of this process failed within the last minute because the disk of the database is full. */
  isDiskFull(): boolean;
  /**
   * Calls `watcher` with each statement before it runs, and with `commit` after each transaction, until the returned function is
   * called. If `watcher` throws, the statement fails.
   */
  watch(watcher: Watcher): () => void;
  /** The pools of connections, with the number of statements waiting for each. */
  pools(): PoolUse[];
  /** Calls `report` with each node of a cluster that stops responding. */
  onNodeOut(report: (node: string) => void): void;
  close(): Promise<void>;
};

type Watcher = (text: string, values: readonly unknown[]) => void;

const standardMaxWaitMs = seconds(300);

/**
 * Opens `sqlite:/path/to/file.db` or `postgres://…`. Creates a missing SQLite file. Throws OperatorError if the database
 * cannot be used. A statement waits at most `maxWaitMs`, by default 5 minutes. With `prepared`, PostgreSQL plans named
 * statements once per connection.
 */
export const openDatabase = async (
  url: string,
  { maxWaitMs = standardMaxWaitMs, prepared = false }: { maxWaitMs?: number; prepared?: boolean } = {},
): Promise<Database> => {
  if (url.startsWith('sqlite:')) {
    const filename = url.slice('sqlite:'.length);
    const driver = await openSqlite(filename);
    return makeDatabase(driver, makeBuilder('sqlite'), maxWaitMs, (waitMs) =>
      secureVacuum(filename, driver, waitMs),
    );
  }
  if (!/^postgres(ql)?:\/\//.test(url))
    throw new OperatorError('DATABASE_URL must begin with sqlite: or postgres://.');
  const driver = await openPostgres(url, { prepared, waitMs: maxWaitMs });
  // The server vacuums on its own; docs/operating/deletion.md describes the data in its log and backups.
  const cleaning = {
    ...{ markVacuumNeeded: async () => {}, secureVacuum: async () => true, truncateLog: async () => true },
  };
  return makeDatabase(driver, makeBuilder('postgres'), maxWaitMs, () => cleaning);
};

type Cleaning = Pick<Database, 'markVacuumNeeded' | 'secureVacuum' | 'truncateLog'>;

const makeDatabase = (
  driver: Driver,
  builder: Knex,
  patientMs: number,
  cleaningWithin: (waitMs: number) => Cleaning,
): Database => {
  const { dialect, pools, isDiskFull, nodes } = driver;
  if (nodes) useNodeWatch(builder, nodes);
  // Keeps a process alive while it only waits for its next job.
  const keepAlive = setInterval(() => {}, 2 ** 30);
  const watchers = new Set<Watcher>();
  const watch = (watcher: Watcher) => {
    watchers.add(watcher);
    return () => void watchers.delete(watcher);
  };
  const notify: Watcher = (text, values) => {
    for (const watcher of watchers) watcher(text, values);
  };
  const queriesOf = (run: Run): Queries =>
    makeQueries(builder, (statement, values) => {
      notify(statement.text, values);
      return run(statement, values);
    });
  const within = (waitMs: number): Database => {
    const alone = (run: Driver['read']): Queries =>
      queriesOf((...statement) => inStatementSpan(dialect, () => run(waitMs, ...statement)));
    return {
      ...{ dialect, ...cleaningWithin(waitMs), watch, pools, isDiskFull, within },
      onNodeOut: (report) => nodes?.onOut(report),
      read: alone(driver.read),
      write: alone(driver.write),
      transaction: (run) =>
        inTransactionSpan(dialect, async () => {
          const use = (inTransaction: Run) => run(queriesOf(inTransaction));
          const result = await driver.transaction(waitMs, use);
          notify('commit', []);
          return result;
        }),
      get patient(): Database {
        return waitMs === patientMs ? this : within(patientMs);
      },
      close: () => {
        clearInterval(keepAlive);
        return driver.close();
      },
    };
  };
  return within(patientMs);
};

/** Opens a database, runs a function on it, and closes it. Throws OperatorError if the database cannot be used. */
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
