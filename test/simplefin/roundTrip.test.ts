// A service whose institution is another service: bank → service A → its SimpleFIN server → the connector of service B. The
// operations of B return the same data as those of A, and each transaction keeps its id at B through all changes at the bank.
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Transaction } from '../../client/index.ts';
import { days } from '../../src/platform/values/clock.ts';
import { oneDatabase } from '../support/databases.ts';
import {
  makeScriptedConnector,
  northBank,
  type ScriptedConnector,
  scriptedAccount,
  scriptedTransaction,
} from '../support/scriptedConnector.ts';
import { type LinkOptions, link, startService, type TestService } from '../support/testService.ts';
import { createSetupToken, daysAgo } from './fixture.ts';

/** A service with an end user. */
type Side = { service: TestService; apiKey: string; scopedToken: string; connectionId: string };

const limits = { workerPollMs: 20, simplefinReadsPerDay: 1_000_000 };

describe.each(oneDatabase)('a round trip on $name', (database) => {
  const start = async (options: Parameters<typeof startService>[0]): Promise<TestService> => {
    const service = await startService({ database, limits, ...options });
    onTestFinished(service.close);
    return service;
  };

  const linkAt = async (service: TestService, apiKey: string, options: LinkOptions): Promise<Side> => {
    const { scopedToken, connectionId } = await link(service, options);
    return { service, apiKey, scopedToken: scopedToken!, connectionId };
  };

  /** Links service B to the accounts of an access of service A, with a setup token. */
  const linkThrough = async (a: Side): Promise<Side> => {
    const env = { CONNECTORS: 'simplefin', ALLOWED_NETWORKS: '127.0.0.1' };
    const service = await start({ env });
    const { id: applicationId, apiKey } = await service.addApplication({ environment: 'production' });
    const token = await createSetupToken({ ...a, url: a.service.url });
    return linkAt(service, apiKey, { institutionId: 'simplefin', values: { token }, applicationId });
  };

  const refreshedAt = async ({ service, connectionId }: Side): Promise<string> => {
    const connection = service.service.db.read('connections').where({ id: connectionId });
    return (await connection.first('refreshedAt'))!.refreshedAt;
  };

  /** Moves both clocks: first A refreshes from the bank, then B from A. */
  const advance = async (sides: Side[], count: number): Promise<void> => {
    for (const side of sides) {
      const before = await refreshedAt(side);
      side.service.advance(days(count));
      await expect.poll(() => refreshedAt(side)).not.toBe(before);
    }
  };

  const accountsOf = async ({ service, apiKey, scopedToken, connectionId }: Side) => {
    const client = service.client(scopedToken, apiKey);
    const params = { path: { connectionId } };
    const { data } = await client.GET('/connections/{connectionId}/accounts', { params });
    return data!.accounts;
  };

  const transactionsOf = async (side: Side): Promise<Transaction[]> => {
    const client = side.service.client(side.scopedToken, side.apiKey);
    const lists = (await accountsOf(side)).map(async ({ id: accountId }) => {
      const params = { path: { accountId } };
      const { data } = await client.GET('/accounts/{accountId}/transactions', { params });
      return data!.transactions;
    });
    return (await Promise.all(lists)).flat();
  };

  const balancesOf = async (side: Side): Promise<number[]> =>
    (await accountsOf(side)).map(({ balance }) => balance.current!);

  test('keeps each transaction’s id through pending, posted, changed and withdrawn', async () => {
    const connector = makeScriptedConnector();
    setBank(connector, 'first');
    const service = await start({ connectors: [connector.module] });
    const { id: applicationId, apiKey } = await service.addApplication({ environment: 'production' });
    const a = await linkAt(service, apiKey, { username: 'ada', institutionId: northBank, applicationId });
    const b = await linkThrough(a);
    /** Transactions by amount, which is unique and never changes. */
    const byAmount = async (side: Side) =>
      new Map((await transactionsOf(side)).map((one) => [one.amount, one]));
    const first = await byAmount(b);
    expect(await balancesOf(b)).toEqual(await balancesOf(a));
    setBank(connector, 'second');
    await advance([a, b], 8);
    // A transaction withdrawn by the bank is void a day later, and at the other service another day later.
    for (let day = 0; day < 2; day++) await advance([a, b], 1);
    const [ofA, ofB] = [await byAmount(a), await byAmount(b)];
    expect(ofB.size).toBe(ofA.size);
    expect(await balancesOf(b)).toEqual(await balancesOf(a));
    for (const [amount, { status, date, description }] of ofA)
      expect(ofB.get(amount)).toMatchObject({ status, date, description });
    for (const [amount, { id }] of first) expect(ofB.get(amount)!.id).toBe(id);
    const statuses = [...ofB.values()].map(({ status }) => status).toSorted();
    expect(statuses).toEqual([...Array(4).fill('posted'), 'void', 'void']);
  });
});

/** The bank's initial transactions, and those eight days later. */
const setBank = (connector: ScriptedConnector, state: 'first' | 'second'): void => {
  const isFirst = state === 'first';
  const transactions = [
    scriptedTransaction({ id: 'posted', date: daysAgo(5), amount: '-1.00' }),
    scriptedTransaction(
      isFirst
        ? { id: 'pending', date: daysAgo(1), amount: '-2.00', status: 'pending', description: 'RESERVED' }
        : { id: 'pending', date: daysAgo(0), amount: '-2.00', status: 'posted', description: 'PAID' },
    ),
    scriptedTransaction({
      ...{ id: 'changed', date: daysAgo(4), amount: '-3.00' },
      description: isFirst ? 'SHOP' : 'SHOP 17, LONDON',
    }),
    ...(isFirst
      ? [
          scriptedTransaction({ id: 'dropped', date: daysAgo(1), amount: '-4.00', status: 'pending' }),
          scriptedTransaction({ id: 'withdrawn', date: daysAgo(3), amount: '-5.00' }),
        ]
      : [scriptedTransaction({ id: 'new', date: daysAgo(0), amount: '-6.00' })]),
  ];
  const balance = { current: isFirst ? '10.25' : '-3.50' };
  connector.setAccounts('ada', [scriptedAccount({ id: 'main', number: 'XX0011', balance, transactions })]);
};
