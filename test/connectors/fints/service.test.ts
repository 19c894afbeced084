// A service with FinTS: end users of Production applications link at a listed bank. A refresh that needs a TAN waits for
// them, and a reconnect restores the connection.
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Client } from '../../../client/index.ts';
import { said } from '../../../connectors/fints/test/segments.ts';
import { difficultPin, rightTan } from '../../../connectors/fints/test/users.ts';
import { days, seconds } from '../../../src/platform/values/clock.ts';
import { oneDatabase } from '../../support/databases.ts';
import { expectAbsent } from '../../support/expectAbsent.ts';
import { driveToEnd, link, openLinkSession } from '../../support/testService.ts';
import { startWebhookService } from '../../webhooks/fixture.ts';
import { startListedBank } from './serviceFixture.ts';

const waitUntil = (check: () => Promise<boolean>): Promise<unknown> =>
  vi.waitUntil(check, { timeout: 30_000, interval: 20 });

/** An end user's connection and the transactions of an account, as the API returns them. */
const readerOf = (client: Client) => ({
  connection: async (connectionId: string) => {
    const params = { path: { connectionId } };
    return (await client.GET('/connections/{connectionId}', { params })).data!.connection;
  },
  transactions: async (accountId: string) => {
    const params = { path: { accountId } };
    return (await client.GET('/accounts/{accountId}/transactions', { params })).data!.transactions;
  },
});

const dayFrom = (count: number): string => new Date(Date.now() + days(count)).toISOString().slice(0, 10);

