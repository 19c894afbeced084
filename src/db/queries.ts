// Builds queries with Knex and runs them by a driver. Column names are snake_case in SQL and camelCase in TypeScript: the
// identifiers of each query that Knex builds are converted, and the columns of its result. SQL written by hand (`raw`, `run`)
// uses snake_case, also in its result. Queries of every request and inserts of many rows are built once and run with other values,
// because building costs more than running (docs/performance.md).
import knexModule, { type Knex } from 'knex';
import type { Tables } from 'knex/types/tables.js';
import type { Dialect, Row, Run } from './driver.ts';
import './tables.ts';

const { knex } = knexModule;

/** Builds queries that run when they are awaited: `read` and `write` of a Database, or those of a transaction. */
export interface Queries extends Knex {
  /** Runs a statement with the placeholders of the driver. */
  run: Run;
  // These would need a connection of Knex's own.
  batchInsert: never;
  destroy: never;
  initialize: never;
  migrate: never;
  on: never;
  schema: never;
  seed: never;
  transaction: never;
  transactionProvider: never;
}

/** A builder for one database. It has no connection. */
export const makeBuilder = (dialect: Dialect): Knex =>
  knex({
    client: dialect === 'postgres' ? 'pg' : 'better-sqlite3',
    useNullAsDefault: true,
    wrapIdentifier: (name, quote) => quote(toSnakeCase(name)),
  });

export const makeQueries = (builder: Knex, run: Run): Queries =>
  Object.assign((table: string) => runWhenAwaited(builder(table), run), {
    raw: (...args: [string]) => runWhenAwaited(builder.raw(...args), run),
    from: (...args: [string]) => runWhenAwaited(builder.from(...args), run),
    select: (...args: [string]) => runWhenAwaited(builder.select(...args), run),
    unionAll: (...args: [Knex.QueryCallback]) => runWhenAwaited(builder.unionAll(...args), run),
    client: builder.client,
    run,
  }) as unknown as Queries;

/** Whether these queries, or a query, belong to PostgreSQL. */
export const isPostgres = ({ client }: { client: Knex.Client }): boolean => client.dialect === 'postgresql';

type Built = {
  sql: string;
  method: string;
  pluck?: string;
  toNative(): { sql: string; bindings: unknown[] };
};
type Query = Knex.QueryBuilder | Knex.Raw;

// Knex would ask its own pool for a connection.
const runWhenAwaited = <Awaited extends Query>(query: Awaited, run: Run): Awaited => {
  const { clone } = query as unknown as { clone(): Awaited };
  return Object.assign(query, {
    // biome-ignore lint/suspicious/noThenProperty: a query of Knex is awaited to run it.
    then: (...handlers: Parameters<Promise<unknown>['then']>) => runBuilt(query, run).then(...handlers),
    clone: () => runWhenAwaited(clone.call(query), run),
  });
};

const runBuilt = async (query: Query, run: Run): Promise<unknown> => {
  const built = query.toSQL() as unknown as Built;
  // Knex builds nothing where it inserts no rows.
  if (!built.sql) return [];
  const { sql: text, bindings } = built.toNative();
  const { rows, changes } = await run({ text }, bindings);
  if (built.method === 'raw') return rows;
  const isChange = ['update', 'del', 'insert'].includes(built.method);
  if (isChange && !('returning' in built && built.returning)) return changes;
  const renamed = renameColumns(rows);
  if (built.method === 'first') return renamed[0];
  return built.method === 'pluck' ? renamed.map((row) => row[built.pluck!]) : renamed;
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
export const renameColumns = (rows: Row[]): Row[] => {
  const columns = Object.keys(rows[0] ?? {});
  if (!columns.some((column) => column.includes('_'))) return rows;
  const names = columns.map(toCamelCase);
  return rows.map((row) => {
    const renamed: Row = {};
    for (const [index, name] of names.entries()) renamed[name] = row[columns[index]!];
    return renamed;
  });
};

/** Stands for a value that is known only when the query runs. */
class Parameter {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

type CompiledQuery = {
  text: string;
  values: unknown[];
  /** The name of PostgreSQL's prepared statement. */
  name: string;
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
): ((db: Queries, parameters: Parameters) => Promise<Pick<Tables[Table], Column>[]>) => {
  const dialects = new Map<string, CompiledQuery>();
  const name = `prepared_query_${queryCount++}`;
  const compile = (db: Queries, hasLimit: boolean): CompiledQuery => {
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
    const text = isPostgres(db)
      ? query.toNative().sql + (hasLimit ? ` limit $${values.length}` : '')
      : keepPlan(query.sql + (hasLimit ? ' limit ?' : ''));
    return { text, values, name };
  };
  return async (db, parameters) => {
    const { dialect } = db.client;
    const compiled = dialects.get(dialect) ?? compile(db, 'limit' in parameters);
    dialects.set(dialect, compiled);
    const values = compiled.values.map((value) =>
      value instanceof Parameter ? parameters[value.name as keyof Parameters] : value,
    );
    const { rows } = await db.run(compiled, values);
    return rows as Pick<Tables[Table], Column>[];
  };
};

/**
 * SQLite plans most statements that have more than one condition again whenever a value is bound, to choose by the value,
 * which takes longer than to run them. It does not look at the value of an expression.
 */
const keepPlan = (sql: string): string => sql.replaceAll('?', '+?');

const rowsPerStatement = 200;

/** Inserts rows that all have the same columns. Within a transaction, or on SQLite, either all are inserted or none. */
export const insertRows = async <Table extends keyof Tables>(
  db: Queries,
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
  const names = Object.keys(first);
  const columns = names.map(toSnakeCase);
  const text = `insert into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`;
  const values = rows.map((row) => names.map((name) => row[name as keyof Tables[Table]]));
  await db.run({ text, many: true }, values);
};
