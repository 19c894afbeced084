// One PostgreSQL server for a test run, from the binaries of an npm package. A keeper process holds it, so that
// it ends with the run however the run ends: the keeper stops it when its standard input closes.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export type PostgresServer = { url: string; stop(): Promise<void> };

const serverProgram = fileURLToPath(new URL('postgresProcess.ts', import.meta.url));

/** Starts the server and gives the address of its `postgres` database. About a second. */
export const startPostgres = async (): Promise<PostgresServer> => {
  // A group of its own: Ctrl-C in the terminal reaches the run, and through it, in good order, the keeper.
  const keeper = spawn(process.execPath, [serverProgram], {
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true,
  });
  const exited = once(keeper, 'exit');
  const lines = createInterface({ input: keeper.stdout });
  const ready = once(lines, 'line') as Promise<[string]>;
  const url = await Promise.race([ready.then(([line]) => line), exited.then(() => undefined)]);
  if (!url) throw new Error('PostgreSQL did not start; the reason stands above.');
  return {
    url,
    stop: async () => {
      keeper.stdin.end();
      await exited;
    },
  };
};
