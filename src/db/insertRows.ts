// Inserts many rows into one table. On SQLite one prepared statement runs once per row: Knex would build a statement
// with thousands of placeholders per chunk, which takes longer than the inserts (docs/performance.md).
import type BetterSqlite3 from 'better-sqlite3';
import type { Knex } from 'knex';

const rowsPerStatement = 200;

/** Inserts rows that all have the same columns. Within a transaction, or on SQLite, either all are inserted or none. */
export const insertRows = async (
  db: Knex,
  table: string,
  rows: readonly Record<string, unknown>[],
): Promise<void> => {
  const [first] = rows;
  if (!first) return;
  if (db.client.config.client === 'pg') {
    for (let at = 0; at < rows.length; at += rowsPerStatement) {
      await db(table).insert(rows.slice(at, at + rowsPerStatement));
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
  first: Record<string, unknown>,
  rows: readonly Record<string, unknown>[],
): void => {
  const columns = Object.keys(first);
  const insert = connection.prepare(
    `insert into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
  );
  const insertAll = (): void => {
    for (const row of rows) insert.run(columns.map((column) => row[column]));
  };
  if (connection.inTransaction) insertAll();
  else connection.transaction(insertAll).immediate();
};
