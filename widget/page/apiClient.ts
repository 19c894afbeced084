// The client for widget/openapi.yaml. A request fails with ApiError, for which a retry does not help, or with ServiceUnreachable,
// for which one may: `retryUntilAnswered` and `retryInBackground` retry it.
import type { components, operations } from '../../generated/widget.ts';
import type { ConnectResult } from '../types.ts';

type Schemas = components['schemas'];
export type LinkSessionView = Schemas['LinkSessionView'];
export type LinkStep = Schemas['LinkStep'];
export type InstitutionProfile = Schemas['InstitutionProfile'];
export type LabelKey = Schemas['LabelKey'];
export type NewLinkSession = Schemas['NewLinkSession'];
export type CreatedLinkSession = Schemas['CreatedLinkSession'];
/** The id and secret that grant access to a link session. */
export type LinkSessionKey = Pick<CreatedLinkSession['session'], 'id' | 'secret'>;
type ReturnOperation = operations['returnFromInstitution'];
export type NewReturn = ReturnOperation['requestBody']['content']['application/json'];
export type AcceptedReturn = ReturnOperation['responses'][200]['content']['application/json'];
type EmbeddingCheck = operations['checkEmbedding']['responses'][200]['content']['application/json'];
type Equal<One, Other> = [One, Other] extends [Other, One] ? true : never;
/** Compiles only if the public result type equals the contract's. */
true satisfies Equal<ConnectResult, Schemas['LinkResult']>;

type InstitutionQuery = NonNullable<operations['searchInstitutions']['parameters']['query']>;

/** The service responded with a problem document. */
export class ApiError extends Error {
  readonly code: Schemas['Problem']['code'];
  /** For developers, in English. */
  readonly detail: string | undefined;
  constructor(code: ApiError['code'], detail?: string) {
    super(`The service responded with ${code}.`);
    this.code = code;
    this.detail = detail;
  }
}

