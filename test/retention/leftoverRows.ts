// Finds texts in every row of every table, and in every byte of SQLite's files.
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

/** The tables that contain one of these texts, with the text: `connections: con_…`. */
export const findInTables = async (service: Service, searchTexts: readonly string[]): Promise<string[]> => {
  const found = new Set<string>();
  for (const table of await tablesOf(service)) {
    const rows: Record<string, unknown>[] = await service.db.read(table);
    const content = rows.map((row) => Object.values(row).map(cellText).join('\n')).join('\n');
    for (const text of findTexts(content, searchTexts)) found.add(`${table}: ${text}`);
  }
  return [...found];
};

/** One pass finds thousands of ids. */
const findTexts = (content: string, searchTexts: readonly string[]): string[] => {
  const ids = new Set(content.match(anyId));
  return searchTexts.filter(
    (text) => ids.has(text) || (!/^\w{3}_\w{22}$/.test(text) && content.includes(text)),
  );
};

const anyId = /(?:con|acc|txn|usr|lks)_[0-9A-Za-z]{22}/g;

/** Those of these texts that SQLite's file, its log or its index contains. */
export const findInFiles = async ({ config }: Service, searchTexts: readonly string[]): Promise<string[]> => {
  const file = config.databaseUrl.slice('sqlite:'.length);
  const found = new Set<string>();
  for (const part of ['', '-wal', '-shm']) {
    const content = await readFile(`${file}${part}`, 'latin1').catch(() => '');
    for (const text of findTexts(content, searchTexts)) found.add(text);
  }
  return [...found];
};
