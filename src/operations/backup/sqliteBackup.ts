// Backs up a SQLite file with SQLite's online backup. The copy is an ordinary SQLite file without deleted rows.
import { copyFile } from 'node:fs/promises';
import BetterSqlite3 from 'better-sqlite3';
import { OperatorError } from '../../platform/values/errors.ts';
import { type BackupContent, countedTables, requireTables } from './backupContent.ts';

/** The number of pages (4 MB) that are copied before the process does other work. */
const pagesPerStep = 1000;

/** Copies the current database into an empty file, while others read and write it. Its memory use does not depend on the size. */
export const copySqlite = async (
  source: string,
  target: string,
  { onProgress, signal }: { onProgress(bytes: number): void; signal: AbortSignal },
): Promise<void> => {
  const database = new BetterSqlite3(source, { readonly: true, fileMustExist: true });
  try {
    // The open transaction pins this state. Without it, each write of another process would restart the copy.
    database.exec('begin');
    database.prepare('select count(*) from sqlite_schema').get();
    const pageBytes = database.pragma('page_size', { simple: true }) as number;
    await database.backup(target, {
      progress: ({ totalPages, remainingPages }) => {
        signal.throwIfAborted();
        onProgress((totalPages - remainingPages) * pageBytes);
        return pagesPerStep;
      },
    });
  } finally {
    database.close();
  }
  completeCopy(target);
};

/** Removes the remains of deleted rows, and leaves WAL mode, in which each reader would create two more files. */
const completeCopy = (file: string): void => {
  const copy = new BetterSqlite3(file);
  try {
    copy.pragma('journal_mode = delete');
    if (copy.pragma('user_version', { simple: true }) === 0) return;
    copy.exec('vacuum');
    copy.pragma('user_version = 0');
  } finally {
    copy.close();
  }
};

/** Checks the whole file. Throws OperatorError if it is damaged, or not from this service. */
export const readSqliteContent = (file: string): BackupContent => {
  let database: BetterSqlite3.Database | undefined;
  try {
    database = new BetterSqlite3(file, { readonly: true });
    const integrity = database.pragma('integrity_check(1)', { simple: true });
    const foreign = database.pragma('foreign_key_check') as unknown[];
    if (integrity !== 'ok' || foreign.length > 0) throw damaged(file);
    return readTables(database, file);
  } catch (error) {
    if (error instanceof BetterSqlite3.SqliteError) throw damaged(file);
    throw error;
  } finally {
    database?.close();
  }
};

const damaged = (file: string): OperatorError =>
  new OperatorError(`${file} is damaged: SQLite found errors in it.`);

const readTables = (database: BetterSqlite3.Database, file: string): BackupContent => {
  const all = <Row>(sql: string): Row[] => database.prepare<[], Row>(sql).all();
  const tables = new Set(
    all<{ name: string }>(`select name from sqlite_schema where type = 'table'`).map(({ name }) => name),
  );
  requireTables(file, tables);
  const compatibility = tables.has('schema_compatibility')
    ? all<{ oldest_version: number }>('select oldest_version from schema_compatibility')
    : [];
  const count = (table: string): number =>
    all<{ count: number }>(`select count(*) as count from ${table}`)[0]!.count;
  return {
    migrations: all<{ name: string }>('select name from schema_migrations order by name').map(
      ({ name }) => name,
    ),
    oldestVersion: compatibility[0]?.oldest_version,
    secrets: all('select name, ordinal, key_id as keyId, public_key_id as publicKeyId from service_secrets'),
    rows: Object.fromEntries(countedTables.map((table) => [table, count(table)])) as BackupContent['rows'],
  };
};

/** Copies a backup to the database's path. */
export const restoreSqlite = (backup: string, target: string): Promise<void> => copyFile(backup, target);