for (const database of oneDatabase) {
  describe(`FinTS in a service on ${database.name}`, () => {
    const startService = async () => {
      const { bank, env, close } = await startListedBank();
      onTestFinished(close);
      const logs: string[] = [];
      const service = await startWebhookService({
        ...{ database, env, limits: { workerPollMs: 20, importRetrySeconds: 0.05 } },
        logTo: (line) => logs.push(line),
      });
      const application = await service.addApplication({ environment: 'production' });
      const linkOptions = { institutionId: 'dkb', applicationId: application.id };
      return { bank, service, application, linkOptions, logs };
    };

    test('a listed bank is linked with a device and a TAN, and read over the API', async () => {
      const { bank, service, application, linkOptions, logs } = await startService();
      const values = { username: 'test@user', pin: '12345' };
      const linked = await link(service, { ...linkOptions, values, answers: ['SomePhone1', rightTan] });
      expect(linked.accounts).toMatchObject([
        { name: 'Sichteinlagen', type: 'depository', subtype: 'checking', lastFour: '7890', currency: 'EUR' },
        { name: 'VISA DKB Cash', type: 'credit', subtype: 'credit_card', lastFour: '4567' },
      ]);
      const client = service.client(linked.scopedToken, application.apiKey);
      const [giro] = linked.accounts;
      const params = { path: { accountId: giro!.id } };
      const { data: account } = await client.GET('/accounts/{accountId}', { params });
      expect(account!.account.balance).toMatchObject({ current: 123.45, available: 123.45 });
      expect(await readerOf(client).transactions(giro!.id)).toMatchObject([
        { date: dayFrom(-8), amount: 123.45, status: 'posted', description: 'Sender Name1 Irgendein Käse' },
        { date: dayFrom(-18), amount: -12, status: 'posted', reference: 'HKCCS12345' },
      ]);
      // The whole link used one dialog with a TAN, which the worker has ended.
      expect(bank.received.at(-1)!.orders).toEqual(['HKEND']);
      const output = logs.join('\n');
      expect(output).toContain('job done');
      const secrets = ['12345', rightTan, 'test@user', 'SYSTEM', '7890', '123.45', 'Sichteinlagen', 'Käse'];
      expectAbsent(output, secrets);
    });

    test('a refresh needs no TAN for 90 days, then waits for its user, and a reconnect restores it', async () => {
      const { bank, service, application, linkOptions, logs } = await startService();
      const values = { username: 'push', pin: '12345' };
      const linked = await link(service, { ...linkOptions, values, answers: [rightTan] });
      const { connectionId } = linked;
      const reader = readerOf(service.client(linked.scopedToken, application.apiKey));
      const read = () => reader.connection(connectionId);
      let passed = 0;
      const advance = (count: number): void => {
        passed += count;
        service.advance(days(count));
        bank.today = dayFrom(passed);
      };
      const before = await read();
      advance(1);
      await waitUntil(async () => (await read()).refreshedAt !== before.refreshedAt);
      expect(await read()).toMatchObject({ status: 'active' });
      expect(await read()).not.toHaveProperty('laggingAccountIds');
      advance(95);
      await waitUntil(async () => (await read()).status === 'needs_reconnect');
      const events = await service.service.db.read('connection_events').where({ connectionId });
      expect(events.flatMap(({ reason }) => reason ?? [])).toEqual(['user_action_required']);
      const session = await openLinkSession(service, { ...linkOptions, connectionId });
      const view = await driveToEnd(session, { ...linkOptions, values, answers: [rightTan] });
      expect(view).toMatchObject({ state: 'finished', result: { accounts: linked.accounts } });
      expect(await read()).toMatchObject({ status: 'active' });
      service.advance(seconds(7 * 3600));
      const renewed = await read();
      await waitUntil(async () => (await read()).refreshedAt !== renewed.refreshedAt);
      expect(await read()).toMatchObject({ status: 'active' });
      expect(logs.join('\n')).not.toMatch(/HNHBK|HIRM|Sicherheitsfreigabe|pushTAN/);
    });

    test('a bank that requires a TAN for each statement is linked with one per account, and a refresh needs its user', async () => {
      const { bank, service, application, linkOptions } = await startService();
      const values = { username: 'everyStatement', pin: '12345' };
      const options = { ...linkOptions, institutionId: 'dkb-camt', values, answers: [rightTan, rightTan] };
      const linked = await link(service, options);
      const { connectionId } = linked;
      const reader = readerOf(service.client(linked.scopedToken, application.apiKey));
      const [giro, card] = linked.accounts;
      const amountsOf = async (account: typeof giro) =>
        (await reader.transactions(account!.id)).map(({ amount }) => amount);
      expect(await amountsOf(giro)).toEqual([-3.1, 123.45, -12]);
      expect(await amountsOf(card)).toEqual([-49.99, -1234.5]);
      const countOrders = () =>
        bank.received.flatMap(({ orders }) => orders).filter((order) => order === 'HKCAZ').length;
      expect(bank.received.filter(({ tan }) => tan === rightTan)).toHaveLength(2);
      expect(countOrders()).toBe(3);
      service.advance(days(1));
      bank.today = dayFrom(1);
      await waitUntil(async () => (await reader.connection(connectionId)).status === 'needs_reconnect');
      const events = await service.service.db.read('connection_events').where({ connectionId });
      expect(events.flatMap(({ reason }) => reason ?? [])).toEqual(['user_action_required']);
      expect(countOrders()).toBe(4);
      const session = await openLinkSession(service, { ...linkOptions, connectionId });
      expect(await driveToEnd(session, options)).toMatchObject({ state: 'finished' });
      expect(await reader.connection(connectionId)).toMatchObject({ status: 'active' });
      expect(await amountsOf(card)).toHaveLength(2);
    });

    test('a wrong PIN is typed again, and one with special characters signs in', async () => {
      const { service, linkOptions } = await startService();
      const session = await openLinkSession(service, linkOptions);
      const wrong = { username: 'difficult', pin: '00000' };
      const view = await driveToEnd(session, { ...linkOptions, values: wrong });
      expect(view).toMatchObject({ state: 'credentials', error: { reason: 'wrong_credentials' } });
      const values = { username: 'difficult', pin: difficultPin };
      expect(await link(service, { ...linkOptions, institutionId: 'dkb-camt', values })).toMatchObject({
        accounts: [{ lastFour: '7890' }, { lastFour: '4567' }],
      });
    });
  });
}

