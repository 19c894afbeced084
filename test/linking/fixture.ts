// The fixture of the linking tests: on each database a service with a scripted connector, and requests to the widget
// API with their statuses.
import { afterAll, afterEach, beforeAll, describe, expect, vi } from 'vitest';
import type { Client } from '../../client/index.ts';
import type { Database } from '../../src/platform/db/open.ts';
import { days } from '../../src/platform/values/clock.ts';
import { type DatabaseKind, databases, oneDatabase } from '../support/databases.ts';
import {
  makeScriptedConnector,
  northBank,
  type ScriptedConnector,
  scriptedAccount,
  scriptedTransaction,
} from '../support/scriptedConnector.ts';
import {
  driveToEnd,
  driveToImport,
  type LinkOptions,
  link,
  openLinkSession,
  startService,
  type TestApplication,
  type TestLinkSession,
  type TestService,
  type TestServiceOptions,
} from '../support/testService.ts';

export type LinkResult = Awaited<ReturnType<typeof link>>;

export type LinkFixture = {
  service: TestService;
  db: Database;
  connector: ScriptedConnector;
  application: TestApplication;
  /** Links a connection; by default for the user `ada` at North Bank. */
  link(options?: LinkOptions): Promise<LinkResult>;
  /** Opens a link session without any step. */
  openSession(options?: LinkOptions): Promise<TestLinkSession>;
  /** Opens a link session and drives it to the import, or to the first challenge without a given answer. */
  openDrivenSession(options?: LinkOptions): Promise<TestLinkSession>;
  client(scopedToken?: string): Client;
  /** Creates a separate login, with the accounts of `accountsOf`. */
  newUser(): string;
  /** Returns and removes the lines logged at level error. A test that leaves some fails. */
  takeErrorLogs(): LogLine[];
  /** Waits until a job of the connection has ended without a result, because it lost its lease. */
  untilDropped(connectionId: string): Promise<void>;
};

type LogLine = { level: number; msg: string; session?: string; connectionId?: string };

/** The default options of a link. */
export const linkOptionsOf = (application: TestApplication, options: LinkOptions = {}): LinkOptions => ({
  ...{ username: 'ada', institutionId: northBank, applicationId: application.id },
  ...options,
});

const balance = { current: '10.00', asOf: '2024-01-15T12:00:00.000Z' };

/** The accounts of a user, with different ids and numbers for each username. */
export const accountsOf = (username: string) => [
  scriptedAccount({
    id: `${username}-main`,
    name: 'Main Account',
    number: `DE-${username}-1`,
    balance,
    transactions: [
      scriptedTransaction({ id: 'e1', description: 'first' }),
      scriptedTransaction({ id: 'e2', description: 'second' }),
    ],
  }),
  scriptedAccount({
    id: `${username}-card`,
    name: 'Card',
    type: 'credit',
    number: `DE-${username}-2`,
    balance,
  }),
];

const errorLevel = 50;
let userCount = 0;

type LinkFixtureOptions = TestServiceOptions & {
  /** The number of transactions that the bank sends at once. */
  chunkSize?: number;
};

/** Describes tests with one writer, which send the same statements to each database. */
export const describeLinkingOnce = (
  name: string,
  defineTests: (fixture: LinkFixture) => void,
  options: LinkFixtureOptions = {},
): void => describeLinking(name, defineTests, { ...options, on: oneDatabase });

/** Describes tests on each database, or on the databases in `on`. */
export const describeLinking = (
  name: string,
  defineTests: (fixture: LinkFixture) => void,
  { on = databases, ...options }: LinkFixtureOptions & { on?: DatabaseKind[] } = {},
): void => {
  for (const database of on) {
    describe(`${name} on ${database.name}`, () => {
      const fixture = {} as LinkFixture;
      beforeAll(async () => {
        Object.assign(fixture, await startLinkFixture({ database, ...options }));
      });
      afterEach(() => expect(fixture.takeErrorLogs()).toEqual([]));
      afterAll(() => fixture.service?.close());
      defineTests(fixture);
    });
  }
};

