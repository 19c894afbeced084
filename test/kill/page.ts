// The widget's page as widget/openapi.yaml describes it, without a browser: it shows nothing, takes the step that
// each view allows, and when there is no answer it asks where it is. It ends with a result or with a reason.
import { setTimeout as sleep } from 'node:timers/promises';
import createFetchClient from 'openapi-fetch';
import type { components, paths } from '../../generated/widget.ts';
import { hostOrigin } from '../harness.ts';

type Schemas = components['schemas'];
type View = Schemas['View'];
type Step = Schemas['Step'];
export type Result = Schemas['Result'];

/** What a page asks: a session, a step by its kind, the present view, or to be forgotten. */
export type Asked = 'start' | Step['kind'] | 'look' | 'acknowledge';

export type Page = {
  /** Known once the session has begun. */
  sessionId: string | undefined;
  /** The results that came, those that were lost on the way included. */
  results: Result[];
  ended: Promise<Ending>;
};

export type Ending = { kind: 'finished'; result: Result } | { kind: 'failed'; reason: string };

export type Visit = {
  /** Where the service is now. */
  at: { url: string; applicationId: string };
  username: string;
  externalUserId?: string;
  connectionId?: string;
  /** Between two looks at an import. */
  pollMs?: number;
  /** Before something is asked; it is asked afterwards. */
  asking?(asked: Asked): Promise<void>;
  /** Between an answer and the page: `lost` means that it does not arrive. */
  answering?(asked: Asked, view: View | undefined): Promise<'lost' | 'arrives'>;
  /** From this moment on the page is stuck, and says so. */
  patienceMs?: number;
};

/** The service said no, and asking again changes nothing. */
class Refused extends Error {
  readonly code: string;
  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

const retryMs = 40;
const comeBackLater = [429, 502, 503, 504];

type Answer = { data?: unknown; error?: { code?: string }; response: Response };
type Client = ReturnType<typeof createFetchClient<paths>>;
type Session = { id: string; secret: string };
type Talk = { visit: Visit; page: Page; deadline: number; session?: Session };

export const openPage = (visit: Visit): Page => {
  const page: Page = { sessionId: undefined, results: [], ended: Promise.resolve() as never };
  const talk: Talk = { visit, page, deadline: Date.now() + (visit.patienceMs ?? 45_000) };
  page.ended = converse(talk).catch((error): Ending => {
    if (error instanceof Refused) return { kind: 'failed', reason: error.code };
    throw error;
  });
  // A test that fails before it waits for this page has said enough.
  page.ended.catch(() => {});
  return page;
};

/** One question: what came back, or undefined where nothing did. */
const ask = async (
  { visit, page }: Talk,
  asked: Asked,
  question: (client: Client) => Promise<Answer>,
): Promise<Answer | undefined> => {
  const client = createFetchClient<paths>({ baseUrl: visit.at.url });
  await visit.asking?.(asked);
  const answer = await question(client).catch(() => undefined);
  const view = (answer?.data as { view?: View } | undefined)?.view;
  if (view?.state === 'finished') page.results.push(view.result);
  if (answer && (await visit.answering?.(asked, view)) === 'lost') return undefined;
  return answer && comeBackLater.includes(answer.response.status) ? undefined : answer;
};

const insist = async (
  talk: Talk,
  asked: Asked,
  question: (client: Client) => Promise<Answer>,
): Promise<Answer> => {
  for (;;) {
    const answer = await ask(talk, asked, question);
    if (answer?.response.ok) return answer;
    if (answer) throw new Refused(answer.error?.code ?? String(answer.response.status));
    await rest(talk, retryMs);
  }
};

const rest = async ({ deadline, page }: Talk, milliseconds: number): Promise<void> => {
  if (Date.now() > deadline) throw new Error(`The page of session ${page.sessionId} is stuck.`);
  await sleep(milliseconds);
};

const start = async (talk: Talk): Promise<View> => {
  const { at, externalUserId, connectionId } = talk.visit;
  const body = { applicationId: at.applicationId, origin: hostOrigin, externalUserId, connectionId };
  const { data } = await insist(talk, 'start', (client) => client.POST('/connect/api/sessions', { body }));
  const { session, view } = data as Schemas['StartedSession'];
  talk.session = session;
  talk.page.sessionId = session.id;
  return view;
};

const paramsOf = ({ session }: Talk) => ({
  params: { path: { sessionId: session!.id } },
  headers: { Authorization: `Bearer ${session!.secret}` },
});

const look = async (talk: Talk): Promise<View> => {
  const { data } = await insist(talk, 'look', (client) =>
    client.GET('/connect/api/sessions/{sessionId}', paramsOf(talk)),
  );
  return (data as { view: View }).view;
};

/** Takes a step until it is known what became of it; one that may have arrived is not sent blindly again. */
const send = async (talk: Talk, { version }: View, step: Step): Promise<View> => {
  for (;;) {
    const answer = await ask(talk, step.kind, (client) =>
      client.POST('/connect/api/sessions/{sessionId}/steps', { ...paramsOf(talk), body: { version, step } }),
    );
    if (answer?.data) return (answer.data as { view: View }).view;
    if (answer && answer.error?.code !== 'conflict') throw new Refused(answer.error?.code ?? '?');
    if (!answer) await rest(talk, retryMs);
    const view = await look(talk);
    if (answer || view.busy || view.version !== version) return view;
  }
};

const stepOf = (view: View, { username }: Visit): Step => {
  switch (view.state) {
    case 'consent':
      return { kind: 'consent' };
    case 'bank':
      return { kind: 'chooseBank', institutionId: 'sandbox-bank' };
    case 'credentials':
      return { kind: 'credentials', values: { username, password: 'password' } };
    case 'challenge':
      return { kind: 'answer', answer: '123456' };
    case 'accounts':
      return { kind: 'chooseAccounts', accountIds: view.accounts.map(({ id }) => id) };
    default:
      throw new Error(`No step leads on from ${view.state}.`);
  }
};

const converse = async (talk: Talk): Promise<Ending> => {
  let view = await start(talk);
  for (;;) {
    if (view.busy || view.state === 'importing') {
      await rest(talk, talk.visit.pollMs ?? retryMs);
      view = await look(talk);
    } else if (view.state === 'finished') {
      await insist(talk, 'acknowledge', (client) =>
        client.POST('/connect/api/sessions/{sessionId}/acknowledgement', paramsOf(talk)),
      );
      return { kind: 'finished', result: view.result };
    } else if (view.state === 'failed') {
      return { kind: 'failed', reason: view.reason };
    } else {
      view = await send(talk, view, stepOf(view, talk.visit));
    }
  }
};
