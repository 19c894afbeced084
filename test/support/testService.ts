// Starts a whole service on a fresh database, with typed clients and a clock that tests move. Tests use only its HTTP interfaces
// and the tools of an operator.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import createFetchClient from 'openapi-fetch';
import { expect, vi } from 'vitest';
import { type Client, createClient } from '../../client/index.ts';
import type { ConnectorModule } from '../../connectors/kit/defineConnector.ts';
import type { components, paths as WidgetPaths } from '../../generated/widget.ts';
import { createApiKey } from '../../src/domain/applications/apiKeys.ts';
import { createApplication, createOrganization } from '../../src/domain/applications/applications.ts';
import { findOrganizations } from '../../src/domain/applications/store.ts';
import { byOperator, operatorActor } from '../../src/domain/audit/by.ts';
import { openServer } from '../../src/interfaces/http/listen.ts';
import { readConfig } from '../../src/platform/settings/config.ts';
import type { Limits } from '../../src/platform/settings/limits.ts';
import { makeLog } from '../../src/platform/telemetry/log.ts';
import type { Clock, Environment } from '../../src/platform/values/clock.ts';
import { buildService, type Service } from '../../src/service.ts';
import { returnFromBank } from './bankPage.ts';
import { afterTest } from './cleanups.ts';
import { type DatabaseKind, databases } from './databases.ts';
import type { PrismProxy } from './prismProxy.ts';

type View = components['schemas']['LinkSessionView'];
type Step = components['schemas']['LinkStep'];
type Result = components['schemas']['LinkResult'];

export type TestApplication = { id: string; apiKey: string; keyId: string };

export type TestService = {
  url: string;
  /** The address of the public API: `url`, or that of Prism in front of it. */
  apiUrl: string;
  /** Undefined unless started with `throughPrism`. */
  prism: PrismProxy | undefined;
  service: Service;
  /** The organization of the first application. */
  organizationId: string;
  /** The first application, in the Sandbox. */
  application: TestApplication;
  /** Moves the clock of this service forward. */
  advance(milliseconds: number): void;
  /** Another application, by default of the first organization. */
  addApplication(options?: {
    organizationId?: string;
    environment?: Environment;
    origins?: string[];
  }): Promise<TestApplication>;
  addKey(applicationId: string): Promise<{ keyId: string; apiKey: string }>;
  /** The client package with a scoped token and, by default, the first application's API key. */
  client(scopedToken?: string, apiKey?: string): Client;
  /** Removes the jobs of a link session and of its connection, so that nothing more is refreshed. */
  sleep(session: Pick<TestLinkSession, 'id' | 'view'>): Promise<void>;
  close(): Promise<void>;
};

export type TestServiceOptions = {
  database?: DatabaseKind;
  /** Starts with the database and the secrets of another service, as a second process does. */
  existing?: { databaseUrl: string; secretsDir?: string };
  worker?: boolean;
  /** Uses real time and the sandbox clock, which the operator moves, instead of a clock that `advance` moves. */
  systemTime?: boolean;
  /** Replaces the clock that `advance` moves. */
  clock?: Clock;
  connectors?: ConnectorModule[];
  /** The duration of each step of the sandbox user `slow`; by default five seconds. */
  slowStepMs?: number;
  limits?: Partial<Limits>;
  origins?: string[];
  /** Additional settings. */
  env?: Record<string, string>;
  /** Puts Prism in front of the public API. */
  throughPrism?: boolean;
  /** Receives every line of the log at level trace; without it the log is silent. */
  logTo?: (line: string) => void;
};

/** The origin of the host page in tests without a browser. */
export const hostOrigin = 'https://shop.example';

/** The limits of a service in tests: short polls, long waits, and practically no rate limits. */
export const testLimits = {
  workerPollMs: 250,
  // Test clients keep connections open without sending anything.
  shutdownIdleMs: 0,
  apiRequestsPerMinute: 1_000_000,
  // Tests send many requests at once, perhaps on a busy machine.
  apiQueueMs: 30_000,
  widgetRequestsPerMinute: 1_000_000,
  authFailuresPerMinute: 1_000_000,
  linkSignInsPerAddress: 1_000_000,
  linkSignInsPerApplication: 1_000_000,
  linkSignInsPerLogin: 1_000_000,
} satisfies Partial<Limits>;

