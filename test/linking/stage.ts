// Where the tests of linking play: a service on each database, a bank that shows what a test tells it to, and the
// page's conversation with every status in the test's hands.
import { afterAll, afterEach, beforeAll, describe, expect, vi } from 'vitest';
import type { Client } from '../../client/index.ts';
import type { Database } from '../../src/db/open.ts';
import {
  makeScriptedBank,
  northBank,
  type ScriptedBank,
  scriptedAccount,
  scriptedEntry,
} from '../banks/scriptedBank.ts';
import { databases } from '../databases.ts';
import {
  driveToEnd,
  driveToImport,
  type LinkOptions,
  link,
  openTestSession,
  startService,
  type TestApplication,
  type TestService,
  type TestServiceOptions,
  type TestSession,
} from '../harness.ts';

export type Linked = Awaited<ReturnType<typeof link>>;

export type Stage = {
  service: TestService;
  db: Database;
  bank: ScriptedBank;
  shop: TestApplication;
  /** Links at the shop; `ada` at North Bank where nothing else is said. */
  link(options?: LinkOptions): Promise<Linked>;
  /** A session at the shop that has not begun. */
  open(options?: LinkOptions): Promise<TestSession>;
  /** A session that has gone as far as the import, or to the first question that no answer was given for. */
  driven(options?: LinkOptions): Promise<TestSession>;
  client(scopedToken?: string): Client;
  /** What the log says at level error since it was last asked; a test that leaves some fails. */
  alarms(): { msg: string; session?: string }[];
};

/** What the shop's users say at North Bank. */
export const visitOf = (shop: TestApplication, options: LinkOptions = {}): LinkOptions => ({
  ...{ username: 'ada', institutionId: northBank, applicationId: shop.id },
  ...options,
});

/** The accounts of `ada`; those of `other` have other ids and numbers. */
export const accountsOf = (username: string) => [
  scriptedAccount({
    id: `${username}-main`,
    name: 'Main Account',
    number: `DE-${username}-1`,
    entries: [
      scriptedEntry({ id: 'e1', description: 'first' }),
      scriptedEntry({ id: 'e2', description: 'second' }),
    ],
  }),
  scriptedAccount({ id: `${username}-card`, name: 'Card', type: 'credit', number: `DE-${username}-2` }),
];

const errorLevel = 50;

/** One chapter for each database. */
export const describeLinking = (
  name: string,
  chapter: (stage: Stage) => void,
  options: TestServiceOptions = {},
): void => {
  for (const database of databases) {
    describe(`${name} on ${database.name}`, () => {
      const stage = {} as Stage;
      beforeAll(async () => {
        Object.assign(stage, await setStage({ database, ...options }));
      });
      afterEach(() => expect(stage.alarms()).toEqual([]));
      afterAll(() => stage.service?.close());
      chapter(stage);
    });
  }
};

const setStage = async (options: TestServiceOptions): Promise<Stage> => {
  const bank = makeScriptedBank({ chunkEntries: 1 });
  for (const username of ['ada', 'other']) bank.show(username, accountsOf(username));
  bank.show('asked', accountsOf('asked'));
  bank.challenge('asked', { kind: 'code', label: 'Code' }, '123456');
  const alarms: { msg: string; session?: string }[] = [];
  const service = await startService({
    connectors: [bank.connector],
    ...options,
    // An import that waits is tried again several times while a test looks on.
    limits: { importRetrySeconds: 0.1, workerPollMs: 50, ...options.limits },
    logTo: (line) => {
      const entry = JSON.parse(line);
      if (entry.level >= errorLevel) alarms.push(entry);
    },
  });
  const shop = await service.addApplication({ environment: 'production' });
  const open = (more?: LinkOptions) => openTestSession(service, visitOf(shop, more));
  return {
    service,
    db: service.service.db,
    bank,
    shop,
    link: (more) => link(service, visitOf(shop, more)),
    open,
    driven: async (more) => {
      const session = await open(more);
      await driveToImport(session, visitOf(shop, more));
      return session;
    },
    client: (scopedToken) => service.client(scopedToken, shop.apiKey),
    alarms: () => alarms.splice(0),
  };
};

/** Goes on with a session to its end. */
export const finish = (stage: Stage, session: TestSession, options?: LinkOptions) =>
  driveToEnd(session, visitOf(stage.shop, options));

/** The ids of the connections that a token covers; the status where it covers nothing. */
export const covered = async (stage: Stage, scopedToken: string | undefined): Promise<string[] | number> => {
  const { data, response } = await stage.client(scopedToken).GET('/connections');
  return data ? data.connections.map(({ id }) => id) : response.status;
};

/** What getting a connection answers. */
export const statusOf = async (stage: Stage, connectionId: string): Promise<number> => {
  const params = { path: { connectionId } };
  return (await stage.client().GET('/connections/{connectionId}', { params })).response.status;
};

export type PageAnswer = {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: whatever came is what the test looks into.
  body: any;
};

type Asking = { method?: string; secret?: string | null; body?: unknown };

/** Asks the widget's door as its page would, or as it would not. */
export const askPage = async (
  service: Pick<TestService, 'url'>,
  path: string,
  { method = 'GET', secret, body }: Asking = {},
): Promise<PageAnswer> => {
  const response = await fetch(`${service.url}/connect/api/sessions${path}`, {
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
  stage: Stage,
  { id, secret, view }: Pick<TestSession, 'id' | 'secret' | 'view'>,
  step: object,
  version: unknown = view.version,
): Promise<PageAnswer> =>
  askPage(stage.service, `/${id}/steps`, { method: 'POST', secret, body: { version, step } });

/** What the database holds of a session. */
export const rowOf = ({ db }: Stage, { id }: Pick<TestSession, 'id'>) =>
  db.read('link_sessions').where({ id }).first();

/** Waits for something that comes by itself. */
export const eventually = (check: () => Promise<void> | void) =>
  vi.waitFor(check, { timeout: 20_000, interval: 20 });
