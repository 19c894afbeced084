// The fixture of the API tests: one service with two applications, three end users and a scripted connector. The tests
// run on one database, and once through Prism, which validates every request and response against the contract.
import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest';
import type { Client } from '../../../client/index.ts';
import { type DatabaseKind, databases, oneDatabase } from '../../support/databases.ts';
import {
  makeScriptedConnector,
  northBank,
  type ScriptedConnector,
  scriptedAccount,
  scriptedTransaction,
  southBank,
} from '../../support/scriptedConnector.ts';
import {
  type LinkOptions,
  link,
  startService,
  type TestApplication,
  type TestService,
  type TestServiceOptions,
} from '../../support/testService.ts';
import { type Ids, type OperationId, operations, type RequestOptions, sendRequest } from './operations.ts';

export type LinkResult = Awaited<ReturnType<typeof link>>;

export type ApiFixture = {
  service: TestService;
  connector: ScriptedConnector;
  throughPrism: boolean;
  /** The application that most tests use. */
  shop: TestApplication;
  /** Another application, with its own end user. */
  otherApplication: TestApplication;
  /** An end user of `shop` with an external user id, a connection at North Bank, and a later one at South Bank. */
  ada: { token: string; north: LinkResult; south: LinkResult };
  /** An anonymous end user of `shop`. */
  ben: { token: string; north: LinkResult };
  /** An end user of `otherApplication`. */
  cleo: { token: string; north: LinkResult };
  /** Ada's connection at North Bank, its first account, and that account's newest transaction. */
  ids: Ids;
  /** The client package with the key of `shop` and a token, by default Ada's. */
  client(token?: string): Client;
  /** Links another connection of `shop`; by default the login `other` at North Bank. */
  link(options?: LinkOptions): Promise<LinkResult>;
  /** Returns and removes the collected log entries of level error. A test that leaves some fails. */
  takeErrorLogs(): ErrorLogEntry[];
  /** Sends one request; by default with the key of `shop` and Ada's token. */
  request(operation: OperationId, overrides?: Partial<RequestOptions>): ReturnType<typeof sendRequest>;
};

/** The ids of a connection and its first account, with its own scoped token, if any. */
export const toRequest = (
  { ids }: ApiFixture,
  { connectionId, accounts, scopedToken }: LinkResult,
): { ids: Ids; scopedToken?: string } => ({
  ids: { ...ids, connectionId, accountId: accounts[0]!.id },
  ...(scopedToken !== undefined && { scopedToken }),
});

/** A log entry of level error. */
type ErrorLogEntry = { msg: string; requestId?: string; operation?: string; err?: { kind: string } };

type Variant = { name: string; database: DatabaseKind; throughPrism: boolean };

const toDirectVariants = (kinds: DatabaseKind[]): Variant[] =>
  kinds.map((database) => ({ name: `on ${database.name}`, database, throughPrism: false }));

const prismVariant: Variant = { name: 'through Prism', database: databases[0]!, throughPrism: true };

/** One database, without Prism. */
export const directVariants = toDirectVariants(oneDatabase);

/** Each database, without Prism: for tests of their differences. */
export const directVariantsOfEach = toDirectVariants(databases);

/** Each database, and the first one through Prism. */
export const variantsOfEach = [...directVariantsOfEach, prismVariant];

const variants = [...directVariants, prismVariant];

/**
 * Defines the same tests for each variant, with a fixture that is ready before the first test. Through Prism a test
 * fails if a response violates the contract, or a request does so without being refused.
 */
export const describeApi = (
  name: string,
  defineTests: (fixture: ApiFixture, variant: Variant) => void,
  { only = variants, limits }: { only?: readonly Variant[]; limits?: TestServiceOptions['limits'] } = {},
): void => {
  for (const variant of only) {
    describe(`${name} ${variant.name}`, () => {
      const fixture = {} as ApiFixture;
      beforeAll(async () => {
        Object.assign(fixture, await startApiFixture(variant, limits));
      });
      afterEach(() => {
        expectNoViolations(fixture);
        expect(fixture.takeErrorLogs()).toEqual([]);
      });
      afterAll(() => fixture.service?.close());
      defineTests(fixture, variant);
    });
  }
};

