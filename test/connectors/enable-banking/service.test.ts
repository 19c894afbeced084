// A service with Enable Banking in CONNECTORS: end users choose a bank from the directory and consent on its page, and changes at
// the bank appear in the API.
import { expect, onTestFinished, test, vi } from 'vitest';
import { institutionId } from '../../../connectors/enable-banking/bank.ts';
import {
  fakeAccount,
  fakeTransaction,
} from '../../../connectors/enable-banking/test/fakeProvider/account.ts';
import { fakeBank } from '../../../connectors/enable-banking/test/fakeProvider/bank.ts';
import {
  type FakeProvider,
  startFakeProvider,
} from '../../../connectors/enable-banking/test/fakeProvider/provider.ts';
import type { FakeRequest } from '../../../connectors/enable-banking/test/fakeProvider/state.ts';
import { iban } from '../../../connectors/enable-banking/test/fixture.ts';
import { startWorker, type WorkerLog } from '../../../src/flows/refresh/worker.ts';
import { days } from '../../../src/platform/values/clock.ts';
import { makeRandom } from '../../faults/killRandomly.ts';
import { requestWidgetApi } from '../../linking/fixture.ts';
import { allowNative } from '../../support/allowNative.ts';
import { sendReturn } from '../../support/bankPage.ts';
import { oneDatabase } from '../../support/databases.ts';
import {
  type LinkOptions,
  openLinkSession,
  startService,
  type TestLinkSession,
} from '../../support/testService.ts';
import { settingsOf } from './settings.ts';

const [database] = oneDatabase;
const wait = { timeout: 10_000, interval: 20 };

const dayAgo = (count: number): string => new Date(Date.now() - days(count)).toISOString().slice(0, 10);

/** A service with one bank, where two of Ada's accounts have the same IBAN and different currencies. */
const startLinking = async () => {
  const time = { advanced: 0 };
  const logs: string[] = [];
  const other = { identification: 'A1', scheme_name: 'BBAN' };
  const shown = { account_id: { iban, other }, cash_account_type: 'CACC' as const };
  const rows = [400, 3, 1].map((count) => fakeTransaction(`row ${count}`, dayAgo(count)));
  const accounts = ['EUR', 'USD'].map((currency) =>
    fakeAccount(iban, currency === 'EUR' ? rows : [], { shown: { ...shown, currency } }),
  );
  const provider = await startFakeProvider({
    banks: [fakeBank('First Bank', { ada: accounts })],
    now: () => new Date(Date.now() + time.advanced),
  });
  onTestFinished(provider.close);
  const service = await startService({
    ...{ database, logTo: (line: string) => void logs.push(line) },
    env: settingsOf(provider),
    limits: {
      directoryPollSeconds: 0.02,
      workerPollMs: 20,
      revocationPollMs: 20,
    },
  });
  onTestFinished(() => service.close());
  provider.application.redirect_urls.push(`${service.url}/connect/return`);
  const { id: applicationId, apiKey } = await service.addApplication({ environment: 'production' });
  const open = (options: LinkOptions = {}) => openLinkSession(service, { applicationId, ...options });
  const first = await open();
  await expect
    .poll(async () => (await requestWidgetApi(service, `/${first.id}/institutions`, first)).body, wait)
    .toMatchObject({ institutions: [{ name: 'First Bank' }] });
  /** Links or reconnects the accounts, with the code that the return page shows. */
  const linkAtBank = async (options?: LinkOptions) => {
    const session = await open(options);
    const at = () => session.view;
    if (at().state === 'consent') await session.step({ kind: 'consent' });
    if (at().state === 'institution')
      await session.step({ kind: 'selectInstitution', institutionId: institutionId('First Bank', 'DE') });
    if (at().state === 'credentials') await session.step({ kind: 'credentials', values: {} });
    const { challenge } = at() as TestLinkSession['view'] & { state: 'challenge' };
    expect(challenge).toMatchObject({ kind: 'redirect', labelKey: 'open_bank_page' });
    const page = (challenge as typeof challenge & { kind: 'redirect' }).url;
    const { body } = await sendReturn(service, await provider.decide(page, { user: 'ada' }));
    await session.step({ kind: 'returned', code: body.code! });
    const chosen = at();
    if (chosen.state === 'accounts')
      await session.step({ kind: 'selectAccounts', accountIds: chosen.accounts.map(({ id }) => id) });
    const ended = at().state === 'importing' ? await session.waitForImport() : at();
    if (ended.state !== 'finished') throw new Error(`Linking ended as ${JSON.stringify(ended)}.`);
    expect((await session.acknowledge()).status).toBe(204);
    return { ...ended.result, returnAddress: body.returnAddress };
  };
  const advance = (milliseconds: number): void => {
    time.advanced += milliseconds;
    service.advance(milliseconds);
  };
  return { service, provider, accounts, applicationId, apiKey, linkAtBank, advance, logs };
};

