// Repeats requests to the service while it is unreachable.
import { ServiceUnreachable } from './apiClient.ts';

const firstRetryMs = 1000;
const maxRetryMs = 8000;
/** With `maxRetryMs` between most attempts about 10 minutes, as long as the service keeps an unacknowledged result. */
const maxBackgroundAttempts = 75;

/** Resolves after a delay; rejects at once when the signal aborts. */
export const sleep = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', abort);
  });

/** Waits with exponential backoff, and at least as long as the service's Retry-After says. */
export const backOff = (error: ServiceUnreachable, attempt: number, signal?: AbortSignal): Promise<void> =>
  sleep(Math.max(Math.min(firstRetryMs * 2 ** attempt, maxRetryMs), error.retryAfterSeconds * 1000), signal);

/** Repeats a request until the service responds. Calls `onUnreachable` after each attempt without a response. */
export const retryUntilAnswered = async <Result>(
  request: () => Promise<Result>,
  signal: AbortSignal,
  onUnreachable: () => void,
): Promise<Result> => {
  for (let attempt = 0; ; attempt++) {
    try {
      return await request();
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ServiceUnreachable)) throw error;
      onUnreachable();
      await backOff(error, attempt, signal);
    }
  }
};

/** Repeats a request for some minutes. Ends at the first response and ignores an error response. */
export const retryInBackground = async (request: () => Promise<void>): Promise<void> => {
  for (let attempt = 0; attempt < maxBackgroundAttempts; attempt++) {
    try {
      return await request();
    } catch (error) {
      if (!(error instanceof ServiceUnreachable)) return;
      await backOff(error, attempt);
    }
  }
};