// A request with these statuses may violate the contract, because the service refused it.
const requestErrorStatuses = [400, 401, 403, 405];

const expectNoViolations = ({ service }: ApiFixture): void => {
  const { prism } = service;
  if (!prism) return;
  expect(prism.serverViolations()).toEqual([]);
  const accepted = prism
    .violations()
    .filter(({ part, status }) => part === 'request' && !requestErrorStatuses.includes(status));
  expect(accepted).toEqual([]);
  prism.reset();
};

const accountsOfAda = [
  scriptedAccount({
    name: 'Everyday Account',
    subtype: 'checking',
    number: 'DE4821',
    balance: { current: '1520.75', available: '1498.20', asOf: '2024-02-10T17:45:00.000Z' },
    transactions: [
      scriptedTransaction({
        ...{ id: 'n1', date: '2024-01-01', amount: '2400', description: 'SALARY', reference: 'PAY 1' },
      }),
      scriptedTransaction({ id: 'n2', date: '2024-01-15', amount: '-1250.00', description: 'RENT' }),
      scriptedTransaction({ id: 'n3', date: '2024-01-15', amount: '-4.50', description: 'COFFEE' }),
      scriptedTransaction({ id: 'n4', date: '2024-02-01', amount: '-0.10', description: 'FEE' }),
      scriptedTransaction({
        ...{ id: 'n5', date: '2024-02-10', amount: '-30', description: 'BOOKS', status: 'pending' },
      }),
    ],
  }),
  scriptedAccount({
    id: 'card',
    name: 'Rewards Card',
    type: 'credit',
    number: '4000-0000 0000 0093 ',
    currency: 'USD',
    balance: { current: '-342.18', available: '2657.82', limit: '3000', asOf: '2024-02-10T00:00:00.000Z' },
  }),
];

const defaultAccounts = [
  scriptedAccount({ transactions: [scriptedTransaction({ id: 's1' }), scriptedTransaction({ id: 's2' })] }),
];

const collectErrorLogs = () => {
  const errorLogs: ErrorLogEntry[] = [];
  return {
    logTo: (line: string): void => {
      const entry = JSON.parse(line);
      if (entry.level >= errorLevel) errorLogs.push(entry);
    },
    takeErrorLogs: (): ErrorLogEntry[] => errorLogs.splice(0),
  };
};

const errorLevel = 50;

const startApiFixture = async (
  { database, throughPrism }: Variant,
  limits: TestServiceOptions['limits'],
): Promise<ApiFixture> => {
  const connector = makeScriptedConnector();
  connector.setAccounts('ada', accountsOfAda);
  connector.setAccounts('other', defaultAccounts);
  const { logTo, takeErrorLogs } = collectErrorLogs();
  const connectors = [connector.module];
  const service = await startService({ database, throughPrism, connectors, limits, logTo });
  const shop = await service.addApplication({ environment: 'production' });
  const otherApplication = await service.addApplication({ environment: 'production' });
  const linkAnother = (options: LinkOptions = {}) =>
    link(service, { username: 'other', institutionId: northBank, applicationId: shop.id, ...options });
  const north = await linkAnother({ username: 'ada', externalUserId: 'ada' });
  const [south, ben, cleo] = await Promise.all([
    linkAnother({ externalUserId: 'ada', institutionId: southBank }),
    linkAnother(),
    linkAnother({ applicationId: otherApplication.id }),
  ]);
  const ada = { token: north.scopedToken!, north, south };
  const client = (token: string = ada.token) => service.client(token, shop.apiKey);
  const accountId = north.accounts[0]!.id;
  const { data } = await client().GET('/accounts/{accountId}/transactions', {
    params: { path: { accountId }, query: { limit: 1 } },
  });
  const ids = { connectionId: north.connectionId, accountId, transactionId: data!.transactions[0]!.id };
  return {
    ...{ service, connector, throughPrism, shop, otherApplication, ada, ids, client, takeErrorLogs },
    ben: { token: ben.scopedToken!, north: ben },
    cleo: { token: cleo.scopedToken!, north: cleo },
    link: linkAnother,
    request: (operation, overrides) =>
      sendRequest(service.apiUrl, operations[operation], {
        ...{ ids, apiKey: shop.apiKey, scopedToken: ada.token, ...overrides },
      }),
  };
};
