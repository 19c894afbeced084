// A service with SimpleFIN in CONNECTORS: end users of Production applications link with a setup token, and changes on the
// server appear in the API and its webhooks.
import { describe, expect, test, vi } from 'vitest';
import type { FakeServer } from '../../../connectors/simplefin/test/fakeServer.ts';
import {
  fakeAccount,
  fakeTransaction,
  institutionId,
  startServer,
} from '../../../connectors/simplefin/test/fixture.ts';
import { days, seconds } from '../../../src/platform/values/clock.ts';
import { oneDatabase } from '../../support/databases.ts';
import { expectAbsent } from '../../support/expectAbsent.ts';
import { driveToEnd, link, openLinkSession } from '../../support/testService.ts';
import { createEndpoint, startWebhookService } from '../../webhooks/fixture.ts';

const hours = (count: number): number => seconds(count * 3600);

/** The day (YYYY-MM-DD) this many days ago. */
const dayAgo = (count: number): string => new Date(Date.now() - days(count)).toISOString().slice(0, 10);

const waitUntil = (check: () => Promise<boolean>): Promise<unknown> =>
  vi.waitUntil(check, { timeout: 30_000, interval: 20 });

/** Three accounts in two connections on the server. */
const startBank = async (): Promise<FakeServer> => {
  const transactions = [
    fakeTransaction('T1', dayAgo(40)),
    fakeTransaction('T2', dayAgo(3), { amount: '-12.50', description: 'COFFEE' }),
    fakeTransaction('T3', dayAgo(1), {
      posted: 0,
      transacted_at: (Date.now() - days(1)) / 1000,
      pending: true,
    }),
  ];
  const server = await startServer(
    fakeAccount('A1', transactions, { name: 'Checking (4821)' }),
    fakeAccount('A2', [], { name: 'Savings' }),
  );
  const accounts = [fakeAccount('B1', [], { name: 'Card (0093)' })];
  server.connections.push({ id: 'CON-2', bank: 'Second Bank', accounts });
  return server;
};

