// More than forty days in a minute: the operator moves the sandbox clock, and the running service refreshes and deletes when
// due.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sweep } from '../../src/operations/retention/sweep.ts';
import { days } from '../../src/platform/values/clock.ts';
import { cliSettingsOf, runCli, runInCliServer, type Settings } from '../support/cli.ts';
import { oneDatabase } from '../support/databases.ts';
import {
  makeScriptedConnector,
  northBank,
  scriptedAccount,
  scriptedTransaction,
} from '../support/scriptedConnector.ts';
import { driveToEnd, link, openLinkSession, startService, type TestService } from '../support/testService.ts';
import { allIdsOf, type LinkedUser, linkAll, readStatuses, revoke } from './fixture.ts';
import { findInTables } from './leftoverRows.ts';

const pollOptions = { timeout: 20_000, interval: 100 };

for (const database of oneDatabase) {
  describe(`time travel on ${database.name}`, () => {
    const bank = makeScriptedConnector();
    let service: TestService;
    let settings: Settings;
    let first: LinkedUser;
    let second: LinkedUser;
    beforeAll(async () => {
      service = await startService({
        database,
        systemTime: true,
        connectors: [bank.module],
        limits: { sweepGraceSeconds: 0 },
      });
      settings = cliSettingsOf(service.service.config);
      const user = { externalUserId: 'user-1' };
      first = await linkAll(service, { ...user, username: 'usd' });
      second = await linkAll(service, { ...user, username: 'jpy', scopedToken: first.scopedToken });
    });
    afterAll(() => service.close());

    let daysAhead = 0;
    /** Returns once the service also has the new time. */
    const advance = async (count: number): Promise<void> => {
      const command = database.name === 'SQLite' ? runInCliServer : runCli;
      expect((await command(settings, 'sandbox', 'advance', '--days', `${count}`)).err).toBe('');
      daysAhead += count;
      const id = { environment: 'sandbox', organizationId: service.organizationId } as const;
      const readDaysAhead = () => (service.service.clock.now(id).getTime() - Date.now()) / days(1);
      await expect.poll(readDaysAhead, pollOptions).toBeCloseTo(daysAhead, 3);
    };
    const linkInProduction = async (username: string) => {
      bank.setAccounts(username, [scriptedAccount({ transactions: [scriptedTransaction()] })]);
      const { id: applicationId, apiKey } = await service.addApplication({ environment: 'production' });
      const options = { applicationId, username, institutionId: northBank };
      const { connectionId, scopedToken } = await link(service, options);
      return { connectionId, client: service.client(scopedToken, apiKey) };
    };
    const newestDate = async ({ scopedToken, accountIds }: LinkedUser): Promise<number> => {
      const params = { path: { accountId: accountIds[0]! }, query: { limit: 1 } };
      const client = service.client(scopedToken);
      const { data } = await client.GET('/accounts/{accountId}/transactions', { params });
      return Date.parse(data!.transactions[0]!.date);
    };

    test('refreshes run as days pass, and import the transactions of those days', async () => {
      const start = Date.now();
      for (let day = 10; day <= 40; day += 10) {
        await advance(10);
        await expect.poll(() => newestDate(first), pollOptions).toBeGreaterThan(start + days(day - 5));
      }
    });

    test('Production and leases keep real time', async () => {
      const { connectionId, client } = await linkInProduction('ada');
      const created = Date.now();
      const { signIn } = bank.callsOf('ada');
      let leased: { leaseExpiresAt: string } | undefined;
      const findLeased = async () => {
        const jobs = service.service.db.read('jobs').where({ environment: 'sandbox' });
        leased ??= await jobs.whereNotNull('leaseToken').first('leaseExpiresAt');
        return leased;
      };
      const leasing = expect.poll(findLeased, { timeout: 20_000, interval: 2 }).toBeDefined();
      await Promise.all([leasing, advance(1)]);
      expect(Date.parse(leased!.leaseExpiresAt) - Date.now()).toBeLessThanOrEqual(30_000);
      const { data } = await client.GET('/connections');
      expect(data?.connections).toEqual([expect.objectContaining({ id: connectionId })]);
      expect(Math.abs(Date.parse(data!.connections[0]!.createdAt) - created)).toBeLessThan(60_000);
      const job = await service.service.db.read('jobs').where({ connectionId }).first();
      expect(Date.parse(job!.dueAt)).toBeLessThan(created + 7 * 3_600_000);
      expect(bank.callsOf('ada').signIn).toBe(signIn);
    });

    test('a connection just revoked in Production stays, even if the clock is far ahead', async () => {
      const { connectionId, client } = await linkInProduction('eve');
      const params = { path: { connectionId } };
      await client.DELETE('/connections/{connectionId}', { params });
      await advance(31);
      const { db, clock, config } = service.service;
      await expect.poll(() => clock.organizationsAhead()).toContain(service.organizationId);
      const signal = new AbortController().signal;
      await sweep({ db, clock, limits: config.limits }, { signal, rewriteBytesMax: 0 });
      expect((await client.GET('/connections/{connectionId}', { params })).response.status).toBe(200);
    });

    test('the ten minutes until a result must be acknowledged are of real time', async () => {
      await advance(1);
      const session = await openLinkSession(service);
      const view = await driveToEnd(session, { username: 'usd' });
      if (view.state !== 'finished') throw new Error(`Linking ended as ${JSON.stringify(view)}.`);
      const where = { id: view.result.connectionId };
      const row = await service.service.db.read('connections').where(where).first('deliveryExpiresAt');
      expect(Date.parse(row!.deliveryExpiresAt!)).toBeLessThanOrEqual(Date.now() + 10 * 60_000);
    });

    test('a revoked connection is readable for 29 days and deleted on the 30th', async () => {
      await revoke(service, first);
      await advance(29);
      expect((await readStatuses(service, first)).statuses).toEqual([200, 200, 200, 200, 200]);
      await advance(1);
      await expect
        .poll(() => readStatuses(service, first).then(({ statuses }) => statuses[0]), pollOptions)
        .toBe(404);
      await expect.poll(() => findInTables(service.service, allIdsOf(first)), pollOptions).toEqual([]);
      expect(await readStatuses(service, second)).toMatchObject({
        connections: [second.connectionId],
        statuses: [200, 200, 200, 200, 200],
      });
    });
  });
}
