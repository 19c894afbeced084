// Builds queries with Knex and runs them with a driver. Column names are snake_case in SQL and camelCase in TypeScript: the
// identifiers of each query that Knex builds, and the columns of its result, are converted. Handwritten SQL (`raw`, `run`)
// uses snake_case, including in its result.
import knexModule, { type Knex } from 'knex';
import './tables.ts';
import type { Tables } from 'knex/types/tables.js';
import { inBatches } from '../loops/fairScheduler.ts';
import type { ListRange } from '../values/listPage.ts';
import type { Dialect, Row, Run } from './driver.ts';

const { knex } = knexModule;

type BuiltByKnex = 'raw' | 'from' | 'select' | 'unionAll' | 'client';

/**
 * Builds queries that run when they are awaited: `read` and `write` of a Database, or those of a transaction. The rest of Knex is
 * left out, because much of it needs its own connection. `run` takes a statement with the placeholders of the driver.
 */
export type Queries = Knex & Record<Exclude<keyof Knex, BuiltByKnex>, never> & { run: Run };

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

/** True if these queries, or this query, are for PostgreSQL. */
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
    // biome-ignore lint/suspicious/noThenProperty: awaiting a Knex query runs it.
    then: (...handlers: Parameters<Promise<unknown>['then']>) => runBuilt(query, run).then(...handlers),
    clone: () => runWhenAwaited(clone.call(query), run),
  });
};

const runBuilt = async (query: Query, run: Run): Promise<unknown> => {
  const built = query.toSQL() as unknown as Built;
  // Knex builds nothing for an insert without rows.
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

/** Limits a query to `limit` rows in the order of these columns, after the row whose values in them are `after`. */
export const takeAfter = <Query extends Knex.QueryBuilder>(
  query: Query,
  columns: readonly string[],
  { after, limit }: { after: readonly Knex.RawBinding[] | undefined; limit: number },
  order: 'asc' | 'desc' = 'asc',
): Query => {
  query.orderBy(columns.map((column) => ({ column, order }))).limit(limit);
  const listOf = (placeholder: string): string => `(${columns.map(() => placeholder).join(', ')})`;
  const operator = order === 'asc' ? '>' : '<';
  if (after) query.whereRaw(`${listOf('??')} ${operator} ${listOf('?')}`, [...columns, ...after]);
  return query;
};

/** Limits a query to one page, newest first by `createdAt` and the id column. */
export const newestFirst = <Query extends Knex.QueryBuilder>(
  query: Query,
  { after, limit }: ListRange,
  id = 'id',
): Query =>
  takeAfter(query, ['createdAt', id], { after: after && [after.createdAt, after.id], limit }, 'desc');

/** The number of rows of a query. PostgreSQL returns counts as text. */
export const countRows = async (query: Knex.QueryBuilder): Promise<number> =>
  Number((await query.count({ count: '*' }).first()).count);

/** The number of rows of a query for each value of a column. */
export const countByValue = async (
  query: Knex.QueryBuilder,
  column: string,
): Promise<Record<string, number>> => {
  const counted = query.groupBy(column).orderBy(column).select({ value: column }).count({ count: '*' });
  const rows: { value: string; count: number | string }[] = await counted;
  return Object.fromEntries(rows.map(({ value, count }) => [value, Number(count)]));
};

/** Inserts rows that all have the same columns. Within a transaction, or on SQLite, either all are inserted or none. */
export const insertRows = async <Table extends keyof Tables>(
  db: Queries,
  table: Table,
  rows: readonly Tables[Table][],
): Promise<void> => {
  const [first] = rows;
  if (!first) return;
  if (isPostgres(db)) return inBatches(rows, (batch) => db(table as string).insert(batch));
  const names = Object.keys(first);
  const columns = names.map(toSnakeCase);
  const text = `insert into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`;
  const values = rows.map((row) => names.map((name) => row[name as keyof Tables[Table]]));
  await db.run({ text, many: true }, values);
};

/** Deletes the first `limit` of these rows, in the order of `key`, which is unique. Returns their number. */
export const deleteFirst = (rows: () => Knex.QueryBuilder, key: string[], limit: number): Promise<number> =>
  rows().whereIn(key, rows().orderBy(key).limit(limit).select(key)).delete();
