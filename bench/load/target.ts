// A target: a program in its own process, on a port of the loopback interface. It reports its CPU time and memory and
// ends with the benchmark.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../test/support/freePort.ts';

export type Usage = { cpuMicros: number; residentBytes: number };

export type Target = {
  name: string;
  port: number;
  /** From the start of the process to its first response, in milliseconds. */
  startupMs: number;
  usage(): Promise<Usage>;
  stop(): Promise<void>;
};

export type Program = {
  name: string;
  /** A file, relative to the checkout. */
  file: string;
  /** A checkout other than this one. */
  checkout?: string;
  /** Arguments that contain the port, for a program that does not read PORT. */
  args?: (port: number) => string[];
  env?: Record<string, string>;
  /** A path that responds, with any status but 503, as soon as the program is ready. */
  readyPath?: string;
  nodeOptions?: string[];
};

const startSeconds = 60;
const shutdownTimeoutSeconds = 5;
const thisCheckout = fileURLToPath(new URL('../..', import.meta.url));
const channel = fileURLToPath(new URL('usageChannel.ts', import.meta.url));
const runningTargets = new Set<Target>();

/** Starts a program and waits for its first response. */
export const startTarget = async (program: Program): Promise<Target> => {
  const port = await freePort();
  const started = performance.now();
  const cwd = program.checkout ?? thisCheckout;
  const child = fork(join(cwd, program.file), program.args?.(port), {
    cwd,
    execArgv: [...(program.nodeOptions ?? []), '--import', channel],
    env: { PATH: process.env.PATH, NODE_ENV: 'production', PORT: String(port), ...program.env },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let stderrTail = '';
  child.stderr!.on('data', (text: Buffer) => {
    stderrTail = (stderrTail + text).slice(-4000);
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
  runningTargets.add(target);
  await waitUntilReady(child, `http://127.0.0.1:${port}${program.readyPath ?? '/'}`, () => stderrTail);
  return Object.assign(target, { startupMs: performance.now() - started });
};

const waitUntilReady = async (child: ChildProcess, url: string, stderrTail: () => string): Promise<void> => {
  const deadline = Date.now() + startSeconds * 1000;
  while (Date.now() < deadline) {
    if (child.exitCode !== null) break;
    const response = await fetch(url).catch(() => undefined);
    await response?.arrayBuffer();
    // The service responds with 503 until its database is open.
    if (response && response.status !== 503) return;
    await sleep(2);
  }
  child.kill('SIGKILL');
  throw new Error(`A target did not start: ${stderrTail()}`);
};

const stop = async (child: ChildProcess, target: Target): Promise<void> => {
  runningTargets.delete(target);
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  // A disconnected target exits and writes its profile. One that does not exit is killed.
  child.disconnect();
  await Promise.race([exited, sleep(shutdownTimeoutSeconds * 1000)]);
  child.kill('SIGKILL');
  await exited;
};

/** Stops all running targets. */
export const stopAll = async (): Promise<void> => {
  await Promise.all([...runningTargets].map((target) => target.stop()));
};
