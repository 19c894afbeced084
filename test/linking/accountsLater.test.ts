// Changed accounts: the application is notified of an account that the bank has added, the end user can change the shared accounts,
// and accounts that are no longer shared are eventually deleted.
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { days, seconds } from '../../src/platform/values/clock.ts';
import { sweepNow } from '../retention/fixture.ts';
import { databases } from '../support/databases.ts';
import {
  makeScriptedConnector,
  northBank,
  scriptedAccount,
  scriptedTransaction,
} from '../support/scriptedConnector.ts';
import { driveToEnd, link, openLinkSession, startService, type TestService } from '../support/testService.ts';
import { startReceiving } from '../webhooks/fixture.ts';

const wait = { timeout: 30_000 };

type Linked = Awaited<ReturnType<typeof link>>;

/** A connection as the API returns it for its scoped token. */
const readerOf = (service: TestService, { connectionId, scopedToken }: Linked, apiKey?: string) => {
  const client = service.client(scopedToken, apiKey);
  const params = { path: { connectionId } };
  return {
    connection: async () => (await client.GET('/connections/{connectionId}', { params })).data!.connection,
    accounts: async () =>
      (await client.GET('/connections/{connectionId}/accounts', { params })).data!.accounts,
    transactions: async (accountId: string) => {
      const path = '/accounts/{accountId}/transactions';
      const { data, response } = await client.GET(path, { params: { path: { accountId } } });
      return data?.transactions.length ?? response.status;
    },
  };
};
type Reader = ReturnType<typeof readerOf>;

const namesOf = async ({ accounts }: Reader) => (await accounts()).map(({ name }) => name);

/** Moves the clock, and waits for the refresh of the connection. */
const refreshAfter = async (service: TestService, { connection }: Reader, ms: number): Promise<void> => {
  const { refreshedAt } = await connection();
  service.advance(ms);
  await expect.poll(async () => (await connection()).refreshedAt, wait).not.toBe(refreshedAt);
};

describe.each(databases)('accounts later on $name', (database) => {
  test('an account that the bank adds is reported once, and shared only if the user chooses it', async () => {
    const limits = { workerPollMs: 20 };
    const { service, receiver, secret } = await startReceiving({ database, limits });
    const user = { username: 'new-account', password: 'password-of-ada', externalUserId: 'ada' };
    const linked = await link(service, user);
    const { connectionId } = linked;
    const reader = readerOf(service, linked);
    // An event may arrive twice, with the same id, because the clock moves while it is being sent.
    const toldIds = () => {
      const told = receiver.received.filter(({ event }) => event.type === 'connection.accounts_available');
      return new Set(told.map(({ id }) => id));
    };
    await refreshAfter(service, reader, days(1));
    const told = await receiver.waitForType('connection.accounts_available');
    expect(told.event.data).toEqual({ connectionId });
    // The library refuses future times, so the test signs instead of verifying.
    const { id, body, headers } = told;
    const at = new Date(1000 * Number(headers['webhook-timestamp']));
    expect(headers['webhook-signature']).toBe(new StandardWebhook(secret).sign(id, at, body));
    await refreshAfter(service, reader, days(1));
    const plain = await openLinkSession(service, { connectionId });
    expect(await driveToEnd(plain, user)).toMatchObject({ state: 'finished' });
    expect(await namesOf(reader)).toEqual(['Everyday Checking']);

    const session = await openLinkSession(service, { connectionId, accountSelection: true });
    expect(session.view).toMatchObject({ state: 'consent', reconnect: true });
    await session.step({ kind: 'consent' });
    const { username, password } = user;
    await session.step({ kind: 'credentials', values: { username, password } });
    if (session.view.state === 'importing') await session.waitForImport();
    expect(session.view).toMatchObject({
      ...{ state: 'accounts', steps: ['selectAccounts', 'reconnect'] },
      accounts: [{ name: 'Everyday Checking' }, { name: 'Rainy Day Savings' }],
      shared: { accountIds: ['0'], retentionDays: 30 },
    });
    await session.step({ kind: 'selectAccounts', accountIds: ['0', '1'] });
    const view = await session.waitForImport();
    expect(view).toMatchObject({ state: 'finished', result: { connectionId } });
    expect(view).not.toHaveProperty('result.scopedToken');
    expect((await session.acknowledge()).status).toBe(204);
    const [checking, savings] = await reader.accounts();
    expect([checking!.id, savings!.name]).toEqual([linked.accounts[0]!.id, 'Rainy Day Savings']);
    expect(await reader.transactions(savings!.id)).toBeGreaterThan(20);
    const consents = await service.service.db.read('consents').where({ connectionId }).pluck('linkSessionId');
    expect(consents.toSorted()).toEqual([linked.session.id, session.id].toSorted());
    await refreshAfter(service, reader, days(1));
    expect(toldIds().size).toBe(1);
  });
});

