// Column types that mean the same on SQLite and PostgreSQL.
import type { Knex } from 'knex';
import { isPostgres } from './clients.ts';

/** Makes the column helpers for one table. Times are ISO 8601 text in UTC, which sorts as time does. */
export const columns = (knex: Knex, table: Knex.CreateTableBuilder) => ({
  /** Text compared byte by byte: ids, dates, cursors, times. PostgreSQL would otherwise sort by language. */
  binaryText: (name: string): Knex.ColumnBuilder =>
    table.specificType(name, isPostgres(knex) ? 'text COLLATE "C"' : 'text'),
  text: (name: string): Knex.ColumnBuilder => table.text(name),
  bytes: (name: string): Knex.ColumnBuilder => table.binary(name),
  integer: (name: string): Knex.ColumnBuilder => table.integer(name),
  smallInteger: (name: string): Knex.ColumnBuilder => table.smallint(name),
  /** Up to 2^53 - 1, so that it is a number in JavaScript. */
  bigInteger: (name: string): Knex.ColumnBuilder => table.bigInteger(name),
});
