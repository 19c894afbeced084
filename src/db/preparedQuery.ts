// Statements that are built once and run with other values: queries of every request, and inserts of many rows. Building
// the SQL costs more than the query itself (docs/performance.md).
import type { Knex } from 'knex';
import type { Tables } from 'knex/types/tables.js';
import { isPostgres, type Queries, toSnakeCase } from './queries.ts';
import './tables.ts';

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