/** Starts a service on a fresh database, by default of the first kind in `databases`. */
export const startService = async (options: TestServiceOptions = {}): Promise<TestService> => {
  const directory = await mkdtemp(join(tmpdir(), 'bank-connection-service-'));
  const database = options.existing ? undefined : await (options.database ?? databases[0]!).create();
  const removeData = async (): Promise<void> => {
    await database?.drop();
    await rm(directory, { recursive: true, force: true });
  };
  const port = options.env?.PORT ?? '0';
  const settings = readConfig(
    {
      BASE_URL: `http://127.0.0.1:${port}`,
      ...options.env,
      PORT: port,
      DATA_DIR: directory,
      SECRETS_DIR: options.existing?.secretsDir,
      DATABASE_URL: options.existing?.databaseUrl ?? database?.url,
      LOG_LEVEL: options.logTo ? 'trace' : (process.env.TEST_LOG_LEVEL ?? 'silent'),
    },
    {
      ...testLimits,
      ...options.limits,
    },
  );
  const manualClock = makeManualClock();
  const log = makeLog(settings.logLevel, options.logTo && { write: options.logTo });
  const server = await openServer(settings, log);
  const url = `http://127.0.0.1:${server.port}`;
  const service = await buildService(server.config, log, {
    worker: options.worker ?? true,
    clock: options.systemTime ? undefined : (options.clock ?? manualClock.clock),
    connectors: options.connectors,
    slowStepMs: options.slowStepMs,
  }).catch(async (error) => {
    await server.close();
    await removeData();
    throw error;
  });
  server.serve(service);
  const prism = options.throughPrism ? await startPrismBefore(url) : undefined;
  const apiUrl = prism?.url ?? url;
  const [organization] = await findOrganizations(service.db.read);
  const { id: firstOrganizationId } =
    organization ??
    (await createOrganization(service.db, 'Tests', { actor: operatorActor, now: new Date() }));
  const addKey = async (applicationId: string) => {
    const by = { actor: operatorActor, now: manualClock.clock.real() };
    return createApiKey(service.db, service.apiKeySigner, { applicationId, name: 'test' }, by);
  };
  const addApplication: TestService['addApplication'] = async ({
    organizationId = firstOrganizationId,
    environment = 'sandbox',
    origins,
  } = {}) => {
    const request = { name: 'Shop', environment, origins: origins ?? options.origins ?? [hostOrigin] };
    const by = byOperator(organizationId, manualClock.clock.real());
    const { id } = await createApplication(service.db, request, by);
    return { id, ...(await addKey(id)) };
  };
  const application = await addApplication();
  let isClosed = false;
  return {
    url,
    apiUrl,
    prism,
    service,
    organizationId: firstOrganizationId,
    application,
    advance: manualClock.advance,
    addApplication,
    addKey,
    client: (scopedToken, apiKey = application.apiKey) =>
      createClient({ baseUrl: apiUrl, apiKey, scopedToken }),
    sleep: async ({ id, view }) => {
      if (isClosed) return;
      const connectionId = view.state === 'finished' ? view.result.connectionId : undefined;
      const jobs = service.db.write('jobs').where({ linkSessionId: id });
      await (connectionId ? jobs.orWhere({ connectionId }) : jobs).delete();
    },
    close: async () => {
      isClosed = true;
      await prism?.close();
      await server.close();
      await service.close();
      await removeData();
    },
  };
};

/** Imports Prism on demand, because it takes half a second to load. */
const startPrismBefore = async (url: string): Promise<PrismProxy> =>
  (await import('./prismProxy.ts')).startPrismProxy(url);

const makeManualClock = (): { clock: Clock; advance(milliseconds: number): void } => {
  let offset = 0;
  const now = (): Date => new Date(Date.now() + offset);
  return {
    clock: { real: now, now, organizationsAhead: () => [] },
    advance: (milliseconds) => {
      offset += milliseconds;
    },
  };
};

export type LinkOptions = {
  /** By default `good`, sharing only the smallest account, so that the import is short. */
  username?: string;
  password?: string;
  /** The input by field name, if the fields are not username and password. */
  values?: Record<string, string>;
  institutionId?: string;
  externalUserId?: string;
  connectionId?: string;
  accountSelection?: boolean;
  applicationId?: string;
  /** Opens the session in a native application with this return address. */
  returnAddress?: string;
  /** The User-Agent of the end user's browser. */
  userAgent?: string;
  /** The answer to each challenge. */
  answers?: string[];
  /** The names of the accounts to share; by default all of a named user. */
  accounts?: string[];
};

/** A link session, driven through the widget's API as by the widget's page. */
export type TestLinkSession = {
  id: string;
  secret: string;
  view: View;
  step(step: Step): Promise<View>;
  refresh(): Promise<View>;
  /** Waits until the import has succeeded or failed. */
  waitForImport(): Promise<View>;
  acknowledge(): Promise<Response>;
};

const makeWidgetClient = (url: string) => createFetchClient<WidgetPaths>({ baseUrl: url });

/** A service in this process or, without `sleep`, in another. */
type LinkService = Pick<TestService, 'url' | 'application'> & Partial<Pick<TestService, 'sleep'>>;

