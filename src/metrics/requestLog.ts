// Logs the requests with a valid API key, so that the owner of an application finds one by its id. They are collected in
// memory and written in batches; no request waits for that. If writing fails, they are written with the next batch. What a
// crash loses is some seconds of this log.
import { addMilliseconds, type Clock, days, seconds } from '../clock.ts';
import type { Database } from '../db/open.ts';
import type { LoggedRequestRow } from '../db/tables.ts';
import { startLoop } from '../loops/loop.ts';
import type { Limits } from '../settings/limits.ts';
import { deleteRequestsBefore, insertRequests, keepNewestRequests } from './requestLogStore.ts';

/** `parameters` are the names of the wrong ones. Nothing that was sent is part of it. */
export type LoggedRequest = Pick<
  LoggedRequestRow,
  'applicationId' | 'requestId' | 'keyId' | 'operation' | 'status' | 'outcome' | 'milliseconds'
> & { code?: string; parameters?: readonly string[] };

export type RequestLog = {
  record(request: LoggedRequest): void;
  /** Writes the requests recorded so far. */
  flush(): Promise<void>;
  /** Writes the requests and stops the loop. */
  stop(): Promise<void>;
};

type RequestLogDeps = {
  db: Database;
  clock: Clock;
  limits: Limits;
  log: { warn(failure: { err: unknown }, message: string): void };
};

/** `ordinal` counts the requests of one millisecond. */
type Pending = { at: number; ordinal: number; request: LoggedRequest };

type PendingGroups = Record<'successes' | 'failures', Pending[]>;

export const startRequestLog = ({ db, clock, limits, log }: RequestLogDeps): RequestLog => {
  /** By application; of each group no more than are kept. */
  const pending = new Map<string, PendingGroups>();
  let deletedAt = 0;
  let lastAt = 0;
  let ordinal = 0;

  const record = (request: LoggedRequest): void => {
    const ofApplication = pending.get(request.applicationId) ?? { successes: [], failures: [] };
    pending.set(request.applicationId, ofApplication);
    const isSuccess = request.outcome === 'succeeded';
    const group = isSuccess ? ofApplication.successes : ofApplication.failures;
    const max = isSuccess ? limits.requestLogSuccessesMax : limits.requestLogFailuresMax;
    const at = clock.real().getTime();
    ordinal = at === lastAt ? ordinal + 1 : 0;
    lastAt = at;
    group.push({ at, ordinal, request });
    // Rarely, because it moves all others.
    if (group.length >= 2 * max) group.splice(0, group.length - max);
  };

  /** At most as many as are kept. */
  const newestOf = ({ successes, failures }: PendingGroups): PendingGroups => ({
    successes: successes.slice(-limits.requestLogSuccessesMax),
    failures: failures.slice(-limits.requestLogFailuresMax),
  });

  const putBack = (applicationId: string, { successes, failures }: PendingGroups): void => {
    const since = pending.get(applicationId) ?? { successes: [], failures: [] };
    const all = {
      successes: [...successes, ...since.successes],
      failures: [...failures, ...since.failures],
    };
    pending.set(applicationId, newestOf(all));
  };

  const flush = async (): Promise<void> => {
    for (const [applicationId, recorded] of [...pending]) {
      pending.delete(applicationId);
      const { successes, failures } = newestOf(recorded);
      try {
        await insertRequests(db, [...successes, ...failures].map(toRow));
      } catch (error) {
        putBack(applicationId, recorded);
        throw error;
      }
      const { requestLogSuccessesMax, requestLogFailuresMax } = limits;
      if (successes.length > 0)
        await keepNewestRequests(db.write, applicationId, ['succeeded'], requestLogSuccessesMax);
      if (failures.length > 0)
        await keepNewestRequests(db.write, applicationId, ['refused', 'failed'], requestLogFailuresMax);
    }
  };

  const deleteExpired = async (): Promise<void> => {
    const now = clock.real();
    if (now.getTime() - deletedAt < seconds(3600)) return;
    deletedAt = now.getTime();
    await deleteRequestsBefore(db.write, addMilliseconds(now, -days(limits.requestLogDays)).toISOString());
  };

  const loop = startLoop(
    () => seconds(limits.metricsFlushSeconds),
    () =>
      flush()
        .then(deleteExpired)
        .catch((err) => log.warn({ err }, 'requests not logged')),
  );
  return {
    record,
    flush,
    stop: async () => {
      await loop.stop();
      await flush().catch((err) => log.warn({ err }, 'requests not logged'));
    },
  };
};

const toRow = ({ at, ordinal, request }: Pending): LoggedRequestRow => ({
  ...request,
  id: `${at.toString(36).padStart(9, '0')}${ordinal.toString(36).padStart(2, '0')}${request.requestId}`,
  at: new Date(at).toISOString(),
  milliseconds: Math.round(request.milliseconds),
  code: request.code ?? null,
  parameters: request.parameters ? JSON.stringify(request.parameters) : null,
});
