// A whole service on a fresh database: its address, its clock, its typed clients. Tests enter by the front door;
// what they may do besides is what an operator may do.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import createFetchClient from 'openapi-fetch';
import { expect, vi } from 'vitest';
import { type Client, createClient } from '../../client/index.ts';
import type { components, paths as WidgetPaths } from '../../generated/widget.ts';
import { createApiKey } from '../../src/applications/apiKeys.ts';
import { createApplication, createOrganization } from '../../src/applications/createApplication.ts';
import { findOrganizations } from '../../src/applications/store.ts';
import type { ConnectorModule } from '../../src/connectors/registry.ts';
import type { Clock, Environment } from '../../src/clock.ts';
import { type Limits, readConfig } from '../../src/config.ts';
import { listen } from '../../src/http/listen.ts';
import { makeLog } from '../../src/log.ts';
import { buildService, type Service } from '../../src/service.ts';
import { type DatabaseKind, databases } from './databases.ts';
import type { PrismProxy } from './prismProxy.ts';

type View = components['schemas']['LinkSessionView'];
type Step = components['schemas']['LinkStep'];
type Result = components['schemas']['LinkResult'];

export type TestApplication = { id: string; apiKey: string; keyId: string };

export type TestService = {
  url: string;
  /** Where the public interface is asked: the same, or Prism in front of it. */
  apiUrl: string;
  /** There where the service was started with `throughPrism`. */
  prism: PrismProxy | undefined;
  service: Service;
  /** The first application, of the Sandbox. */
  application: TestApplication;
  /** Moves time for everything in this service. */
  advance(milliseconds: number): void;
  /** Another application of the same organization. */
  addApplication(options?: { environment?: Environment; origins?: string[] }): Promise<TestApplication>;
  addKey(applicationId: string): Promise<{ keyId: string; apiKey: string }>;
  /** Our own client with the first application's key, and a scoped token where one is given. */
  client(scopedToken?: string, apiKey?: string): Client;
  close(): Promise<void>;
};

export type TestServiceOptions = {
  database?: DatabaseKind;
  /** An existing database, and its secrets where it has some: to start a second process on. */
  existing?: { databaseUrl: string; secretsDir?: string };
  worker?: boolean;
  /** Real time and the sandbox's own, which the operator moves, instead of one time that `advance` moves. */
  systemTime?: boolean;
  connectors?: ConnectorModule[];
  /** How long each step takes the sandbox's user `slow`, where five seconds are too long to wait for. */
  slowStepMs?: number;
  limits?: Partial<Limits>;
  origins?: string[];
  /** Settings besides. */
  env?: Record<string, string>;
  /** Puts Prism in front of the public interface. */
  throughPrism?: boolean;
  /** Receives every line of the log, at its finest level; without it the log is silent. */
  logTo?: (line: string) => void;
};

/** The origin that tests pretend to be a host page of, where no browser is involved. */
export const hostOrigin = 'https://shop.example';

/** Starts a service on a fresh database, by default on the first of the kinds that this run tests. */
export const startService = async (options: TestServiceOptions = {}): Promise<TestService> => {
  const directory = await mkdtemp(join(tmpdir(), 'bank-connection-service-'));
  const database = options.existing ? undefined : await (options.database ?? databases[0]!).create();
  const config = readConfig(
    {
      ...options.env,
      PORT: '0',
      DATA_DIR: directory,
      SECRETS_DIR: options.existing?.secretsDir,
      DATABASE_URL: options.existing?.databaseUrl ?? database?.url,
      LOG_LEVEL: options.logTo ? 'trace' : (process.env.TEST_LOG_LEVEL ?? 'silent'),
    },
    {
      workerPollMs: 250,
      apiRequestsPerMinute: 1_000_000,
      widgetRequestsPerMinute: 1_000_000,
      ...options.limits,
    },
  );
  const time = makeManualClock();
  const log = makeLog(config.logLevel, options.logTo && { write: options.logTo });
  const service = await buildService(config, log, {
    worker: options.worker ?? true,
    clock: options.systemTime ? undefined : time.clock,
    connectors: options.connectors,
    slowStepMs: options.slowStepMs,
  });
  const listening = await listen(service);
  const url = `http://127.0.0.1:${listening.port}`;
  const prism = options.throughPrism ? await startPrismBefore(url) : undefined;
  const apiUrl = prism?.url ?? url;
  if ((await findOrganizations(service.db.read)).length === 0) {
    await createOrganization(service.db, { name: 'Tests', now: new Date() });
  }
  const addKey = async (applicationId: string) =>
    createApiKey(service.db, service.apiKeySigner, { applicationId, name: 'test', now: time.clock.real() });
  const addApplication: TestService['addApplication'] = async ({ environment = 'sandbox', origins } = {}) => {
    const { id } = await createApplication(service.db, {
      name: 'Shop',
      environment,
      origins: origins ?? options.origins ?? [hostOrigin],
      now: time.clock.real(),
    });
    return { id, ...(await addKey(id)) };
  };
  const application = await addApplication();
  return {
    url,
    apiUrl,
    prism,
    service,
    application,
    advance: time.advance,
    addApplication,
    addKey,
    client: (scopedToken, apiKey = application.apiKey) =>
      createClient({ baseUrl: apiUrl, apiKey, scopedToken }),
    close: async () => {
      await prism?.close();
      await listening.close();
      await service.close();
      await database?.drop();
      await rm(directory, { recursive: true, force: true });
    },
  };
};

