// Before a consent at a bank ends, the application is notified, and the end user can renew it without a gap.
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Connector, Renewal } from '../../connectors/kit/contract.ts';
import { days } from '../../src/platform/values/clock.ts';
import { BankRefused } from '../../src/platform/values/errors.ts';
import { oneDatabase } from '../support/databases.ts';
import { makeScriptedConnector, northBank, scriptedAccount } from '../support/scriptedConnector.ts';
import { driveToEnd, link, openLinkSession, startService, type TestService } from '../support/testService.ts';
import { startReceiving } from '../webhooks/fixture.ts';
import type { ReceivedWebhook } from '../webhooks/receiver.ts';

const limits = { workerPollMs: 20, sweepInitialDelaySeconds: 0.02, sweepEveryMinutes: 0.001 };
const consentDays = 90;

type Linked = Awaited<ReturnType<typeof link>>;

const connectionOf = async (service: TestService, { connectionId, scopedToken }: Linked, apiKey?: string) => {
  const params = { path: { connectionId } };
  const { data } = await service.client(scopedToken, apiKey).GET('/connections/{connectionId}', { params });
  return data!.connection;
};

describe.each(oneDatabase)('the consent of a sandbox user on $name', (database) => {
  test('is announced twice, renewed early without a gap, and needs a reconnect after its end', async () => {
    const { service, receiver, secret } = await startReceiving({ database, limits });
    const { clock } = service.service;
    const linked = await link(service, { username: 'consent-90', externalUserId: 'ada' });
    const { connectionId } = linked;
    const start = clock.real().getTime();
    const toDay = (day: number) => service.advance(start + days(day) - clock.real().getTime());
    const consent = async () => Date.parse((await connectionOf(service, linked)).consentExpiresAt!) - start;
    const isAfter = (day: number) => async () => Math.abs((await consent()) - days(day)) < 60_000;
    // An event may arrive twice, with the same id, because the clock moves while it is being sent.
    const toldOf = () => {
      const told = receiver.received.filter(({ event }) => event.type === 'connection.expiring');
      return [...new Map(told.map((one) => [one.id, one])).values()];
    };
    expect(await isAfter(consentDays)()).toBe(true);
    expect(linked).toMatchObject({
      consentExpiresAt: (await connectionOf(service, linked)).consentExpiresAt,
    });

    toDay(82);
    await receiver.waitForType('transactions.updated');
    expect(toldOf()).toEqual([]);
    for (const [day, count] of [
      [84, 1],
      [88, 1],
      [89.5, 2],
    ] as const) {
      toDay(day);
      await vi.waitUntil(() => toldOf().length >= count, { timeout: 30_000 });
      const { consentExpiresAt } = await connectionOf(service, linked);
      expect(toldOf().map(({ event }) => event.data)).toEqual(
        Array(count).fill({ connectionId, consentExpiresAt }),
      );
    }
    const session = await openLinkSession(service, { connectionId });
    expect(await driveToEnd(session, { username: 'consent-90' })).toMatchObject({
      state: 'finished',
      result: { consentExpiresAt: expect.any(String) },
    });
    expect(await isAfter(89.5 + consentDays)()).toBe(true);
    toDay(100);
    await vi.waitUntil(
      async () => Date.parse((await connectionOf(service, linked)).refreshedAt) >= start + days(99),
      {
        timeout: 30_000,
      },
    );
    expect((await connectionOf(service, linked)).status).toBe('active');

    toDay(180);
    const refused: ReceivedWebhook = await receiver.waitForType('connection.needs_reconnect');
    expect(refused.event.data).toEqual({ connectionId, reason: 'consent_expired' });
    expect((await connectionOf(service, linked)).status).toBe('needs_reconnect');
    const { refreshedAt } = await connectionOf(service, linked);
    toDay(185);
    await openAndReconnect(service, connectionId);
    await receiver.waitForType('connection.restored');
    expect(await isAfter(185 + consentDays)()).toBe(true);
    expect((await connectionOf(service, linked)).refreshedAt > refreshedAt).toBe(true);
    // The library refuses future times, so the test signs instead of verifying.
    for (const { id, body, headers } of receiver.received) {
      const at = new Date(1000 * Number(headers['webhook-timestamp']));
      expect(headers['webhook-signature']).toBe(new StandardWebhook(secret).sign(id, at, body));
    }
    // Skipped notices are not sent later.
    expect(toldOf().length).toBeLessThanOrEqual(3);
  });
});

const openAndReconnect = async (service: TestService, connectionId: string): Promise<void> => {
  const session = await openLinkSession(service, { connectionId });
  expect((await driveToEnd(session, { username: 'consent-90' })).state).toBe('finished');
};

describe.each(oneDatabase)('the consent at a bank on $name', (database) => {
  let service: TestService;
  let application: Awaited<ReturnType<TestService['addApplication']>>;
  const scripted = makeScriptedConnector();
  let attended: string | undefined;
  let unattended: string | undefined;
  let renewal: Renewal = {};
  beforeAll(async () => {
    const { institutions, connector } = scripted.module;
    const withConsent: Connector = {
      ...connector,
      signIn: async (request, context) => {
        const expiresAt = request.attended ? attended : unattended;
        return { ...(await connector.signIn(request, context)), ...(expiresAt && { expiresAt }) };
      },
      read: async (...given) => ({ ...(await connector.read(...given)), end: async () => renewal }),
    };
    service = await startService({
      database,
      limits,
      connectors: [{ institutions, connector: withConsent }],
    });
    application = await service.addApplication({ environment: 'production' });
  });
  afterAll(() => service.close());

  const linkAt = (username: string) => {
    scripted.setAccounts(username, [scriptedAccount()]);
    return link(service, { username, institutionId: northBank, applicationId: application.id });
  };
  const after = (count: number) =>
    new Date(service.service.clock.real().getTime() + days(count)).toISOString();
  const endOf = async (linked: Linked) =>
    (await connectionOf(service, linked, application.apiKey)).consentExpiresAt;

  test('has the end that the bank reported last: at the sign-in, at the end of a reading, or later', async () => {
    attended = after(30);
    const linked = await linkAt('ada');
    expect(await endOf(linked)).toBe(attended);
    for (const change of [
      () => {
        unattended = after(40);
        return unattended;
      },
      () => {
        renewal = { expiresAt: after(50) };
        return renewal.expiresAt;
      },
    ]) {
      const expected = change();
      service.advance(days(0.3));
      await expect.poll(() => endOf(linked), { timeout: 30_000 }).toBe(expected);
    }
    [attended, unattended, renewal] = [undefined, undefined, {}];
  });

  test('is not known of a bank that does not say it', async () => {
    expect(await endOf(await linkAt('bob'))).toBeUndefined();
  });

  test('has ended early if the bank says so', async () => {
    const linked = await linkAt('eve');
    scripted.fail('eve', 'signIn', new BankRefused('consent_expired'));
    service.advance(days(0.3));
    const status = async () => (await connectionOf(service, linked, application.apiKey)).status;
    await expect.poll(status, { timeout: 30_000 }).toBe('needs_reconnect');
  });
});
