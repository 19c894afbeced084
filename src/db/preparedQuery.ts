// Statements that are built once and run with other values: queries of every request, and inserts of many rows. Building
// the SQL and taking a pooled connection cost more than the query itself (docs/performance.md).
import type BetterSqlite3 from 'better-sqlite3';
import type { Knex } from 'knex';
import type { Tables } from 'knex/types/tables.js';
import { inStatementSpan, isInSpan } from '../telemetry/tracing.ts';
import {
  answerOrClose,
  isPostgres,
  type PostgresConnection,
  requireTransaction,
  type SqliteConnection,
  toSnakeCase,
  whenUnlocked,
} from './clients.ts';
import { takeWait } from './maxWait.ts';
import './tables.ts';

/** Stands for a value that is known only when the query runs. */
class Parameter {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

type CompiledQuery = {
  /** With the placeholders of the driver: `?` on SQLite, `$1` on PostgreSQL. */
  sql: string;
  values: unknown[];
  /** The name of PostgreSQL's prepared statement, unless the database is opened without them. */
  name: string;
  statements: WeakMap<BetterSqlite3.Database, BetterSqlite3.Statement>;
};

const syncReaders = new WeakMap<Knex, BetterSqlite3.Database>();

/** Runs prepared queries on `db` through their own SQLite connection, without Knex's pool. */
export const useSyncReader = (db: Knex, connection: BetterSqlite3.Database): void => {
  syncReaders.set(db, connection);
};

let queryCount = 0;

/**
 * Makes a query for these columns of a table. `build` adds conditions, order and joins, and uses the parameters as values;
 * a parameter `limit` becomes the LIMIT of the query. With a transaction as `db`, the query runs within it.
 */
export const preparedQuery = <
  Table extends keyof Tables,
  Column extends keyof Tables[Table] & string,
  Parameters extends object,
>(
  table: Table,
  columns: readonly Column[],
  build: (query: Knex.QueryBuilder<Knex.TableType<Table>>, parameters: Parameters) => Knex.QueryBuilder,
): ((db: Knex, parameters: Parameters) => Promise<Pick<Tables[Table], Column>[]>) => {
  const dialects = new Map<string, CompiledQuery>();
  const name = `prepared_query_${queryCount++}`;
  const compile = (db: Knex, hasLimit: boolean): CompiledQuery => {
    const placeholders = new Proxy({} as Parameters, {
      get: (_, parameter) => new Parameter(String(parameter)),
    });
    // The select list renames the columns, so that reading a row needs no further step.
    const selectList = columns.map((column) =>
      db.raw(`?? as "${column}"`, [`${table}.${toSnakeCase(column)}`]),
    );
    const query = build(db(table as string), placeholders)
      .select(selectList)
      .toSQL();
    const values = hasLimit ? [...query.bindings, new Parameter('limit')] : [...query.bindings];
    const sql = isPostgres(db)
      ? query.toNative().sql + (hasLimit ? ` limit $${values.length}` : '')
      : keepPlan(query.sql + (hasLimit ? ' limit ?' : ''));
    return { sql, values, name, statements: new WeakMap() };
  };
  return async (db, parameters) => {
    const { dialect } = db.client;
    const compiled = dialects.get(dialect) ?? compile(db, 'limit' in parameters);
    dialects.set(dialect, compiled);
    const values = compiled.values.map((value) =>
      value instanceof Parameter ? parameters[value.name as keyof Parameters] : value,
    );
    return runQuery<Pick<Tables[Table], Column>>(db, compiled, values);
  };
};

/**
 * SQLite plans most statements that have more than one condition again whenever a value is bound, to choose by the value,
 * which takes longer than to run them. It does not look at the value of an expression.
 */
const keepPlan = (sql: string): string => sql.replaceAll('?', '+?');

const runQuery = async <Row>(db: Knex, compiled: CompiledQuery, values: unknown[]): Promise<Row[]> => {
  const syncReader = syncReaders.get(db);
  if (syncReader) {
    const run = () => runOnSqlite(syncReader, compiled, values) as Row[];
    // A promise more would cost a tenth of such a query.
    return isInSpan() ? inStatementSpan('sqlite', {}, async () => run()) : run();
  }
  if (isPostgres(db)) return runOnPostgres(db, compiled, values);
  const rows: unknown = await db.raw(compiled.sql, values as Knex.RawBinding[]);
  return rows as Row[];
};

const runOnSqlite = (
  connection: BetterSqlite3.Database,
  compiled: CompiledQuery,
  values: unknown[],
): unknown[] => {
  let statement = compiled.statements.get(connection);
  if (!statement) {
    statement = connection.prepare(compiled.sql);
    compiled.statements.set(connection, statement);
  }
  return statement.all(values);
};

const runOnPostgres = async <Row>(
  db: Knex,
  { name, sql: text }: CompiledQuery,
  values: unknown[],
): Promise<Row[]> => {
  const { prepared, maxWaitMs } = db.client.config;
  const connection: PostgresConnection = await db.client.acquireConnection();
  try {
    // The client of a transaction returns the connection of that transaction.
    const run = () => connection.query({ name: prepared ? name : undefined, text, values });
    const { rows } = await answerOrClose(connection, run, maxWaitMs);
    return rows;
  } finally {
    await db.client.releaseConnection(connection);
  }
};

const rowsPerStatement = 200;

/** Inserts rows that all have the same columns. Within a transaction, or on SQLite, either all are inserted or none. */
export const insertRows = async <Table extends keyof Tables>(
  db: Knex,
  table: Table,
  rows: readonly Tables[Table][],
): Promise<void> => {
  const [first] = rows;
  if (!first) return;
  if (isPostgres(db)) {
    for (let at = 0; at < rows.length; at += rowsPerStatement) {
      await db(table as string).insert(rows.slice(at, at + rowsPerStatement));
    }
    return;
  }
  // The client of a transaction returns the connection of that transaction.
  const connection: SqliteConnection = await db.client.acquireConnection();
  try {
    requireTransaction(connection);
    const insert = () => insertPrepared(connection, table, first, rows);
    const wait = takeWait(connection, db.client.config.maxWaitMs);
    await inStatementSpan('sqlite', connection, () => whenUnlocked(insert, wait));
  } finally {
    await db.client.releaseConnection(connection);
  }
};

const insertPrepared = (
  connection: BetterSqlite3.Database,
  table: string,
  first: object,
  rows: readonly object[],
): void => {
  const names = Object.keys(first);
  const columns = names.map(toSnakeCase);
  const insert = connection.prepare(
    `insert into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
  );
  const insertAll = (): void => {
    for (const row of rows) insert.run(names.map((name) => row[name as keyof object]));
  };
  if (connection.inTransaction) insertAll();
  else connection.transaction(insertAll).immediate();
};