const operationsOf = ({ provider }: { provider: FakeProvider }) =>
  provider.requestsOf('ada').map(({ operationId, status }) => `${operationId} ${status}`);

test('accounts are linked, reconnected with a new consent, and finally revoked', async () => {
  const linking = await startLinking();
  const { service, accounts, apiKey, linkAtBank } = linking;
  const linked = await linkAtBank();
  const { connectionId, scopedToken } = linked;
  const client = service.client(scopedToken, apiKey);
  const ofConnection = { params: { path: { connectionId } } };
  const read = async () => {
    const { data } = await client.GET('/connections/{connectionId}/accounts', ofConnection);
    const [account] = data!.accounts;
    const params = { path: { accountId: account!.id } };
    const list = await client.GET('/accounts/{accountId}/transactions', { params });
    return {
      accounts: data!.accounts.map(({ id, currency, balance }) => ({
        id,
        currency,
        balance: balance?.current,
      })),
      transactions: list.data!.transactions.map(({ id, description }) => ({ id, description })),
    };
  };
  const before = await read();
  expect(before.accounts).toMatchObject([{ currency: 'EUR', balance: 100 }, { currency: 'USD' }]);
  expect(before.transactions.map(({ description }) => description)).toEqual([
    ...['Corner Pantry row 1', 'Corner Pantry row 3', 'Corner Pantry row 400'],
  ]);
  for (const account of accounts) account.hasOtherPrimaryHash = true;
  await linkAtBank({ connectionId });
  expect(await read()).toEqual(before);
  // The previous consent is revoked.
  await expect.poll(() => operationsOf(linking), wait).toContain('deleteSession 200');
  await service.client(undefined, apiKey).DELETE('/connections/{connectionId}', ofConnection);
  const closed = () => operationsOf(linking).filter((operation) => operation === 'deleteSession 200');
  await expect.poll(closed, wait).toHaveLength(2);
});

test('a native application gets its end user back, and a session that ends at the bank needs a reconnect', async () => {
  const linking = await startLinking();
  const { service, provider, applicationId, apiKey, linkAtBank, advance, logs } = linking;
  const returnAddress = 'shop://bank-return';
  await allowNative(service, applicationId, [returnAddress]);
  const linked = await linkAtBank({ returnAddress });
  expect(linked.returnAddress).toBe(returnAddress);
  provider.endSessions('ada', 'REVOKED_SESSION');
  advance(days(1));
  const params = { path: { connectionId: linked.connectionId } };
  const statusOf = async () => {
    const { data } = await service.client(undefined, apiKey).GET('/connections/{connectionId}', { params });
    return data!.connection;
  };
  await expect.poll(statusOf, wait).toMatchObject({ status: 'needs_reconnect' });
  const { connectionId } = linked;
  const events = await service.service.db.read('connection_events').where({ connectionId });
  expect(events.map(({ reason }) => reason)).toContain('consent_expired');
  expect(logs.length).toBeGreaterThan(0);
  expect(logs.join('\n')).not.toMatch(/DE00123456780000000001|Ada Example|Corner Pantry|Bearer |psu-/i);
});

