// Runs around all tests: provides a directory for SQLite files, and a small HTTP server that starts PostgreSQL or the
// browser when a test first requests it. Runs of unit tests start neither.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startPostgres } from './postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The directory for the SQLite files of this run. */
    runDirectory: string;
    /** Serves the addresses of this run's servers at `postgres` and `browser`; the first request for one starts it. */
    sharedServersUrl: string;
  }
}

/** A server that runs until the last test has ended. */
type SharedServer = { url: string; stop(): Promise<void> };
const starters: Record<string, () => Promise<SharedServer>> = {
  postgres: () => usePostgres() ?? startPostgres(),
  // Imported on demand, because playwright-core takes some time to load.
  browser: async () => (await import('./chromium.ts')).startBrowser(),
};

/** An external server of another version, which keeps running: TEST_POSTGRES_URL is the URL of its database `postgres`. */
const usePostgres = (): Promise<SharedServer> | undefined => {
  const url = process.env.TEST_POSTGRES_URL;
  return url ? Promise.resolve({ url, stop: async () => {} }) : undefined;
};

const directoryPrefix = 'bank-connection-tests-';

const removeDirectory = (directory: string): void => rmSync(directory, { recursive: true, force: true });

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

/** Removes the directories of runs that were killed. */
const removeStaleDirectories = (): void => {
  for (const name of readdirSync(tmpdir())) {
    const pid = /^bank-connection-tests-(\d+)-/.exec(name)?.[1];
    if (pid && !isRunning(Number(pid))) removeDirectory(join(tmpdir(), name));
  }
};

export default async (project: TestProject): Promise<() => Promise<void>> => {
  removeStaleDirectories();
  const directory = mkdtempSync(join(tmpdir(), `${directoryPrefix}${process.pid}-`));
  process.once('exit', () => removeDirectory(directory));
  process.env.TEST_PORTS = mkdtempSync(join(directory, 'ports-'));
  const started = new Map<string, Promise<SharedServer>>();
  const start = (name: string): Promise<SharedServer> => {
    const starting = started.get(name) ?? starters[name]!();
    started.set(name, starting);
    return starting;
  };
  const server = createServer(async (request, response) => {
    try {
      response.end((await start(request.url!.slice(1))).url);
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  project.provide('runDirectory', directory);
  project.provide('sharedServersUrl', `http://127.0.0.1:${port}/`);
  return async () => {
    server.closeAllConnections();
    server.close();
    for (const starting of started.values()) await (await starting.catch(() => undefined))?.stop();
    removeDirectory(directory);
  };
};
