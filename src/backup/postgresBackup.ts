// Backups of a PostgreSQL database, by pg_dump and pg_restore.
import { stat } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import type { Database } from '../db/open.ts';
import { OperatorError } from '../errors.ts';
import { type BackupContent, countedTables, requireTables } from './backupContent.ts';
import { connectionOf, requireTool, runTool, type ToolEnv } from './postgresTools.ts';

const progressMs = 500;

/** The version of the server, such as 18.4. */
const findServerVersion = async (db: Database): Promise<string> => {
  const rows = await db.read.raw<{ server_version: string }[]>('show server_version');
  return rows[0]!.server_version.split(' ')[0]!;
};

const refuseCluster = async (db: Database): Promise<void> => {
  if (!(await db.read('pg_extension').where({ extname: 'citus' }).first('extname'))) return;
  const rows = await db.read.raw<unknown[]>('select 1 from pg_dist_partition limit 1');
  if (rows.length === 0) return;
  throw new OperatorError(
    'The tables are distributed with Citus, and pg_dump has no consistent copy of several nodes: docs/operating.md says how to back up a cluster.',
  );
};

type Target = { databaseUrl: string; env: ToolEnv };
type DumpOptions = Target & { onProgress(bytes: number): void; signal: AbortSignal };

/** Writes the database as it is now into a file, while others read and write it. Throws OperatorError. */
export const dumpPostgres = async (
  db: Database,
  target: string,
  { databaseUrl, env, onProgress, signal }: DumpOptions,
): Promise<void> => {
  await refuseCluster(db);
  await requireTool('pg_dump', { serverVersion: await findServerVersion(db), env });
  const connection = connectionOf(databaseUrl, env);
  const timer = setInterval(() => void stat(target).then(({ size }) => onProgress(size)), progressMs);
  try {
    const args = [
      '--format=custom',
      '--no-owner',
      '--no-privileges',
      `--file=${target}`,
      connection.argument,
    ];
    await runTool('pg_dump', args, { env: connection.env, signal });
  } finally {
    clearInterval(timer);
  }
};

/** Reads the whole archive. Throws OperatorError if it is damaged, or not of this service. */
export const readPostgresContent = async (file: string, env: ToolEnv): Promise<BackupContent> => {
  const rows = new Map<string, number>();
  const kept = new Map<string, Record<string, string>[]>([...keptTables].map((table) => [table, []]));
  await runTool('pg_restore', ['--file=-', file], {
    env,
    read: async (output) => {
      let copied: { table: string; columns: string[] } | undefined;
      for await (const line of createInterface({ input: output })) {
        if (!copied) copied = parseCopy(line);
        else if (line === '\\.') copied = undefined;
        else {
          const { table, columns } = copied;
          rows.set(table, (rows.get(table) ?? 0) + 1);
          kept.get(table)?.push(parseRow(columns, line));
        }
        if (copied && !rows.has(copied.table)) rows.set(copied.table, 0);
      }
    },
  });
  requireTables(file, rows);
  return toContent(rows, kept);
};

const keptTables = new Set(['schema_migrations', 'schema_compatibility', 'service_secrets']);

/** The beginning of a table's rows in a script of pg_restore. */
const parseCopy = (line: string): { table: string; columns: string[] } | undefined => {
  const [, table, columns] = /^COPY \w+\.(\w+) \(([^)]*)\) FROM stdin;$/.exec(line) ?? [];
  return table && columns ? { table, columns: columns.split(', ') } : undefined;
};

/** The values of a row, as text; none of the kept columns has a character that would be escaped. */
const parseRow = (columns: readonly string[], line: string): Record<string, string> => {
  const values = line.split('\t');
  return Object.fromEntries(
    columns.flatMap((column, at) => (values[at] === '\\N' ? [] : [[column, values[at]!]])),
  );
};

const toContent = (
  rows: ReadonlyMap<string, number>,
  kept: ReadonlyMap<string, Record<string, string>[]>,
): BackupContent => {
  const oldest = kept.get('schema_compatibility')![0]?.oldest_version;
  return {
    migrations: kept.get('schema_migrations')!.map(({ name }) => name!),
    oldestVersion: oldest === undefined ? undefined : Number(oldest),
    secrets: kept.get('service_secrets')!.map(({ name, ordinal, key_id, public_key_id }) => ({
      name: name!,
      ordinal: Number(ordinal),
      keyId: key_id!,
      publicKeyId: public_key_id ?? null,
    })),
    rows: Object.fromEntries(
      countedTables.map((table) => [table, rows.get(table) ?? 0]),
    ) as BackupContent['rows'],
  };
};

/** Restores into a database without tables, in one transaction. Throws OperatorError. */
export const restorePostgres = async (
  db: Database,
  file: string,
  { databaseUrl, env }: Target,
): Promise<void> => {
  const rows = await db.read.raw<{ tablename: string }[]>(
    `select tablename from pg_tables where schemaname = 'public' limit 1`,
  );
  if (rows.length > 0)
    throw new OperatorError(
      `The database of DATABASE_URL is not empty: it has the table ${rows[0]!.tablename}. Restore into a new database.`,
    );
  await requireTool('pg_restore', { serverVersion: await findServerVersion(db), env });
  const connection = connectionOf(databaseUrl, env);
  const args = [
    '--no-owner',
    '--no-privileges',
    '--single-transaction',
    '--exit-on-error',
    connection.argument,
    file,
  ];
  await runTool('pg_restore', args, { env: connection.env });
};
