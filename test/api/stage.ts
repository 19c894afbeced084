// Where the tests of the seven operations play: one service, two applications, three end users, and a bank that
// shows them few entries. Once on each database, and once more through Prism, which judges every answer.
import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest';
import type { Client } from '../../client/index.ts';
import {
  makeScriptedBank,
  northBank,
  type ScriptedBank,
  scriptedAccount,
  scriptedEntry,
  southBank,
} from '../banks/scriptedBank.ts';
import { type DatabaseKind, databases } from '../databases.ts';
import {
  type LinkOptions,
  link,
  startService,
  type TestApplication,
  type TestService,
  type TestServiceOptions,
} from '../harness.ts';
import { type Asking, ask, type Ids, type OperationId, operations } from './operations.ts';

export type Linked = Awaited<ReturnType<typeof link>>;

export type Stage = {
  service: TestService;
  bank: ScriptedBank;
  throughPrism: boolean;
  /** The application that most tests speak for. */
  shop: TestApplication;
  /** Another organization's, with an end user of its own. */
  rival: TestApplication;
  /** A user of the shop with an external id: one connection at North Bank, a later one at South Bank. */
  ada: { token: string; north: Linked; south: Linked };
  /** An anonymous user of the shop. */
  ben: { token: string; north: Linked };
  /** A user of the rival. */
  cleo: { token: string; north: Linked };
  /** Ada's connection at North Bank, its first account, and that account's newest transaction. */
  ids: Ids;
  /** Our own client, as the shop, for Ada or for whom the token is. */
  client(token?: string): Client;
  /** Links somebody more at the shop; `other` at North Bank where nothing else is said. */
  link(options?: LinkOptions): Promise<Linked>;
  /** What the log says at level error since it was last asked; a test that leaves some fails. */
  alarms(): Alarm[];
  /** Asks one operation, as the shop for Ada where nothing else is said. */
  ask(operation: OperationId, asking?: Partial<Asking>): ReturnType<typeof ask>;
};

/** A line of the log at level error. */
export type Alarm = { msg: string; requestId?: string; operation?: string; err?: { kind: string } };

type Way = { name: string; database: DatabaseKind; throughPrism: boolean };

/** Each database, without anything in between. */
export const directWays: Way[] = databases.map((database) => ({
  name: `on ${database.name}`,
  database,
  throughPrism: false,
}));

/** Each database directly, and the first of them through Prism. */
export const ways: Way[] = [
  ...directWays,
  { name: 'through Prism', database: databases[0]!, throughPrism: true },
];

/**
 * One chapter for each way, with a stage that is set before its first test. Through Prism a test fails where an
 * answer breaks the contract, or a request that the test did not mean to be refused.
 */
export const describeOnStage = (
  name: string,
  chapter: (stage: Stage, way: Way) => void,
  { wanted = ways, limits }: { wanted?: readonly Way[]; limits?: TestServiceOptions['limits'] } = {},
): void => {
  for (const way of wanted) {
    describe(`${name} ${way.name}`, () => {
      const stage = {} as Stage;
      beforeAll(async () => {
        Object.assign(stage, await setStage(way, limits));
      });
      afterEach(() => {
        expectNoViolations(stage);
        expect(stage.alarms()).toEqual([]);
      });
      afterAll(() => stage.service?.close());
      chapter(stage, way);
    });
  }
};

// What may be wrong with a request only where it was refused for that very reason.
const refusalsOfRequests = [400, 401, 403, 405];

const expectNoViolations = ({ service }: Stage): void => {
  const { prism } = service;
  if (!prism) return;
  expect(prism.faults()).toEqual([]);
  const accepted = prism
    .violations()
    .filter(({ where, status }) => where === 'request' && !refusalsOfRequests.includes(status));
  expect(accepted).toEqual([]);
  prism.forget();
};

const northAccounts = [
  scriptedAccount({
    name: 'Everyday Account',
    number: 'DE4821',
    balance: { current: '1520.75', available: '1498.20' },
    entries: [
      scriptedEntry({
        id: 'n1',
        date: '2024-01-01',
        amount: '2400',
        description: 'SALARY',
        reference: 'PAY 1',
      }),
      scriptedEntry({ id: 'n2', date: '2024-01-15', amount: '-1250.00', description: 'RENT' }),
      scriptedEntry({ id: 'n3', date: '2024-01-15', amount: '-4.50', description: 'COFFEE' }),
      scriptedEntry({ id: 'n4', date: '2024-02-01', amount: '-0.10', description: 'FEE' }),
      scriptedEntry({ id: 'n5', date: '2024-02-10', amount: '-30', description: 'BOOKS', status: 'pending' }),
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

const otherAccounts = [
  scriptedAccount({ entries: [scriptedEntry({ id: 's1' }), scriptedEntry({ id: 's2' })] }),
];

const keepAlarms = () => {
  const kept: Alarm[] = [];
  return {
    logTo: (line: string): void => {
      const entry = JSON.parse(line);
      if (entry.level >= errorLevel) kept.push(entry);
    },
    alarms: (): Alarm[] => kept.splice(0),
  };
};

const errorLevel = 50;

const setStage = async (
  { database, throughPrism }: Way,
  limits: TestServiceOptions['limits'],
): Promise<Stage> => {
  const bank = makeScriptedBank();
  bank.show('ada', northAccounts);
  bank.show('other', otherAccounts);
  const { logTo, alarms } = keepAlarms();
  const connectors = [bank.connector];
  const service = await startService({ database, throughPrism, connectors, limits, logTo });
  const shop = await service.addApplication({ environment: 'production' });
  const rival = await service.addApplication({ environment: 'production' });
  const linkMore = (options: LinkOptions = {}) =>
    link(service, { username: 'other', institutionId: northBank, applicationId: shop.id, ...options });
  const north = await linkMore({ username: 'ada', externalUserId: 'ada' });
  const [south, ben, cleo] = await Promise.all([
    linkMore({ externalUserId: 'ada', institutionId: southBank }),
    linkMore(),
    linkMore({ applicationId: rival.id }),
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
    bank,
    throughPrism,
    shop,
    rival,
    ada,
    ben: { token: ben.scopedToken!, north: ben },
    cleo: { token: cleo.scopedToken!, north: cleo },
    ids,
    client,
    link: linkMore,
    alarms,
    ask: (operation, asking) =>
      ask(service.apiUrl, operations[operation], {
        ids,
        apiKey: shop.apiKey,
        scopedToken: ada.token,
        ...asking,
      }),
  };
};