/** Creates a link session, or continues one by its id and secret. Its connection sleeps when the test ends. */
export const openLinkSession = async (
  service: LinkService,
  options: LinkOptions & { session?: { id: string; secret: string } } = {},
): Promise<TestLinkSession> => {
  const client = makeWidgetClient(service.url);
  const created = options.session ? undefined : await createLinkSession(service, options);
  const { id, secret } = options.session ?? created!.session;
  const params = { path: { linkSessionId: id } };
  const { userAgent } = options;
  const headers = { Authorization: `Bearer ${secret}`, ...(userAgent && { 'User-Agent': userAgent }) };
  const session: TestLinkSession = {
    id,
    secret,
    view: created?.view as View,
    refresh: async () => {
      const { data, error } = await client.GET('/connect/api/link-sessions/{linkSessionId}', {
        params,
        headers,
      });
      if (!data) throw new Error(`Reading the link session failed: ${error?.code}.`);
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
      if (!data) throw new Error(`The step ${step.kind} failed: ${JSON.stringify(error)}`);
      session.view = data.view;
      return data.view;
    },
    waitForImport: async () => {
      const isDone = async () => (await session.refresh()).state !== 'importing';
      await vi.waitUntil(isDone, { timeout: 60_000, interval: 50 });
      return session.view;
    },
    acknowledge: async () => {
      const path = '/connect/api/link-sessions/{linkSessionId}/acknowledgement';
      const { response } = await client.POST(path, { params, headers });
      return response;
    },
  };
  if (!session.view) await session.refresh();
  afterTest(async () => service.sleep?.(session));
  return session;
};

const createLinkSession = async (service: LinkService, options: LinkOptions) => {
  const body = {
    applicationId: options.applicationId ?? service.application.id,
    origin: options.returnAddress === undefined ? hostOrigin : 'native',
    externalUserId: options.externalUserId,
    connectionId: options.connectionId,
    accountSelection: options.accountSelection,
    returnAddress: options.returnAddress,
  };
  const { data, error } = await makeWidgetClient(service.url).POST('/connect/api/link-sessions', { body });
  if (!data) throw new Error(`Creating a link session failed: ${JSON.stringify(error)}`);
  return data;
};

/** Links from consent to the end of the import and acknowledges the result; throws if linking fails. */
export const link = async (
  service: LinkService,
  options: LinkOptions = {},
): Promise<Result & { session: TestLinkSession }> => {
  const session = await openLinkSession(service, options);
  const view = await driveToEnd(session, options);
  if (view.state !== 'finished') throw new Error(`Linking ended as ${JSON.stringify(view)}.`);
  expect((await session.acknowledge()).status).toBe(204);
  return { ...view.result, session };
};

/** Drives a link session until it is finished or failed. Accounts that are already connected are shared again. */
export const driveToEnd = async (session: TestLinkSession, options: LinkOptions = {}): Promise<View> => {
  const view = await driveToImport(session, options);
  // A fast worker may ask again before the response to the step.
  const ended = view.state === 'importing' ? await session.waitForImport() : view;
  return ended.state === 'accounts' ? driveToEnd(session, options) : ended;
};

/** Drives a link session, whose accounts are already connected, to its import. */
export const shareAgain = async (session: TestLinkSession, options: LinkOptions): Promise<View> => {
  await driveToImport(session, options);
  await session.waitForImport();
  return driveToImport(session, options);
};

/** Drives a link session through all steps of the user. */
export const driveToImport = async (session: TestLinkSession, options: LinkOptions = {}): Promise<View> => {
  const { username = 'good', password = 'password', institutionId = 'sandbox-bank' } = options;
  const answers = [...(options.answers ?? [])];
  /** Answers challenges until no challenge or no answer is left. */
  const answerChallenges = async (): Promise<void> => {
    while (session.view.state === 'challenge') {
      const { challenge } = session.view;
      if (challenge.kind === 'redirect') {
        const bankPage = new URL(challenge.url);
        const code = await returnFromBank({ url: bankPage.origin }, bankPage);
        await session.step({ kind: 'returned', code });
        continue;
      }
      const answer = answers.shift();
      if (answer === undefined && challenge.kind !== 'approval') return;
      await session.step({ kind: 'answer', answer: answer ?? '' });
    }
  };
  if (session.view.state === 'consent') await session.step({ kind: 'consent' });
  if (session.view.state === 'institution') await session.step({ kind: 'selectInstitution', institutionId });
  if (session.view.state === 'credentials') {
    const { values = { username, password } } = options;
    await session.step({ kind: 'credentials', values });
  }
  await answerChallenges();
  if (session.view.state === 'accounts') {
    const isDefault = options.username === undefined && options.values === undefined;
    const names = options.accounts ?? (isDefault ? ['Rainy Day Savings'] : undefined);
    const chosen = session.view.accounts.filter(({ name }) => names?.includes(name) ?? true);
    await session.step({ kind: 'selectAccounts', accountIds: chosen.map(({ id }) => id) });
    // For a bank with a challenge before it returns transactions.
    await answerChallenges();
  }
  return session.view;
};
