// A contender: a program in a process of its own, on a port of the loopback interface, that says how much CPU
// and memory it uses and ends with the bench.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../test/support/freePort.ts';

export type Usage = { cpuMicros: number; residentBytes: number };

export type Target = {
  name: string;
  port: number;
  /** From starting the process to its first answer, in milliseconds. */
  startupMs: number;
  usage(): Promise<Usage>;
  stop(): Promise<void>;
};

export type Program = {
  name: string;
  /** A file, from the top of the project. */
  file: string;
  /** Gets the port, where the program does not read it from PORT. */
  args?: (port: number) => string[];
  env?: Record<string, string>;
  /** A path that answers, with whatever status, as soon as the program serves. */
  readyPath?: string;
  nodeOptions?: string[];
};

const startSeconds = 60;
const shutdownTimeoutSeconds = 5;
const channel = fileURLToPath(new URL('usageChannel.ts', import.meta.url));
const running = new Set<Target>();

/** Starts a program and waits for its first answer. */
export const startTarget = async (program: Program): Promise<Target> => {
  const port = await freePort();
  const started = performance.now();
  const child = fork(fileURLToPath(new URL(`../../${program.file}`, import.meta.url)), program.args?.(port), {
    execArgv: [...(program.nodeOptions ?? []), '--import', channel],
    env: { PATH: process.env.PATH, NODE_ENV: 'production', PORT: String(port), ...program.env },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let complaint = '';
  child.stderr!.on('data', (text: Buffer) => {
    complaint = (complaint + text).slice(-4000);
  });
  const target: Target = {
    name: program.name,
    port,
    startupMs: 0,
    usage: async () => {
      child.send('usage');
      const [usage] = await once(child, 'message');
      return usage;
    },
    stop: () => stop(child, target),
  };
  running.add(target);
  await untilReady(child, `http://127.0.0.1:${port}${program.readyPath ?? '/'}`, () => complaint);
  return Object.assign(target, { startedIn: performance.now() - started });
};

const untilReady = async (child: ChildProcess, url: string, complaint: () => string): Promise<void> => {
  const giveUp = Date.now() + startSeconds * 1000;
  while (Date.now() < giveUp) {
    if (child.exitCode !== null) break;
    const answer = await fetch(url).catch(() => undefined);
    await answer?.arrayBuffer();
    if (answer) return;
    await sleep(2);
  }
  child.kill('SIGKILL');
  throw new Error(`A target did not start: ${complaint()}`);
};

const stop = async (child: ChildProcess, target: Target): Promise<void> => {
  running.delete(target);
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  // It exits by itself, which is when a profile is written; whoever cannot is ended.
  child.disconnect();
  await Promise.race([exited, sleep(shutdownTimeoutSeconds * 1000)]);
  child.kill('SIGKILL');
  await exited;
};

/** Ends every contender that still runs. */
export const stopAll = async (): Promise<void> => {
  await Promise.all([...running].map((target) => target.stop()));
};
