// Limits how long the service waits for the database: for a connection, a lock or a response. The server's own timeouts do not
// work while it is frozen or the network has lost the connection. Requests wait for seconds, jobs for minutes.
import { DatabaseUnavailable } from '../values/errors.ts';

/** The end of a wait, as a `performance.now` time. */
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
