// Queries that run with every request: Knex builds their SQL once, and later calls run a prepared statement with other
// values. Building the SQL and taking a pooled connection cost more than the query itself (docs/performance.md).
import type BetterSqlite3 from 'better-sqlite3';
import type { Knex } from 'knex';
import type pg from 'pg';

type Queries = Knex;

/** Stands for a value that is known only when the query runs. */
class Parameter {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

type Placeholders<Parameters> = { [Name in keyof Parameters]-?: Knex.Value };

type CompiledQuery = {
  /** With `?` for each value. */
  sql: string;
  /** With the placeholders of the driver: `$1` on PostgreSQL. */
  native: string;
  values: unknown[];
  /** The name of PostgreSQL's prepared statement. */
  name: string;
  statements: WeakMap<BetterSqlite3.Database, BetterSqlite3.Statement>;
};

const syncReaders = new WeakMap<Queries, BetterSqlite3.Database>();

/** Runs prepared queries on `db` through their own SQLite connection, without Knex's pool. */
export const useSyncReader = (db: Queries, connection: BetterSqlite3.Database): void => {
  syncReaders.set(db, connection);
};

let queryCount = 0;

/**
 * Makes a prepared query from the Knex query that `build` returns. `build` uses the parameters as values; a parameter
 * `limit` becomes the LIMIT of the query. With a transaction as `db`, the query runs within it.
 */
export const preparedQuery = <Parameters extends Record<string, unknown>, Row>(
  build: (db: Queries, parameters: Placeholders<Parameters>) => Knex.QueryBuilder,
): ((db: Queries, parameters: Parameters) => Promise<Row[]>) => {
  const dialects = new Map<unknown, CompiledQuery>();
  const name = `prepared_query_${queryCount++}`;
  return async (db, parameters) => {
    const dialect = db.client.config.client;
    const compiled = dialects.get(dialect) ?? compile(db, build, name);
    dialects.set(dialect, compiled);
    const values = compiled.values.map((value) =>
      value instanceof Parameter ? parameters[value.name] : value,
    );
    if ('limit' in parameters) values.push(parameters.limit);
    return runQuery<Row>(db, compiled, values, 'limit' in parameters);
  };
};

const compile = <Parameters>(
  db: Queries,
  build: (db: Queries, parameters: Placeholders<Parameters>) => Knex.QueryBuilder,
  name: string,
): CompiledQuery => {
  const placeholders = new Proxy({} as Placeholders<Parameters>, {
    get: (_, parameter) => new Parameter(String(parameter)) as unknown as Knex.Value,
  });
  const built = build(db, placeholders).toSQL();
  return {
    sql: built.sql,
    native: built.toNative().sql,
    values: [...built.bindings],
    name,
    statements: new WeakMap(),
  };
};

const runQuery = async <Row>(
  db: Queries,
  compiled: CompiledQuery,
  values: unknown[],
  hasLimit: boolean,
): Promise<Row[]> => {
  const syncReader = syncReaders.get(db);
  if (syncReader) return runOnSqlite(syncReader, compiled, values, hasLimit) as Row[];
  if (db.client.config.client === 'pg') return runOnPostgres(db, compiled, values, hasLimit);
  const rows: unknown = await db.raw(
    compiled.sql + (hasLimit ? ' limit ?' : ''),
    values as Knex.RawBinding[],
  );
  return rows as Row[];
};

const runOnSqlite = (
  connection: BetterSqlite3.Database,
  compiled: CompiledQuery,
  values: unknown[],
  hasLimit: boolean,
): unknown[] => {
  let statement = compiled.statements.get(connection);
  if (!statement) {
    statement = connection.prepare(compiled.sql + (hasLimit ? ' limit ?' : ''));
    compiled.statements.set(connection, statement);
  }
  return statement.all(values);
};

const runOnPostgres = async <Row>(
  db: Queries,
  compiled: CompiledQuery,
  values: unknown[],
  hasLimit: boolean,
): Promise<Row[]> => {
  const text = compiled.native + (hasLimit ? ` limit $${values.length}` : '');
  const connection: pg.PoolClient = await db.client.acquireConnection();
  try {
    // The client of a transaction returns the connection of that transaction.
    const { rows } = await connection.query({ name: compiled.name, text, values });
    return rows;
  } finally {
    await db.client.releaseConnection(connection);
  }
};
