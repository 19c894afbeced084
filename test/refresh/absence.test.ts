// Absence is not proof: posted transactions that a bank leaves out are kept until confirmed, and operators are notified.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { BankTransaction } from '../../connectors/kit/contract.ts';
import { addMilliseconds, days, seconds, toIsoDate } from '../../src/platform/values/clock.ts';
import { createMember, type DashboardUser } from '../http/dashboard/users.ts';
import { cliSettingsOf, runCli } from '../support/cli.ts';
import { databases } from '../support/databases.ts';
import {
  makeScriptedConnector,
  northBank,
  scriptedAccount,
  scriptedTransaction,
} from '../support/scriptedConnector.ts';
import { link, startService, type TestApplication, type TestService } from '../support/testService.ts';

for (const database of databases) {
  describe(`posted transactions that a bank leaves out, on ${database.name}`, () => {
    let service: TestService;
    let application: TestApplication;
    let viewer: DashboardUser;
    const bank = makeScriptedConnector();
    const logged: string[] = [];
    beforeAll(async () => {
      service = await startService({
        ...{ database, connectors: [bank.module], limits: { workerPollMs: 20 } },
        ...{ env: { METRICS_PORT: '0' }, logTo: (line) => void logged.push(line) },
      });
      application = await service.addApplication({ environment: 'production' });
      viewer = await createMember(service, { role: 'viewer', email: 'viewer@example.com' });
    });
    afterAll(() => service.close());

    const set = (username: string, transactions: readonly BankTransaction[]): void =>
      bank.setAccounts(username, [scriptedAccount({ transactions: [...transactions] })]);
    /** Creates a connection whose only account has these transactions. */
    const connect = async (username: string, transactions: readonly BankTransaction[]) => {
      set(username, transactions);
      const request = { username, institutionId: northBank, applicationId: application.id };
      const { connectionId, accounts, scopedToken } = await link(service, request);
      const client = service.client(scopedToken, application.apiKey);
      const connection = async () =>
        (await client.GET('/connections/{connectionId}', { params: { path: { connectionId } } })).data!
          .connection;
      const accountId = accounts[0]!.id;
      return {
        ...{ connectionId, accountId, connection },
        read: async () => {
          const params = { path: { accountId }, query: { limit: 100 } };
          return (await client.GET('/accounts/{accountId}/transactions', { params })).data!.transactions;
        },
        /** Moves the clock and waits for the refresh that is then due, with the bank's current list. */
        refreshAfter: async (milliseconds: number, listed: readonly BankTransaction[]) => {
          set(username, listed);
          const { refreshedAt } = await connection();
          service.advance(milliseconds);
          await vi.waitUntil(async () => (await connection()).refreshedAt !== refreshedAt, {
            timeout: 30_000,
          });
        },
      };
    };
    const hours = (count: number): number => seconds(count * 3600);
    const transactionOf = (daysAgo: number, more: Partial<BankTransaction> = {}): BankTransaction =>
      scriptedTransaction({
        date: toIsoDate(addMilliseconds(service.service.clock.real(), -days(daysAgo))),
        ...{ description: `BOOKED ${daysAgo}`, amount: `-${daysAgo + 1}.00`, ...more },
      });
    const history = (count: number, more?: (daysAgo: number) => Partial<BankTransaction>) =>
      Array.from({ length: count }, (_, daysAgo) => transactionOf(daysAgo, more?.(daysAgo)));
    const refreshStatus = async (): Promise<Record<string, unknown>> => {
      const settings = cliSettingsOf(service.service.config);
      return (await runCli(settings, 'refresh', 'status', '--json')).json();
    };
    const metrics = async (): Promise<number[]> => {
      const text = await service.service.signals!.text();
      const total = (name: string) =>
        Number(
          new RegExp(`^bank_connection_${name}{institution="[\\w-]+"} (\\d+)$`, 'm').exec(text)?.[1] ?? 0,
        );
      return [total('withdrawn_transactions_total'), total('doubted_readings_total')];
    };

    test('one response without most of the history changes nothing, and operators are notified', async () => {
      const all = history(20);
      const { connectionId, accountId, connection, read, refreshAfter } = await connect('ada', all);
      const before = await read();
      const [[withdrawn, doubted], status] = [await metrics(), await refreshStatus()];
      const late = transactionOf(0, { description: 'NEW', amount: '-99.00' });
      await refreshAfter(hours(7), [...all.slice(0, 5), late]);
      const after = await read();
      expect(after.filter(({ description }) => description !== 'NEW')).toEqual(before);
      expect(after).toHaveLength(21);
      expect((await connection()).laggingAccountIds).toEqual([accountId]);

      expect(await metrics()).toEqual([withdrawn, doubted! + 1]);
      expect(await refreshStatus()).toMatchObject({
        ...{ lagging: 1, doubtedReadings: Number(status.doubtedReadings) + 1 },
      });
      const path = { applicationId: application.id, connectionId };
      const { data } = await viewer.client.GET(
        '/management/applications/{applicationId}/connections/{connectionId}',
        { params: { path } },
      );
      expect(data).toMatchObject({
        ...{ doubtedReadings: 1, withdrawnTransactions: 0, laggingAccounts: [{ id: accountId }] },
      });
      const lines = logged.filter((line) => line.includes('transactions missing at the bank'));
      expect(lines.map((line) => JSON.parse(line))).toMatchObject([
        { connectionId, withdrawn: 0, doubted: 1 },
      ]);
      expect(lines.join()).not.toContain('BOOKED');

      await refreshAfter(hours(12), [...all, late]);
      expect(await read()).toEqual(after);
      expect((await connection()).laggingAccountIds).toBeUndefined();
      expect(await refreshStatus()).toMatchObject({ lagging: 0 });
    });

    test('the same answer twice, 20 hours apart, is believed', async () => {
      const all = history(8);
      const { read, refreshAfter, connection } = await connect('bob', all);
      await refreshAfter(hours(7), all.slice(0, 2));
      await refreshAfter(hours(7), all.slice(0, 2));
      expect((await read()).map(({ status }) => status)).toEqual(Array(8).fill('posted'));
      await refreshAfter(hours(14), all.slice(0, 2));
      expect((await read()).map(({ status }) => status)).toEqual([
        ...['posted', 'posted'],
        ...Array(6).fill('void'),
      ]);
      expect((await connection()).laggingAccountIds).toBeUndefined();
    });

    test('a missing one becomes void 20 hours later, even an old one', async () => {
      const all = [...history(5), transactionOf(300)];
      const { connectionId, read, refreshAfter } = await connect('cyd', all);
      const { withdrawnTransactions } = await refreshStatus();
      // Forces a full reading.
      await refreshAfter(days(7), all.slice(1, 5));
      const statuses = async () => (await read()).map(({ status }) => status);
      expect(await statuses()).toEqual(Array(6).fill('posted'));
      await refreshAfter(hours(21), all.slice(1, 5));
      expect(await statuses()).toEqual(['void', ...Array(4).fill('posted'), 'void']);
      expect(await refreshStatus()).toMatchObject({
        withdrawnTransactions: Number(withdrawnTransactions) + 2,
      });
      const { out } = await runCli(
        cliSettingsOf(service.service.config),
        'connections',
        'show',
        connectionId,
      );
      expect(out).toMatch(/Withdrawn transactions +2\n/);
    });

    test('one that is listed again in between restarts the wait', async () => {
      const all = history(5);
      const { read, refreshAfter } = await connect('dee', all);
      const first = await read();
      await refreshAfter(hours(7), all.slice(1));
      await refreshAfter(hours(12), all);
      await refreshAfter(hours(12), all.slice(1));
      await refreshAfter(hours(12), all.slice(1));
      expect(await read()).toEqual(first);
      await refreshAfter(hours(12), all.slice(1));
      expect((await read()).map(({ status }) => status)).toEqual(['void', ...Array(4).fill('posted')]);
    });

    test('a pending one without a day gets that of its first reading, until it is posted', async () => {
      const undated = transactionOf(0, {
        date: '',
        status: 'pending',
        description: 'CARD',
        amount: '-77.00',
      });
      const { read, refreshAfter } = await connect('fay', [undated]);
      const [before] = await read();
      expect(before).toMatchObject({ date: transactionOf(0).date, status: 'pending' });
      await refreshAfter(hours(30), [undated]);
      expect(await read()).toEqual([before]);
      await refreshAfter(hours(7), [transactionOf(1, { description: 'CARD SHOP', amount: '-77.00' })]);
      expect(await read()).toMatchObject([{ id: before!.id, status: 'posted', description: 'CARD SHOP' }]);
      await refreshAfter(hours(7), [{ ...undated, amount: '-78.00' }]);
      await refreshAfter(hours(7), []);
      expect((await read()).map(({ status }) => status)).toEqual(['void', 'posted']);
    });

    test('one keeps its id when a bank without ids changes its text and day', async () => {
      const all = history(5, (daysAgo) => ({ reference: `R${daysAgo}` }));
      const { read, refreshAfter } = await connect('eve', all);
      const before = await read();
      const edited = all.map((one) => ({ ...one, reference: '' }));
      const moved = transactionOf(5, { description: 'EDITED', amount: edited[4]!.amount });
      await refreshAfter(hours(7), [...edited.slice(0, 4), moved]);
      const after = await read();
      expect(after.map(({ id, amount, status }) => [id, amount, status])).toEqual(
        before.map(({ id, amount, status }) => [id, amount, status]),
      );
      expect(after.map(({ reference }) => reference)).toEqual(Array(5).fill(''));
      expect(after.at(-1)).toMatchObject({ description: 'EDITED', date: moved.date });
    });
  });
}
