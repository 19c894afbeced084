// The service as its users start it, on a database of its own: a process that is killed without a word, and another
// one that is started where it was.
import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';
import { type Database, openDatabase } from '../../src/db/open.ts';
import { type LongRunningCommand, runCli, type Settings, startLongRunning } from '../support/cli.ts';
import type { DatabaseKind } from '../support/databases.ts';
import type { SandboxFileRow } from '../support/sandboxFile.ts';
import { hostOrigin } from '../support/testService.ts';
import { writeRows } from './expectedState.ts';

export type Installation = {
  /** Where it listens; another port after each start, as for a page whose proxy finds the new one. */
  url: string;
  applicationId: string;
  apiKey: string;
  start(): Promise<void>;
  /** SIGKILL; returns when nothing of the process is left. */
  kill(): Promise<void>;
  /** Loads a file of the sandbox bank, while the service runs or not. */
  load(rows: readonly SandboxFileRow[]): Promise<void>;
  /** Asks the database; of a dead service on SQLite a copy: who is started next finds the files as they were. */
  query<Answer>(question: (db: Database) => Promise<Answer>): Promise<Answer>;
  close(): Promise<void>;
};

/** One second: a whole one is the shortest lease. */
const leaseSeconds = '1';

export const install = async (kind: DatabaseKind): Promise<Installation> => {
  const directory = await mkdtemp(join(tmpdir(), 'bank-connection-kill-'));
  const database = await kind.create();
  const settings: Settings = {
    ...{ DATA_DIR: directory, DATABASE_URL: database.url, PORT: '0', LEASE_SECONDS: leaseSeconds },
  };
  const make = async (...words: string[]): Promise<Record<string, string>> => {
    const said = await runCli(settings, ...words, '--json');
    if (said.code !== 0) throw new Error(said.err);
    return said.json();
  };
  await make('organizations', 'create', '--name', 'Tests');
  const shop = ['--name', 'Shop', '--environment', 'sandbox', '--origin', hostOrigin];
  const { applicationId } = await make('applications', 'create', ...shop);
  const { apiKey } = await make('api-keys', 'create', '--application', applicationId!);
  let serving: LongRunningCommand | undefined;
  const installation: Installation = {
    url: '',
    applicationId: applicationId!,
    apiKey: apiKey!,
    start: async () => {
      serving = await startLongRunning(settings, 'serve');
      installation.url = `http://127.0.0.1:${serving.result.port}`;
    },
    kill: async () => {
      await serving!.stop('SIGKILL');
      serving = undefined;
      if (kind.name === 'PostgreSQL') await untilOthersDisconnected(database.url);
    },
    load: async (rows) => {
      const path = join(directory, 'bank.csv');
      await writeRows(path, rows);
      await make('sandbox', 'load', path);
    },
    query: (question) =>
      serving || kind.name === 'PostgreSQL'
        ? queryDatabase(database.url, question)
        : queryCopy(database.url, question),
    close: async () => {
      await serving?.stop();
      await database.drop();
      await rm(directory, { recursive: true, force: true });
    },
  };
  return installation;
};

const queryDatabase = async <Answer>(
  url: string,
  question: (db: Database) => Promise<Answer>,
): Promise<Answer> => {
  const db = await openDatabase(url);
  try {
    return await question(db);
  } finally {
    await db.close();
  }
};

const queryCopy = async <Answer>(
  url: string,
  question: (db: Database) => Promise<Answer>,
): Promise<Answer> => {
  const file = url.slice('sqlite:'.length);
  const directory = await mkdtemp(join(tmpdir(), 'bank-connection-copy-'));
  const copy = join(directory, 'copy.db');
  try {
    await copyFile(file, copy);
    // Not there, where the process before left nothing in it.
    if (existsSync(`${file}-wal`)) await copyFile(`${file}-wal`, `${copy}-wal`);
    return await queryDatabase(`sqlite:${copy}`, question);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
};

// The server goes on with what the dead process asked last, a COMMIT perhaps, and only then finds nobody there.
const untilOthersDisconnected = (url: string): Promise<void> =>
  queryDatabase(url, async (db) => {
    const others = 'datname = current_database() and pid <> pg_backend_pid()';
    const alone = async () => !(await db.read('pg_stat_activity').whereRaw(others).first('pid'));
    await vi.waitUntil(alone, { timeout: 20_000, interval: 10 });
  });
