// A question that is asked with every request: Knex builds its SQL once, and from then on it is a prepared
// statement with other values. Building and pooling cost more than the answer does (docs/performance.md).
import type BetterSqlite3 from 'better-sqlite3';
import type { Knex } from 'knex';
import type pg from 'pg';

type Queries = Knex;

/** Stands for a value that is known only when the question is asked. */
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
  /** As the driver wants it. */
  native: string;
  values: unknown[];
  /** A name for the server's prepared statement. */
  name: string;
  statements: WeakMap<BetterSqlite3.Database, BetterSqlite3.Statement>;
};

const syncReaders = new WeakMap<Queries, BetterSqlite3.Database>();

/** Lets questions to `db` go straight to a SQLite connection of their own. */
export const useSyncReader = (db: Queries, connection: BetterSqlite3.Database): void => {
  syncReaders.set(db, connection);
};

let queryCount = 0;

/**
 * Makes a question of what `build` describes. Of `parameters` it may use each as a value, and `limit`, if there
 * is one, as the greatest number of rows. Asked of a transaction it is asked within it.
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
  const named = new Proxy({} as Placeholders<Parameters>, {
    get: (_, parameter) => new Parameter(String(parameter)) as unknown as Knex.Value,
  });
  const built = build(db, named).toSQL();
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
  limited: boolean,
): Promise<Row[]> => {
  const direct = syncReaders.get(db);
  if (direct) return runOnSqlite(direct, compiled, values, limited) as Row[];
  if (db.client.config.client === 'pg') return runOnPostgres(db, compiled, values, limited);
  const rows: unknown = await db.raw(compiled.sql + (limited ? ' limit ?' : ''), values as Knex.RawBinding[]);
  return rows as Row[];
};

const runOnSqlite = (
  connection: BetterSqlite3.Database,
  compiled: CompiledQuery,
  values: unknown[],
  limited: boolean,
): unknown[] => {
  let statement = compiled.statements.get(connection);
  if (!statement) {
    statement = connection.prepare(compiled.sql + (limited ? ' limit ?' : ''));
    compiled.statements.set(connection, statement);
  }
  return statement.all(values);
};

const runOnPostgres = async <Row>(
  db: Queries,
  compiled: CompiledQuery,
  values: unknown[],
  limited: boolean,
): Promise<Row[]> => {
  const text = compiled.native + (limited ? ` limit $${values.length}` : '');
  const connection: pg.PoolClient = await db.client.acquireConnection();
  try {
    // A transaction's client hands out the transaction's own connection.
    const { rows } = await connection.query({ name: compiled.name, text, values });
    return rows;
  } finally {
    await db.client.releaseConnection(connection);
  }
};
