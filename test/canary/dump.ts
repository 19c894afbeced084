// Everything that a database holds: all columns of all tables, and on SQLite the very bytes of its files.
import { readFile } from 'node:fs/promises';
import type { Database, Queries } from '../../src/db/open.ts';

export type Row = Record<string, unknown>;

type Readable = { dialect: Database['dialect']; read: Queries };

const tablesOf = async ({ dialect, read }: Readable): Promise<string[]> => {
  const question =
    dialect === 'sqlite'
      ? `select name from sqlite_master where type = 'table'`
      : `select table_name as name from information_schema.tables where table_schema = 'public'`;
  const answer = await read.raw(question);
  const rows: { name: string }[] = dialect === 'sqlite' ? answer : answer.rows;
  return rows.map(({ name }) => name);
};

/** Every row of every table. */
export const dumpTables = async (db: Readable): Promise<Map<string, Row[]>> => {
  const tables = new Map<string, Row[]>();
  for (const table of await tablesOf(db)) tables.set(table, await db.read(table).select('*'));
  return tables;
};

/** All that is in some tables as one run of bytes. */
export const bytesOf = (tables: Map<string, Row[]>): Buffer =>
  Buffer.concat(
    [...tables.values()].flat().flatMap((row) =>
      Object.values(row).flatMap((value) => {
        if (value === null) return [];
        return [Buffer.isBuffer(value) ? value : Buffer.from(String(value)), Buffer.from('\n')];
      }),
    ),
  );

/** What lies on the disk of a SQLite database: its file, its write-ahead log and the index of that. */
export const sqliteFiles = async (url: string): Promise<Buffer> => {
  const file = url.slice('sqlite:'.length);
  const parts = await Promise.all(
    ['', '-wal', '-shm'].map((part) => readFile(file + part).catch(() => Buffer.alloc(0))),
  );
  return Buffer.concat(parts);
};
