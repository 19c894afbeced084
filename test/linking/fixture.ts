// Where the tests of linking play: a service on each database, a bank that shows what a test tells it to, and the
// page's conversation with every status in the test's hands.
import { afterAll, afterEach, beforeAll, describe, expect, vi } from 'vitest';
import type { Client } from '../../client/index.ts';
import type { Database } from '../../src/db/open.ts';
import {
  makeScriptedConnector,
  northBank,
  type ScriptedConnector,
  scriptedAccount,
  scriptedTransaction,
} from '../support/scriptedConnector.ts';
import { databases } from '../support/databases.ts';
import {
  driveToEnd,
  driveToImport,
  type LinkOptions,
  link,
  openLinkSession,
  startService,
  type TestApplication,
  type TestService,
  type TestServiceOptions,
  type TestLinkSession,
} from '../support/testService.ts';

export type LinkResult = Awaited<ReturnType<typeof link>>;

export type LinkFixture = {
  service: TestService;
  db: Database;
  connector: ScriptedConnector;
  shop: TestApplication;
  /** Links at the shop; `ada` at North Bank where nothing else is said. */
  link(options?: LinkOptions): Promise<LinkResult>;
  /** A session at the shop that has not begun. */
  openSession(options?: LinkOptions): Promise<TestLinkSession>;
  /** A session that has gone as far as the import, or to the first question that no answer was given for. */
  openDrivenSession(options?: LinkOptions): Promise<TestLinkSession>;
  client(scopedToken?: string): Client;
  /** What the log says at level error since it was last asked; a test that leaves some fails. */
  takeErrorLogs(): { msg: string; session?: string }[];
};

/** What the shop's users say at North Bank. */
export const linkOptionsOf = (shop: TestApplication, options: LinkOptions = {}): LinkOptions => ({
  ...{ username: 'ada', institutionId: northBank, applicationId: shop.id },
  ...options,
});

/** The accounts of `ada`; those of `other` have other ids and numbers. */
export const accountsOf = (username: string) => [
  scriptedAccount({
    id: `${username}-main`,
    name: 'Main Account',
    number: `DE-${username}-1`,
    transactions: [
      scriptedTransaction({ id: 'e1', description: 'first' }),
      scriptedTransaction({ id: 'e2', description: 'second' }),
    ],
  }),
  scriptedAccount({ id: `${username}-card`, name: 'Card', type: 'credit', number: `DE-${username}-2` }),
];

const errorLevel = 50;

/** One chapter for each database. */
export const describeLinking = (
  name: string,
  chapter: (stage: LinkFixture) => void,
  options: TestServiceOptions = {},
): void => {
  for (const database of databases) {
    describe(`${name} on ${database.name}`, () => {
      const stage = {} as LinkFixture;
      beforeAll(async () => {
        Object.assign(stage, await startLinkFixture({ database, ...options }));
      });
      afterEach(() => expect(stage.takeErrorLogs()).toEqual([]));
      afterAll(() => stage.service?.close());
      chapter(stage);
    });
  }
};

const startLinkFixture = async (options: TestServiceOptions): Promise<LinkFixture> => {
  const connector = makeScriptedConnector({ chunkSize: 1 });
  for (const username of ['ada', 'other']) connector.setAccounts(username, accountsOf(username));
  connector.setAccounts('asked', accountsOf('asked'));
  connector.challenge('asked', { kind: 'code', label: 'Code' }, '123456');
  const alarms: { msg: string; session?: string }[] = [];
  const service = await startService({
    connectors: [connector.connector],
    ...options,
    // An import that waits is tried again several times while a test looks on.
    limits: { importRetrySeconds: 0.1, workerPollMs: 50, ...options.limits },
    logTo: (line) => {
      const entry = JSON.parse(line);
      if (entry.level >= errorLevel) alarms.push(entry);
    },
  });
  const shop = await service.addApplication({ environment: 'production' });
  const openSession = (more?: LinkOptions) => openLinkSession(service, linkOptionsOf(shop, more));
  return {
    service,
    db: service.service.db,
    connector,
    shop,
    link: (more) => link(service, linkOptionsOf(shop, more)),
    openSession,
    openDrivenSession: async (more) => {
      const session = await openSession(more);
      await driveToImport(session, linkOptionsOf(shop, more));
      return session;
    },
    client: (scopedToken) => service.client(scopedToken, shop.apiKey),
    takeErrorLogs: () => alarms.splice(0),
  };
};

/** Goes on with a session to its end. */
export const finishSession = (stage: LinkFixture, session: TestLinkSession, options?: LinkOptions) =>
  driveToEnd(session, linkOptionsOf(stage.shop, options));

/** The ids of the connections that a token covers; the status where it covers nothing. */
export const connectionIdsOf = async (
  stage: LinkFixture,
  scopedToken: string | undefined,
): Promise<string[] | number> => {
  const { data, response } = await stage.client(scopedToken).GET('/connections');
  return data ? data.connections.map(({ id }) => id) : response.status;
};

/** What getting a connection answers. */
export const statusOf = async (stage: LinkFixture, connectionId: string): Promise<number> => {
  const params = { path: { connectionId } };
  return (await stage.client().GET('/connections/{connectionId}', { params })).response.status;
};

export type WidgetApiResponse = {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: whatever came is what the test looks into.
  body: any;
};

type WidgetApiRequest = { method?: string; secret?: string | null; body?: unknown };

/** Asks the widget's door as its page would, or as it would not. */
export const requestWidgetApi = async (
  service: Pick<TestService, 'url'>,
  path: string,
  { method = 'GET', secret, body }: WidgetApiRequest = {},
): Promise<WidgetApiResponse> => {
  const response = await fetch(`${service.url}/connect/api/link-sessions${path}`, {
    method,
    headers: {
      ...(secret && { Authorization: `Bearer ${secret}` }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
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

/** Takes a step with every status, and leaves the session's own view as it was. */
export const tryStep = (
  stage: LinkFixture,
  { id, secret, view }: Pick<TestLinkSession, 'id' | 'secret' | 'view'>,
  step: object,
  version: unknown = view.version,
): Promise<WidgetApiResponse> =>
  requestWidgetApi(stage.service, `/${id}/steps`, { method: 'POST', secret, body: { version, step } });

/** What the database holds of a session. */
export const sessionRowOf = ({ db }: LinkFixture, { id }: Pick<TestLinkSession, 'id'>) =>
  db.read('link_sessions').where({ id }).first();

/** Waits for something that comes by itself. */
export const eventually = (check: () => Promise<void> | void) =>
  vi.waitFor(check, { timeout: 20_000, interval: 20 });
