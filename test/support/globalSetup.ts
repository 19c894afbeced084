// Around the whole run: a directory for its SQLite files, and a door at which the first test that wants
// PostgreSQL or a browser has the one of this run started. Unit tests alone start nothing.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startPostgres } from './postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where this run keeps its SQLite files. */
    runDirectory: string;
    /** Answers `postgres` and `browser` with the address of the run's own, which it starts when asked first. */
    door: string;
  }
}

/** Something that runs beside the tests until the last of them has ended. */
type SharedServer = { url: string; stop(): Promise<void> };
const starters: Record<string, () => Promise<SharedServer>> = {
  postgres: startPostgres,
  // What drives a browser takes a moment to load, which runs without one need not wait for.
  browser: async () => (await import('./chromium.ts')).startBrowser(),
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

/** A run that was killed leaves its directory; the next run takes it away. */
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
  const started = new Map<string, Promise<SharedServer>>();
  const start = (name: string): Promise<SharedServer> => {
    const starting = started.get(name) ?? starters[name]!();
    started.set(name, starting);
    return starting;
  };
  const door = createServer(async (request, response) => {
    try {
      response.end((await start(request.url!.slice(1))).url);
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  });
  await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve));
  const { port } = door.address() as AddressInfo;
  project.provide('runDirectory', directory);
  project.provide('door', `http://127.0.0.1:${port}/`);
  return async () => {
    door.closeAllConnections();
    door.close();
    for (const starting of started.values()) await (await starting.catch(() => undefined))?.stop();
    removeDirectory(directory);
  };
};
