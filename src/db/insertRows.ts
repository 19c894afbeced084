// Inserts many rows into one table. On SQLite one prepared statement runs once per row: Knex would build a statement
// with thousands of placeholders per chunk, which takes longer than the inserts (docs/performance.md).
import type BetterSqlite3 from 'better-sqlite3';
import type { Knex } from 'knex';
import type { Tables } from 'knex/types/tables.js';
import { isPostgres } from './columns.ts';
import { toSnakeCase } from './naming.ts';

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
  const connection: BetterSqlite3.Database = await db.client.acquireConnection();
  try {
    insertPrepared(connection, table, first, rows);
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
