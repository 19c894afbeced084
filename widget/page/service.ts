// The page's side of widget/openapi.yaml. Two things can go wrong, and they are told apart here: the service
// refuses (asking again changes nothing) or it cannot be reached (asking again may help).
import type { components, operations } from '../../generated/widget.ts';
import type { ConnectResult } from '../embedding.ts';

type Schemas = components['schemas'];
export type View = Schemas['View'];
export type Step = Schemas['Step'];
export type Institution = Schemas['Institution'];
export type NewSession = Schemas['NewSession'];
export type StartedSession = Schemas['StartedSession'];
type Same<One, Other> = [One, Other] extends [Other, One] ? true : never;
/** What applications are promised is what the service answers: anything else does not compile. */
true satisfies Same<ConnectResult, Schemas['Result']>;

type Search = NonNullable<operations['listInstitutions']['parameters']['query']>;

/** The service answered, and said no. */
export class Refused extends Error {
  readonly code: Schemas['Problem']['code'];
  constructor(code: Refused['code']) {
    super(`The service refused: ${code}.`);
    this.code = code;
  }
}

/** No answer, or one that says to come back later. */
export class Unreachable extends Error {
  readonly waitSeconds: number;
  constructor(waitSeconds = 0, options?: ErrorOptions) {
    super('The service could not be reached.', options);
    this.waitSeconds = waitSeconds;
  }
}

export type Call = { signal: AbortSignal };

/** What can be asked about one session, by whoever has its secret. */
export type SessionService = {
  view(call: Call): Promise<View>;
  advance(body: { version: number; step: Step }, call: Call): Promise<View>;
  institutions(search: Search, call: Call): Promise<Institution[]>;
  /** Sent so that it arrives even when the page is just going away. */
  acknowledge(): Promise<void>;
  /** Sent in the same way; nobody waits for the answer. */
  abandon(): void;
};

export type Service = {
  start(body: NewSession, call: Call): Promise<StartedSession>;
  session(started: StartedSession['session']): SessionService;
};

const answerTimeoutMs = 20_000;
/** A step lasts as long as the bank does; the service gives up on a bank long before. */
const stepTimeoutMs = 120_000;
const comeBackLater = [429, 502, 503, 504];

type Request = {
  path: string;
  method: string;
  secret?: string;
  body?: unknown;
  timeoutMs?: number;
  call?: Call;
  keepalive?: true;
};

const refusal = async (response: Response): Promise<Refused> => {
  const problem = await response.json().catch(() => undefined);
  return new Refused(problem?.code ?? 'internal_error');
};

const ask = async (base: string, request: Request): Promise<Response> => {
  const { path, method, secret, body, call, keepalive, timeoutMs = answerTimeoutMs } = request;
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
      signal: call ? AbortSignal.any([call.signal, timeout]) : timeout,
    });
  } catch (error) {
    call?.signal.throwIfAborted();
    throw new Unreachable(0, { cause: error });
  }
  if (response.ok) return response;
  if (comeBackLater.includes(response.status))
    throw new Unreachable(Number(response.headers.get('retry-after')) || 0);
  throw await refusal(response);
};

const json = async <Body>(response: Response): Promise<Body> => {
  try {
    return (await response.json()) as Body;
  } catch (error) {
    throw new Unreachable(0, { cause: error });
  }
};

/** The service whose sessions live at this address (which ends in a slash). */
export const makeService = (base: string): Service => ({
  start: async (body, call) => json(await ask(base, { path: 'sessions', method: 'POST', body, call })),
  session: ({ id, secret }) => {
    const path = `sessions/${id}`;
    const view = async (response: Promise<Response>) => (await json<{ view: View }>(await response)).view;
    return {
      view: (call) => view(ask(base, { path, method: 'GET', secret, call })),
      advance: (body, call) =>
        view(
          ask(base, { path: `${path}/steps`, method: 'POST', secret, body, timeoutMs: stepTimeoutMs, call }),
        ),
      institutions: async ({ search, limit }, call) => {
        const query = `limit=${limit}${search ? `&search=${encodeURIComponent(search)}` : ''}`;
        const response = await ask(base, {
          path: `${path}/institutions?${query}`,
          method: 'GET',
          secret,
          call,
        });
        return (await json<{ institutions: Institution[] }>(response)).institutions;
      },
      acknowledge: async () => {
        await ask(base, { path: `${path}/acknowledgement`, method: 'POST', secret, keepalive: true });
      },
      abandon: () => {
        // A session that could not be abandoned expires by itself.
        ask(base, { path, method: 'DELETE', secret, keepalive: true }).catch(() => undefined);
      },
    };
  },
});