test('a consent of 180 days is renewed before its end, without a gap', async () => {
  const { service, provider, apiKey, linkAtBank, advance } = await startLinking();
  const { connectionId, scopedToken } = await linkAtBank();
  const params = { path: { connectionId } };
  const client = service.client(scopedToken, apiKey);
  const connection = async () =>
    (await client.GET('/connections/{connectionId}', { params })).data!.connection;
  const daysLeft = async () => {
    const { consentExpiresAt } = await connection();
    return Math.round((Date.parse(consentExpiresAt!) - service.service.clock.real().getTime()) / days(1));
  };
  /** Moves the clock by days, and refreshes on the last day. */
  const pass = async (count: number): Promise<void> => {
    const { refreshedAt } = await connection();
    advance(days(count));
    await expect.poll(async () => (await connection()).refreshedAt, wait).not.toBe(refreshedAt);
  };
  expect(await daysLeft()).toBe(180);
  for (let day = 0; day < 175; day += 25) await pass(25);
  expect(await daysLeft()).toBe(5);
  await linkAtBank({ connectionId });
  expect(await daysLeft()).toBe(180);
  // The worker ends the first consent at the bank, which no longer knows it once it has expired.
  const ended = () => provider.requestsOf('ada').filter(({ operationId }) => operationId === 'deleteSession');
  await expect.poll(ended, wait).toHaveLength(1);
  // After the end of the first consent.
  await pass(10);
  expect(await connection()).toMatchObject({ status: 'active' });
  expect(provider.requestsOf('ada').filter(({ status }) => status >= 400)).toEqual([]);
  const path = {
    accountId: (await client.GET('/connections/{connectionId}/accounts', { params })).data!.accounts[0]!.id,
  };
  const list = await client.GET('/accounts/{accountId}/transactions', { params: { path } });
  expect(list.data!.transactions.map(({ status }) => status)).toEqual(['posted', 'posted', 'posted']);
});

/** The maximum number of these requests in any 24 hours. */
const mostInADay = (requests: readonly FakeRequest[]): number => {
  const times = requests.map(({ at }) => at.getTime());
  return Math.max(
    ...times.map((start) => times.filter((time) => time >= start && time < start + days(1)).length),
  );
};

test('no endpoint of an account is read more than four times a day without the user, in 30 days with three workers, failures and kills', async () => {
  const { service, provider, linkAtBank, advance } = await startLinking();
  const { connectionId } = await linkAtBank();
  const { db, clock, registry, config, jobHandlers } = service.service;
  const ignore = () => {};
  const log: WorkerLog = { done: ignore, failed: ignore, dropped: ignore, queueFailed: ignore };
  const others = [1, 2].map(() =>
    startWorker({ db, clock, registry, limits: config.limits, log }, jobHandlers!),
  );
  const before = provider.requestsOf('ada').length;
  const random = makeRandom(3);
  provider.intercept = async ({ user }) => {
    if (user === undefined) return undefined;
    const chance = random();
    // As after a kill, there is no response, and the worker with the job writes nothing more.
    if (chance < 0.04)
      await db.write('jobs').where({ connectionId }).update({ leaseToken: null, leaseExpiresAt: null });
    if (chance < 0.04) return 'close';
    return chance < 0.1 ? { status: 503 } : undefined;
  };
  for (let step = 0; step < 30 * 8; step++) {
    advance(days(1 / 4) * random());
    await vi.waitUntil(
      async () => {
        const at = clock.real().toISOString();
        return !(await db.read('jobs').where('dueAt', '<=', at).first('kind'));
      },
      { timeout: 30_000, interval: 5 },
    );
  }
  await Promise.all(others.map((worker) => worker.stop()));
  const unattended = provider.requestsOf('ada').slice(before);
  expect(unattended.filter(({ psuHeaders }) => Object.keys(psuHeaders).length > 0)).toEqual([]);
  const byEndpoint = Map.groupBy(unattended, ({ operationId, parameters, account }) => {
    const isLaterPage = 'continuation_key' in parameters;
    return isLaterPage ? undefined : `${operationId} ${account?.shown.currency}`;
  });
  expect([...byEndpoint.keys()].toSorted()).toEqual([
    ...['getBalances EUR', 'getBalances USD', 'getTransactions EUR', 'getTransactions USD'],
  ]);
  for (const [endpoint, requests] of byEndpoint) {
    expect(mostInADay(requests), endpoint).toBeLessThanOrEqual(4);
    expect(requests.length, endpoint).toBeGreaterThan(60);
  }
  expect(unattended.filter(({ status }) => status === 429)).toEqual([]);
  expect(provider.requestsPerMinuteMax()).toBeLessThanOrEqual(300);
});
