// Several server processes on one port (WEB_CONCURRENCY), using node:cluster. Each is the complete service. The parent distributes
// connections, restarts processes that exit, and stops them together; if it is killed, they also exit.
import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../platform/telemetry/log.ts';
import { OperatorError } from '../../platform/values/errors.ts';

export type ServerProcesses = { stop(): Promise<void> };

type ProcessSettings = {
  count: number;
  /** The command and its options. */
  args: string[];
  /** Redirects their standard output to standard error, because the parent's is for the result. */
  quiet: boolean;
  /** Processes that have not exited this long after SIGTERM are killed. */
  stopMs: number;
  log: Pick<Log, 'warn'>;
};

/** The delay before a restart. It doubles for each process that exits before it is `resetAfter` old. */
const restartDelayMs = { first: 100, max: 30_000, resetAfter: 10_000 };

export const isClusterChild = (): boolean => cluster.isWorker;

/** Notifies the parent that this child is serving. */
export const notifyReady = (): void => {
  process.send?.('serving');
};

/** Disconnects a child that has closed everything, or could not start, so that it can exit. */
export const disconnectFromParent = (): void => {
  cluster.worker?.disconnect();
};

/**
 * Starts the processes and resolves when all are serving. The first one starts alone: it detects startup problems and migrates
 * the database. Throws OperatorError if one exits before it serves.
 */
export const startProcesses = async (settings: ProcessSettings): Promise<ServerProcesses> => {
  const { count, args, quiet } = settings;
  cluster.setupPrimary({ args, stdio: ['ignore', quiet ? 2 : 'inherit', 'inherit', 'ipc'] });
  const stopping = new AbortController();
  const stop = async (): Promise<void> => {
    stopping.abort();
    await stopAll(settings.stopMs);
  };
  try {
    const first = await startProcess();
    const others = await Promise.all(Array.from({ length: count - 1 }, startProcess));
    for (const child of [first, ...others]) void restartOnExit(child, settings, stopping.signal);
    return { stop };
  } catch (error) {
    await stop();
    throw error;
  }
};

const startProcess = async (): Promise<Worker> => {
  const child = cluster.fork();
  const exited = once(child, 'exit').then(() => {
    throw new OperatorError('A server process exited during startup: see its output above.');
  });
  await Promise.race([once(child, 'message'), exited]);
  // A later exit also rejects this promise, although nothing awaits it any more.
  exited.catch(() => {});
  return child;
};

const restartOnExit = async (
  first: Worker,
  settings: ProcessSettings,
  stopping: AbortSignal,
): Promise<void> => {
  let child: Worker | undefined = first;
  let delayMs = restartDelayMs.first;
  while (!stopping.aborted) {
    const startedAt = performance.now();
    if (child && !child.isDead()) await once(child, 'exit');
    if (stopping.aborted) return;
    const { exitCode, signalCode } = child?.process ?? {};
    settings.log.warn({ exitCode, signalCode }, 'a server process exited; restarting it');
    const wasStable = performance.now() - startedAt > restartDelayMs.resetAfter;
    delayMs = wasStable ? restartDelayMs.first : Math.min(delayMs * 2, restartDelayMs.max);
    await sleep(delayMs, undefined, { signal: stopping }).catch(() => {});
    if (stopping.aborted) return;
    child = await startProcess().catch(() => undefined);
  }
};

const liveProcesses = (): Worker[] =>
  Object.values(cluster.workers ?? {}).filter((child) => child !== undefined);

const stopAll = async (stopMs: number): Promise<void> => {
  const killTimer = setTimeout(() => signalAll('SIGKILL'), stopMs);
  signalAll('SIGTERM');
  await Promise.all(liveProcesses().map((child) => child.isDead() || once(child, 'exit')));
  clearTimeout(killTimer);
};

const signalAll = (signal: NodeJS.Signals): void => {
  for (const child of liveProcesses()) child.process.kill(signal);
};
