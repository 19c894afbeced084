// The service as its users start it, on a database of its own: a process that is killed without a word, and another
// one that is started where it was.
import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';
import { type Database, openDatabase } from '../../src/db/open.ts';
import { runHere, type Settings, type Staying, startStaying } from '../commands/operator.ts';
import type { DatabaseKind } from '../databases.ts';
import { hostOrigin } from '../harness.ts';
import type { FileRow } from '../transactions/bankFile.ts';
import { writeRows } from './truth.ts';

export type Installation = {
  /** Where it listens; another port after each start, as for a page whose proxy finds the new one. */
  url: string;
  applicationId: string;
  apiKey: string;
  start(): Promise<void>;
  /** SIGKILL; returns when nothing of the process is left. */
  kill(): Promise<void>;
  /** Loads a file of the sandbox bank, while the service runs or not. */
  load(rows: readonly FileRow[]): Promise<void>;
  /** Asks the database; of a dead service on SQLite a copy: who is started next finds the files as they were. */
  ask<Answer>(question: (db: Database) => Promise<Answer>): Promise<Answer>;
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
    const said = await runHere(settings, ...words, '--json');
    if (said.code !== 0) throw new Error(said.err);
    return said.json();
  };
  await make('organizations', 'create', '--name', 'Tests');
  const shop = ['--name', 'Shop', '--environment', 'sandbox', '--origin', hostOrigin];
  const { applicationId } = await make('applications', 'create', ...shop);
  const { apiKey } = await make('keys', 'create', '--application', applicationId!);
  let serving: Staying | undefined;
  const installation: Installation = {
    url: '',
    applicationId: applicationId!,
    apiKey: apiKey!,
    start: async () => {
      serving = await startStaying(settings, 'serve');
      installation.url = `http://127.0.0.1:${serving.answer.port}`;
    },
    kill: async () => {
      await serving!.stop('SIGKILL');
      serving = undefined;
      if (kind.name === 'PostgreSQL') await untilAlone(database.url);
    },
    load: async (rows) => {
      const path = join(directory, 'bank.csv');
      await writeRows(path, rows);
      await make('sandbox', 'load', path);
    },
    ask: (question) =>
      serving || kind.name === 'PostgreSQL' ? at(database.url, question) : atCopy(database.url, question),
    close: async () => {
      await serving?.stop();
      await database.drop();
      await rm(directory, { recursive: true, force: true });
    },
  };
  return installation;
};

const at = async <Answer>(url: string, question: (db: Database) => Promise<Answer>): Promise<Answer> => {
  const db = await openDatabase(url);
  try {
    return await question(db);
  } finally {
    await db.close();
  }
};

const atCopy = async <Answer>(url: string, question: (db: Database) => Promise<Answer>): Promise<Answer> => {
  const file = url.slice('sqlite:'.length);
  const directory = await mkdtemp(join(tmpdir(), 'bank-connection-copy-'));
  const copy = join(directory, 'copy.db');
  try {
    await copyFile(file, copy);
    // Not there, where the process before left nothing in it.
    if (existsSync(`${file}-wal`)) await copyFile(`${file}-wal`, `${copy}-wal`);
    return await at(`sqlite:${copy}`, question);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
};

// The server goes on with what the dead process asked last, a COMMIT perhaps, and only then finds nobody there.
const untilAlone = (url: string): Promise<void> =>
  at(url, async (db) => {
    const others = 'datname = current_database() and pid <> pg_backend_pid()';
    const alone = async () => !(await db.read('pg_stat_activity').whereRaw(others).first('pid'));
    await vi.waitUntil(alone, { timeout: 20_000, interval: 10 });
  });
