// Access to the database as an owner of its file or server: without the service's client, with foreign keys and triggers off.
// Reads the tables and columns from the schema, so that it finds new ones.
import { copyFile } from 'node:fs/promises';
import BetterSqlite3 from 'better-sqlite3';
import pg from 'pg';
import type { DatabaseKind, TestDatabase } from '../support/databases.ts';
import { createFromTemplate, postgresServer } from '../support/postgresDatabases.ts';

export type Value = string | number | Buffer | null;
export type Row = Record<string, Value>;
export type Table = { name: string; columns: string[]; primaryKey: string[] };

export type RawDatabase = {
  tables(): Promise<Table[]>;
  rows(table: string): Promise<Row[]>;
  /** Throws the database's error if it refuses the change. */
  update(table: Table, row: Row, change: Row): Promise<void>;
  close(): Promise<void>;
};

const sqliteTables = `select t.name as "table", c.name as "column", c.pk as key from sqlite_master t, pragma_table_info(t.name) c
  where t.type = 'table' and t.name not like 'sqlite_%' order by t.name, c.cid`;
const postgresTables = `select c.table_name as "table", c.column_name as "column", coalesce(k.ordinal_position, 0) as key
  from information_schema.columns c
  left join information_schema.table_constraints p
    on p.table_schema = 'public' and p.table_name = c.table_name and p.constraint_type = 'PRIMARY KEY'
  left join information_schema.key_column_usage k
    on k.constraint_name = p.constraint_name and k.table_name = c.table_name and k.column_name = c.column_name
  where c.table_schema = 'public' order by c.table_name, c.ordinal_position`;

type ColumnRow = { table: string; column: string; key: number };

const toTables = (found: ColumnRow[]): Table[] =>
  [...Map.groupBy(found, ({ table }) => table)].map(([name, columns]) => ({
    name,
    columns: columns.map(({ column }) => column),
    primaryKey: columns.filter(({ key }) => key > 0).map(({ column }) => column),
  }));

/** The columns that identify a row: the primary key, or all. */
const identify = ({ primaryKey, columns }: Table, row: Row): [string, Value][] =>
  (primaryKey.length > 0 ? primaryKey : columns).map((column) => [column, row[column]!]);

const openSqlite = (file: string): RawDatabase => {
  const db = new BetterSqlite3(file);
  db.pragma('foreign_keys = OFF');
  const triggers = db.prepare(`select name, sql from sqlite_master where type = 'trigger'`).all() as Row[];
  return {
    tables: async () => toTables(db.prepare(sqliteTables).all() as ColumnRow[]),
    rows: async (table) => db.prepare(`select * from "${table}"`).all() as Row[],
    update: async (table, row, change) => {
      const where = identify(table, row);
      const set = Object.keys(change).map((column) => `"${column}" = ?`);
      const condition = where.map(([column]) => `"${column}" is ?`).join(' and ');
      db.transaction(() => {
        for (const { name } of triggers) db.exec(`drop trigger ${name}`);
        const values = [...Object.values(change), ...where.map(([, value]) => value)];
        db.prepare(`update "${table.name}" set ${set} where ${condition}`).run(values);
        for (const { sql } of triggers) db.exec(sql as string);
      })();
    },
    close: async () => void db.close(),
  };
};

const types = {
  getTypeParser: (id: number, format?: 'text' | 'binary') =>
    id === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(id, format as 'text'),
} as typeof pg.types;

const openPostgres = async (url: string): Promise<RawDatabase> => {
  const client = new pg.Client({ connectionString: url, types });
  await client.connect();
  await client.query('set session_replication_role = replica');
  return {
    tables: async () => toTables((await client.query(postgresTables)).rows),
    rows: async (table) => (await client.query(`select * from "${table}"`)).rows,
    update: async (table, row, change) => {
      const where = identify(table, row);
      const columns = Object.keys(change);
      const set = columns.map((column, at) => `"${column}" = $${at + 1}`);
      const condition = where.map(
        ([column], at) => `"${column}" is not distinct from $${columns.length + at + 1}`,
      );
      const values = [...Object.values(change), ...where.map(([, value]) => value)];
      await client.query(`update "${table.name}" set ${set} where ${condition.join(' and ')}`, values);
    },
    close: () => client.end(),
  };
};

export const openRawDatabase = async (url: string): Promise<RawDatabase> =>
  url.startsWith('sqlite:') ? openSqlite(url.slice('sqlite:'.length)) : openPostgres(url);

/** A copy of a database that nothing uses. */
export const copyDatabase = async (kind: DatabaseKind, original: TestDatabase): Promise<TestDatabase> => {
  if (kind.name === 'SQLite') {
    const copy = await kind.create();
    await copyFile(fileOf(original), fileOf(copy));
    return copy;
  }
  const name = new URL(original.url).pathname.slice(1);
  return createFromTemplate(await postgresServer(), { name: async () => name, make: async () => {} });
};

const fileOf = ({ url }: TestDatabase): string => url.slice('sqlite:'.length);
