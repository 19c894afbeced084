// How long the service waits for the database: for a connection, for a lock, or for an answer. A server that is frozen, or behind a
// network that lost the connection, knows no time-out, so the limits are here. Requests wait for seconds, jobs for minutes.
import { DatabaseUnavailable } from '../errors.ts';

/** When a wait ends, in the time of `performance.now`. */
export type Deadline = number;

export const deadlineAfter = (milliseconds: number): Deadline => performance.now() + milliseconds;

/** The result, or DatabaseUnavailable with this message once the deadline has passed; then `giveUp` is called. */
export const inTime = async <Result>(
  result: Promise<Result>,
  deadline: Deadline,
  { message, giveUp }: { message: string; giveUp(): void },
): Promise<Result> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => {
        giveUp();
        reject(new DatabaseUnavailable(message));
      },
      Math.max(1, deadline - performance.now()),
    );
  });
  try {
    return await Promise.race([result, late]);
  } finally {
    clearTimeout(timer);
  }
};

/** Lets one task at a time run, in the order in which they came. */
export const makeTurns = () => {
  let isTaken = false;
  const waiting = new Set<() => void>();
  const take = async (deadline: Deadline): Promise<void> => {
    if (!isTaken) {
      isTaken = true;
      return;
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting.add(resolve);
    await inTime(promise, deadline, {
      message: 'No connection to the database was free in time.',
      giveUp: () => waiting.delete(resolve),
    });
  };
  const give = (): void => {
    const [next] = waiting;
    if (!next) isTaken = false;
    else {
      waiting.delete(next);
      next();
    }
  };
  return {
    run: async <Result>(deadline: Deadline, task: () => Result | Promise<Result>): Promise<Result> => {
      await take(deadline);
      try {
        return await task();
      } finally {
        give();
      }
    },
    use: () => ({ used: isTaken ? 1 : 0, free: isTaken ? 0 : 1, waiting: waiting.size }),
  };
};
