// A process of the service that is killed now and then and restarted each time.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

export type SupervisedProcess = {
  name: string;
  kills: number;
  /** Exits that `kill` or `stop` did not cause. */
  unexpectedExits: number;
  /** Sends SIGKILL and restarts it after a pause. */
  kill(pauseMs: number): Promise<void>;
  stop(): Promise<void>;
};

/** Runs `bank-connection ARGS`, and restarts it a second after each unexpected exit. */
export const superviseProcess = (
  name: string,
  args: string[],
  env: Record<string, string>,
): SupervisedProcess => {
  let child: ChildProcess;
  let expected = false;
  const supervised: SupervisedProcess = {
    name,
    kills: 0,
    unexpectedExits: 0,
    kill: async (pauseMs) => {
      supervised.kills += 1;
      await end('SIGKILL');
      await sleep(pauseMs);
      start();
    },
    stop: () => end('SIGTERM'),
  };
  const start = (): void => {
    expected = false;
    const started = spawn(process.execPath, [program, ...args], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    child = started;
    started.once('exit', () => {
      if (expected) return;
      supervised.unexpectedExits += 1;
      setTimeout(() => started === child && !expected && start(), 1000);
    });
  };
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    expected = true;
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  };
  start();
  return supervised;
};
