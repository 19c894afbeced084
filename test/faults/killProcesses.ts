// The processes to kill: one that runs until it is killed, and commands that run one after another.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { type Settings, spawnCli } from '../support/cli.ts';
import type { Journal } from './killInstallation.ts';

/** The last output of a process or a command, for reporting failures. */
const logCharacters = 2000;

/** A process that is still running after this time is killed. */
const stopMs = 15_000;

/** A process that runs until it is killed, and is then restarted. */
export const startProcess = (args: string[], settings: Settings, problems: string[]) => {
  let child: ChildProcess;
  let isReady = false;
  let ready: Promise<unknown>;
  let isEnding = false;
  const start = (): void => {
    isReady = false;
    const started = spawnCli([...args, '--json'], settings);
    child = started;
    let log = '';
    started.stderr!.on('data', (text) => {
      log = `${log}${text}`.slice(-logCharacters);
    });
    started.once('exit', (code, signal) => {
      if (signal !== 'SIGKILL' && !isEnding) problems.push(`${args[0]} ended with ${code}: ${log}`);
    });
    ready = Promise.race([once(started.stdout!, 'data'), once(started, 'exit')]).then(() => {
      isReady = child === started;
    });
  };
  start();
  return {
    isReady: () => isReady,
    ready: () => ready,
    restart: async (): Promise<void> => {
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
      if (!isEnding) start();
    },
    stop: async (): Promise<number | null> => {
      isEnding = true;
      if (child.exitCode !== null) return child.exitCode;
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), stopMs);
      const [code] = await exited;
      clearTimeout(timer);
      return code;
    },
  };
};

/** The running command. A killed command is repeated, as an operator would do. */
export const makeCommands = (
  settings: Settings,
  { commands, problems, broken }: Pick<Journal, 'commands' | 'problems' | 'broken'>,
) => {
  let running: { child: ChildProcess; name: string } | undefined;
  let isEnding = false;
  /** True if only refreshes of connections with broken credentials have failed. */
  const isExpected = (result: string): boolean => {
    const { failed = [], needsReconnect = [] } = result === '' ? {} : JSON.parse(result);
    const ids = failed.map(({ connectionId }: { connectionId: string }) => connectionId);
    return ids.length > 0 && needsReconnect.length === 0 && ids.every((id: string) => broken.has(id));
  };
  const runOnce = async (args: string[]): Promise<boolean> => {
    const child = spawnCli([...args, '--json'], settings);
    running = { child, name: args[0]! };
    let result = '';
    let output = '';
    child.stdout!.on('data', (text) => {
      result += text;
    });
    child.stderr!.on('data', (text) => {
      output += text;
    });
    const [code, signal] = await once(child, 'close');
    running = undefined;
    if (signal === 'SIGKILL') return false;
    const name = args.slice(0, 2).join(' ');
    if (code === 0 || isExpected(result)) commands.set(name, (commands.get(name) ?? 0) + 1);
    else problems.push(`${args.join(' ')} exited with ${code}: ${output.slice(-logCharacters)}`);
    return true;
  };
  return {
    running: () => running,
    run: async (...args: string[]): Promise<void> => {
      while (!isEnding && !(await runOnce(args)));
    },
    kill: (): boolean => running?.child.kill('SIGKILL') ?? false,
    /** Kills the running command without starting another. */
    stop: async (): Promise<void> => {
      isEnding = true;
      if (!running) return;
      const ended = once(running.child, 'close');
      running.child.kill('SIGKILL');
      await ended;
    },
  };
};