/** Prism takes half a second to load, which the many files without it need not wait for. */
const startPrismBefore = async (url: string): Promise<PrismProxy> =>
  (await import('./prismProxy.ts')).startPrismProxy(url);

const makeManualClock = (): { clock: Clock; advance(milliseconds: number): void } => {
  let offset = 0;
  const now = (): Date => new Date(Date.now() + offset);
  return {
    clock: { real: now, now },
    advance: (milliseconds) => {
      offset += milliseconds;
    },
  };
};

export type LinkOptions = {
  username?: string;
  password?: string;
  institutionId?: string;
  externalUserId?: string;
  connectionId?: string;
  applicationId?: string;
  /** What to answer to each challenge. */
  answers?: string[];
  /** The names of the accounts to share; all of them where nothing is said. */
  accounts?: string[];
};

/** A linking session, driven as the widget's page drives it. */
export type TestLinkSession = {
  id: string;
  secret: string;
  view: View;
  step(step: Step): Promise<View>;
  refresh(): Promise<View>;
  /** Waits until the import has ended, one way or the other. */
  waitForImport(): Promise<View>;
  acknowledge(): Promise<Response>;
};

const makeWidgetClient = (url: string) => createFetchClient<WidgetPaths>({ baseUrl: url });

/** Starts a session, or continues one whose id and secret are known. */
export const openLinkSession = async (
  service: Pick<TestService, 'url' | 'application'>,
  options: LinkOptions & { session?: { id: string; secret: string } } = {},
): Promise<TestLinkSession> => {
  const client = makeWidgetClient(service.url);
  const started = options.session ? undefined : await createSession(service, options);
  const { id, secret } = options.session ?? started!.session;
  const params = { path: { linkSessionId: id } };
  const headers = { Authorization: `Bearer ${secret}` };
  const session: TestLinkSession = {
    id,
    secret,
    view: started?.view as View,
    refresh: async () => {
      const { data, error } = await client.GET('/connect/api/link-sessions/{linkSessionId}', {
        params,
        headers,
      });
      if (!data) throw new Error(`The session answers ${error?.code}.`);
      session.view = data.view;
      return data.view;
    },
    step: async (step) => {
      const body = { version: session.view.version, step };
      const { data, error } = await client.POST('/connect/api/link-sessions/{linkSessionId}/steps', {
        params,
        headers,
        body,
      });
      if (!data) throw new Error(`The step ${step.kind} is refused: ${JSON.stringify(error)}`);
      session.view = data.view;
      return data.view;
    },
    waitForImport: async () => {
      const ended = async () => (await session.refresh()).state !== 'importing';
      await vi.waitUntil(ended, { timeout: 60_000, interval: 50 });
      return session.view;
    },
    acknowledge: async () => {
      const path = '/connect/api/link-sessions/{linkSessionId}/acknowledgement';
      const { response } = await client.POST(path, { params, headers });
      return response;
    },
  };
  if (!session.view) await session.refresh();
  return session;
};

const createSession = async (service: Pick<TestService, 'url' | 'application'>, options: LinkOptions) => {
  const body = {
    applicationId: options.applicationId ?? service.application.id,
    origin: hostOrigin,
    externalUserId: options.externalUserId,
    connectionId: options.connectionId,
  };
  const { data, error } = await makeWidgetClient(service.url).POST('/connect/api/link-sessions', { body });
  if (!data) throw new Error(`No session: ${JSON.stringify(error)}`);
  return data;
};

/** Goes from consent to the end of the import, and fails where the session does not finish. */
export const link = async (
  service: Pick<TestService, 'url' | 'application'>,
  options: LinkOptions = {},
): Promise<Result & { session: TestLinkSession }> => {
  const session = await openLinkSession(service, options);
  const view = await driveToEnd(session, options);
  if (view.state !== 'finished') throw new Error(`Linking ended as ${JSON.stringify(view)}.`);
  expect((await session.acknowledge()).status).toBe(204);
  return { ...view.result, session };
};

/** Drives a session with these options until it is finished or failed. */
export const driveToEnd = async (session: TestLinkSession, options: LinkOptions = {}): Promise<View> => {
  const view = await driveToImport(session, options);
  return view.state === 'importing' ? session.waitForImport() : view;
};

/** Drives a session up to its last step. */
export const driveToImport = async (session: TestLinkSession, options: LinkOptions = {}): Promise<View> => {
  const { username = 'good', password = 'password', institutionId = 'sandbox-bank' } = options;
  const answers = [...(options.answers ?? [])];
  if (session.view.state === 'consent') await session.step({ kind: 'consent' });
  if (session.view.state === 'institution') await session.step({ kind: 'selectInstitution', institutionId });
  if (session.view.state === 'credentials') {
    await session.step({ kind: 'credentials', values: { username, password } });
  }
  while (session.view.state === 'challenge') {
    const answer = answers.shift();
    if (answer === undefined && session.view.challenge.kind !== 'approval') return session.view;
    await session.step({ kind: 'answer', answer: answer ?? '' });
  }
  if (session.view.state === 'accounts') {
    const chosen = session.view.accounts.filter(({ name }) => options.accounts?.includes(name) ?? true);
    await session.step({ kind: 'selectAccounts', accountIds: chosen.map(({ id }) => id) });
  }
  return session.view;
};