const startLinkFixture = async ({ chunkSize = 1, ...options }: LinkFixtureOptions): Promise<LinkFixture> => {
  const connector = makeScriptedConnector({ chunkSize });
  for (const username of ['ada', 'other']) connector.setAccounts(username, accountsOf(username));
  connector.setAccounts('challenged', accountsOf('challenged'));
  const resend = { afterSeconds: 0 };
  connector.challenge('challenged', { kind: 'code', label: 'Code', resend }, '123456');
  const errorLogs: LogLine[] = [];
  const dropped = new Set<string | undefined>();
  const service = await startService({
    connectors: [connector.module],
    ...options,
    // Short pauses, so that a failed import is retried several times during a test.
    limits: { importRetrySeconds: 0.1, workerPollMs: 50, ...options.limits },
    logTo: (line) => {
      const entry: LogLine = JSON.parse(line);
      if (entry.level >= errorLevel) errorLogs.push(entry);
      if (entry.msg === 'job dropped') dropped.add(entry.connectionId);
    },
  });
  const application = await service.addApplication({ environment: 'production' });
  const openSession = (more?: LinkOptions) => openLinkSession(service, linkOptionsOf(application, more));
  return {
    service,
    db: service.service.db,
    connector,
    application,
    link: (more) => link(service, linkOptionsOf(application, more)),
    openSession,
    openDrivenSession: async (more) => {
      const session = await openSession(more);
      await driveToImport(session, linkOptionsOf(application, more));
      return session;
    },
    client: (scopedToken) => service.client(scopedToken, application.apiKey),
    newUser: () => {
      const username = `user-${userCount++}`;
      connector.setAccounts(username, accountsOf(username));
      return username;
    },
    takeErrorLogs: () => errorLogs.splice(0),
    untilDropped: (connectionId) => eventually(() => expect(dropped).toContain(connectionId)),
  };
};

/** Drives a link session to its end. */
export const finishSession = (fixture: LinkFixture, session: TestLinkSession, options?: LinkOptions) =>
  driveToEnd(session, linkOptionsOf(fixture.application, options));

/** The step that signs in with the right password. */
export const credentialsOf = (username: string) => ({
  kind: 'credentials' as const,
  values: { username, password: 'password' },
});

/** Opens a link session at the sign-in form of North Bank. */
export const openForm = async (
  fixture: LinkFixture,
  applicationId = fixture.application.id,
): Promise<TestLinkSession> => {
  const session = await fixture.openSession({ applicationId });
  await session.step({ kind: 'consent' });
  await session.step({ kind: 'selectInstitution', institutionId: northBank });
  return session;
};

/** Opens a session that reconnects a connection. */
export const openReconnect = ({ openSession }: LinkFixture, { connectionId }: LinkResult) =>
  openSession({ connectionId });

/** Opens a link session whose page has received its result, but not acknowledged it yet. */
export const openFinishedSession = async (
  fixture: LinkFixture,
  options?: LinkOptions,
): Promise<TestLinkSession> => {
  const session = await fixture.openDrivenSession(options);
  await session.waitForImport();
  return session;
};

/** The result of a finished link session. */
export const resultOf = ({ view }: TestLinkSession) => {
  if (view.state !== 'finished') throw new Error(`The session is ${view.state}.`);
  return view.result;
};

/** Cancels a link session, as its page does when the user closes it. */
export const cancel = ({ service }: LinkFixture, { id, secret }: TestLinkSession) =>
  requestWidgetApi(service, `/${id}`, { method: 'DELETE', secret });

/** Revokes a connection. */
export const revoke = async (
  fixture: LinkFixture,
  { connectionId }: Pick<LinkResult, 'connectionId'>,
): Promise<void> => {
  const params = { path: { connectionId } };
  const { response } = await fixture.client().DELETE('/connections/{connectionId}', { params });
  expect(response.status).toBe(204);
};

/** The ids of the connections that a scoped token reads, or the status of the refusal. */
export const connectionIdsOf = async (
  fixture: LinkFixture,
  scopedToken: string | undefined,
): Promise<string[] | number> => {
  const { data, response } = await fixture.client(scopedToken).GET('/connections');
  return data ? data.connections.map(({ id }) => id) : response.status;
};

