// The entire contents of a database: all columns of all tables, and on SQLite the bytes of its files.
import { readFile } from 'node:fs/promises';
import type { Database, Queries } from '../../src/platform/db/open.ts';

export type Row = Record<string, unknown>;

type Readable = { dialect: Database['dialect']; read: Queries };

const tablesOf = async ({ dialect, read }: Readable): Promise<string[]> => {
  const query =
    dialect === 'sqlite'
      ? `select name from sqlite_master where type = 'table'`
      : `select table_name as name from information_schema.tables where table_schema = 'public'`;
  const rows = await read.raw<{ name: string }[]>(query);
  return rows.map(({ name }) => name);
};

/** Every row of every table. */
export const dumpTables = async (db: Readable): Promise<Map<string, Row[]>> => {
  const tables = new Map<string, Row[]>();
  for (const table of await tablesOf(db)) tables.set(table, await db.read(table).select('*'));
  return tables;
};

/** All values of some tables as one buffer. */
export const bytesOf = (tables: Map<string, Row[]>): Buffer =>
  Buffer.concat(
    [...tables.values()].flat().flatMap((row) =>
      Object.values(row).flatMap((value) => {
        if (value === null) return [];
        return [Buffer.isBuffer(value) ? value : Buffer.from(String(value)), Buffer.from('\n')];
      }),
    ),
  );

/** The files of a SQLite database: the database, its write-ahead log and that log's index. */
export const sqliteFiles = async (url: string): Promise<Buffer> => {
  const file = url.slice('sqlite:'.length);
  const parts = await Promise.all(
    ['', '-wal', '-shm'].map((part) => readFile(file + part).catch(() => Buffer.alloc(0))),
  );
  return Buffer.concat(parts);
};
