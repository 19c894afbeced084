// The widget's page as widget/openapi.yaml describes it, without a browser: it shows nothing, takes the step that
// each view allows, and when there is no answer it asks where it is. It ends with a result or with a reason.
import { setTimeout as sleep } from 'node:timers/promises';
import createFetchClient from 'openapi-fetch';
import type { components, paths } from '../../generated/widget.ts';
import { hostOrigin } from '../support/testService.ts';

type Schemas = components['schemas'];
type View = Schemas['LinkSessionView'];
type Step = Schemas['LinkStep'];
export type Result = Schemas['LinkResult'];

/** What a page asks: a session, a step by its kind, the present view, or to be forgotten. */
export type RequestKind = 'start' | Step['kind'] | 'look' | 'acknowledge';

export type HeadlessWidget = {
  /** Known once the session has begun. */
  linkSessionId: string | undefined;
  /** The results that came, those that were lost on the way included. */
  results: Result[];
  ended: Promise<LinkOutcome>;
};

export type LinkOutcome = { kind: 'finished'; result: Result } | { kind: 'failed'; reason: string };

export type HeadlessWidgetOptions = {
  /** Where the service is now. */
  at: { url: string; applicationId: string };
  username: string;
  externalUserId?: string;
  connectionId?: string;
  /** Between two looks at an import. */
  pollMs?: number;
  /** Before something is asked; it is asked afterwards. */
  beforeRequest?(asked: RequestKind): Promise<void>;
  /** Between an answer and the page: `lost` means that it does not arrive. */
  afterResponse?(asked: RequestKind, view: View | undefined): Promise<'lost' | 'arrives'>;
  /** From this moment on the page is stuck, and says so. */
  timeoutMs?: number;
};

/** The service said no, and asking again changes nothing. */
class RequestRefused extends Error {
  readonly code: string;
  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

const retryMs = 40;
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
  const talk: WidgetContext = { options, widget, deadline: Date.now() + (options.timeoutMs ?? 45_000) };
  widget.ended = runToEnd(talk).catch((error): LinkOutcome => {
    if (error instanceof RequestRefused) return { kind: 'failed', reason: error.code };
    throw error;
  });
  // A test that fails before it waits for this page has said enough.
  widget.ended.catch(() => {});
  return widget;
};

/** One question: what came back, or undefined where nothing did. */
const sendOnce = async (
  { options, widget }: WidgetContext,
  asked: RequestKind,
  question: (client: Client) => Promise<ApiResult>,
): Promise<ApiResult | undefined> => {
  const client = createFetchClient<paths>({ baseUrl: options.at.url });
  await options.beforeRequest?.(asked);
  const answer = await question(client).catch(() => undefined);
  const view = (answer?.data as { view?: View } | undefined)?.view;
  if (view?.state === 'finished') widget.results.push(view.result);
  if (answer && (await options.afterResponse?.(asked, view)) === 'lost') return undefined;
  return answer && retryStatuses.includes(answer.response.status) ? undefined : answer;
};

const sendUntilAnswered = async (
  talk: WidgetContext,
  asked: RequestKind,
  question: (client: Client) => Promise<ApiResult>,
): Promise<ApiResult> => {
  for (;;) {
    const answer = await sendOnce(talk, asked, question);
    if (answer?.response.ok) return answer;
    if (answer) throw new RequestRefused(answer.error?.code ?? String(answer.response.status));
    await waitBeforeRetry(talk, retryMs);
  }
};

const waitBeforeRetry = async ({ deadline, widget }: WidgetContext, milliseconds: number): Promise<void> => {
  if (Date.now() > deadline) throw new Error(`The page of session ${widget.linkSessionId} is stuck.`);
  await sleep(milliseconds);
};

const createSession = async (talk: WidgetContext): Promise<View> => {
  const { at, externalUserId, connectionId } = talk.options;
  const body = { applicationId: at.applicationId, origin: hostOrigin, externalUserId, connectionId };
  const { data } = await sendUntilAnswered(talk, 'start', (client) =>
    client.POST('/connect/api/link-sessions', { body }),
  );
  const { session, view } = data as Schemas['CreatedLinkSession'];
  talk.session = session;
  talk.widget.linkSessionId = session.id;
  return view;
};

const paramsOf = ({ session }: WidgetContext) => ({
  params: { path: { linkSessionId: session!.id } },
  headers: { Authorization: `Bearer ${session!.secret}` },
});

const fetchView = async (talk: WidgetContext): Promise<View> => {
  const { data } = await sendUntilAnswered(talk, 'look', (client) =>
    client.GET('/connect/api/link-sessions/{linkSessionId}', paramsOf(talk)),
  );
  return (data as { view: View }).view;
};

/** Takes a step until it is known what became of it; one that may have arrived is not sent blindly again. */
const submitStep = async (talk: WidgetContext, { version }: View, step: Step): Promise<View> => {
  for (;;) {
    const answer = await sendOnce(talk, step.kind, (client) =>
      client.POST('/connect/api/link-sessions/{linkSessionId}/steps', {
        ...paramsOf(talk),
        body: { version, step },
      }),
    );
    if (answer?.data) return (answer.data as { view: View }).view;
    if (answer && answer.error?.code !== 'conflict') throw new RequestRefused(answer.error?.code ?? '?');
    if (!answer) await waitBeforeRetry(talk, retryMs);
    const view = await fetchView(talk);
    if (answer || view.busy || view.version !== version) return view;
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
      throw new Error(`No step leads on from ${view.state}.`);
  }
};

const runToEnd = async (talk: WidgetContext): Promise<LinkOutcome> => {
  let view = await createSession(talk);
  for (;;) {
    if (view.busy || view.state === 'importing') {
      await waitBeforeRetry(talk, talk.options.pollMs ?? retryMs);
      view = await fetchView(talk);
    } else if (view.state === 'finished') {
      await sendUntilAnswered(talk, 'acknowledge', (client) =>
        client.POST('/connect/api/link-sessions/{linkSessionId}/acknowledgement', paramsOf(talk)),
      );
      return { kind: 'finished', result: view.result };
    } else if (view.state === 'failed') {
      return { kind: 'failed', reason: view.reason };
    } else {
      view = await submitStep(talk, view, stepOf(view, talk.options));
    }
  }
};
