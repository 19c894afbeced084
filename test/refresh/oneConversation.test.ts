// A refresh reads all accounts in one conversation with the bank. The bank may fail to respond for an account, report the days for
// which its list is complete, return the balance of another day, or renew the device token.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { BankTransaction, Connector, History, Reading, Renewal } from '../../connectors/kit/contract.ts';
import { archiveApplication } from '../../src/domain/applications/applications.ts';
import { findApplication } from '../../src/domain/applications/store.ts';
import { byOperator } from '../../src/domain/audit/by.ts';
import { seconds } from '../../src/platform/values/clock.ts';
import { BankUnreachable } from '../../src/platform/values/errors.ts';
import { databases, oneDatabase } from '../support/databases.ts';
import {
  makeScriptedConnector,
  northBank,
  type ScriptedAccount,
  scriptedAccount,
  scriptedTransaction,
  southBank,
} from '../support/scriptedConnector.ts';
import {
  driveToEnd,
  driveToImport,
  link,
  openLinkSession,
  startService,
  type TestApplication,
  type TestService,
} from '../support/testService.ts';

const hours = (count: number): number => seconds(count * 3600);

/** The bank's behavior for one login, set by a test in addition to the data of the scripted connector. */
type Bank = {
  /** The bank's ids of accounts for which it does not respond. */
  failing: Set<string>;
  /** The number of requests without a response. */
  failures: number;
  /** Answers requests for the balance of an account. */
  balance?: Reading['balance'];
  range?: Pick<History, 'completeFrom' | 'completeTo'>;
  renewal: Renewal | Promise<Renewal>;
  /** Replaces the device token of an unattended sign-in, which waits for the new one. */
  signInToken?: string | Promise<string>;
  /** The device token of each unattended sign-in. */
  deviceTokens: (string | undefined)[];
  /** Called at the beginning of each conversation. */
  onRead?(access: string): unknown;
  /** The access and `since` of each conversation. */
  accesses: string[];
  since: (string | undefined)[];
};

const newBank = (): Bank => ({
  ...{ failing: new Set(), failures: 0, renewal: {} },
  ...{ deviceTokens: [], accesses: [], since: [] },
});

const withBank = (connector: Connector, bankOf: (username: string) => Bank): Connector => ({
  ...connector,
  signIn: async (request, context) => {
    const bank = bankOf(request.credentials.username!);
    if (!request.attended) bank.deviceTokens.push(request.deviceToken);
    const signedIn = await connector.signIn(request, context);
    const deviceToken = request.attended ? undefined : await bank.signInToken;
    return deviceToken === undefined ? signedIn : { ...signedIn, deviceToken };
  },
  read: async (access, request, context) => {
    const username = access.split(' ')[0]!;
    const bank = bankOf(username);
    bank.onRead?.(access);
    bank.accesses.push(access);
    bank.since.push(request.since);
    const { renewal } = bank;
    const reading = await connector.read(username, request, context);
    return {
      ...reading,
      history: async (accountId) => {
        if (bank.failing.has(accountId)) {
          bank.failures += 1;
          throw new BankUnreachable('down');
        }
        return { ...(await reading.history(accountId)), ...bank.range };
      },
      ...(bank.balance && { balance: bank.balance }),
      end: async () => renewal,
    };
  },
});

