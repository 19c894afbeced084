// Kills the service, the worker or a command at random times while everything else continues, and records the activity.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Installation, Journal } from './killInstallation.ts';
import { type Doing, startLoad } from './killLoad.ts';

export const victims = ['service', 'worker', 'command'] as const;
export type Victim = (typeof victims)[number];

/** Activities during which a kill can happen. */
export const activities = [
  ...(['linking', 'refreshing', 'revoking', 'sweeping', 'rotating', 'delivering', 'starting'] as const),
];
export type Activity = (typeof activities)[number];

export type Kill = { victim: Victim; during: Activity[] };

/** The fraction of kills that hit a process that may still be starting. */
const startingShare = 0.15;
const killPauseMsMax = 900;
const commandPollMs = 10;

/** Numbers from 0 to 1, determined by a seed (mulberry32). */
export const makeRandom = (seed: number) => {
  let state = seed;
  return (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
};

const commandActivities: Record<string, Activity> = {
  refresh: 'refreshing',
  retention: 'sweeping',
  secrets: 'rotating',
};

/** The current activities. */
const describeNow = async ({ db, commands, delivering }: Installation, doing: Doing): Promise<Activity[]> => {
  const now = new Date().toISOString();
  const leased = await db.read('jobs').where('leaseExpiresAt', '>=', now).pluck('kind');
  const purging = await db.read('connections').whereNotNull('purgeStartedAt').first('id');
  const command = commandActivities[commands.running()?.name ?? ''];
  const isDoing: Partial<Record<Activity, boolean>> = {
    linking: doing.linking > 0,
    refreshing: leased.includes('refresh'),
    revoking: doing.revoking > 0,
    sweeping: purging !== undefined,
    delivering: delivering() > 0,
  };
  return activities.filter((activity) => isDoing[activity] || activity === command);
};

/** Kills once. Most processes are killed while they work, some while they start. */
const killOne = async (run: Installation, random: () => number, doing: Doing): Promise<Kill> => {
  const victim = victims[Math.floor(random() * victims.length)]!;
  const process = victim === 'command' ? undefined : run[victim];
  const mayStart = random() < startingShare;
  const waitMs = random() * killPauseMsMax;
  if (!mayStart) await process?.ready();
  await sleep(waitMs);
  while (victim === 'command' && !run.commands.running()) await sleep(commandPollMs);
  const during = await describeNow(run, doing);
  if (process && !process.isReady()) during.push('starting');
  if (process) await process.restart();
  else run.commands.kill();
  return { victim, during };
};

export type KillOptions = {
  kills: number;
  /** Determines the victim and the time of each kill. */
  seed: number;
  onKill?: (kills: readonly Kill[], journal: Journal) => void;
  /** Ends the kills early. */
  signal?: AbortSignal;
};

/** Kills this number of times, then waits until all started work has ended. Returns the kills. */
export const killOften = async (
  run: Installation,
  { kills, seed, onKill, signal }: KillOptions,
): Promise<Kill[]> => {
  const random = makeRandom(seed);
  const done: Kill[] = [];
  const load = startLoad(run, makeRandom(seed + 1));
  for (let kill = 0; kill < kills && !signal?.aborted; kill++) {
    done.push(await killOne(run, random, load.doing));
    onKill?.(done, run.journal);
  }
  await Promise.all([run.service.ready(), run.worker.ready()]);
  await load.stop();
  return done;
};
