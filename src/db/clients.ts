// Knex's clients for SQLite and PostgreSQL, which convert the names of columns (naming.ts). They override the method
// `customWrapIdentifier` instead of setting Knex's option `wrapIdentifier`, because its migrator removes that option.
import { createRequire } from 'node:module';
import type BetterSqlite3 from 'better-sqlite3';
import type { Knex } from 'knex';
import { renameColumns, toSnakeCase } from './naming.ts';

type SqliteConnection = BetterSqlite3.Database & { statements?: Map<string, BetterSqlite3.Statement> };
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
  _formatBindings(bindings: unknown[] | undefined): unknown[];
  /** Quotes an identifier; also called with the missing names of unnamed constraints. */
  customWrapIdentifier(name: string | undefined, quote: Quote): string | undefined;
  processResponse(query: Query, runner: unknown): unknown;
};
const loadDialect = (name: string) =>
  require(`knex/lib/dialects/${name}/index.js`) as new (
    config: Knex.Config,
  ) => DialectClient;

const statementCacheMax = 200;

/** Whether Knex has built the query, so that the columns of its result must be converted. */
const isBuilt = (query: Query): boolean => query.method !== 'raw' && !query.output;

/** The SQLite client; besides, transactions take the write lock at once, and statements are cached. */
export class SqliteClient extends loadDialect('better-sqlite3') {
  async _query(connection: SqliteConnection, query: Query): Promise<Query> {
    const sql = query.sql === 'BEGIN;' ? 'BEGIN IMMEDIATE;' : query.sql;
    const statement = prepareCached(connection, sql);
    const bindings = this._formatBindings(query.bindings);
    if (statement.reader) {
      query.response = statement.all(bindings);
      return query;
    }
    const result = statement.run(bindings);
    query.response = result;
    query.context = { lastID: result.lastInsertRowid, changes: result.changes };
    return query;
  }

  override customWrapIdentifier(name: string | undefined, quote: Quote): string | undefined {
    return name && quote(toSnakeCase(name));
  }

  override processResponse(query: Query, runner: unknown): unknown {
    if (isBuilt(query) && Array.isArray(query.response)) query.response = renameColumns(query.response);
    return super.processResponse(query, runner);
  }
}

export class PostgresClient extends loadDialect('postgres') {
  override customWrapIdentifier(name: string | undefined, quote: Quote): string | undefined {
    return name && quote(toSnakeCase(name));
  }

  override processResponse(query: Query, runner: unknown): unknown {
    const result = query.response as { rows?: Record<string, unknown>[] };
    if (isBuilt(query) && result.rows) result.rows = renameColumns(result.rows);
    return super.processResponse(query, runner);
  }
}

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