describe.each(databases)('a choice of accounts on $name', (database) => {
  let service: TestService;
  let application: Awaited<ReturnType<TestService['addApplication']>>;
  const scripted = makeScriptedConnector();
  beforeAll(async () => {
    const limits = { workerPollMs: 20, sweepGraceSeconds: 0 };
    service = await startService({ database, connectors: [scripted.module], limits });
    application = await service.addApplication({ environment: 'production' });
  });
  afterAll(() => service.close());

  const transactions = [scriptedTransaction({ id: '1' }), scriptedTransaction({ id: '2' })];
  const accountOf = (name: string) =>
    scriptedAccount({ id: name, name, number: `XX00${name}`, transactions });
  const linkAs = async (username: string, listed: string[], accounts?: string[]) => {
    scripted.setAccounts(username, listed.map(accountOf));
    const of = { username, institutionId: northBank, applicationId: application.id };
    const linked = await link(service, { ...of, accounts });
    return { username, linked, reader: readerOf(service, linked, application.apiKey) };
  };
  type User = Awaited<ReturnType<typeof linkAs>>;

  const choose = async ({ username, linked: { connectionId } }: User, accounts: string[]) => {
    const of = { applicationId: application.id, connectionId, accountSelection: true };
    const session = await openLinkSession(service, of);
    const view = await driveToEnd(session, { username, accounts });
    if (view.state === 'finished') await session.acknowledge();
    return view;
  };

  test('deselects an account, which stays readable without being read, and keeps its id when it is chosen again', async () => {
    const user = await linkAs('ada', ['a', 'b']);
    const { reader } = user;
    const [a, b] = await reader.accounts();
    expect(await choose(user, ['b'])).toMatchObject({ result: { accounts: [{ id: b!.id }] } });
    const { deselectedAt, ...kept } = (await reader.accounts())[0]!;
    expect({ kept, deselectedAt }).toEqual({ kept: a, deselectedAt: expect.any(String) });
    const before = scripted.callsOf('ada').history;
    await refreshAfter(service, reader, seconds(7 * 3600));
    expect(scripted.callsOf('ada').history).toBe(before + 1);
    expect(await reader.connection()).not.toHaveProperty('laggingAccountIds');
    expect(await reader.transactions(a!.id)).toBe(2);

    service.advance(days(28));
    await sweepNow(service);
    expect(await choose(user, ['a', 'b'])).toMatchObject({
      result: { accounts: [{ id: a!.id }, { id: b!.id }] },
    });
    expect((await reader.accounts())[0]).toEqual({ ...a, balance: expect.anything() });
  });

  test('deletes a deselected account after 30 days, and adds it as a new one afterwards', async () => {
    const user = await linkAs('bob', ['a', 'b']);
    const { reader } = user;
    const [a] = await reader.accounts();
    const { endUserId, shortId: accountShortId } = (await service.service.db
      .read('accounts')
      .where({ id: a!.id })
      .first('*'))!;
    await choose(user, ['b']);
    service.advance(days(31));
    expect(await sweepNow(service)).toMatchObject({ accounts: 1 });
    await sweepNow(service);
    expect(await namesOf(reader)).toEqual(['b']);
    expect(await reader.transactions(a!.id)).toBe(404);
    for (const table of ['transactions', 'transaction_blocks', 'block_deletions'])
      expect(await service.service.db.read(table).where({ endUserId, accountShortId })).toEqual([]);
    await choose(user, ['a', 'b']);
    expect(await namesOf(reader)).toEqual(['b', 'a']);
    expect((await reader.accounts())[1]!.id).not.toBe(a!.id);
  });

  test('keeps the first choice: accounts that the user left out are not reported, and another login lacks the accounts', async () => {
    const user = await linkAs('eve', ['a', 'b'], ['a']);
    expect(await namesOf(user.reader)).toEqual(['a']);
    const { offeredFingerprints } = (await service.service.db
      .read('connections')
      .where({ id: user.linked.connectionId })
      .first('offeredFingerprints'))!;
    expect(offeredFingerprints).toHaveLength(16);
    await refreshAfter(service, user.reader, seconds(7 * 3600));
    expect(await service.service.db.read('connections').where({ offeredFingerprints }).pluck('id')).toEqual([
      user.linked.connectionId,
    ]);
    scripted.setAccounts('eve', ['c', 'd'].map(accountOf));
    expect(await choose(user, ['c'])).toMatchObject({ state: 'failed', reason: 'accounts_mismatch' });
    expect(await namesOf(user.reader)).toEqual(['a']);
  });

  test('an account that the bank no longer lists lags, and is read again when the bank lists it', async () => {
    const user = await linkAs('ian', ['a', 'b']);
    const [a, b] = await user.reader.accounts();
    scripted.setAccounts('ian', [accountOf('b')]);
    await refreshAfter(service, user.reader, seconds(7 * 3600));
    expect(await user.reader.connection()).toMatchObject({ laggingAccountIds: [a!.id] });
    // Only regular refreshes look for new accounts.
    const { dueAt } = (await service.service.db
      .read('jobs')
      .where({ connectionId: user.linked.connectionId })
      .first('dueAt'))!;
    expect(Date.parse(dueAt) - service.service.clock.real().getTime()).toBeGreaterThan(seconds(3 * 3600));
    const chosen = await choose(user, ['b']);
    expect(chosen).toMatchObject({ result: { accounts: [{ id: b!.id }] } });
    // The refresh has reported the account.
    expect(chosen).not.toHaveProperty('result.missingAccountIds');
    scripted.setAccounts('ian', ['a', 'b'].map(accountOf));
    await refreshAfter(service, user.reader, seconds(7 * 3600));
    expect(await user.reader.connection()).not.toHaveProperty('laggingAccountIds');
  });

  test('needs a connection to choose the accounts of', async () => {
    const open = openLinkSession(service, { applicationId: application.id, accountSelection: true });
    await expect(open).rejects.toThrow('/body/accountSelection');
  });
});
