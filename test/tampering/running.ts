// A service on a changed database, and its responses.
import { setTimeout as sleep } from 'node:timers/promises';
import { findDueDeliveries } from '../../src/domain/webhooks/store.ts';
import { findDueJobs } from '../../src/flows/refresh/jobs.ts';
import { seconds } from '../../src/platform/values/clock.ts';
import type { Service } from '../../src/service.ts';
import { type Fixture, limits } from './fixtureTypes.ts';

/** One response. `by` is the sender of the request: an end user, an organization's key, member or guest. */
export type Observation = {
  by: string;
  /** True if the request must not succeed for `by`, even if it does for others. */
  foreign: boolean;
  request: string;
  status: number;
  body: string;
};

export type LogLine = { level: number; msg: string; connectionId?: string };

export type Running = {
  fixture: Fixture;
  /** The lines of the log, from level warn. */
  logged: LogLine[];
  url: string;
  service: Service;
  advance(milliseconds: number): void;
  observations: Observation[];
};

const settleTimeoutMs = 15_000;

/** Waits until no job or webhook is due, no job runs, and no import or reconnect is about to be retried. */
export const settle = async ({ service: { db, clock, worker }, logged }: Running): Promise<void> => {
  const deadline = Date.now() + settleTimeoutMs;
  const later = (count: number): string => new Date(clock.real().getTime() + seconds(count)).toISOString();
  for (let idle = 0; idle < 2; ) {
    // A job that lost its lease has ended, and the lease expires later.
    const lost = logged.filter(({ msg }) => msg === 'job dropped');
    const jobs = () =>
      db.read('jobs').whereNotIn(
        'connectionId',
        lost.map(({ connectionId = '' }) => connectionId),
      );
    const due = await findDueJobs(db, clock, 1);
    const running = await jobs()
      .whereNotNull('leaseToken')
      .whereBetween('leaseExpiresAt', [later(0), later(2 * limits.leaseSeconds)]);
    const retried = await jobs().whereIn('kind', ['import', 'reconnect']).where('dueAt', '<', later(1));
    const anyone = { busyEndpoints: [], waitingOrganizations: [] };
    const webhooks = await findDueDeliveries(db.read, later(0), 1, anyone);
    const waiting = [running, due, retried, webhooks].some(({ length }) => length > 0);
    idle = waiting ? 0 : idle + 1;
    if (idle === 0 && Date.now() > deadline) throw new Error('The jobs do not end.');
    if (idle === 0) worker?.wake();
    await sleep(5);
  }
};

export type RequestOptions = { by: string; request: string; foreign?: boolean };

export const requestTimeoutMs = 20_000;

/** A stream that fails after its start breaks off instead of returning a 500. */
const readAsSent = async (response: Response): Promise<Pick<Observation, 'status' | 'body'>> => {
  const decoder = new TextDecoder();
  let body = '';
  try {
    for await (const chunk of response.body ?? []) body += decoder.decode(chunk, { stream: true });
    return { status: response.status, body };
  } catch {
    return { status: 500, body };
  }
};

export const observe = async (
  { observations }: Running,
  { by, request, foreign = false }: RequestOptions,
  send: () => Promise<Response>,
): Promise<Observation> => {
  const observation = { by, foreign, request, ...(await readAsSent(await send())) };
  observations.push(observation);
  return observation;
};
