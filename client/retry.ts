// Every operation of the interface can be repeated without harm, so a busy service (429, 503) is asked again,
// a bounded number of times and never earlier than it said. All else is the caller's to decide.
import { retryAfterSeconds } from './retryAfter.ts';

/** How a request leaves: openapi-fetch hands over a Request that has no body. */
export type Fetch = (request: Request) => Promise<Response>;

/** A longer Retry-After than this is not waited for: the answer goes to the caller at once. */
export const maxRetryAfterSeconds = 60;

const isBusy = (response: Response): boolean => response.status === 429 || response.status === 503;

/** Where the service names no time: about 1, 2, 4 ... seconds, spread so that many callers do not meet again. */
const backoffSeconds = (attempt: number): number =>
  Math.min(maxRetryAfterSeconds, 2 ** attempt) * (0.75 + Math.random() / 2);

/** `fetch` that asks again up to `retries` times while the service is busy. */
export const fetchWithRetries =
  (fetch: Fetch, retries: number): Fetch =>
  async (request) => {
    for (let attempt = 0; ; attempt++) {
      const response = await fetch(request);
      if (attempt >= retries || !isBusy(response)) return response;
      const seconds = retryAfterSeconds(response.headers) ?? backoffSeconds(attempt);
      if (seconds > maxRetryAfterSeconds) return response;
      // An answer that is not read would hold its socket.
      await response.body?.cancel();
      await sleep(seconds * 1000, request.signal);
    }
  };

const sleep = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    signal.addEventListener('abort', stop, { once: true });
  });
