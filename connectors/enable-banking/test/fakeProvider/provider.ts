// Enable Banking on loopback, strict about requests: tokens, parameters, URLs, limits and pages. Responses are validated against
// openapi.yaml, except for errors of banks that the provider is known to pass on unchanged.
import type { KeyObject } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import express, { type Request, type Response } from 'express';
import { answer } from './answers.ts';
import type { FakeBank } from './bank.ts';
import { type Endpoint, endpoints, type Schemas } from './contract.ts';
import { bankPage } from './page.ts';
import type { FakeRequest, SessionEnd, State } from './state.ts';
import { makeApplication, privateKey } from './token.ts';

/** Replaces the provider's response; or there is no response, and the connection is closed or stays open. */
export type Intercepted =
  | { status: number; body?: unknown; headers?: Record<string, string> }
  | 'close'
  | 'hang';

export type ProviderOptions = {
  banks: readonly FakeBank[];
  /** The clock of the provider and the banks; by default the real one. */
  now?: () => Date;
  redirectUrls?: readonly string[];
  /** With it, the banks' pages are served over https on a separate port. Without it, only `decide` reaches them. */
  certificate?: { key: string; cert: string };
};

export type FakeProvider = {
  url: string;
  /** The response from `/application`; a test may change it. */
  application: Schemas['Application'];
  /** The application's private key. */
  privateKey: KeyObject;
  /** Submits a decision on a bank's page and returns the URL to which the browser returns. */
  decide(page: string, decision: { user: string } | 'refuse'): Promise<URL>;
  /** The requests of one user, or those without a user, in the order of their responses. */
  requestsOf(user: string | undefined): FakeRequest[];
  /** The highest number of the application's requests within 60 seconds. */
  requestsPerMinuteMax(): number;
  /** Ends a user's open sessions before their `valid_until`. */
  endSessions(user: string, end: SessionEnd): void;
  /** Replaces the response to a request after it was handled; undefined keeps it. */
  intercept: (request: FakeRequest) => Intercepted | undefined | Promise<Intercepted | undefined>;
  /** Rejects if a response violated the contract. */
  close(): Promise<void>;
};

const minuteMs = 60_000;

const toRequest = ({ operationId }: Endpoint, received: Request, at: Date): FakeRequest => ({
  ...{ at, operationId, body: received.body, status: 200 },
  psuHeaders: Object.fromEntries(
    Object.entries(received.headers as Record<string, string>).filter(([name]) => name.startsWith('psu-')),
  ),
  parameters: { ...received.query, ...received.params } as Record<string, string>,
});

const send = (response: Response, sent: Intercepted): void => {
  if (sent === 'close') response.destroy();
  if (typeof sent !== 'object') return;
  response.status(sent.status).set(sent.headers ?? {});
  response.json(sent.body ?? {});
};

const listen = async (server: Server): Promise<string> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
};

const stop = async (server: Server): Promise<void> => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
};

/** Submits the form of a bank's page. */
const sendForm = async (host: string, page: string, form: Record<string, string>): Promise<URL> => {
  const { pathname, search } = new URL(page);
  const request = { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' as const };
  const response = await fetch(`http://${host}${pathname}${search}`, request);
  if (response.status !== 303) throw new Error(`The bank's page answers ${response.status}.`);
  return new URL(response.headers.get('location')!);
};

/** Starts the provider on free ports. */
export const startFakeProvider = async (options: ProviderOptions): Promise<FakeProvider> => {
  const { banks, now = () => new Date(), redirectUrls = [], certificate } = options;
  const application = { ...makeApplication(), redirect_urls: [...redirectUrls] };
  const kept = { authorizations: new Map(), sessions: new Map() };
  const state: State = { ...kept, now, banks, application, pageHost: '' };
  const requests: FakeRequest[] = [];
  const errors: unknown[] = [];
  const respond = async (endpoint: Endpoint, received: Request): Promise<Intercepted> => {
    const request = toRequest(endpoint, received, now());
    const usual = await answer(state, endpoint, request, received.headers.authorization).catch((error) => {
      errors.push(error);
      return { status: 500 };
    });
    const sent = (await provider.intercept(request)) ?? usual;
    request.status = typeof sent === 'object' ? sent.status : 0;
    requests.push(request);
    return sent;
  };
  const app = express().use(bankPage(state), express.json());
  for (const endpoint of endpoints)
    app[endpoint.method](endpoint.path.replace(/\{(\w+)\}/g, ':$1'), async (received, response) =>
      send(response, await respond(endpoint, received)),
    );
  const server = createServer(app);
  const pages = certificate && createHttpsServer(certificate, app);
  const host = await listen(server);
  state.pageHost = pages ? await listen(pages) : host;
  const provider: FakeProvider = {
    ...{ url: `http://${host}`, application, privateKey },
    decide: (page, decision) =>
      sendForm(host, page, decision === 'refuse' ? { decision } : { decision: 'approve', ...decision }),
    requestsOf: (user) => requests.filter((request) => request.user === user),
    requestsPerMinuteMax: () => {
      const times = requests.map(({ at }) => at.getTime()).toSorted((left, right) => left - right);
      const sinceMinute = (end: number) => times.findIndex((time) => time > end - minuteMs);
      return Math.max(0, ...times.map((end, index) => index + 1 - sinceMinute(end)));
    },
    endSessions: (user, end) => {
      for (const session of state.sessions.values()) if (session.user === user) session.endedBy ??= end;
    },
    intercept: () => undefined,
    close: async () => {
      for (const one of [server, ...(pages ? [pages] : [])]) await stop(one);
      if (errors[0]) throw errors[0];
    },
  };
  return provider;
};
