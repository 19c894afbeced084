// Searches every row of every table, and every byte of SQLite's files, for strings.
import { readFile } from 'node:fs/promises';
import { fromBase62 } from '../../src/platform/values/ids.ts';
import type { Service } from '../../src/service.ts';

const tablesOf = async ({ db }: Pick<Service, 'db'>): Promise<string[]> => {
  const rows: { name: string }[] =
    db.dialect === 'sqlite'
      ? await db.read('sqlite_master').where({ type: 'table' }).select('name')
      : await db.read('pg_tables').where({ schemaname: 'public' }).select({ name: 'tablename' });
  return rows.map(({ name }) => name);
};

const cellText = (value: unknown): string =>
  Buffer.isBuffer(value) ? value.toString('latin1') : String(value);

/** The tables that contain one of these texts, with the text: `connections: con_…`. */
export const findInTables = async (
  service: Pick<Service, 'db'>,
  searchTexts: readonly string[],
): Promise<string[]> => {
  const found = new Set<string>();
  for (const table of await tablesOf(service)) {
    const rows: Record<string, unknown>[] = await service.db.read(table);
    const content = rows.map((row) => Object.values(row).map(cellText).join('\n')).join('\n');
    for (const text of findTexts(Buffer.from(content, 'latin1'), searchTexts)) found.add(`${table}: ${text}`);
  }
  return [...found];
};

/** One pass finds thousands of ids; a second finds the ids of transactions, which rows store as 16 bytes. */
const findTexts = (content: Buffer, searchTexts: readonly string[]): string[] => {
  const ids = new Set(content.toString('latin1').match(anyId));
  const transactionIds = findTransactionIds(content, searchTexts);
  return searchTexts.filter(
    (text) =>
      ids.has(text) ||
      transactionIds.has(text) ||
      (!/^\w{3}_\w{22}$/.test(text) && content.includes(text, 'latin1')),
  );
};

const anyId = /(?:con|acc|txn|usr|lks)_[0-9A-Za-z]{22}/g;

const findTransactionIds = (content: Buffer, searchTexts: readonly string[]): Set<string> => {
  const ids = searchTexts
    .filter((text) => text.startsWith('txn_'))
    .map((text) => ({ text, bytes: fromBase62(text.slice('txn_'.length))! }));
  const byStart = Map.groupBy(ids, ({ bytes }) => bytes.readUInt32LE());
  const found = new Set<string>();
  if (ids.length === 0) return found;
  for (let at = 0; at <= content.length - 16; at++) {
    for (const { text, bytes } of byStart.get(content.readUInt32LE(at)) ?? []) {
      if (bytes.equals(content.subarray(at, at + bytes.length))) found.add(text);
    }
  }
  return found;
};

/** The given texts that SQLite's file, its log or its index contains. */
export const findInFiles = async ({ config }: Service, searchTexts: readonly string[]): Promise<string[]> => {
  const file = config.databaseUrl.slice('sqlite:'.length);
  const found = new Set<string>();
  for (const part of ['', '-wal', '-shm']) {
    const content = await readFile(`${file}${part}`).catch(() => Buffer.alloc(0));
    for (const text of findTexts(content, searchTexts)) found.add(text);
  }
  return [...found];
};
