// Each change sends its events to the right endpoints, and third-party verifiers accept them.
import { readFileSync } from 'node:fs';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { describe, expect, test } from 'vitest';
import { verifyWebhook, WebhookVerificationError } from '../../client/index.ts';
import type { BankTransaction } from '../../connectors/kit/contract.ts';
import { days, seconds } from '../../src/platform/values/clock.ts';
import { sweepNow } from '../retention/fixture.ts';
import { cliSettingsOf, runInCliServer } from '../support/cli.ts';
import { databases, oneDatabase } from '../support/databases.ts';
import {
  makeScriptedConnector,
  northBank,
  scriptedAccount,
  scriptedTransaction,
} from '../support/scriptedConnector.ts';
import { driveToEnd, link, openLinkSession } from '../support/testService.ts';
import { parseYaml } from '../support/yaml.ts';
import {
  createEndpoint,
  startReceiving,
  startWebhookService,
  type TestService,
  webhooksCommand,
} from './fixture.ts';
import { type ReceivedWebhook, startReceiver } from './receiver.ts';

const revoke = async ({ client }: TestService, connectionId: string): Promise<void> => {
  const params = { path: { connectionId } };
  const { response } = await client().DELETE('/connections/{connectionId}', { params });
  expect(response.status).toBe(204);
};

const typesOf = (received: readonly ReceivedWebhook[]): string[] => received.map(({ event }) => event.type);

const deliveries = ({ service }: TestService) => service.db.read('webhook_deliveries');

/** A delivery that is not recorded before the clock moves is repeated. */
const waitForDeliveries = (service: TestService) =>
  expect.poll(() => deliveries(service).where({ state: 'pending' }).select('eventId')).toEqual([]);

