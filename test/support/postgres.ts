// Starts one PostgreSQL server for a test run, from the binaries of an npm package. A supervisor process stops it when
// its standard input closes, so that the server ends with the run even if the run is killed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export type PostgresServer = { url: string; stop(): Promise<void> };

const serverProgram = fileURLToPath(new URL('postgresProcess.ts', import.meta.url));

/** Starts the server; `url` is its database `postgres`. Takes about a second. */
export const startPostgres = async (): Promise<PostgresServer> => {
  // Its own process group: Ctrl-C in the terminal reaches the run only, which then stops the supervisor in order.
  const supervisor = spawn(process.execPath, [serverProgram], {
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true,
  });
  const exited = once(supervisor, 'exit');
  const lines = createInterface({ input: supervisor.stdout });
  const ready = once(lines, 'line') as Promise<[string]>;
  const url = await Promise.race([ready.then(([line]) => line), exited.then(() => undefined)]);
  if (!url) throw new Error('PostgreSQL did not start; see the output above.');
  return {
    url,
    stop: async () => {
      supervisor.stdin.end();
      await exited;
    },
  };
};