/** There was no response, or it was 429, 502, 503 or 504. */
export class ServiceUnreachable extends Error {
  readonly retryAfterSeconds: number;
  constructor(retryAfterSeconds = 0, options?: ErrorOptions) {
    super('The service could not be reached.', options);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** 429: too many requests, or too many sign-ins at banks. */
export class RateLimited extends ServiceUnreachable {}

export type CallOptions = { signal: AbortSignal };

/** The operations on one link session. */
export type LinkSessionClient = {
  getView(options: CallOptions): Promise<LinkSessionView>;
  submitStep(body: { version: number; step: LinkStep }, options: CallOptions): Promise<LinkSessionView>;
  searchInstitutions(query: InstitutionQuery, options: CallOptions): Promise<InstitutionProfile[]>;
  /** Sent with `keepalive`, so that it arrives even if the page is being unloaded. */
  acknowledge(): Promise<void>;
  /** Sent with `keepalive`; the response is ignored. */
  cancel(): void;
};

export type ApiClient = {
  createLinkSession(body: NewLinkSession, options: CallOptions): Promise<CreatedLinkSession>;
  /** The environment of an application. */
  findEnvironment(applicationId: string, options: CallOptions): Promise<'sandbox' | 'production'>;
  linkSession(key: LinkSessionKey): LinkSessionClient;
  returnFromInstitution(body: NewReturn, options: CallOptions): Promise<AcceptedReturn>;
};

const requestTimeoutMs = 20_000;
/** Longer than the service's own timeout for bank requests. */
const stepTimeoutMs = 120_000;
const retryableStatuses = [502, 503, 504];

type ApiRequest = {
  path: string;
  method: string;
  secret?: string;
  body?: unknown;
  timeoutMs?: number;
  options?: CallOptions;
  keepalive?: true;
};

const toApiError = async (response: Response): Promise<ApiError> => {
  const problem = await response.json().catch(() => undefined);
  return new ApiError(problem?.code ?? 'internal_error', problem?.detail);
};

type Service = { base: string; fetch: typeof fetch };

const sendRequest = async ({ base, fetch }: Service, request: ApiRequest): Promise<Response> => {
  const { path, method, secret, body, options, keepalive, timeoutMs = requestTimeoutMs } = request;
  const timeout = AbortSignal.timeout(timeoutMs);
  const headers = new Headers();
  if (secret) headers.set('authorization', `Bearer ${secret}`);
  if (body) headers.set('content-type', 'application/json');
  let response: Response;
  try {
    response = await fetch(base + path, {
      method,
      headers,
      body: body ? JSON.stringify(body) : undefined,
      cache: 'no-store',
      credentials: 'omit',
      keepalive,
      signal: options ? AbortSignal.any([options.signal, timeout]) : timeout,
    });
  } catch (error) {
    options?.signal.throwIfAborted();
    throw new ServiceUnreachable(0, { cause: error });
  }
  if (response.ok) return response;
  const retryAfterSeconds = Number(response.headers.get('retry-after')) || 0;
  if (response.status === 429) throw new RateLimited(retryAfterSeconds);
  if (retryableStatuses.includes(response.status)) throw new ServiceUnreachable(retryAfterSeconds);
  throw await toApiError(response);
};

const readJson = async <Body>(response: Response): Promise<Body> => {
  try {
    return (await response.json()) as Body;
  } catch (error) {
    throw new ServiceUnreachable(0, { cause: error });
  }
};

/** The client for the private API at the URL `base`, which ends with a slash. */
export const createApiClient = (base: string, send: typeof fetch = fetch): ApiClient =>
  clientOf({ base, fetch: send });

const clientOf = (service: Service): ApiClient => ({
  createLinkSession: async (body, options) =>
    readJson(await sendRequest(service, { path: 'link-sessions', method: 'POST', body, options })),
  findEnvironment: async (applicationId, options) => {
    const path = `applications/${applicationId}/embedding`;
    const response = await sendRequest(service, { path, method: 'GET', options });
    return (await readJson<EmbeddingCheck>(response)).environment;
  },
  returnFromInstitution: async (body, options) =>
    readJson(await sendRequest(service, { path: 'returns', method: 'POST', body, options })),
  linkSession: ({ id, secret }) => {
    const path = `link-sessions/${id}`;
    const readView = async (response: Promise<Response>) =>
      (await readJson<{ view: LinkSessionView }>(await response)).view;
    return {
      getView: (options) => readView(sendRequest(service, { path, method: 'GET', secret, options })),
      submitStep: (body, options) =>
        readView(
          sendRequest(service, {
            path: `${path}/steps`,
            method: 'POST',
            secret,
            body,
            timeoutMs: stepTimeoutMs,
            options,
          }),
        ),
      searchInstitutions: async ({ search, limit }, options) => {
        const query = `limit=${limit}${search ? `&search=${encodeURIComponent(search)}` : ''}`;
        const response = await sendRequest(service, {
          path: `${path}/institutions?${query}`,
          method: 'GET',
          secret,
          options,
        });
        return (await readJson<{ institutions: InstitutionProfile[] }>(response)).institutions;
      },
      acknowledge: async () => {
        await sendRequest(service, {
          path: `${path}/acknowledgement`,
          method: 'POST',
          secret,
          keepalive: true,
        });
      },
      cancel: () => {
        // If the request fails, the link session expires.
        sendRequest(service, { path, method: 'DELETE', secret, keepalive: true }).catch(() => undefined);
      },
    };
  },
});

const firstRetryMs = 1000;
const maxRetryMs = 8000;
/** About 10 minutes, as most attempts are `maxRetryMs` apart: the service keeps an unacknowledged result for that long. */
const maxBackgroundAttempts = 75;

/** Resolves after a delay; rejects immediately when the signal aborts. */
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

/** The milliseconds before the next attempt: they grow exponentially, and are at least the service's Retry-After. */
export const retryDelayMs = (error: ServiceUnreachable, attempt: number): number =>
  Math.max(Math.min(firstRetryMs * 2 ** attempt, maxRetryMs), error.retryAfterSeconds * 1000);

/** Retries a request until the service responds. Calls `onUnreachable` after each attempt without a response. */
export const retryUntilAnswered = async <Result>(
  request: () => Promise<Result>,
  signal: AbortSignal,
  onUnreachable: () => void,
  wait = sleep,
): Promise<Result> => {
  for (let attempt = 0; ; attempt++) {
    try {
      return await request();
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ServiceUnreachable)) throw error;
      onUnreachable();
      await wait(retryDelayMs(error, attempt), signal);
    }
  }
};

/** Retries a request for a few minutes. The first response ends it, even an error response. */
export const retryInBackground = async (request: () => Promise<void>, wait = sleep): Promise<void> => {
  for (let attempt = 0; attempt < maxBackgroundAttempts; attempt++) {
    try {
      return await request();
    } catch (error) {
      if (!(error instanceof ServiceUnreachable)) return;
      await wait(retryDelayMs(error, attempt));
    }
  }
};
