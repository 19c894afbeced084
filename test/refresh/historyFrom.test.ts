// The API reports the day from which an account's transactions are complete, if the bank reports it, and the end of the period
// in which the bank returns the whole history.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { days, seconds, toIsoDate } from '../../src/platform/values/clock.ts';
import { oneDatabase } from '../support/databases.ts';
import { makeScriptedConnector, northBank, scriptedAccount } from '../support/scriptedConnector.ts';
import { link, openLinkSession, startService, type TestService } from '../support/testService.ts';

describe.each(oneDatabase)('the history of an account on $name', (database) => {
  let service: TestService;
  let application: Awaited<ReturnType<TestService['addApplication']>>;
  const scripted = makeScriptedConnector();
  beforeAll(async () => {
    const [north, ...others] = scripted.module.institutions;
    const institutions = [{ ...north!, limits: { historyWindowSeconds: 300 } }, ...others];
    service = await startService({
      ...{ database, connectors: [{ ...scripted.module, institutions }], limits: { workerPollMs: 20 } },
    });
    application = await service.addApplication({ environment: 'production' });
  });
  afterAll(() => service.close());

  const daysAgo = (count: number) =>
    toIsoDate(new Date(service.service.clock.real().getTime() - days(count)));
  type Bank = { completeFrom?: string | null; isSilent?: boolean };
  const linkAt = async (username: string, bank: Bank) => {
    // This account always responds: a connection without any response from its bank is not refreshed.
    const set = (now: Bank) =>
      scripted.setAccounts(username, [
        scriptedAccount({ ...now }),
        scriptedAccount({ id: 'other', number: 'XX99', name: 'Other' }),
      ]);
    set(bank);
    const { connectionId, scopedToken } = await link(service, {
      ...{ username, institutionId: northBank, applicationId: application.id },
    });
    const params = { path: { connectionId } };
    const client = service.client(scopedToken, application.apiKey);
    const connection = async () =>
      (await client.GET('/connections/{connectionId}', { params })).data!.connection;
    return {
      historyFrom: async () =>
        (await client.GET('/connections/{connectionId}/accounts', { params })).data!.accounts[0]!.historyFrom,
      /** Refreshes on a later day, with this behavior of the bank. */
      refreshLater: async (count: number, later: Bank) => {
        set(later);
        const { refreshedAt } = await connection();
        service.advance(days(count));
        await expect
          .poll(async () => (await connection()).refreshedAt, { timeout: 30_000 })
          .not.toBe(refreshedAt);
      },
    };
  };

  test('is complete from the first day that the bank returned, even if it returns fewer days later', async () => {
    const first = daysAgo(700);
    const { historyFrom, refreshLater } = await linkAt('ada', { completeFrom: first });
    expect(await historyFrom()).toBe(first);
    await refreshLater(40, { completeFrom: daysAgo(50) });
    expect(await historyFrom()).toBe(first);
    const earlier = daysAgo(900);
    await refreshLater(40, { completeFrom: earlier });
    expect(await historyFrom()).toBe(earlier);
  });

  test('has a gap if the bank was silent for longer than its history, and is complete after it', async () => {
    const { historyFrom, refreshLater } = await linkAt('bob', { completeFrom: daysAgo(700) });
    await refreshLater(60, { isSilent: true });
    const [before, later] = [await historyFrom(), daysAgo(-50)];
    await refreshLater(60, { completeFrom: later });
    expect([before, await historyFrom()]).toEqual([daysAgo(820), later]);
  });

  test('has no such day if the bank does not report complete days', async () => {
    const { historyFrom, refreshLater } = await linkAt('eve', { completeFrom: null });
    expect(await historyFrom()).toBeUndefined();
    const first = daysAgo(90);
    await refreshLater(1, { completeFrom: first });
    // A regular refresh requests only the last few days.
    expect((await historyFrom())! > daysAgo(30)).toBe(true);
    await refreshLater(31, { completeFrom: first });
    expect(await historyFrom()).toBe(first);
  });

  test('is complete for some time after the sign-in, which the page reports', async () => {
    scripted.setAccounts('uma', [scriptedAccount()]);
    const session = await openLinkSession(service, { applicationId: application.id });
    await session.step({ kind: 'consent' });
    await session.step({ kind: 'selectInstitution', institutionId: northBank });
    await session.step({ kind: 'credentials', values: { username: 'uma', password: 'password' } });
    const { historyUntil } = session.view as typeof session.view & { state: 'accounts' };
    expect(Date.parse(historyUntil!) - service.service.clock.real().getTime()).toBeGreaterThan(seconds(240));
  });
});
