// Where the tests of the seven operations play: one service, two applications, three end users, and a bank that
// shows them few entries. Once on each database, and once more through Prism, which judges every answer.
import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest';
import type { Client } from '../../../client/index.ts';
import {
  makeScriptedConnector,
  northBank,
  type ScriptedConnector,
  scriptedAccount,
  scriptedTransaction,
  southBank,
} from '../../support/scriptedConnector.ts';
import { type DatabaseKind, databases } from '../../support/databases.ts';
import {
  type LinkOptions,
  link,
  startService,
  type TestApplication,
  type TestService,
  type TestServiceOptions,
} from '../../support/testService.ts';
import { type RequestOptions, sendRequest, type Ids, type OperationId, operations } from './operations.ts';

export type LinkResult = Awaited<ReturnType<typeof link>>;

export type ApiFixture = {
  service: TestService;
  connector: ScriptedConnector;
  throughPrism: boolean;
  /** The application that most tests speak for. */
  shop: TestApplication;
  /** Another organization's, with an end user of its own. */
  otherApplication: TestApplication;
  /** A user of the shop with an external id: one connection at North Bank, a later one at South Bank. */
  ada: { token: string; north: LinkResult; south: LinkResult };
  /** An anonymous user of the shop. */
  ben: { token: string; north: LinkResult };
  /** A user of the rival. */
  cleo: { token: string; north: LinkResult };
  /** Ada's connection at North Bank, its first account, and that account's newest transaction. */
  ids: Ids;
  /** Our own client, as the shop, for Ada or for whom the token is. */
  client(token?: string): Client;
  /** Links somebody more at the shop; `other` at North Bank where nothing else is said. */
  link(options?: LinkOptions): Promise<LinkResult>;
  /** What the log says at level error since it was last asked; a test that leaves some fails. */
  takeErrorLogs(): ErrorLogEntry[];
  /** Asks one operation, as the shop for Ada where nothing else is said. */
  request(operation: OperationId, asking?: Partial<RequestOptions>): ReturnType<typeof sendRequest>;
};

/** A line of the log at level error. */
export type ErrorLogEntry = { msg: string; requestId?: string; operation?: string; err?: { kind: string } };

type Variant = { name: string; database: DatabaseKind; throughPrism: boolean };

/** Each database, without anything in between. */
export const directVariants: Variant[] = databases.map((database) => ({
  name: `on ${database.name}`,
  database,
  throughPrism: false,
}));

/** Each database directly, and the first of them through Prism. */
export const variants: Variant[] = [
  ...directVariants,
  { name: 'through Prism', database: databases[0]!, throughPrism: true },
];

/**
 * One chapter for each way, with a stage that is set before its first test. Through Prism a test fails where an
 * answer breaks the contract, or a request that the test did not mean to be refused.
 */
export const describeApi = (
  name: string,
  chapter: (stage: ApiFixture, way: Variant) => void,
  { wanted = variants, limits }: { wanted?: readonly Variant[]; limits?: TestServiceOptions['limits'] } = {},
): void => {
  for (const way of wanted) {
    describe(`${name} ${way.name}`, () => {
      const stage = {} as ApiFixture;
      beforeAll(async () => {
        Object.assign(stage, await startApiFixture(way, limits));
      });
      afterEach(() => {
        expectNoViolations(stage);
        expect(stage.takeErrorLogs()).toEqual([]);
      });
      afterAll(() => stage.service?.close());
      chapter(stage, way);
    });
  }
};

// What may be wrong with a request only where it was refused for that very reason.
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

const adasAccounts = [
  scriptedAccount({
    name: 'Everyday Account',
    number: 'DE4821',
    balance: { current: '1520.75', available: '1498.20' },
    transactions: [
      scriptedTransaction({
        id: 'n1',
        date: '2024-01-01',
        amount: '2400',
        description: 'SALARY',
        reference: 'PAY 1',
      }),
      scriptedTransaction({ id: 'n2', date: '2024-01-15', amount: '-1250.00', description: 'RENT' }),
      scriptedTransaction({ id: 'n3', date: '2024-01-15', amount: '-4.50', description: 'COFFEE' }),
      scriptedTransaction({ id: 'n4', date: '2024-02-01', amount: '-0.10', description: 'FEE' }),
      scriptedTransaction({
        id: 'n5',
        date: '2024-02-10',
        amount: '-30',
        description: 'BOOKS',
        status: 'pending',
      }),
    ],
  }),
  scriptedAccount({
    id: 'card',
    name: 'Rewards Card',
    type: 'credit',
    number: '093',
    currency: 'USD',
    balance: { current: '-342.18', available: '2657.82', limit: '3000' },
  }),
];

const defaultAccounts = [
  scriptedAccount({ transactions: [scriptedTransaction({ id: 's1' }), scriptedTransaction({ id: 's2' })] }),
];

const collectErrorLogs = () => {
  const kept: ErrorLogEntry[] = [];
  return {
    logTo: (line: string): void => {
      const entry = JSON.parse(line);
      if (entry.level >= errorLevel) kept.push(entry);
    },
    alarms: (): ErrorLogEntry[] => kept.splice(0),
  };
};

const errorLevel = 50;

const startApiFixture = async (
  { database, throughPrism }: Variant,
  limits: TestServiceOptions['limits'],
): Promise<ApiFixture> => {
  const connector = makeScriptedConnector();
  connector.setAccounts('ada', adasAccounts);
  connector.setAccounts('other', defaultAccounts);
  const { logTo, alarms: takeErrorLogs } = collectErrorLogs();
  const connectors = [connector.connector];
  const service = await startService({ database, throughPrism, connectors, limits, logTo });
  const shop = await service.addApplication({ environment: 'production' });
  const otherApplication = await service.addApplication({ environment: 'production' });
  const linkMore = (options: LinkOptions = {}) =>
    link(service, { username: 'other', institutionId: northBank, applicationId: shop.id, ...options });
  const north = await linkMore({ username: 'ada', externalUserId: 'ada' });
  const [south, ben, cleo] = await Promise.all([
    linkMore({ externalUserId: 'ada', institutionId: southBank }),
    linkMore(),
    linkMore({ applicationId: otherApplication.id }),
  ]);
  const ada = { token: north.scopedToken!, north, south };
  const client = (token: string = ada.token) => service.client(token, shop.apiKey);
  const accountId = north.accounts[0]!.id;
  const newest = await client().GET('/accounts/{accountId}/transactions', {
    params: { path: { accountId }, query: { limit: 1 } },
  });
  const ids = {
    connectionId: north.connectionId,
    accountId,
    transactionId: newest.data!.transactions[0]!.id,
  };
  return {
    service,
    connector,
    throughPrism,
    shop,
    otherApplication,
    ada,
    ben: { token: ben.scopedToken!, north: ben },
    cleo: { token: cleo.scopedToken!, north: cleo },
    ids,
    client,
    link: linkMore,
    takeErrorLogs,
    request: (operation, asking) =>
      sendRequest(service.apiUrl, operations[operation], {
        ids,
        apiKey: shop.apiKey,
        scopedToken: ada.token,
        ...asking,
      }),
  };
};
