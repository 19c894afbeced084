// Several serving processes on one port (WEB_CONCURRENCY). Each is the whole service; this one, their parent, hands
// out connections, starts another where one has died, and ends them all together. If it is killed they end too.
import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { OperatorError } from '../errors.ts';
import type { Log } from '../log.ts';

export type ServerProcesses = { stop(): Promise<void> };

type ProcessSettings = {
  count: number;
  /** What each is started with, after the program's name. */
  args: string[];
  env: Record<string, string>;
  /** Their standard output goes to standard error: ours is for the answer. */
  quiet: boolean;
  /** Whoever has not ended this long after being told to is killed. */
  stopMs: number;
  log: Pick<Log, 'warn'>;
};

/** Before a process that has died is replaced. It doubles while they die young, so that a fault never spins. */
const restartDelayMs = { first: 100, max: 30_000, resetAfter: 10_000 };

/** Whether this process is one of several that another has started. */
export const isClusterChild = (): boolean => cluster.isWorker;

/** One of many says that it serves. */
export const notifyReady = (): void => {
  process.send?.('serving');
};

/** One of many has closed everything, and lets go of its parent. */
export const disconnectFromParent = (): void => {
  cluster.worker?.disconnect();
};

/** Starts them, and resolves when all serve. Throws OperatorError where one cannot start; it has said why. */
export const startProcesses = async (settings: ProcessSettings): Promise<ServerProcesses> => {
  const { count, args, env, quiet } = settings;
  cluster.setupPrimary({ args, stdio: ['ignore', quiet ? 2 : 'inherit', 'inherit', 'ipc'] });
  const stopping = new AbortController();
  const stop = async (): Promise<void> => {
    stopping.abort();
    await stopAll(settings.stopMs);
  };
  const started = await Promise.allSettled(Array.from({ length: count }, () => startProcess(env)));
  const failed = started.find((result) => result.status === 'rejected');
  if (failed) {
    await stop();
    throw failed.reason;
  }
  for (const result of started) {
    if (result.status === 'fulfilled') void restartOnExit(result.value, settings, stopping.signal);
  }
  return { stop };
};

const startProcess = async (env: Record<string, string>): Promise<Worker> => {
  const child = cluster.fork(env);
  const ended = once(child, 'exit').then(() => {
    throw new OperatorError('A serving process ended before it could serve: what it said stands above.');
  });
  await Promise.race([once(child, 'message'), ended]);
  // It may end one day; by then nobody waits here any more.
  ended.catch(() => {});
  return child;
};

const restartOnExit = async (
  first: Worker,
  settings: ProcessSettings,
  stopping: AbortSignal,
): Promise<void> => {
  let child: Worker | undefined = first;
  let pause = restartDelayMs.first;
  while (!stopping.aborted) {
    const started = performance.now();
    if (child && !child.isDead()) await once(child, 'exit');
    if (stopping.aborted) return;
    const { exitCode, signalCode } = child?.process ?? {};
    settings.log.warn({ exitCode, signalCode }, 'a serving process ended; another takes its place');
    const grown = performance.now() - started > restartDelayMs.resetAfter;
    pause = grown ? restartDelayMs.first : Math.min(pause * 2, restartDelayMs.max);
    await sleep(pause, undefined, { signal: stopping }).catch(() => {});
    if (stopping.aborted) return;
    child = await startProcess(settings.env).catch(() => undefined);
  }
};

const liveProcesses = (): Worker[] =>
  Object.values(cluster.workers ?? {}).filter((child) => child !== undefined);

const stopAll = async (stopMs: number): Promise<void> => {
  const force = setTimeout(() => signalAll('SIGKILL'), stopMs);
  signalAll('SIGTERM');
  await Promise.all(liveProcesses().map((child) => child.isDead() || once(child, 'exit')));
  clearTimeout(force);
};

const signalAll = (signal: NodeJS.Signals): void => {
  for (const child of liveProcesses()) child.process.kill(signal);
};
