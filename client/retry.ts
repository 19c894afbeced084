// Retries requests on 429 and 503, a limited number of times and not before Retry-After. All operations are idempotent. Other
// failures are not retried.

/** The signature of fetch that openapi-fetch uses. */
export type Fetch = (request: Request) => Promise<Response>;

export const defaultRetries = 3;

/** If Retry-After is longer, the response is returned at once. */
export const maxRetryAfterSeconds = 60;

/** The wait in seconds from Retry-After (a number or a date, RFC 9110 section 10.2.3), never negative; undefined if absent. */
export const retryAfterSeconds = (headers: Headers): number | undefined => {
  const text = headers.get('retry-after')?.trim();
  if (!text) return undefined;
  if (/^\d+$/.test(text)) return Number(text);
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - Date.now()) / 1000));
};

const isBusy = (response: Response): boolean => response.status === 429 || response.status === 503;

/** Without Retry-After: about 1, 2, 4 … seconds, with jitter so that many clients do not retry simultaneously. */
const backoffSeconds = (attempt: number): number =>
  Math.min(maxRetryAfterSeconds, 2 ** attempt) * (0.75 + Math.random() / 2);

/** Wraps `fetch` to retry a request up to `retries` times. */
export const fetchWithRetries =
  (fetch: Fetch, retries: number): Fetch =>
  async (request) => {
    for (let attempt = 0; ; attempt++) {
      // A body can be sent only once.
      const response = await fetch(request.clone());
      if (attempt >= retries || !isBusy(response)) return response;
      const seconds = retryAfterSeconds(response.headers) ?? backoffSeconds(attempt);
      if (seconds > maxRetryAfterSeconds) return response;
      // An unread body would keep its socket open.
      await response.body?.cancel();
      await sleep(seconds * 1000, request.signal);
    }
  };

const sleep = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const abort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', abort);
      resolve();
    }, milliseconds);
    signal.addEventListener('abort', abort, { once: true });
  });
