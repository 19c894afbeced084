// The widget's page without a browser: its model and transport with a real service, and requests that tests can hold or lose.
import { expect } from 'vitest';
import { createApiClient, type LinkSessionView, type LinkStep, sleep } from '../../widget/page/apiClient.ts';
import { isSubmitting, type Model, viewOf } from '../../widget/page/model.ts';
import { Transport, type TransportOptions } from '../../widget/page/transport.ts';
import type { ConnectEvent, ConnectMetadata, ConnectResult } from '../../widget/types.ts';
import { hostOrigin } from '../support/testService.ts';

type View<State> = Extract<LinkSessionView, { state: State }>;
type Send = (request: Request, forward: () => Promise<Response>) => Promise<Response>;

/** Options of a page whose host has selected the bank. */
export const atBank = { institutionId: 'sandbox-bank' };

export const isStep = (request: Request): boolean => request.url.endsWith('/steps');

export type OpenPage = {
  transport: Transport;
  model(): Model;
  /** Every model of the page so far. */
  models: Model[];
  /** Resolves at the next change of the model. */
  changed(): Promise<void>;
  events: [ConnectEvent, ConnectMetadata][];
  results: ConnectResult[];
  /** The steps sent so far. */
  sent: LinkStep[];
  /** Waits until the page shows a view in this state, and no step is in flight. */
  until<State extends LinkSessionView['state']>(state: State): Promise<View<State>>;
  /** Takes a step as the user, and waits for the state to which it leads. */
  take<State extends LinkSessionView['state']>(step: LinkStep, state: State): Promise<View<State>>;
};

/** Divides the page's waits, so that a retry comes after 40 ms. */
const usualSpeed = 25;

/**
 * Opens a page, to be disposed with `await using`. `send` gets each request, and may forward it. The address of the service is
 * read before each request, because it may change when the service restarts.
 */
export const openPage = (
  service: { url: string; application: { id: string } },
  options: Partial<TransportOptions> = {},
  send: Send = (_, forward) => forward(),
  speed = usualSpeed,
): OpenPage & AsyncDisposable => {
  const models: Model[] = [];
  let changed = Promise.withResolvers<void>();
  const events: OpenPage['events'] = [];
  const results: ConnectResult[] = [];
  const sent: LinkStep[] = [];
  const fetchOnce: typeof fetch = async (input, init) => {
    const request = new Request(`${service.url}/connect/api/${input}`, init);
    const body = request.url.endsWith('/steps') ? await request.clone().json() : undefined;
    if (body) sent.push(body.step);
    return send(request.clone(), () => fetch(request));
  };
  const session = {
    applicationId: service.application.id,
    ...{ origin: hostOrigin, language: 'en', ...options },
  };
  const handlers = {
    change: (model: Model) => {
      models.push(model);
      changed.resolve();
      changed = Promise.withResolvers();
    },
    event: (...event: [ConnectEvent, ConnectMetadata]) => events.push(event),
    result: (result: ConnectResult) => results.push(result),
  };
  const wait: typeof sleep = (milliseconds, signal) => sleep(milliseconds / speed, signal);
  const transport = new Transport(createApiClient('', fetchOnce), session, handlers, wait);
  const model = (): Model => models.at(-1)!;
  const page: OpenPage = {
    ...{ transport, model, models, events, results, sent },
    changed: () => changed.promise,
    until: async (state) => {
      const shown = () => (isSubmitting(model()) ? 'a step that is on its way' : viewOf(model())?.state);
      await expect.poll(() => models.length > 0 && shown()).toBe(state);
      return viewOf(model()) as never;
    },
    take: async (step, state) => {
      transport.submitStep(step);
      return page.until(state);
    },
  };
  return { ...page, [Symbol.asyncDispose]: async () => transport.dispose() };
};

export const credentials = (username: string, password = 'password'): LinkStep => ({
  kind: 'credentials',
  values: { username, password },
});

/** Goes to the sign-in form of the Sandbox Bank, which must be the `institutionId` of the page. */
export const toSignIn = async (page: OpenPage): Promise<View<'credentials'>> => {
  await page.until('consent');
  return page.take({ kind: 'consent' }, 'credentials');
};

/** Shares all accounts. */
export const shareAll = async (page: OpenPage): Promise<View<'finished'>> => {
  const { accounts } = await page.until('accounts');
  return page.take({ kind: 'selectAccounts', accountIds: accounts.map(({ id }) => id) }, 'finished');
};
