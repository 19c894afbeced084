// Several serving processes on one port (WEB_CONCURRENCY). Each is the whole service; this one, their parent, hands
// out connections, starts another where one has died, and ends them all together. If it is killed they end too.
import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { OperatorError } from '../errors.ts';
import type { Log } from '../log.ts';

export type Processes = { stop(): Promise<void> };

type Settings = {
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
const pauseMs = { first: 100, longest: 30_000, untilGrown: 10_000 };

/** Whether this process is one of several that another has started. */
export const isOneOfMany = (): boolean => cluster.isWorker;

/** One of many says that it serves. */
export const sayServing = (): void => {
  process.send?.('serving');
};

/** One of many has closed everything, and lets go of its parent. */
export const leaveParent = (): void => {
  cluster.worker?.disconnect();
};

/** Starts them, and resolves when all serve. Throws OperatorError where one cannot start; it has said why. */
export const startProcesses = async (settings: Settings): Promise<Processes> => {
  const { count, args, env, quiet } = settings;
  cluster.setupPrimary({ args, stdio: ['ignore', quiet ? 2 : 'inherit', 'inherit', 'ipc'] });
  const stopping = new AbortController();
  const stop = async (): Promise<void> => {
    stopping.abort();
    await endAll(settings.stopMs);
  };
  const started = await Promise.allSettled(Array.from({ length: count }, () => startOne(env)));
  const failed = started.find((result) => result.status === 'rejected');
  if (failed) {
    await stop();
    throw failed.reason;
  }
  for (const result of started) {
    if (result.status === 'fulfilled') void keepReplacing(result.value, settings, stopping.signal);
  }
  return { stop };
};

const startOne = async (env: Record<string, string>): Promise<Worker> => {
  const child = cluster.fork(env);
  const ended = once(child, 'exit').then(() => {
    throw new OperatorError('A serving process ended before it could serve: what it said stands above.');
  });
  await Promise.race([once(child, 'message'), ended]);
  // It may end one day; by then nobody waits here any more.
  ended.catch(() => {});
  return child;
};

const keepReplacing = async (first: Worker, settings: Settings, stopping: AbortSignal): Promise<void> => {
  let child: Worker | undefined = first;
  let pause = pauseMs.first;
  while (!stopping.aborted) {
    const started = performance.now();
    if (child && !child.isDead()) await once(child, 'exit');
    if (stopping.aborted) return;
    const { exitCode, signalCode } = child?.process ?? {};
    settings.log.warn({ exitCode, signalCode }, 'a serving process ended; another takes its place');
    const grown = performance.now() - started > pauseMs.untilGrown;
    pause = grown ? pauseMs.first : Math.min(pause * 2, pauseMs.longest);
    await sleep(pause, undefined, { signal: stopping }).catch(() => {});
    if (stopping.aborted) return;
    child = await startOne(settings.env).catch(() => undefined);
  }
};

const living = (): Worker[] => Object.values(cluster.workers ?? {}).filter((child) => child !== undefined);

const endAll = async (stopMs: number): Promise<void> => {
  const force = setTimeout(() => tellAll('SIGKILL'), stopMs);
  tellAll('SIGTERM');
  await Promise.all(living().map((child) => child.isDead() || once(child, 'exit')));
  clearTimeout(force);
};

const tellAll = (signal: NodeJS.Signals): void => {
  for (const child of living()) child.process.kill(signal);
};
