// Waiting, and asking again where there was no answer.
import { Unreachable } from './service.ts';

const retryFirstMs = 1000;
const retryMostMs = 8000;
/** With `retryMostMs` between most of them, about as long as the service keeps a result. */
const errandAttempts = 75;

/** Resolves after a while; rejects at once when the signal aborts. */
export const pause = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
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
export const pauseAfter = (error: Unreachable, attempt: number, signal?: AbortSignal): Promise<void> =>
  pause(Math.max(Math.min(retryFirstMs * 2 ** attempt, retryMostMs), error.waitSeconds * 1000), signal);

/** Asks until there is an answer, with growing pauses. `onSilence` is told each time that there is none. */
export const insist = async <Answer>(
  question: () => Promise<Answer>,
  signal: AbortSignal,
  onSilence: () => void,
): Promise<Answer> => {
  for (let attempt = 0; ; attempt++) {
    try {
      return await question();
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof Unreachable)) throw error;
      onSilence();
      await pauseAfter(error, attempt, signal);
    }
  }
};

/** Does something that nobody waits for, some minutes long if need be. A refusal ends it as well. */
export const runErrand = async (errand: () => Promise<void>): Promise<void> => {
  for (let attempt = 0; attempt < errandAttempts; attempt++) {
    try {
      return await errand();
    } catch (error) {
      if (!(error instanceof Unreachable)) return;
      await pauseAfter(error, attempt);
    }
  }
};
