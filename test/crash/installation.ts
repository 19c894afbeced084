// The service as an operator starts it, on its own database. Its process can be killed and restarted.
import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';
import { type Database, withDatabase } from '../../src/platform/db/open.ts';
import { type LongRunningCommand, type Settings, startLongRunning } from '../support/cli.ts';
import type { DatabaseKind } from '../support/databases.ts';
import { isOfClient } from '../support/postgresDatabases.ts';
import type { SandboxFileRow } from '../support/sandboxFile.ts';
import { withTunables } from '../support/tunables.ts';
import { writeRows } from './expectedState.ts';
import { installApplication } from './installApplication.ts';

export type Installation = {
  /** The URL of the service. The port changes with each start, as behind a proxy. */
  url: string;
  applicationId: string;
  apiKey: string;
  start(): Promise<void>;
  /** Sends SIGKILL; resolves when the process and its database connections have ended. */
  kill(): Promise<void>;
  /** Loads a file into the sandbox, even while the service is stopped. */
  load(rows: readonly SandboxFileRow[]): Promise<void>;
  /** Adds a webhook endpoint on loopback. */
  addWebhookEndpoint(url: string): Promise<void>;
  /** Queries the database. On SQLite, while the service is stopped, queries a copy, so that the files from the kill do not change. */
  query<Result>(run: (db: Database) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
};

/** The shortest lease, and so little memory that a reconnect or refresh of some thousand transactions stages texts. */
const tunables = withTunables({ leaseSeconds: 1, mergeMemoryBytes: 8192 });

export const install = async (kind: DatabaseKind): Promise<Installation> => {
  const directory = await mkdtemp(join(tmpdir(), 'bank-connection-kill-'));
  const database = await kind.create();
  const settings: Settings = {
    ...{ DATA_DIR: directory, DATABASE_URL: database.url, PORT: '0', ALLOWED_NETWORKS: '127.0.0.1' },
    ...tunables,
  };
  const { applicationId, apiKey, run } = await installApplication(settings);
  let server: LongRunningCommand | undefined;
  const installation: Installation = {
    url: '',
    ...{ applicationId, apiKey },
    start: async () => {
      server = await startLongRunning(settings, 'serve');
      installation.url = `http://127.0.0.1:${server.result.port}`;
    },
    kill: async () => {
      await server!.stop('SIGKILL');
      server = undefined;
      if (kind.name !== 'SQLite') await untilOthersDisconnected(database.url);
    },
    load: async (rows) => {
      const path = join(directory, 'bank.csv');
      await writeRows(path, rows);
      await run('sandbox', 'load', path);
    },
    addWebhookEndpoint: async (url) => {
      await run('webhooks', 'create', '--application', applicationId, '--url', url);
    },
    query: (run) =>
      server || kind.name !== 'SQLite' ? withDatabase(database.url, run) : queryCopy(database.url, run),
    close: async () => {
      await server?.stop();
      await database.drop();
      await rm(directory, { recursive: true, force: true });
    },
  };
  return installation;
};

const queryCopy = async <Result>(url: string, run: (db: Database) => Promise<Result>): Promise<Result> => {
  const file = url.slice('sqlite:'.length);
  const directory = await mkdtemp(join(tmpdir(), 'bank-connection-copy-'));
  const copy = join(directory, 'copy.db');
  try {
    await copyFile(file, copy);
    // The file is missing if the previous process left nothing in it.
    if (existsSync(`${file}-wal`)) await copyFile(`${file}-wal`, `${copy}-wal`);
    return await withDatabase(`sqlite:${copy}`, run);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
};

// The server still runs the last statement of the killed process, perhaps a COMMIT, before it closes the connection.
const untilOthersDisconnected = (url: string): Promise<void> =>
  withDatabase(url, async (db) => {
    const others = `datname = current_database() and pid <> pg_backend_pid() and ${isOfClient}`;
    const isAlone = async () => !(await db.read('pg_stat_activity').whereRaw(others).first('pid'));
    await vi.waitUntil(isAlone, { timeout: 20_000, interval: 10 });
  });