for (const database of databases) {
  describe(`one conversation on ${database.name}`, () => {
    let service: TestService;
    let application: TestApplication;
    const scripted = makeScriptedConnector();
    const banks = new Map<string, Bank>();
    const bankOf = (username: string): Bank => {
      const bank = banks.get(username) ?? newBank();
      banks.set(username, bank);
      return bank;
    };
    /** Makes the bank respond for no account of a login. */
    const failAll = (username: string): Bank => {
      const bank = bankOf(username);
      bank.failing.add('first').add('second');
      return bank;
    };
    beforeAll(async () => {
      const { institutions, connector } = scripted.module;
      service = await startService({
        database,
        connectors: [{ institutions, connector: withBank(connector, bankOf) }],
        limits: { workerPollMs: 20, importRetrySeconds: 0.05, importAttemptsMax: 2 },
      });
      application = await service.addApplication({ environment: 'production' });
    });
    afterAll(() => service.close());

    const today = () => service.service.clock.real().toISOString().slice(0, 10);
    const linkAt = (username: string, accounts: ScriptedAccount[]) => {
      scripted.setAccounts(username, accounts);
      return link(service, { username, institutionId: northBank, applicationId: application.id });
    };
    type Linked = Awaited<ReturnType<typeof linkAt>>;
    const clientOf = ({ scopedToken }: Linked) => service.client(scopedToken, application.apiKey);
    const connectionOf = async (linked: Linked) => {
      const params = { path: { connectionId: linked.connectionId } };
      return (await clientOf(linked).GET('/connections/{connectionId}', { params })).data!.connection;
    };
    const accountsOf = async (linked: Linked) => {
      const params = { path: { connectionId: linked.connectionId } };
      return (await clientOf(linked).GET('/connections/{connectionId}/accounts', { params })).data!.accounts;
    };
    const transactionsOf = async (linked: Linked, accountIndex = 0) => {
      const params = { path: { accountId: linked.accounts[accountIndex]!.id } };
      const { data } = await clientOf(linked).GET('/accounts/{accountId}/transactions', { params });
      return data!.transactions.map(({ description, status }) => [description, status]);
    };
    /** Waits for the next refresh of the connection, which is due after these hours. */
    const refreshAfter = async (linked: Linked, count: number) => {
      const before = await connectionOf(linked);
      service.advance(hours(count));
      await vi.waitUntil(async () => (await connectionOf(linked)).refreshedAt !== before.refreshedAt, {
        timeout: 30_000,
      });
      return connectionOf(linked);
    };
    /** Waits for two more requests to the bank, from the next refresh on. */
    const untilAskedTwice = async (username: string): Promise<void> => {
      const { accesses } = bankOf(username);
      const before = accesses.length;
      service.advance(hours(7));
      await vi.waitUntil(() => accesses.length > before + 1 || service.advance(hours(1)), {
        timeout: 30_000,
      });
    };
    /** Waits until a refresh that is due after some hours has failed, without a response for either account. */
    const untilFailed = async (username: string, { connectionId }: Linked): Promise<void> => {
      const bank = failAll(username);
      service.advance(hours(7));
      const isSaved = async () => {
        const job = await service.service.db.read('jobs').where({ connectionId }).first('lastFailure');
        return job!.lastFailure !== null;
      };
      await vi.waitUntil(isSaved, { timeout: 30_000 });
      expect(bank.failures).toBe(2);
      bank.failing.clear();
    };
    /** Waits until the job of a link session was postponed several times, and returns its attempts. */
    const attemptsOfWaiting = async (linkSessionId: string): Promise<number> => {
      const dueAt = new Set<string>();
      const isPutOff = async () => {
        const job = await service.service.db.read('jobs').where({ linkSessionId }).first('attempts', 'dueAt');
        return dueAt.add(job!.dueAt).size > 3 && job;
      };
      return (await vi.waitUntil(isPutOff, { timeout: 30_000, interval: 10 })).attempts;
    };
    const transaction = (description: string, more: Partial<BankTransaction> = {}): BankTransaction =>
      scriptedTransaction({ description, date: today(), ...more });
    const twoAccounts = (...descriptions: string[]): ScriptedAccount[] =>
      ['first', 'second'].map((id) =>
        scriptedAccount({ id, number: id, transactions: descriptions.map((text) => transaction(text)) }),
      );

    test('keeps credentials that the bank renewed in a conversation whose result could not be published', async () => {
      for (const username of ['ora', 'pia']) scripted.setAccounts(username, twoAccounts('OLD'));
      const user = { applicationId: application.id, externalUserId: 'in two windows' };
      const [first, second] = [await openLinkSession(service, user), await openLinkSession(service, user)];
      const renewal = Promise.withResolvers<Renewal>();
      bankOf('ora').renewal = renewal.promise;
      const { accesses } = bankOf('ora');
      await driveToImport(second, { username: 'ora', institutionId: northBank });
      await vi.waitUntil(() => accesses.length === 1, { timeout: 30_000 });
      // The first window has an undelivered result, so the end user of the second is not known yet.
      bankOf('ora').renewal = {};
      await driveToEnd(first, { username: 'pia', institutionId: southBank });
      renewal.resolve({ access: 'ora renewed' });
      // While the job waits, it sends the bank nothing, and no wait counts as an attempt.
      expect(await attemptsOfWaiting(second.id)).toBeLessThanOrEqual(1);
      expect(accesses).toEqual(['ora']);
      await first.acknowledge();
      expect(await second.waitForImport()).toMatchObject({ state: 'finished' });
      expect(accesses).toEqual(['ora', 'ora renewed']);
    });

    test('is not held for a link whose application has been archived meanwhile', async () => {
      const archived = await service.addApplication({ environment: 'production' });
      const { db } = service.service;
      const stored = (await findApplication(db.read, archived.id))!;
      const by = byOperator(stored.organizationId, service.service.clock.real());
      const bank = failAll('uma');
      bank.onRead = () => {
        bank.renewal = archiveApplication(db, stored, by).then(() => ({}));
      };
      scripted.setAccounts('uma', twoAccounts('OLD'));
      const session = await openLinkSession(service, { applicationId: archived.id });
      await driveToImport(session, { username: 'uma', institutionId: northBank });
      const isFailed = async () => {
        const row = await db.read('link_sessions').where({ id: session.id }).first('state');
        return row!.state === 'failed';
      };
      await vi.waitUntil(isFailed, { timeout: 30_000 });
      expect(bank.accesses).toEqual(['uma']);
    });

    test('stores no device token of a refresh that a reconnect has overtaken', async () => {
      const linked = await linkAt('pam', twoAccounts('OLD'));
      const bank = bankOf('pam');
      const { promise, resolve } = Promise.withResolvers<string>();
      bank.signInToken = promise;
      service.advance(hours(7));
      await vi.waitUntil(() => bank.deviceTokens.includes('device of pam'), { timeout: 30_000 });
      const { connectionId } = linked;
      const user = { username: 'pam', institutionId: northBank, applicationId: application.id };
      await link(service, { ...user, connectionId });
      resolve('of the overtaken refresh');
      bank.signInToken = undefined;
      for (const _refresh of [1, 2]) await refreshAfter(linked, 7);
      expect(bank.deviceTokens).toEqual(Array.from({ length: 3 }, () => 'device of pam'));
    });

    // With one writer, all databases behave the same.
    if (!oneDatabase.includes(database)) return;

    test('publishes the accounts for which the bank responds, names the other, and retries soon', async () => {
      const linked = await linkAt('ada', twoAccounts('OLD'));
      scripted.setAccounts('ada', twoAccounts('OLD', 'NEW'));
      bankOf('ada').failing.add('second');
      const lagging = await refreshAfter(linked, 7);
      expect(lagging).toMatchObject({ status: 'active', laggingAccountIds: [linked.accounts[1]!.id] });
      expect(await transactionsOf(linked, 0)).toHaveLength(2);
      expect(await transactionsOf(linked, 1)).toEqual([['OLD', 'posted']]);
      bankOf('ada').failing.clear();
      const complete = await refreshAfter(linked, 1);
      expect(complete.laggingAccountIds).toBeUndefined();
      expect(await transactionsOf(linked, 1)).toHaveLength(2);
    });

    test('retries after doubling pauses while the bank does not respond for an account', async () => {
      const linked = await linkAt('ned', twoAccounts('OLD'));
      bankOf('ned').failing.add('second');
      let { refreshedAt } = await refreshAfter(linked, 7);
      for (const pause of [60, 120, 240]) {
        const { connectionId } = linked;
        const { dueAt } = (await service.service.db.read('jobs').where({ connectionId }).first())!;
        const dueIn = Date.parse(dueAt) - Date.parse(refreshedAt);
        expect(dueIn).toBeGreaterThanOrEqual(seconds(pause / 2));
        expect(dueIn).toBeLessThanOrEqual(seconds(pause));
        ({ refreshedAt } = await refreshAfter(linked, pause / 3600));
      }
    });

    test('reads the last 14 days again, and everything once a week', async () => {
      const linked = await linkAt('oli', twoAccounts('OLD'));
      for (let day = 1; day <= 8; day++) {
        const { refreshedAt } = await connectionOf(linked);
        await refreshAfter(linked, 24);
        const first = new Date(Date.parse(refreshedAt) - 14 * hours(24)).toISOString().slice(0, 10);
        expect([day, bankOf('oli').since.at(-1)]).toEqual([day, day === 7 ? undefined : first]);
      }
    });

    test('reads from the day up to which the lagging account was read', async () => {
      const linked = await linkAt('bob', twoAccounts('OLD'));
      const readTo = today();
      bankOf('bob').failing.add('second');
      for (let day = 0; day < 5; day++) await refreshAfter(linked, 24);
      const { overlapDays } = service.service.config.limits;
      const first = new Date(Date.parse(readTo) - overlapDays * hours(24)).toISOString().slice(0, 10);
      expect(bankOf('bob').since.at(-1)).toBe(first);
    });

    test('changes nothing and retries if the bank responds for no account', async () => {
      const linked = await linkAt('cyd', twoAccounts('OLD'));
      const before = await connectionOf(linked);
      scripted.setAccounts('cyd', twoAccounts('OLD', 'NEW'));
      failAll('cyd');
      await untilAskedTwice('cyd');
      expect(await connectionOf(linked)).toEqual(before);
      expect(await transactionsOf(linked)).toEqual([['OLD', 'posted']]);
    });

    test('links an account for which the bank does not respond at the last attempt, and reads it later', async () => {
      scripted.setAccounts('dee', twoAccounts('OLD'));
      bankOf('dee').failing.add('second');
      const linked = await linkAt('dee', twoAccounts('OLD'));
      expect((await connectionOf(linked)).laggingAccountIds).toEqual([linked.accounts[1]!.id]);
      expect(await transactionsOf(linked, 0)).toHaveLength(1);
      expect(await transactionsOf(linked, 1)).toEqual([]);
      expect(await accountsOf(linked)).toHaveLength(2);
      bankOf('dee').failing.clear();
      await refreshAfter(linked, 1);
      // Reads everything, because the account was never read.
      expect(bankOf('dee').since.at(-1)).toBeUndefined();
      expect(await transactionsOf(linked, 1)).toHaveLength(1);
    });

    test('voids missing transactions only on days that the bank reports as complete', async () => {
      const day = (before: number) =>
        new Date(Date.parse(today()) - before * hours(24)).toISOString().slice(0, 10);
      const [d0, d1, d2, d3] = [day(0), day(1), day(2), day(3)];
      const all = [d3, d2, d1, d0].map((date) => transaction(`OF ${date}`, { date }));
      const linked = await linkAt('eve', [scriptedAccount({ transactions: all })]);
      scripted.setAccounts('eve', [scriptedAccount({ transactions: [] })]);
      bankOf('eve').range = { completeFrom: d2, completeTo: d1 };
      await refreshAfter(linked, 7);
      await refreshAfter(linked, 21);
      expect(await transactionsOf(linked)).toEqual([
        [`OF ${d0}`, 'posted'],
        [`OF ${d1}`, 'void'],
        [`OF ${d2}`, 'void'],
        [`OF ${d3}`, 'posted'],
      ]);
    });

    test('voids nothing if the bank does not report complete days', async () => {
      const linked = await linkAt('fay', [scriptedAccount({ transactions: [transaction('OLD')] })]);
      scripted.setAccounts('fay', [scriptedAccount({ transactions: [transaction('NEW')] })]);
      bankOf('fay').range = { completeFrom: undefined, completeTo: undefined };
      await refreshAfter(linked, 7);
      expect(await transactionsOf(linked)).toEqual([
        ['NEW', 'posted'],
        ['OLD', 'posted'],
      ]);
    });

    test('treats a range with only one end as an incomplete response', async () => {
      const linked = await linkAt('gil', [scriptedAccount({ transactions: [transaction('OLD')] })]);
      const before = await connectionOf(linked);
      scripted.setAccounts('gil', [scriptedAccount({ transactions: [] })]);
      bankOf('gil').range = { completeFrom: today(), completeTo: undefined };
      await untilAskedTwice('gil');
      expect(await connectionOf(linked)).toEqual(before);
    });

    test('replaces a balance only with a later one, and keeps it if the bank reports none', async () => {
      const at = (before: number) =>
        new Date(service.service.clock.real().getTime() - hours(before)).toISOString();
      const account = (balance: ScriptedAccount['balance']) => [scriptedAccount({ balance })];
      const linked = await linkAt('hal', account({ current: '10.00', asOf: at(2) }));
      const [{ balance: first }] = (await accountsOf(linked)) as [{ balance: object }, ...object[]];
      for (const balance of [{ current: '5.00', asOf: at(30) }, undefined]) {
        scripted.setAccounts('hal', account(balance));
        await refreshAfter(linked, 7);
        expect((await accountsOf(linked))[0]!.balance).toEqual(first);
      }
      const asOf = at(1);
      scripted.setAccounts('hal', account({ current: '7.50', asOf }));
      await refreshAfter(linked, 7);
      expect((await accountsOf(linked))[0]!.balance).toEqual({ current: 7.5, asOf });
    });

    test('imports an account without a balance, which is added as soon as the bank reports it', async () => {
      const transactions = [scriptedTransaction({ description: 'OLD' })];
      const account = scriptedAccount({ balance: undefined, transactions });
      const linked = await linkAt('ida', [account]);
      expect(await transactionsOf(linked)).toEqual([['OLD', 'posted']]);
      expect((await accountsOf(linked))[0]!.balance).toEqual({});
      await refreshAfter(linked, 7);
      expect((await accountsOf(linked))[0]!.balance).toEqual({});
      scripted.setAccounts('ida', [{ ...account, balance: { current: '7.50' } }]);
      await refreshAfter(linked, 7);
      expect((await accountsOf(linked))[0]!.balance).toMatchObject({ current: 7.5 });
    });

    test('requests each balance after all histories, and keeps the stored one if only that fails', async () => {
      const bank = bankOf('jon');
      const asked: string[] = [];
      bank.balance = async (accountId) => {
        asked.push(`${accountId} after ${scripted.callsOf('jon').history}`);
        if (asked.length > 2) throw new BankUnreachable('down');
        return { current: `${asked.length}.00`, asOf: service.service.clock.real().toISOString() };
      };
      const accounts = twoAccounts('OLD').map((account) => ({ ...account, balance: undefined }));
      const linked = await linkAt('jon', accounts);
      expect(asked).toEqual(['first after 2', 'second after 2']);
      const balances = async () => (await accountsOf(linked)).map(({ balance }) => balance.current);
      expect(await balances()).toEqual([1, 2]);
      await refreshAfter(linked, 7);
      expect(asked).toHaveLength(4);
      expect(await balances()).toEqual([1, 2]);
      expect((await connectionOf(linked)).laggingAccountIds).toBeUndefined();
    });

    test('signs in with the device token that the last conversation ended with', async () => {
      bankOf('kim').renewal = { deviceToken: 'renewed at the import' };
      const linked = await linkAt('kim', twoAccounts('OLD'));
      bankOf('kim').renewal = { deviceToken: 'renewed at a refresh' };
      await refreshAfter(linked, 7);
      await refreshAfter(linked, 7);
      expect(bankOf('kim').deviceTokens).toEqual(['renewed at the import', 'renewed at a refresh']);
    });

    test('keeps the device token of a sign-in after which nothing could be read', async () => {
      const linked = await linkAt('max', twoAccounts('OLD'));
      const bank = bankOf('max');
      bank.signInToken = 'of the failed refresh';
      await untilFailed('max', linked);
      bank.signInToken = undefined;
      await refreshAfter(linked, 1);
      expect(bank.deviceTokens).toContain('of the failed refresh');
    });

    test('keeps only the device token that a failed conversation renewed', async () => {
      const linked = await linkAt('nia', twoAccounts('OLD'));
      const bank = bankOf('nia');
      bank.renewal = { deviceToken: 'renewed alone' };
      await untilFailed('nia', linked);
      bank.renewal = {};
      await refreshAfter(linked, 1);
      expect(bank.deviceTokens).toContain('renewed alone');
    });

    test('keeps credentials that the bank renewed in a failed conversation', async () => {
      const bank = failAll('lea');
      bank.renewal = { access: 'lea renewed', deviceToken: 'renewed in vain' };
      scripted.setAccounts('lea', twoAccounts('OLD'));
      bank.onRead = (access) => {
        if (access === 'lea renewed') bank.failing.clear();
      };
      // The second attempt of the import continues with the access of the first, without another sign-in.
      const linked = await linkAt('lea', twoAccounts('OLD'));
      expect(scripted.callsOf('lea').signIn).toBe(1);
      bank.renewal = {};
      await refreshAfter(linked, 7);
      expect(bank.deviceTokens).toContain('renewed in vain');
    });

    test('keeps only the access that a failed import renewed, with the device token of the sign-in', async () => {
      const bank = failAll('sia');
      bank.renewal = { access: 'sia renewed' };
      bank.onRead = (access) => {
        if (access === 'sia renewed') bank.failing.clear();
      };
      const linked = await linkAt('sia', twoAccounts('OLD'));
      expect(bank.accesses).toEqual(['sia', 'sia renewed']);
      await refreshAfter(linked, 7);
      expect(bank.deviceTokens).toContain('device of sia');
    });
  });
}