test('posted transactions stay posted if the bank does not know the account, stops between pages, or loses entries', async () => {
  const { bank, env, close } = await startListedBank();
  onTestFinished(close);
  const service = await startWebhookService({ env, limits: { workerPollMs: 20 } });
  const application = await service.addApplication({ environment: 'production' });
  const values = { username: 'free', pin: '12345' };
  const linked = await link(service, { institutionId: 'dkb', applicationId: application.id, values });
  const reader = readerOf(service.client(linked.scopedToken, application.apiKey));
  const accountId = linked.accounts[0]!.id;
  const statuses = async () => (await reader.transactions(accountId)).map(({ status }) => status);
  const readConnection = () => reader.connection(linked.connectionId);
  expect(await statuses()).toEqual(['posted', 'posted']);
  const page1WithoutMark = said.dkbPage1.text.replace(/(3040::[^:]*):[^']*/, '$1');
  const statement = said.dkbStatement1.text;
  const page = `${page1WithoutMark}@${statement.length}@${statement}'`;
  const withoutEntries = ':20:X\r\n:60F:C190821EUR10,\r\n:62F:C190903EUR5,\r\n-';
  const lost = `${said.done.text}HIKAZ:4:5:3+@${withoutEntries.length}@${withoutEntries}'`;
  for (const segments of [said.unknownAccount.text, page, lost]) {
    bank.intercept = ({ orders }) => (orders[0] === 'HKKAZ' ? { segments } : undefined);
    const { refreshedAt } = await readConnection();
    service.advance(days(1));
    await waitUntil(async () => (await readConnection()).refreshedAt !== refreshedAt);
    expect(await statuses()).toEqual(['posted', 'posted']);
    expect(await readConnection()).toMatchObject({ status: 'active', laggingAccountIds: [accountId] });
  }
});

test('a refresh that the bank refuses leaves its codes in the log, and none of its texts', async () => {
  const { bank, env, close } = await startListedBank();
  onTestFinished(close);
  const logs: string[] = [];
  const service = await startWebhookService({
    ...{ env, limits: { workerPollMs: 20 } },
    logTo: (line) => logs.push(line),
  });
  const application = await service.addApplication({ environment: 'production' });
  const values = { username: 'free', pin: '12345' };
  const linked = await link(service, { institutionId: 'dkb', applicationId: application.id, values });
  const refused = (code: string) => `HIRMG:2:2+9050::Fehler.+9800::Abbruch.'HIRMS:3:2:4+${code}::Produkt.'`;
  const failures = () => logs.filter((line) => line.includes('job failed')).map((line) => JSON.parse(line));
  const { connectionId } = linked;
  // The second text is not a code.
  for (const [code, logged, kind] of [
    ['9078', '9050_9800_9078', 'ResponseFailed'],
    ['4711abc', '9050_9800', 'DialogEnded'],
  ] as const) {
    bank.intercept = () => ({ segments: refused(code) });
    const before = failures().length;
    service.advance(days(1));
    await waitUntil(async () => failures().length > before);
    expect(failures().at(-1)).toMatchObject({ connectionId, err: { kind, code: logged } });
  }
  expectAbsent(logs.join('\n'), ['Abbruch', 'Produkt', '4711abc']);
});

test('banks of the list are institutions of Production applications only, found by name and bank code', async () => {
  const { env, close } = await startListedBank();
  onTestFinished(close);
  const { registry } = (await startWebhookService({ env })).service;
  expect(registry.institutions('production').map(({ id }) => id)).toEqual(['dkb', 'dkb-camt']);
  expect(registry.find('sandbox', 'dkb')).toBeUndefined();
  const found = await registry.search('production', { search: '12030000' });
  expect(found[0]).toEqual({ id: 'dkb', name: 'Deutsche Kreditbank', country: 'DE' });
});

test('a service whose CONNECTORS names fints needs its settings', async () => {
  await expect(startWebhookService({ env: { CONNECTORS: 'fints' } })).rejects.toThrow(
    'CONNECTORS names fints: FINTS_PRODUCT_ID is missing: FINTS_PRODUCT_ID and FINTS_BANKS go together.',
  );
});
