// Knex's clients for SQLite and PostgreSQL. Column names are snake_case in SQL and camelCase in TypeScript: the clients
// convert the identifiers of each query that Knex builds, and the columns of its result. SQL written by hand (`raw`) uses
// snake_case, also in its result. They override the method `customWrapIdentifier` instead of setting Knex's option
// `wrapIdentifier`, because its migrator removes that option.
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import type BetterSqlite3 from 'better-sqlite3';
import type { Knex } from 'knex';
import type pg from 'pg';
import { DatabaseUnavailable } from '../errors.ts';
import { inStatementSpan } from '../telemetry/tracing.ts';
import {
  acquireInTime,
  answerInTime,
  type PendingConnection,
  type PooledConnection,
  takeWait,
} from './maxWait.ts';

export type SqliteConnection = BetterSqlite3.Database &
  PooledConnection & {
    statements?: Map<string, BetterSqlite3.Statement>;
  };
type Pool = { acquire(): PendingConnection };
/** A disposed connection is closed instead of being used again. */
export type PostgresConnection = pg.PoolClient &
  PooledConnection & { __knex__disposed?: string; connection: { stream: { destroy(): void } } };
type Query = {
  sql: string;
  method?: string;
  /** Reads the result of a query about the schema. */
  output?: unknown;
  bindings?: unknown[];
  response?: unknown;
  context?: unknown;
};

// Knex publishes its dialects as CommonJS files and types none of them.
const require = createRequire(import.meta.url);
type Quote = (name: string) => string;
type DialectClient = Knex.Client & {
  _query(connection: unknown, query: Query): Promise<Query>;
  /** As set in open.ts; `maxWaitMs` is the limit of jobs. */
  config: { maxWaitMs: number; disk: Disk };
  _formatBindings(bindings: unknown[] | undefined): unknown[];
  /** Quotes an identifier; also called with the missing names of unnamed constraints. */
  customWrapIdentifier(name: string | undefined, quote: Quote): string | undefined;
  processResponse(query: Query, runner: unknown): unknown;
};

/** When a statement last failed because the disk is full, in the time of `performance.now`. */
export type Disk = { fullAt: number };

const diskFullCodes = ['SQLITE_FULL', '53100', 'ENOSPC', 'EDQUOT'];

/** Whether SQLite, PostgreSQL or a file could not be written because its disk is full. */
export const isDiskFull = (error: unknown): boolean =>
  diskFullCodes.includes((error as { code?: string }).code ?? '');

const noteDiskFull = ({ config }: DialectClient, error: unknown): never => {
  if (isDiskFull(error)) config.disk.fullAt = performance.now();
  throw error;
};

const loadDialect = (name: string) => {
  const Client: new (config: Knex.Config) => DialectClient = require(`knex/lib/dialects/${name}/index.js`);
  return class extends Client {
    override customWrapIdentifier(name: string | undefined, quote: Quote): string | undefined {
      return name && quote(toSnakeCase(name));
    }

    override acquireConnection(): Promise<PooledConnection> {
      return acquireInTime(() => (this.pool as unknown as Pool).acquire(), this.config.maxWaitMs);
    }
  };
};

const statementCacheMax = 200;

/** Whether Knex has built the query, so that the columns of its result must be converted. */
const isBuilt = (query: Query): boolean => query.method !== 'raw' && !query.output;

/**
 * The SQLite client; besides, transactions take the write lock at once, statements are cached, and a statement waits for the lock
 * without blocking the process.
 */
export class SqliteClient extends loadDialect('better-sqlite3') {
  override async _query(connection: SqliteConnection, query: Query): Promise<Query> {
    if (connection.inTransaction) return runInTransaction(this, connection, query);
    // SQLite has rolled back by itself, as it does where the disk is full.
    if (query.sql === 'ROLLBACK') return query;
    if (query.sql !== 'BEGIN;') requireTransaction(connection);
    const run = () => runStatement(this, connection, query);
    const wait = takeWait(connection, this.config.maxWaitMs);
    return inStatementSpan('sqlite', connection, () => whenUnlocked(run, wait));
  }

  override processResponse(query: Query, runner: unknown): unknown {
    if (isBuilt(query) && Array.isArray(query.response)) query.response = renameColumns(query.response);
    return super.processResponse(query, runner);
  }
}

