// The page's side of widget/openapi.yaml. Two things can go wrong, and they are told apart here: the service
// refuses (asking again changes nothing) or it cannot be reached (asking again may help).
import type { components, operations } from '../../generated/widget.ts';
import type { ConnectResult } from '../types.ts';

type Schemas = components['schemas'];
export type LinkSessionView = Schemas['LinkSessionView'];
export type LinkStep = Schemas['LinkStep'];
export type Institution = Schemas['Institution'];
export type NewLinkSession = Schemas['NewLinkSession'];
export type CreatedLinkSession = Schemas['CreatedLinkSession'];
type Equal<One, Other> = [One, Other] extends [Other, One] ? true : never;
/** What applications are promised is what the service answers: anything else does not compile. */
true satisfies Equal<ConnectResult, Schemas['LinkResult']>;

type InstitutionQuery = NonNullable<operations['searchInstitutions']['parameters']['query']>;

/** The service answered, and said no. */
export class ApiError extends Error {
  readonly code: Schemas['Problem']['code'];
  constructor(code: ApiError['code']) {
    super(`The service refused: ${code}.`);
    this.code = code;
  }
}

/** No answer, or one that says to come back later. */
export class ServiceUnreachable extends Error {
  readonly retryAfterSeconds: number;
  constructor(waitSeconds = 0, options?: ErrorOptions) {
    super('The service could not be reached.', options);
    this.retryAfterSeconds = waitSeconds;
  }
}

export type CallOptions = { signal: AbortSignal };

/** What can be asked about one session, by whoever has its secret. */
export type LinkSessionClient = {
  getView(call: CallOptions): Promise<LinkSessionView>;
  submitStep(body: { version: number; step: LinkStep }, call: CallOptions): Promise<LinkSessionView>;
  searchInstitutions(search: InstitutionQuery, call: CallOptions): Promise<Institution[]>;
  /** Sent so that it arrives even when the page is just going away. */
  acknowledge(): Promise<void>;
  /** Sent in the same way; nobody waits for the answer. */
  cancel(): void;
};

export type ApiClient = {
  createLinkSession(body: NewLinkSession, call: CallOptions): Promise<CreatedLinkSession>;
  linkSession(started: CreatedLinkSession['session']): LinkSessionClient;
};

const requestTimeoutMs = 20_000;
/** A step lasts as long as the bank does; the service gives up on a bank long before. */
const stepTimeoutMs = 120_000;
const retryableStatuses = [429, 502, 503, 504];

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
  return new ApiError(problem?.code ?? 'internal_error');
};

const sendRequest = async (base: string, request: ApiRequest): Promise<Response> => {
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
  if (retryableStatuses.includes(response.status))
    throw new ServiceUnreachable(Number(response.headers.get('retry-after')) || 0);
  throw await toApiError(response);
};

const readJson = async <Body>(response: Response): Promise<Body> => {
  try {
    return (await response.json()) as Body;
  } catch (error) {
    throw new ServiceUnreachable(0, { cause: error });
  }
};

/** The service whose sessions live at this address (which ends in a slash). */
export const createApiClient = (base: string): ApiClient => ({
  createLinkSession: async (body, options) =>
    readJson(await sendRequest(base, { path: 'link-sessions', method: 'POST', body, options })),
  linkSession: ({ id, secret }) => {
    const path = `link-sessions/${id}`;
    const view = async (response: Promise<Response>) =>
      (await readJson<{ view: LinkSessionView }>(await response)).view;
    return {
      getView: (call) => view(sendRequest(base, { path, method: 'GET', secret, options: call })),
      submitStep: (body, call) =>
        view(
          sendRequest(base, {
            path: `${path}/steps`,
            method: 'POST',
            secret,
            body,
            timeoutMs: stepTimeoutMs,
            options: call,
          }),
        ),
      searchInstitutions: async ({ search, limit }, call) => {
        const query = `limit=${limit}${search ? `&search=${encodeURIComponent(search)}` : ''}`;
        const response = await sendRequest(base, {
          path: `${path}/institutions?${query}`,
          method: 'GET',
          secret,
          options: call,
        });
        return (await readJson<{ institutions: Institution[] }>(response)).institutions;
      },
      acknowledge: async () => {
        await sendRequest(base, { path: `${path}/acknowledgement`, method: 'POST', secret, keepalive: true });
      },
      cancel: () => {
        // A session that could not be abandoned expires by itself.
        sendRequest(base, { path, method: 'DELETE', secret, keepalive: true }).catch(() => undefined);
      },
    };
  },
});
