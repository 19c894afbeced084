// Backs up PostgreSQL databases with pg_dump and pg_restore from the PATH.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import type { Database } from '../../platform/db/open.ts';
import { OperatorError } from '../../platform/values/errors.ts';
import { type BackupContent, countedTables, requireTables } from './backupContent.ts';

const progressMs = 500;

/** The restoring role owns the tables, whatever their previous owner. */
const withoutOwners = ['--no-owner', '--no-privileges'];

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
    'The tables are distributed with Citus, and pg_dump cannot copy several nodes consistently. To back up a cluster, see docs/operating/back-up.md.',
  );
};

type Target = { databaseUrl: string; env: ToolEnv };
type DumpOptions = Target & { onProgress(bytes: number): void; signal: AbortSignal };

/** Writes the current database into a file, while others read and write it. Throws OperatorError. */
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
    const args = ['--format=custom', ...withoutOwners, `--file=${target}`, connection.argument];
    await runTool('pg_dump', args, { env: connection.env, signal });
  } finally {
    clearInterval(timer);
  }
};

/** Reads the whole archive. Throws OperatorError if it is damaged, or not from this service. */
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

/** The header of a table's rows in a script of pg_restore. */
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
      `The database in DATABASE_URL is not empty: it has the table ${rows[0]!.tablename}. Restore into a new database.`,
    );
  await requireTool('pg_restore', { serverVersion: await findServerVersion(db), env });
  const connection = connectionOf(databaseUrl, env);
  const atOnce = ['--single-transaction', '--exit-on-error'];
  const args = [...withoutOwners, ...atOnce, connection.argument, file];
  await runTool('pg_restore', args, { env: connection.env });
};

type Tool = 'pg_dump' | 'pg_restore';

/** The environment variables of a program. */
export type ToolEnv = Record<string, string | undefined>;

type ToolOptions = {
  env: ToolEnv;
  signal?: AbortSignal;
  /** Reads the program's output while it runs. */
  read?: (output: NodeJS.ReadableStream) => Promise<void>;
};

const errorBytesMax = 2000;

/** Runs a program. Throws OperatorError with the last line of its error output, or if there is no such program. */
export const runTool = async (
  tool: Tool,
  args: readonly string[],
  { env, signal, read }: ToolOptions,
): Promise<void> => {
  const child = spawn(tool, args, {
    ...{ env, signal },
    stdio: ['ignore', read ? 'pipe' : 'ignore', 'pipe'],
  });
  const errors = collectErrors(child);
  const exited = once(child, 'close');
  const [[code]] = await Promise.all([exited, read?.(child.stdout!)]).catch((error) => {
    child.kill();
    throw isMissing(error) ? new OperatorError(`${tool} is not in the PATH.`) : error;
  });
  if (code !== 0) throw new OperatorError(`${tool} failed: ${errors().trim().split('\n').at(-1)}`);
};

const isMissing = ({ code }: NodeJS.ErrnoException): boolean => code === 'ENOENT';

const collectErrors = (child: ChildProcess): (() => string) => {
  let text = '';
  child.stderr!.setEncoding('utf8').on('data', (chunk: string) => {
    text = (text + chunk).slice(-errorBytesMax);
  });
  return () => text;
};

/** The version of a program, such as 15.14; undefined if it is not in the PATH. */
const findToolVersion = async (tool: Tool, env: ToolEnv): Promise<string | undefined> => {
  let output = '';
  const read = async (lines: NodeJS.ReadableStream): Promise<void> => {
    for await (const chunk of lines) output += chunk;
  };
  try {
    await runTool(tool, ['--version'], { env, read });
  } catch (error) {
    if (error instanceof OperatorError) return undefined;
    throw error;
  }
  return /\d[\d.]*/.exec(output)?.[0];
};

const majorOf = (version: string): number => Number.parseInt(version, 10);

/** Throws OperatorError unless the program exists and is not older than the server. */
export const requireTool = async (
  tool: Tool,
  { serverVersion, env }: { serverVersion: string; env: ToolEnv },
): Promise<void> => {
  const version = await findToolVersion(tool, env);
  const advice = `install PostgreSQL’s client programs of version ${majorOf(serverVersion)} or later`;
  if (version === undefined)
    throw new OperatorError(
      `The server is PostgreSQL ${serverVersion}, but ${tool} is not in the PATH: ${advice}.`,
    );
  if (majorOf(version) >= majorOf(serverVersion)) return;
  throw new OperatorError(
    `The server is PostgreSQL ${serverVersion}, but ${tool} is the older version ${version}: ${advice}.`,
  );
};

/** The connection arguments of a program. The password is never an argument, because arguments are public. */
export const connectionOf = (databaseUrl: string, env: ToolEnv): { argument: string; env: ToolEnv } => {
  const url = new URL(databaseUrl);
  // The same precedence as in the service's own driver: first the password in the query.
  const password = url.searchParams.getAll('password').at(-1) || decodeURIComponent(url.password);
  url.password = '';
  // Not edited by searchParams, which would write the spaces of other parameters as +.
  const query = url.search.slice(1).split('&');
  url.search = query.filter((parameter) => !/^password(=|$)/.test(parameter)).join('&');
  return { argument: `--dbname=${url.href}`, env: password ? { ...env, PGPASSWORD: password } : env };
};