/** What follows in a transaction that SQLite has rolled back by itself must not be committed alone. Throws DatabaseUnavailable. */
export const requireTransaction = (connection: SqliteConnection): void => {
  if (connection.__knexTxId && !connection.inTransaction)
    throw new DatabaseUnavailable('The transaction was rolled back.');
};

/** Transactions of Knex have clients without fields of their own, so these are functions. */
const runInTransaction = (client: SqliteClient, connection: SqliteConnection, query: Query): Query => {
  try {
    return runStatement(client, connection, query);
  } catch (error) {
    // Knex regards the transaction as ended, and the only writing connection must not stay in it.
    if (query.sql === 'COMMIT;' && connection.inTransaction) connection.exec('ROLLBACK');
    throw error;
  }
};

const runStatement = (client: SqliteClient, connection: SqliteConnection, query: Query): Query => {
  const sql = query.sql === 'BEGIN;' ? 'BEGIN IMMEDIATE;' : query.sql;
  const statement = prepareCached(connection, sql);
  const bindings = client._formatBindings(query.bindings);
  try {
    if (statement.reader) {
      query.response = statement.all(bindings);
      return query;
    }
    const result = statement.run(bindings);
    query.response = result;
    query.context = { lastID: result.lastInsertRowid, changes: result.changes };
    return query;
  } catch (error) {
    return noteDiskFull(client, error);
  }
};

export class PostgresClient extends loadDialect('postgres') {
  override _query(connection: PostgresConnection, query: Query): Promise<Query> {
    const run = () => super._query(connection, query).catch((error) => noteDiskFull(this, error));
    return answerOrClose(connection, run, this.config.maxWaitMs);
  }

  override processResponse(query: Query, runner: unknown): unknown {
    const result = query.response as { rows?: Record<string, unknown>[] };
    if (isBuilt(query) && result.rows) result.rows = renameColumns(result.rows);
    return super.processResponse(query, runner);
  }
}

const retryMsMax = 25;

/** Runs a statement once no other process holds the lock. Throws SQLite's error when it is still held after `wait` milliseconds. */
export const whenUnlocked = async <Result>(run: () => Result, wait: number): Promise<Result> => {
  const endsAt = performance.now() + wait;
  for (let pause = 1; ; pause = Math.min(pause * 2, retryMsMax)) {
    try {
      return run();
    } catch (error) {
      const isLocked = /^SQLITE_(BUSY|LOCKED)/.test((error as { code?: string }).code ?? '');
      if (!isLocked || performance.now() >= endsAt) throw error;
    }
    await sleep(pause);
  }
};

/** The answer to a statement of PostgreSQL. Without one in time, the connection is closed, which also ends its transaction. */
export const answerOrClose = <Result>(
  connection: PostgresConnection,
  run: () => Promise<Result>,
  maxWaitMs: number,
): Promise<Result> =>
  inStatementSpan('postgres', connection, () =>
    answerInTime(run, takeWait(connection, maxWaitMs), () => {
      connection.__knex__disposed = 'It did not answer in time.';
      connection.connection.stream.destroy();
    }),
  );

const prepareCached = (connection: SqliteConnection, sql: string): BetterSqlite3.Statement => {
  connection.statements ??= new Map();
  const statements = connection.statements;
  const cached = statements.get(sql);
  if (cached) return cached;
  const statement = connection.prepare(sql);
  if (statements.size >= statementCacheMax) statements.clear();
  statements.set(sql, statement);
  return statement;
};

const snakeCaseNames = new Map<string, string>();

/** `endUserId` becomes `end_user_id`. Names in snake_case do not change. */
export const toSnakeCase = (name: string): string => {
  let converted = snakeCaseNames.get(name);
  if (converted === undefined) {
    converted = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    snakeCaseNames.set(name, converted);
  }
  return converted;
};

/** `end_user_id` becomes `endUserId`. */
export const toCamelCase = (name: string): string =>
  name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Renames the columns of rows that all have the same columns. */
export const renameColumns = (rows: Record<string, unknown>[]): Record<string, unknown>[] => {
  const columns = Object.keys(rows[0] ?? {});
  if (!columns.some((column) => column.includes('_'))) return rows;
  const names = columns.map(toCamelCase);
  return rows.map((row) => {
    const renamed: Record<string, unknown> = {};
    for (const [index, name] of names.entries()) renamed[name] = row[columns[index]!];
    return renamed;
  });
};

/** Whether a Knex instance, transaction or query belongs to PostgreSQL. */
export const isPostgres = (knex: { client: Knex.Client }): boolean => knex.client.dialect === 'postgresql';
