// How long the service waits for the database: for a connection, for a lock, or for an answer. A server that is frozen, or behind a
// network that lost the connection, knows no time-out, so the limits are here. Requests wait for seconds, jobs for minutes.
import { AsyncLocalStorage } from 'node:async_hooks';
import { DatabaseUnavailable } from '../errors.ts';

const waits = new AsyncLocalStorage<number | undefined>();

/** In `run`, and in what it calls, each wait for the database ends after so many milliseconds, with DatabaseUnavailable. */
export const withMaxWait = <Result>(milliseconds: number, run: () => Result): Result =>
  waits.run(milliseconds, run);

/** In `run`, and in what it calls, each wait for the database is as long as outside of withMaxWait. */
export const withStandardWait = <Result>(run: () => Result): Result => waits.run(undefined, run);

/**
 * A connection of a pool. The wait for it and the wait of its first statement are one. Knex sets `__knexTxId` while a transaction
 * has the connection.
 */
export type PooledConnection = { waitEndsAt?: number; __knexTxId?: string };

/** How many milliseconds the next statement of a connection may wait; `standard` outside of withMaxWait. */
export const takeWait = (connection: PooledConnection, standard: number): number => {
  const { waitEndsAt } = connection;
  connection.waitEndsAt = undefined;
  return waitEndsAt === undefined ? maxWait(standard) : Math.max(1, waitEndsAt - performance.now());
};

const maxWait = (standard: number): number => waits.getStore() ?? standard;

export type PendingConnection = { promise: Promise<PooledConnection>; abort(): void };

/** A connection of a pool. Throws DatabaseUnavailable when none is free or can be opened in time. */
export const acquireInTime = async (
  acquire: () => PendingConnection,
  standard: number,
): Promise<PooledConnection> => {
  const wait = maxWait(standard);
  const endsAt = performance.now() + wait;
  const pending = acquire();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    pending.abort();
  }, wait);
  try {
    const connection = await pending.promise;
    connection.waitEndsAt = endsAt;
    return connection;
  } catch (error) {
    throw isLate ? new DatabaseUnavailable('No connection to the database was free in time.') : error;
  } finally {
    clearTimeout(timer);
  }
};

/** The answer to a statement. `giveUp` is called when there is none in time; throws DatabaseUnavailable then. */
export const answerInTime = async <Result>(
  run: () => Promise<Result>,
  wait: number,
  giveUp: () => void,
): Promise<Result> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      giveUp();
      reject(new DatabaseUnavailable('The database did not answer in time.'));
    }, wait);
  });
  try {
    return await Promise.race([run(), late]);
  } finally {
    clearTimeout(timer);
  }
};
