// Creates, verifies and restores backups of the database. The secrets are not part of them.
import { withDatabase } from '../../platform/db/open.ts';
import { OperatorError } from '../../platform/values/errors.ts';
import { type BackupContent, checkSchema, findSecretProblems } from './backupContent.ts';
import {
  type BackupKind,
  createFile,
  exists,
  readKind,
  verifyChecksum,
  writeChecksum,
} from './backupFile.ts';
import { dumpPostgres, readPostgresContent, restorePostgres, type ToolEnv } from './postgresBackup.ts';
import { copySqlite, readSqliteContent, restoreSqlite } from './sqliteBackup.ts';

export type BackupSettings = {
  databaseUrl: string;
  secretsDir: string;
  /** For pg_dump and pg_restore. */
  env: ToolEnv;
};

/** `onProgress` receives the number of bytes written. */
type CreateOptions = { signal: AbortSignal; onProgress(bytes: number): void };

const kindOf = (databaseUrl: string): BackupKind =>
  databaseUrl.startsWith('sqlite:') ? 'sqlite' : 'postgres';

const sqliteFileOf = (databaseUrl: string): string => databaseUrl.slice('sqlite:'.length);

/**
 * Writes a backup of the current database to a new file, and its checksum next to it, while others keep using the database.
 * Throws OperatorError; then there is no file.
 */
export const createBackup = async (
  settings: BackupSettings,
  file: string,
  options: CreateOptions,
): Promise<{ kind: BackupKind; bytes: number; sha256: string }> => {
  const { databaseUrl } = settings;
  const kind = kindOf(databaseUrl);
  const source = sqliteFileOf(databaseUrl);
  if (kind === 'sqlite' && !(await exists(source)))
    throw new OperatorError(
      `There is no database to back up: DATABASE_URL names ${source}, which does not exist.`,
    );
  await createFile(file, (temporary) =>
    kind === 'sqlite'
      ? copySqlite(source, temporary, options)
      : withDatabase(databaseUrl, (db) => dumpPostgres(db, temporary, { ...settings, ...options })),
  );
  return { kind, ...(await writeChecksum(file)) };
};

export type Verified = {
  kind: BackupKind;
  /** True if there was a checksum to compare with. */
  hasChecksum: boolean;
  rows: BackupContent['rows'];
  /** The number of migrations that had run. */
  schemaVersion: number;
  /** Problems with the files in SECRETS_DIR. */
  secretProblems: string[];
};

/** Reads a whole backup. Throws OperatorError if it is damaged, or incompatible with this version. */
export const verifyBackup = async ({ secretsDir, env }: BackupSettings, file: string): Promise<Verified> => {
  const kind = await readKind(file);
  const hasChecksum = await verifyChecksum(file);
  const content = kind === 'sqlite' ? readSqliteContent(file) : await readPostgresContent(file, env);
  checkSchema(file, content);
  return {
    ...{ kind, hasChecksum, rows: content.rows, schemaVersion: content.migrations.length },
    secretProblems: findSecretProblems(secretsDir, content),
  };
};

/** SQLite would apply the log of another database. */
const refuseExisting = async (target: string): Promise<void> => {
  for (const existing of [target, `${target}-wal`, `${target}-shm`]) {
    if (await exists(existing))
      throw new OperatorError(`The database ${existing} already exists: move it elsewhere first.`);
  }
};

/**
 * Verifies a backup and restores it to a database that must not exist or, on PostgreSQL, must have no tables. Throws OperatorError;
 * then the database is unchanged.
 */
export const restoreBackup = async (settings: BackupSettings, file: string): Promise<Verified> => {
  const { databaseUrl } = settings;
  const kind = kindOf(databaseUrl);
  const names = { sqlite: 'SQLite', postgres: 'PostgreSQL' };
  if ((await readKind(file)) !== kind)
    throw new OperatorError(`${file} is not a ${names[kind]} backup, which DATABASE_URL requires.`);
  const target = sqliteFileOf(databaseUrl);
  if (kind === 'sqlite') await refuseExisting(target);
  const verified = await verifyBackup(settings, file);
  if (kind === 'sqlite') await createFile(target, (temporary) => restoreSqlite(file, temporary));
  else await withDatabase(databaseUrl, (db) => restorePostgres(db, file, settings));
  return verified;
};
