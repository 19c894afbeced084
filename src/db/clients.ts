// Knex's clients for SQLite and PostgreSQL. Column names are snake_case in SQL and camelCase in TypeScript: the clients
// convert the identifiers of each query that Knex builds, and the columns of its result. SQL written by hand (`raw`) uses
// snake_case, also in its result. They override the method `customWrapIdentifier` instead of setting Knex's option
// `wrapIdentifier`, because its migrator removes that option.
import { createRequire } from 'node:module';
import type BetterSqlite3 from 'better-sqlite3';
import type { Knex } from 'knex';

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
const loadDialect = (name: string) => {
  const Client: new (config: Knex.Config) => DialectClient = require(`knex/lib/dialects/${name}/index.js`);
  return class extends Client {
    override customWrapIdentifier(name: string | undefined, quote: Quote): string | undefined {
      return name && quote(toSnakeCase(name));
    }
  };
};

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

  override processResponse(query: Query, runner: unknown): unknown {
    if (isBuilt(query) && Array.isArray(query.response)) query.response = renameColumns(query.response);
    return super.processResponse(query, runner);
  }
}

export class PostgresClient extends loadDialect('postgres') {
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

const toCamelCase = (name: string): string =>
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