for (const database of oneDatabase) {
  describe(`SimpleFIN in a service on ${database.name}`, () => {
    const linkAtServer = async (accounts?: string[]) => {
      const server = await startBank();
      const logs: string[] = [];
      const service = await startWebhookService({
        ...{ database, env: { CONNECTORS: 'simplefin' } },
        limits: { workerPollMs: 20, importRetrySeconds: 0.05 },
        logTo: (line) => logs.push(line),
      });
      const application = await service.addApplication({ environment: 'production' });
      // Nothing listens there: only the queued events matter.
      await createEndpoint(service, 'https://127.0.0.1:9/', application.id);
      const linkOptions = { institutionId, applicationId: application.id };
      const values = { token: server.makeSetupToken() };
      const linked = await link(service, { ...linkOptions, values, ...(accounts && { accounts }) });
      const { connectionId } = linked;
      const client = service.client(linked.scopedToken, application.apiKey);
      const connectionOf = async () => {
        const params = { path: { connectionId } };
        return (await client.GET('/connections/{connectionId}', { params })).data!.connection;
      };
      const waitForStatus = (status: string) =>
        waitUntil(async () => (await connectionOf()).status === status);
      /** Waits for the refresh that is due after these hours. */
      const refreshAfter = async (count: number) => {
        const before = await connectionOf();
        service.advance(hours(count));
        await waitUntil(async () => (await connectionOf()).refreshedAt !== before.refreshedAt);
        return connectionOf();
      };
      const transactionsOf = async (accountIndex = 0) => {
        const params = { path: { accountId: linked.accounts[accountIndex]!.id } };
        return (await client.GET('/accounts/{accountId}/transactions', { params })).data!.transactions;
      };
      /** The types of the webhooks about the connection, except those about linking and transactions. */
      const told = async (): Promise<string[]> => {
        const rows = await service.service.db.read('webhook_deliveries').where({ connectionId });
        const types = rows.map(({ type }) => type.replace('connection.', ''));
        return types.filter((type) => type === 'needs_reconnect' || type === 'restored').toSorted();
      };
      const { read } = service.service.db;
      const eventsOf = () => read('connection_events').where({ connectionId }).orderBy('id');
      return {
        ...{ server, service, application, linked, linkOptions, client, logs },
        ...{ connectionOf, waitForStatus, refreshAfter, transactionsOf, told },
        /** The reasons of refused refreshes. */
        refusals: async () => (await eventsOf()).flatMap(({ reason }) => reason ?? []),
        hasJob: async () => (await read('jobs').where({ connectionId })).length > 0,
      };
    };

    test('is linked by a setup token, and read', async () => {
      const { server, linked, client, application, service, ...rest } = await linkAtServer();
      const { linkOptions, transactionsOf } = rest;
      expect(server.requests.map(({ method }) => method)).toEqual(['POST', 'GET', 'GET', 'GET', 'GET']);
      expect(linked.accounts).toMatchObject([
        { name: 'Checking (4821)', type: 'other', lastFour: '4821', currency: 'USD' },
        { name: 'Savings', lastFour: '' },
        { name: 'Card (0093)', lastFour: '0093' },
      ]);
      const { connectionId } = linked;
      const ofConnection = { params: { path: { connectionId } } };
      const { data: connection } = await client.GET('/connections/{connectionId}', ofConnection);
      expect(connection!.connection).toMatchObject({
        ...{ id: connectionId, status: 'active', institution: { id: 'simplefin', name: 'SimpleFIN' } },
      });
      const path = { accountId: linked.accounts[0]!.id };
      const { data: account } = await client.GET('/accounts/{accountId}', { params: { path } });
      expect(account!.account).toMatchObject({ lastFour: '4821', balance: { current: 100.23 } });
      const list = await transactionsOf();
      expect(list).toMatchObject([
        { description: 'T3', status: 'pending' },
        { description: 'COFFEE', amount: -12.5, date: dayAgo(3), status: 'posted' },
        { description: 'T1' },
      ]);
      const { response } = await service
        .client(undefined, application.apiKey)
        .DELETE('/connections/{connectionId}', ofConnection);
      expect(response.status).toBe(204);
      // A setup token is valid once; an end user who enters a used one sees an error.
      const session = await openLinkSession(service, linkOptions);
      const view = await driveToEnd(session, { ...linkOptions, values: { token: 'used' } });
      expect(view).toMatchObject({ state: 'credentials', error: { reason: 'wrong_credentials' } });
    });

    test('is refreshed by one request, which brings, posts and voids transactions', async () => {
      const { server, refreshAfter, transactionsOf } = await linkAtServer();
      const [account] = server.connections[0]!.accounts;
      account!.transactions = [40, 1, 0].map((days, at) =>
        fakeTransaction(['T1', 'T3', 'T4'][at]!, dayAgo(days)),
      );
      server.requests.length = 0;
      await refreshAfter(7);
      expect(server.requests.map(({ path }) => path)).toEqual(['/simplefin/accounts']);
      await refreshAfter(21);
      expect((await transactionsOf()).map(({ description, status }) => `${description} ${status}`)).toEqual([
        ...['T4 posted', 'T3 posted', 'COFFEE void', 'T1 posted'],
      ]);
    });

    test('voids nothing if the server returns two transactions with the same id', async () => {
      const { server, refreshAfter, transactionsOf } = await linkAtServer();
      const [account] = server.connections[0]!.accounts;
      for (const transaction of account!.transactions) transaction.id = 'T1';
      account!.transactions.push(fakeTransaction('T1', dayAgo(2), { description: 'NEW', amount: '-7.00' }));
      await refreshAfter(7);
      expect((await transactionsOf()).map(({ description, status }) => `${description} ${status}`)).toEqual([
        ...['T3 pending', 'NEW posted', 'COFFEE posted', 'T1 posted'],
      ]);
    });

    test('names the account that no longer responds, and refreshes the others', async () => {
      const { server, linked, connectionOf, refreshAfter, transactionsOf } = await linkAtServer();
      const before = await transactionsOf();
      const [missing] = server.connections[0]!.accounts.splice(0, 1);
      const { accounts } = server.connections[1]!;
      accounts[0]!.transactions = [fakeTransaction('B', dayAgo(1))];
      await refreshAfter(7);
      const laggingAccountIds = [linked.accounts[0]!.id];
      expect(await connectionOf()).toMatchObject({ status: 'active', laggingAccountIds });
      expect(await transactionsOf()).toEqual(before);
      expect(await transactionsOf(2)).toMatchObject([{ description: 'B' }]);
      expect(await refreshAfter(7)).toMatchObject({ laggingAccountIds });
      server.connections[0]!.accounts.push(missing!);
      expect(await refreshAfter(7)).not.toHaveProperty('laggingAccountIds');
    });

    test('whose user must sign in at a bank reports it once, is retried daily, and is restored on its own', async () => {
      const { server, service, refusals, ...linked } = await linkAtServer();
      server.errors = [{ code: 'con.auth', conn_id: 'CON-1', msg: 'Authentication failed' }];
      service.advance(hours(7));
      await linked.waitForStatus('needs_reconnect');
      server.requests.length = 0;
      service.advance(hours(20));
      service.advance(hours(7));
      await waitUntil(async () => (await refusals()).length === 2);
      expect(await refusals()).toEqual(['user_action_required', 'user_action_required']);
      expect(server.requests).toHaveLength(1);
      expect(await linked.told()).toEqual(['needs_reconnect']);
      server.errors = [];
      service.advance(hours(27));
      await linked.waitForStatus('active');
      expect(await linked.told()).toEqual(['needs_reconnect', 'restored']);
    });

    test('does not need a sign-in at a bank without a shared account', async () => {
      const { server, refreshAfter, told } = await linkAtServer(['Card (0093)']);
      server.errors = [{ code: 'con.auth', conn_id: 'CON-1' }];
      expect(await refreshAfter(7)).toMatchObject({ status: 'active' });
      expect(await told()).toEqual([]);
    });

    test('that must be paid for at the server is restored on its own', async () => {
      const { server, service, waitForStatus, told, hasJob } = await linkAtServer();
      server.intercept = () => ({ status: 402 });
      service.advance(hours(7));
      await waitForStatus('needs_reconnect');
      expect(await hasJob()).toBe(true);
      server.intercept = () => undefined;
      service.advance(hours(27));
      await waitForStatus('active');
      expect(await told()).toEqual(['needs_reconnect', 'restored']);
    });

    test('whose access was revoked reports it once, and is restored with a new setup token', async () => {
      const { server, service, linked, linkOptions, logs, ...rest } = await linkAtServer();
      server.revoke();
      service.advance(hours(7));
      await rest.waitForStatus('needs_reconnect');
      expect(await rest.refusals()).toEqual(['wrong_credentials']);
      expect(await rest.hasJob()).toBe(false);
      expect(await rest.told()).toEqual(['needs_reconnect']);
      const session = await openLinkSession(service, { ...linkOptions, connectionId: linked.connectionId });
      const token = server.makeSetupToken();
      const view = await driveToEnd(session, { ...linkOptions, values: { token } });
      expect(view).toMatchObject({ state: 'finished', result: { accounts: linked.accounts } });
      expect(await rest.connectionOf()).toMatchObject({ status: 'active' });
      expect(await rest.told()).toEqual(['needs_reconnect', 'restored']);
      // From now on the new access is used.
      await rest.refreshAfter(7);
      const output = logs.join('\n');
      expect(output).toContain('job done');
      expectAbsent(output, [token, 'end%40user', '/simplefin', '4821', '100.23', 'COFFEE', 'First Bank']);
    });
  });
}
