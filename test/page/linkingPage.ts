// A page whose user takes every step until the link has ended, even if the service is killed and restarted in the meantime.
import { type LinkSessionView, type LinkStep, sleep } from '../../widget/page/apiClient.ts';
import { isSubmitting, viewOf } from '../../widget/page/model.ts';
import type { ConnectResult } from '../../widget/types.ts';
import { credentials, type OpenPage, openPage } from './openPage.ts';

/** The kind of a request: create the session, a step by its kind, fetch the view, acknowledge the result, or cancel. */
export type RequestKind = 'create' | LinkStep['kind'] | 'fetch' | 'acknowledge' | 'cancel';

export type LinkOutcome = { kind: 'finished'; result: ConnectResult } | { kind: 'failed'; reason: string };

export type LinkingPage = {
  /** Set when the session is created. */
  readonly linkSessionId: string | undefined;
  /** All results that the service has sent, including lost responses. */
  results: ConnectResult[];
  /** The result once it is acknowledged. */
  ended: Promise<LinkOutcome>;
};

export type LinkingPageOptions = {
  /** The current URL of the service. */
  installation: { url: string; applicationId: string };
  username: string;
  externalUserId?: string;
  connectionId?: string;
  /** Divides the page's waits before retries and polls. */
  speed?: number;
  /** Runs before a request is sent. */
  beforeRequest?(request: RequestKind): Promise<void>;
  /** Runs before a response is delivered. A `lost` response is not delivered. */
  afterResponse?(request: RequestKind, view: LinkSessionView | undefined): Promise<'lost' | 'delivered'>;
};

/** A page fails after this time. Tests have three minutes, and an import on a busy machine may take one. */
const timeoutMs = 150_000;

const kindOf = async (request: Request): Promise<RequestKind> => {
  if (request.method !== 'POST') return request.method === 'GET' ? 'fetch' : 'cancel';
  if (request.url.endsWith('/steps')) return (await request.json()).step.kind;
  return request.url.endsWith('/acknowledgement') ? 'acknowledge' : 'create';
};

/** Undefined if a response has no view, or was cut off. */
const viewIn = (response: Response): Promise<LinkSessionView | undefined> =>
  response.json().then(
    ({ view }) => view,
    () => undefined,
  );

/** Immediately opens a page whose user signs in at the Sandbox Bank and shares all accounts. */
export const openLinkingPage = (options: LinkingPageOptions): LinkingPage => {
  const { installation, username, externalUserId, connectionId, speed } = options;
  const acknowledged = Promise.withResolvers<void>();
  const results: ConnectResult[] = [];
  const send = async (request: Request, forward: () => Promise<Response>): Promise<Response> => {
    const kind = await kindOf(request);
    await options.beforeRequest?.(kind);
    const response = await forward();
    const view = await viewIn(response.clone());
    if (view?.state === 'finished') results.push(view.result);
    if ((await options.afterResponse?.(kind, view)) === 'lost') throw new TypeError('The response is lost.');
    if (kind === 'acknowledge' && response.ok) acknowledged.resolve();
    return response;
  };
  const service = {
    get url() {
      return installation.url;
    },
    application: { id: installation.applicationId },
  };
  const page = openPage(service, { externalUserId, connectionId }, send, speed);
  const ended = endOf(page, username, acknowledged.promise);
  // Prevents an unhandled rejection if a test fails before it awaits this page.
  ended.catch(() => {});
  return {
    get linkSessionId() {
      return linkSessionIdOf(page);
    },
    results,
    ended,
  };
};

const linkSessionIdOf = ({ events }: OpenPage): string | undefined => events[0]?.[1].linkSessionId;

const endOf = async (page: OpenPage, username: string, acknowledged: Promise<void>): Promise<LinkOutcome> => {
  const timeout = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const text = `Link session ${linkSessionIdOf(page)} timed out: ${viewOf(page.model())?.state}.`;
    timeout.reject(new Error(text));
  }, timeoutMs);
  try {
    const outcome = await Promise.race([takeSteps(page, username), timeout.promise]);
    if (outcome.kind === 'failed') return outcome;
    page.transport.acknowledgeResult();
    await Promise.race([acknowledged, timeout.promise]);
    return outcome;
  } finally {
    clearTimeout(timer);
    page.transport.dispose();
  }
};

/** Takes the step that each view allows, and repeats steps that did not run. */
const takeSteps = async (page: OpenPage, username: string): Promise<LinkOutcome> => {
  for (;;) {
    await page.changed();
    const model = page.model();
    const { content, retryAfterSeconds } = model;
    if (content.kind === 'failed') return { kind: 'failed', reason: content.reason };
    if (content.kind === 'loading' || isSubmitting(model)) continue;
    const { view } = content;
    if (view.state === 'failed') return { kind: 'failed', reason: view.reason };
    if (view.state === 'finished') return { kind: 'finished', result: view.result };
    if (retryAfterSeconds) await sleep(retryAfterSeconds * 1000);
    const step = stepOf(view, username);
    if (step) page.transport.submitStep(step);
  }
};

/** The next step; undefined while the service imports. */
const stepOf = (view: LinkSessionView, username: string): LinkStep | undefined => {
  switch (view.state) {
    case 'consent':
      return { kind: 'consent' };
    case 'institution':
      return { kind: 'selectInstitution', institutionId: 'sandbox-bank' };
    case 'credentials':
      return credentials(username);
    case 'challenge':
      return { kind: 'answer', answer: '123456' };
    case 'accounts':
      return { kind: 'selectAccounts', accountIds: view.accounts.map(({ id }) => id) };
    default:
      return undefined;
  }
};
