// What is left of something in a database: every row of every table, and every byte of SQLite's files.
import { readFile } from 'node:fs/promises';
import type { Service } from '../../src/service.ts';

const tablesOf = async ({ db }: Service): Promise<string[]> => {
  const rows: { name: string }[] =
    db.dialect === 'sqlite'
      ? await db.read('sqlite_master').where({ type: 'table' }).select('name')
      : await db.read('pg_tables').where({ schemaname: 'public' }).select({ name: 'tablename' });
  return rows.map(({ name }) => name);
};

const cellText = (value: unknown): string =>
  Buffer.isBuffer(value) ? value.toString('latin1') : String(value);

/** The tables that name one of these words, with the word: `connections: con_…`. */
export const findInTables = async (service: Service, words: readonly string[]): Promise<string[]> => {
  const found = new Set<string>();
  for (const table of await tablesOf(service)) {
    const rows: Record<string, unknown>[] = await service.db.read(table);
    const text = rows.map((row) => Object.values(row).map(cellText).join('\n')).join('\n');
    for (const word of words) if (text.includes(word)) found.add(`${table}: ${word}`);
  }
  return [...found];
};

const anyId = /(?:con|acc|txn|usr|lks)_[0-9A-Za-z]{22}/g;

/** The ids, and the other words, that stand anywhere in SQLite's file or beside it. */
export const findInFiles = async ({ config }: Service, words: readonly string[]): Promise<string[]> => {
  const file = config.databaseUrl.slice('sqlite:'.length);
  const found = new Set<string>();
  for (const part of ['', '-wal', '-shm']) {
    const text = await readFile(`${file}${part}`, 'latin1').catch(() => '');
    // One pass for thousands of ids.
    const ids = new Set(text.match(anyId));
    for (const word of words) {
      if (ids.has(word) || (!/^\w{3}_\w{22}$/.test(word) && text.includes(word))) found.add(word);
    }
  }
  return [...found];
};