/** The status of reading a connection. */
export const statusOf = async (fixture: LinkFixture, connectionId: string): Promise<number> => {
  const params = { path: { connectionId } };
  return (await fixture.client().GET('/connections/{connectionId}', { params })).response.status;
};

export type WidgetApiResponse = {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests read bodies of any shape.
  body: any;
};

type WidgetApiRequest = {
  method?: string;
  secret?: string | null;
  body?: unknown;
  /** The client address that a proxy reports. */
  address?: string;
};

/** Sends any request to the widget API. */
export const requestWidgetApi = async (
  service: Pick<TestService, 'url'>,
  path: string,
  { method = 'GET', secret, body, address }: WidgetApiRequest = {},
): Promise<WidgetApiResponse> => {
  const response = await fetch(`${service.url}/connect/api/link-sessions${path}`, {
    method,
    headers: {
      ...(secret && { Authorization: `Bearer ${secret}` }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...(address !== undefined && { 'X-Forwarded-For': address }),
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? undefined : JSON.parse(text),
  };
};

/** Submits a step and returns the response. The `view` of the session is not updated. */
export const tryStep = (
  fixture: Pick<LinkFixture, 'service'>,
  { id, secret, view }: Pick<TestLinkSession, 'id' | 'secret' | 'view'>,
  step: object,
  version: unknown = view.version,
): Promise<WidgetApiResponse> =>
  requestWidgetApi(fixture.service, `/${id}/steps`, { method: 'POST', secret, body: { version, step } });

/** The accounts of a linked connection. */
export const readAccounts = async (fixture: LinkFixture, { connectionId, scopedToken }: LinkResult) => {
  const params = { path: { connectionId } };
  const { data } = await fixture.client(scopedToken).GET('/connections/{connectionId}/accounts', { params });
  return data!.accounts;
};

/** The transactions of the first account of a linked connection. */
export const readTransactions = async (fixture: LinkFixture, { accounts, scopedToken }: LinkResult) => {
  const params = { path: { accountId: accounts[0]!.id } };
  const { data } = await fixture.client(scopedToken).GET('/accounts/{accountId}/transactions', { params });
  return data!.transactions;
};

/**
 * Makes a full refresh of a connection due now, and waits until it has run. Returns the reason for its failure, null after a
 * success, or `stopped` if no further refresh is scheduled.
 */
export const refreshFully = async (
  { db, service }: LinkFixture,
  { connectionId }: LinkResult,
): Promise<string | null> => {
  const longAgo = new Date(Date.now() - days(400)).toISOString();
  await db.write('connections').where({ id: connectionId }).update({ refreshedFullyAt: longAgo });
  const dueAt = new Date(Date.now() - days(1)).toISOString();
  await db.write('jobs').where({ connectionId }).update({ dueAt });
  service.service.linking.wakeWorker();
  const findJob = () => db.read('jobs').where({ connectionId }).first();
  await eventually(async () => {
    const job = await findJob();
    expect(!job || (job.dueAt > dueAt && job.leaseToken === null)).toBe(true);
  });
  const job = await findJob();
  return job ? job.lastFailure : 'stopped';
};

/** The row of a link session. */
export const sessionRowOf = ({ db }: LinkFixture, { id }: Pick<TestLinkSession, 'id'>) =>
  db.read('link_sessions').where({ id }).first();

/** Runs requests while every write of a link session waits for a lock. */
export const whileNothingCanBeWritten = ({ db }: LinkFixture, run: () => Promise<void>): Promise<void> =>
  db.transaction(async (trx) => {
    // SQLite has only one writing transaction at a time.
    if (db.dialect === 'postgres') await trx.raw('lock table link_sessions, jobs in exclusive mode');
    await run();
  });

/** Retries a check until it passes. */
export const eventually = (check: () => Promise<void> | void) =>
  vi.waitFor(check, { timeout: 20_000, interval: 20 });
