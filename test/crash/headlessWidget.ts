// A client of the widget API without a browser: it submits the step that each view allows, and fetches the view when a
// response is missing. It ends with a result or with a failure reason.
import { setTimeout as sleep } from 'node:timers/promises';
import createFetchClient from 'openapi-fetch';
import type { components, paths } from '../../generated/widget.ts';
import { hostOrigin } from '../support/testService.ts';

type Schemas = components['schemas'];
type View = Schemas['LinkSessionView'];
type Step = Schemas['LinkStep'];
export type Result = Schemas['LinkResult'];

/** The kind of a request: create the session, a step by its kind, fetch the view, or acknowledge the result. */
export type RequestKind = 'create' | Step['kind'] | 'fetch' | 'acknowledge';

export type HeadlessWidget = {
  /** Set when the session is created. */
  linkSessionId: string | undefined;
  /** All results that the service has sent, including lost responses. */
  results: Result[];
  ended: Promise<LinkOutcome>;
};

export type LinkOutcome = { kind: 'finished'; result: Result } | { kind: 'failed'; reason: string };

export type HeadlessWidgetOptions = {
  /** Where the service listens now. */
  installation: { url: string; applicationId: string };
  username: string;
  externalUserId?: string;
  connectionId?: string;
  /** The pause between two polls of an import. */
  pollMs?: number;
  /** Runs before a request is sent. */
  beforeRequest?(request: RequestKind): Promise<void>;
  /** Runs before a response is delivered. A `lost` response is not delivered. */
  afterResponse?(request: RequestKind, view: View | undefined): Promise<'lost' | 'delivered'>;
};

/** The service has refused a request, and a retry would not help. */
class RequestRefused extends Error {
  readonly code: string;
  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

const retryMs = 40;
/** After this long a widget fails: the tests have three minutes, and an import on a busy machine may take one. */
const timeoutMs = 150_000;
const retryStatuses = [429, 502, 503, 504];

type ApiResult = { data?: unknown; error?: { code?: string }; response: Response };
type Client = ReturnType<typeof createFetchClient<paths>>;
type Session = { id: string; secret: string };
type WidgetContext = {
  options: HeadlessWidgetOptions;
  widget: HeadlessWidget;
  deadline: number;
  session?: Session;
};

export const openHeadlessWidget = (options: HeadlessWidgetOptions): HeadlessWidget => {
  const widget: HeadlessWidget = { linkSessionId: undefined, results: [], ended: Promise.resolve() as never };
  const context: WidgetContext = { options, widget, deadline: Date.now() + timeoutMs };
  widget.ended = runToEnd(context).catch((error): LinkOutcome => {
    if (error instanceof RequestRefused) return { kind: 'failed', reason: error.code };
    throw error;
  });
  // Not unhandled when a test fails before it awaits this widget.
  widget.ended.catch(() => {});
  return widget;
};

/** Sends one request. Undefined when there is no response, or one to retry. */
const sendOnce = async (
  { options, widget }: WidgetContext,
  kind: RequestKind,
  send: (client: Client) => Promise<ApiResult>,
): Promise<ApiResult | undefined> => {
  const client = createFetchClient<paths>({ baseUrl: options.installation.url });
  await options.beforeRequest?.(kind);
  const response = await send(client).catch(() => undefined);
  const view = (response?.data as { view?: View } | undefined)?.view;
  if (view?.state === 'finished') widget.results.push(view.result);
  if (response && (await options.afterResponse?.(kind, view)) === 'lost') return undefined;
  return response && retryStatuses.includes(response.response.status) ? undefined : response;
};

const sendWithRetries = async (
  context: WidgetContext,
  kind: RequestKind,
  send: (client: Client) => Promise<ApiResult>,
): Promise<ApiResult> => {
  for (;;) {
    const response = await sendOnce(context, kind, send);
    if (response?.response.ok) return response;
    if (response) throw new RequestRefused(response.error?.code ?? String(response.response.status));
    await waitBeforeRetry(context, kind, retryMs);
  }
};

const waitBeforeRetry = async (
  { deadline, widget }: WidgetContext,
  what: RequestKind | View['state'],
  milliseconds: number,
): Promise<void> => {
  if (Date.now() > deadline)
    throw new Error(`The widget of link session ${widget.linkSessionId} timed out: ${what}.`);
  await sleep(milliseconds);
};

const createSession = async (context: WidgetContext): Promise<View> => {
  const { installation, externalUserId, connectionId } = context.options;
  const { applicationId } = installation;
  const body = { applicationId, origin: hostOrigin, externalUserId, connectionId };
  const { data } = await sendWithRetries(context, 'create', (client) =>
    client.POST('/connect/api/link-sessions', { body }),
  );
  const { session, view } = data as Schemas['CreatedLinkSession'];
  context.session = session;
  context.widget.linkSessionId = session.id;
  return view;
};

const paramsOf = ({ session }: WidgetContext) => ({
  params: { path: { linkSessionId: session!.id } },
  headers: { Authorization: `Bearer ${session!.secret}` },
});

const fetchView = async (context: WidgetContext): Promise<View> => {
  const { data } = await sendWithRetries(context, 'fetch', (client) =>
    client.GET('/connect/api/link-sessions/{linkSessionId}', paramsOf(context)),
  );
  return (data as { view: View }).view;
};

/** Submits a step until its outcome is known. Before a retry it fetches the view, because the step may have run. */
const submitStep = async (context: WidgetContext, { version }: View, step: Step): Promise<View> => {
  for (;;) {
    const response = await sendOnce(context, step.kind, (client) =>
      client.POST('/connect/api/link-sessions/{linkSessionId}/steps', {
        ...paramsOf(context),
        body: { version, step },
      }),
    );
    if (response?.data) return (response.data as { view: View }).view;
    if (response && response.error?.code !== 'conflict')
      throw new RequestRefused(response.error?.code ?? '?');
    if (!response) await waitBeforeRetry(context, step.kind, retryMs);
    const view = await fetchView(context);
    if (response || view.busy || view.version !== version) return view;
  }
};

const stepOf = (view: View, { username }: HeadlessWidgetOptions): Step => {
  switch (view.state) {
    case 'consent':
      return { kind: 'consent' };
    case 'institution':
      return { kind: 'selectInstitution', institutionId: 'sandbox-bank' };
    case 'credentials':
      return { kind: 'credentials', values: { username, password: 'password' } };
    case 'challenge':
      return { kind: 'answer', answer: '123456' };
    case 'accounts':
      return { kind: 'selectAccounts', accountIds: view.accounts.map(({ id }) => id) };
    default:
      throw new Error(`There is no step in the state ${view.state}.`);
  }
};

const runToEnd = async (context: WidgetContext): Promise<LinkOutcome> => {
  let view = await createSession(context);
  for (;;) {
    if (view.busy || view.state === 'importing') {
      await waitBeforeRetry(context, view.state, context.options.pollMs ?? retryMs);
      view = await fetchView(context);
    } else if (view.state === 'finished') {
      await sendWithRetries(context, 'acknowledge', (client) =>
        client.POST('/connect/api/link-sessions/{linkSessionId}/acknowledgement', paramsOf(context)),
      );
      return { kind: 'finished', result: view.result };
    } else if (view.state === 'failed') {
      return { kind: 'failed', reason: view.reason };
    } else {
      view = await submitStep(context, view, stepOf(view, context.options));
    }
  }
};