describe.each(oneDatabase)('webhooks on $name', (database) => {
  test('report a connection from its creation to its deletion', async () => {
    const { service, receiver } = await startReceiving({ database });

    const { connectionId, accounts, scopedToken } = await link(service, { username: 'expires' });
    expect((await receiver.waitFor(1))[0]!.event).toEqual({
      type: 'connection.created',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      data: { connectionId },
    });

    await waitForDeliveries(service);
    service.advance(days(1));
    const refused = await receiver.waitForType('connection.needs_reconnect');
    expect(refused.event.data).toEqual({ connectionId, reason: 'wrong_credentials' });

    // The account has no transactions on some days, but a salary every month.
    await waitForDeliveries(service);
    service.advance(days(31));
    const session = await openLinkSession(service, { connectionId });
    expect((await driveToEnd(session, { username: 'expires' })).state).toBe('finished');
    expect((await receiver.waitForType('connection.restored')).event.data).toEqual({ connectionId });
    const updated = await receiver.waitForType('transactions.updated');
    const params = { path: { connectionId } };
    const { data } = await service
      .client(scopedToken)
      .GET('/connections/{connectionId}/accounts', { params });
    expect(updated.event.data).toEqual({
      connectionId,
      accounts: accounts.map(({ id }) => {
        const account = data!.accounts.find((one) => one.id === id)!;
        return { id, lastTransactionRefresh: account.lastTransactionRefresh };
      }),
    });

    await revoke(service, connectionId);
    await revoke(service, connectionId);
    expect((await receiver.waitForType('connection.revoked')).event.data).toEqual({ connectionId });
    await waitForDeliveries(service);
    service.advance(days(31));
    await sweepNow(service);
    expect((await receiver.waitForType('connection.deleted')).event.data).toEqual({ connectionId });
    await waitForDeliveries(service);
    const contract = parseYaml(readFileSync(new URL('../../openapi.yaml', import.meta.url), 'utf8'));
    // This user's consent does not end (test/refresh/bankConsent), and the bank adds no account (test/linking/accountsLater).
    const sentElsewhere = ['webhook.test', 'connection.expiring', 'connection.accounts_available'];
    const others = Object.keys(contract.webhooks).filter((type) => !sentElsewhere.includes(type));
    expect(typesOf(receiver.received).toSorted()).toEqual(others.toSorted());
  });

  test('report a revocation before the acknowledgement together with the creation', async () => {
    const { service, receiver } = await startReceiving({ database });
    const session = await openLinkSession(service);
    await driveToEnd(session);
    const { connectionId } = (await service.service.db.read('link_sessions').first('connectionId'))!;
    await revoke(service, connectionId!);
    expect((await session.acknowledge()).status).toBe(204);
    const types = typesOf(await receiver.waitFor(2));
    expect(types.toSorted()).toEqual(['connection.created', 'connection.revoked']);
  });

  test('report accounts with changed transactions, but no balance', async () => {
    const connector = makeScriptedConnector();
    const service = await startWebhookService({
      ...{ database, connectors: [connector.module], limits: { workerPollMs: 20 } },
    });
    const application = await service.addApplication({ environment: 'production' });
    // Nothing listens there: the test reads the queued events.
    await createEndpoint(service, 'https://127.0.0.1:9/', application.id);
    const setAccounts = (balance: string, transactions: BankTransaction[]): void =>
      connector.setAccounts('ada', [
        scriptedAccount({ id: 'quiet', number: '1111', balance: { current: balance } }),
        scriptedAccount({ id: 'busy', number: '2222', name: 'Busy', transactions }),
      ]);
    setAccounts('10.00', []);
    const ofAda = { username: 'ada', institutionId: northBank, applicationId: application.id };
    const { connectionId, accounts } = await link(service, ofAda);
    const refresh = async (): Promise<void> => {
      const params = { path: { connectionId } };
      const refreshedAt = async () => {
        const client = service.client(undefined, application.apiKey);
        return (await client.GET('/connections/{connectionId}', { params })).data!.connection.refreshedAt;
      };
      const before = await refreshedAt();
      service.advance(seconds(7 * 3600));
      await expect.poll(refreshedAt).not.toBe(before);
    };
    const events = async () =>
      (await deliveries(service).orderBy('createdAt').pluck('body')).map((body) => JSON.parse(body));
    setAccounts('20.00', []);
    await refresh();
    expect(await events()).toMatchObject([{ type: 'connection.created' }]);
    setAccounts('30.00', [scriptedTransaction({ date: new Date().toISOString().slice(0, 10) })]);
    await refresh();
    const [, updated] = await events();
    const { id } = accounts.find(({ name }) => name === 'Busy')!;
    const data = { connectionId, accounts: [{ id, lastTransactionRefresh: expect.any(String) }] };
    expect(updated).toMatchObject({ type: 'transactions.updated', data });
  });

  test('a connection that was never delivered sends nothing', async () => {
    const { service } = await startReceiving({ database });
    const session = await openLinkSession(service);
    expect((await driveToEnd(session)).state).toBe('finished');
    service.advance(days(1));
    await sweepNow(service);
    expect(await service.service.db.read('connections').select('id')).toEqual([]);
    expect(await deliveries(service).select('type')).toEqual([]);
  });

  test('are kept for 30 days, and then deleted', async () => {
    const { service, receiver } = await startReceiving({ database });
    await link(service);
    await receiver.waitFor(1);
    await waitForDeliveries(service);
    await service.service.worker!.stop();
    const types = () => deliveries(service).pluck('type');
    service.advance(days(30) - seconds(60));
    await sweepNow(service);
    expect(await types()).toEqual(['connection.created']);
    service.advance(seconds(120));
    await sweepNow(service);
    expect(await types()).toEqual([]);
  });

  test('tell of a revocation by the operator, too', async () => {
    const { service, receiver } = await startReceiving({ database });
    const { connectionId } = await link(service);
    const settings = cliSettingsOf(service.service.config);
    const { code } = await runInCliServer(settings, 'connections', 'revoke', connectionId);
    expect(code).toBe(0);
    expect((await receiver.waitForType('connection.revoked')).event.data).toEqual({ connectionId });
  });

  test('each endpoint of the application gets the event under one id, and no other application does', async () => {
    const service = await startWebhookService({ database });
    const [first, second, foreign] = [await startReceiver(), await startReceiver(), await startReceiver()];
    await createEndpoint(service, first.url);
    await createEndpoint(service, second.url);
    await createEndpoint(service, foreign.url, (await service.addApplication()).id);
    await link(service);
    const [one] = await first.waitFor(1);
    const [other] = await second.waitFor(1);
    expect(other!.id).toBe(one!.id);
    expect(one!.id).toMatch(/^evt_[0-9A-Za-z]{22}$/);
    await waitForDeliveries(service);
    expect(foreign.received).toEqual([]);
  });

  test('third-party verifiers accept every delivery, even while a secret is being replaced', async () => {
    const { service, receiver, endpointId, secret } = await startReceiving({ database });
    const accept = ({ headers, body }: ReceivedWebhook, key: string): void => {
      const signed = headers as Record<string, string>;
      expect(new StandardWebhook(key).verify(body, signed)).toEqual(JSON.parse(body));
      expect(() => new SvixWebhook(key).verify(body, signed)).not.toThrow();
      expect(verifyWebhook(key, headers, body)).toEqual(JSON.parse(body));
      expect(verifyWebhook(key, new Headers(signed), Buffer.from(body))).toEqual(JSON.parse(body));
    };
    const { connectionId } = await link(service);
    accept((await receiver.waitFor(1))[0]!, secret);

    const rotated = await webhooksCommand(service, 'rotate-secret', endpointId);
    const newSecret = String(rotated.secret);
    expect(newSecret).not.toBe(secret);
    await revoke(service, connectionId);
    const [, both] = await receiver.waitFor(2);
    accept(both!, secret);
    accept(both!, newSecret);

    await waitForDeliveries(service);
    service.advance(days(1) + seconds(1));
    await link(service);
    const [, , last] = await receiver.waitFor(3);
    const at = new Date(Number(last!.headers['webhook-timestamp']) * 1000);
    expect(verifyWebhook(newSecret, last!.headers, last!.body, { at })).toEqual(last!.event);
    expect(() => verifyWebhook(secret, last!.headers, last!.body, { at })).toThrow(WebhookVerificationError);
  });

  // Only on SQLite, because the rotation waits for all processes.
  const isPlayed = database.name === 'SQLite' || Boolean(process.env.TEST_ALL);
  test.runIf(isPlayed)('a rotation of the worker key keeps the secrets of endpoints', async () => {
    const { service, receiver, endpointId, secret } = await startReceiving({ database });
    await webhooksCommand(service, 'rotate-secret', endpointId);
    const settings = cliSettingsOf(service.service.config);
    const findSealed = async () =>
      (await service.service.db.read('webhook_endpoints').first('secret', 'replacedSecret'))!;
    const before = await findSealed();
    const rotation = await runInCliServer(settings, 'secrets', 'rotate', 'worker', '--json');
    expect(rotation).toMatchObject({ code: 0 });
    expect(JSON.parse(rotation.out)).toMatchObject({ retired: [expect.any(String)] });
    const after = await findSealed();
    expect(after.secret).not.toEqual(before.secret);
    expect(after.replacedSecret).not.toEqual(before.replacedSecret);
    await link(service);
    const [received] = await receiver.waitFor(1);
    expect(verifyWebhook(secret, received!.headers, received!.body)).toEqual(received!.event);
  });
});

describe.each(databases)('webhooks on $name', (database) => {
  test('two concurrent acknowledgements send one event', async () => {
    const { service, receiver } = await startReceiving({ database });
    const session = await openLinkSession(service);
    await driveToEnd(session);
    const answers = await Promise.all([session.acknowledge(), session.acknowledge()]);
    expect(answers.map(({ status }) => status)).toEqual([204, 204]);
    await receiver.waitFor(1);
    expect(await deliveries(service).pluck('type')).toEqual(['connection.created']);
  });
});
