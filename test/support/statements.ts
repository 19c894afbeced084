// Statements that were captured from a version of the service (test/db/statements), and whether they run on a schema.
import BetterSqlite3 from 'better-sqlite3';
import type { Database } from '../../src/db/open.ts';

/** In parentheses, with one more level of them inside. */
const row = String.raw`\((?:[^()]|\([^()]*\))*\)`;

/**
 * One form for statements that differ only in how many values they have: lists and inserts of many rows have one, and
 * PostgreSQL's parameters count from $1.
 */
export const normalizeStatement = (sql: string): string => {
  const short = sql
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/\bin \((\$\d+|\+?\?)(?:, ?(?:\$\d+|\+?\?))+\)/gi, 'in ($1)')
    .replace(new RegExp(String.raw`\b(values ${row})(?:, ?${row})+`, 'gi'), '$1')
    .replace(/( select (?:\? as [\w"`]+(?:, )?)+)(?: union all select (?:\? as [\w"`]+(?:, )?)+)+/gi, '$1');
  const numbers = new Map<string, number>();
  return short.replace(/\$\d+/g, (parameter) => {
    const number = numbers.get(parameter) ?? numbers.size + 1;
    numbers.set(parameter, number);
    return `$${number}`;
  });
};

/** Whether a statement is the service's own: not about the schema, and not of a start, which a newer schema may refuse. */
export const isOwnStatement = (sql: string): boolean =>
  !/\b(knex_\w+|schema_hash|information_schema|pg_\w+|sqlite_\w+|pragma_\w+|create_\w+_table|citus_\w+)\b/.test(
    sql,
  );

/** Why statements do not run on the schema of a database: `statement: reason` for each. */
export const findFailures = async (
  db: Database,
  url: string,
  statements: readonly string[],
): Promise<string[]> => {
  const columns = await findRequiredColumns(db);
  const prepare = db.dialect === 'sqlite' ? prepareOnSqlite(url) : prepareOnPostgres(db);
  const failures: string[] = [];
  for (const sql of statements) {
    const missing = findMissingColumn(sql, columns);
    const reason = (await prepare(sql)) ?? (missing && `${missing} has no default`);
    if (reason) failures.push(`${sql}: ${reason}`);
  }
  return failures;
};

type Prepare = (sql: string) => Promise<string | undefined>;

const prepareOnSqlite = (url: string): Prepare => {
  const file = url.slice('sqlite:'.length);
  return async (sql) => {
    const connection = new BetterSqlite3(file);
    try {
      connection.prepare(sql);
    } catch (error) {
      return (error as Error).message;
    } finally {
      connection.close();
    }
  };
};

const prepareOnPostgres =
  (db: Database): Prepare =>
  (sql) =>
    db
      .transaction(async (trx) => {
        // Knex takes question marks for its own parameters.
        await trx.raw(`prepare captured as ${sql}`.replaceAll('?', '\\?'));
        await trx.raw('deallocate captured');
      })
      .then(
        () => undefined,
        (error: Error) => error.message.slice(error.message.lastIndexOf(' - ') + 3),
      );

/** The columns of each table that an INSERT must name. */
const findRequiredColumns = async ({ dialect, read }: Database): Promise<Map<string, string[]>> => {
  const result = await read.raw(
    dialect === 'sqlite'
      ? `select t.name as "table", c.name as "column" from sqlite_master t, pragma_table_info(t.name) c
         where t.type = 'table' and c."notnull" and c.dflt_value is null and not (c.pk = 1 and lower(c.type) = 'integer')`
      : `select table_name as "table", column_name as "column" from information_schema.columns
         where table_schema = 'public' and is_nullable = 'NO' and column_default is null and is_identity = 'NO'`,
  );
  const rows: { table: string; column: string }[] = dialect === 'sqlite' ? result : result.rows;
  const byTable = Map.groupBy(rows, ({ table }) => table);
  return new Map([...byTable].map(([table, columns]) => [table, columns.map(({ column }) => column)]));
};

const findMissingColumn = (sql: string, required: Map<string, string[]>): string | undefined => {
  const [, table, list] = /\binsert into [`"]?(\w+)[`"]? ?\(([^)]*)\)/i.exec(sql) ?? [];
  const named = list?.split(',').map((column) => column.trim().replace(/[`"]/g, ''));
  const missing = required.get(table ?? '')?.find((column) => !named?.includes(column));
  return missing && `${table}.${missing}`;
};
