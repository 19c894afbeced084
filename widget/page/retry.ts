// Waiting, and asking again where there was no answer.
import { ServiceUnreachable } from './apiClient.ts';

const firstRetryMs = 1000;
const maxRetryMs = 8000;
/** With `retryMostMs` between most of them, about as long as the service keeps a result. */
const maxBackgroundAttempts = 75;

/** Resolves after a while; rejects at once when the signal aborts. */
export const sleep = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', stop);
  });

/** Waits as long as the service asks for, and longer from attempt to attempt. */
export const backOff = (error: ServiceUnreachable, attempt: number, signal?: AbortSignal): Promise<void> =>
  sleep(Math.max(Math.min(firstRetryMs * 2 ** attempt, maxRetryMs), error.retryAfterSeconds * 1000), signal);

/** Asks until there is an answer, with growing pauses. `onSilence` is told each time that there is none. */
export const retryUntilAnswered = async <Answer>(
  question: () => Promise<Answer>,
  signal: AbortSignal,
  onSilence: () => void,
): Promise<Answer> => {
  for (let attempt = 0; ; attempt++) {
    try {
      return await question();
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ServiceUnreachable)) throw error;
      onSilence();
      await backOff(error, attempt, signal);
    }
  }
};

/** Does something that nobody waits for, some minutes long if need be. A refusal ends it as well. */
export const retryInBackground = async (errand: () => Promise<void>): Promise<void> => {
  for (let attempt = 0; attempt < maxBackgroundAttempts; attempt++) {
    try {
      return await errand();
    } catch (error) {
      if (!(error instanceof ServiceUnreachable)) return;
      await backOff(error, attempt);
    }
  }
};
