// Starts one PostgreSQL server for a test run, from the binaries of an npm package. A supervisor process stops it when
// its standard input closes, so that the server ends with the run even if the run is killed.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** Commands to a running server, for tests of faults. */
export type PostgresCommand = 'stop' | 'start' | 'freeze' | 'resume';
export type PostgresServer = {
  url: string;
  supervisor: ChildProcess;
  /** Shuts the server down cleanly and restarts it, or freezes (SIGSTOP) and resumes all its processes. */
  run(command: PostgresCommand): Promise<void>;
  stop(): Promise<void>;
};

const serverProgram = fileURLToPath(new URL('postgresProcess.ts', import.meta.url));

/**
 * Starts the server; `url` is its database `postgres`. Takes about a second. Its files are in a new directory in `directory`.
 * `wrapper` is a program that becomes the supervisor.
 */
export const startPostgres = async ({
  directory,
  wrapper = [],
}: {
  directory?: string;
  wrapper?: readonly string[];
} = {}): Promise<PostgresServer> => {
  // A separate process group: Ctrl-C in the terminal reaches only the run, which then stops the supervisor cleanly.
  const [program = '', ...args] = [...wrapper, process.execPath, serverProgram];
  const supervisor = spawn(program, args, {
    // Under a faked clock (libfaketime), the server's timeouts would never fire.
    env: { ...process.env, LD_PRELOAD: undefined, ...(directory && { TMPDIR: directory }) },
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
    supervisor,
    run: async (command) => {
      const done = once(lines, 'line');
      supervisor.stdin.write(`${command}\n`);
      await done;
    },
    stop: async () => {
      supervisor.stdin.end();
      await exited;
    },
  };
};
