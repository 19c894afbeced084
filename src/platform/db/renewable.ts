// Columns whose values are re-encrypted or re-signed when a secret is rotated.
import type { Knex } from 'knex';
import type { Tables } from 'knex/types/tables.js';
import { type Queries, takeAfter } from './queries.ts';

type ColumnOf<Table extends keyof Tables> = keyof Tables[Table] & string;

/** A column of a table. */
type ColumnOfTable<Table extends keyof Tables> = {
  table: Table;
  /** The primary key. */
  key: readonly ColumnOf<Table>[];
  column: ColumnOf<Table>;
  /** The other columns that the value is computed from. */
  madeWith?: readonly ColumnOf<Table>[];
  /** Columns of the row in another table whose id is in the column `by`. */
  joined?: { table: keyof Tables; by: ColumnOf<Table>; columns: readonly string[] };
};

export type RenewableColumn = { [Table in keyof Tables]: ColumnOfTable<Table> }[keyof Tables];

/** At most `limit` rows with a value, after the key `after`: the primary key, the value, and the columns it is computed from. */
export const findRenewable = async <Row extends object>(
  db: Queries,
  { table, key, column, madeWith = [], joined }: RenewableColumn,
  page: { after: Row | undefined; limit: number },
): Promise<Row[]> => {
  const named = (names: readonly string[], of: string = table) => names.map((name) => `${of}.${name}`);
  const query = db(table as string)
    .whereNotNull(`${table}.${column}`)
    .select(named([...key, column, ...madeWith]));
  if (joined) {
    query.join(joined.table, `${joined.table}.id`, `${table}.${joined.by}`);
    query.select(named(joined.columns, joined.table));
  }
  const after = page.after && key.map((name) => page.after![name as keyof Row] as Knex.RawBinding);
  return takeAfter(query, named(key), { after, limit: page.limit });
};

/** Changes a row unless its value has changed since it was read. */
export const replaceUnchanged = async <Row extends object>(
  trx: Queries,
  { table, key, column }: RenewableColumn,
  row: Row,
  change: object,
): Promise<void> => {
  const unchanged = [...key, column].map((name) => [name, row[name as keyof Row]]);
  await trx(table as string)
    .where(Object.fromEntries(unchanged))
    .update(change);
};
