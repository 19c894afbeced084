// Reconnecting: the user enters only credentials, nothing else changes, and different accounts are refused.
import { describe, expect, onTestFinished, test } from 'vitest';
import { days, seconds } from '../../src/platform/values/clock.ts';
import { makeId } from '../../src/platform/values/ids.ts';
import { northBank, scriptedAccount, scriptedTransaction } from '../support/scriptedConnector.ts';
import { hostOrigin, type TestLinkSession } from '../support/testService.ts';
import {
  accountsOf,
  cancel,
  connectionIdsOf,
  credentialsOf,
  describeLinking,
  describeLinkingOnce,
  eventually,
  finishSession,
  type LinkFixture,
  type LinkResult,
  openFinishedSession,
  openReconnect,
  readAccounts,
  readTransactions,
  requestWidgetApi,
  resultOf,
  revoke,
  sessionRowOf,
  tryStep,
  whileNothingCanBeWritten,
} from './fixture.ts';

const hours = (count: number): number => seconds(count * 3600);

const createSession = (fixture: LinkFixture, body: object, applicationId = fixture.application.id) =>
  requestWidgetApi(fixture.service, '', {
    method: 'POST',
    body: { applicationId, origin: hostOrigin, ...body },
  });

const jobsOf = (fixture: LinkFixture, { connectionId }: LinkResult) =>
  fixture.db.read('jobs').where({ connectionId });

const reconnectReasonOf = async (
  fixture: LinkFixture,
  { connectionId }: LinkResult,
): Promise<string | null> =>
  (await fixture.db.read('connections').where({ id: connectionId }).first('reconnectReason'))!
    .reconnectReason;

const reconnect = async (
  fixture: LinkFixture,
  linked: LinkResult,
  username = 'ada',
): Promise<TestLinkSession> => {
  const session = await openReconnect(fixture, linked);
  await finishSession(fixture, session, { username });
  return session;
};

/** Links a user; the bank holds their next imports until `release`. */
const linkHeld = async (fixture: LinkFixture) => {
  const username = fixture.newUser();
  const linked = await fixture.link({ username });
  const release = fixture.connector.hold(username, 'history');
  onTestFinished(release);
  return { username, linked, release };
};

const reconnectStepTests = (fixture: LinkFixture): void => {
  test('it starts with the credentials of the institution, and cannot go back', async () => {
    const { username, linked, release } = await linkHeld(fixture);
    const session = await openReconnect(fixture, linked);
    expect(session.view).toMatchObject({
      ...{ state: 'credentials', reconnect: true, institution: { id: northBank, name: 'North Bank' } },
    });
    expect((await tryStep(fixture, session, { kind: 'back' })).status).toBe(409);
    expect(
      (await tryStep(fixture, session, { kind: 'selectInstitution', institutionId: northBank })).status,
    ).toBe(409);
    // The import directly follows the credentials, without a selection of accounts.
    await session.step(credentialsOf(username));
    expect(session.view.state).toBe('importing');
    release();
    expect(await session.waitForImport()).toMatchObject({ state: 'finished', reconnect: true });
  });

  test('wrong credentials can be retried, and challenges of the bank are answered', async () => {
    const linked = await fixture.link({ username: 'challenged', answers: ['123456'] });
    const session = await openReconnect(fixture, linked);
    const wrong = { kind: 'credentials' as const, values: { username: 'challenged', password: 'mistyped' } };
    expect(await session.step(wrong)).toMatchObject({
      ...{ state: 'credentials', reconnect: true, error: { reason: 'wrong_credentials' } },
    });
    await session.step(credentialsOf('challenged'));
    expect(session.view.state).toBe('challenge');
    expect((await session.step({ kind: 'back' })).state).toBe('credentials');
    await session.step(credentialsOf('challenged'));
    await session.step({ kind: 'answer', answer: '123456' });
    expect((await session.waitForImport()).state).toBe('finished');
  });
};

const reconnectResultTests = (fixture: LinkFixture): void => {
  test('connection, accounts and transactions stay the same, and only the old scoped token reads them', async () => {
    const linked = await fixture.link({ externalUserId: 'reconnecting' });
    const accounts = await readAccounts(fixture, linked);
    const transactions = await readTransactions(fixture, linked);
    const session = await fixture.openSession({
      connectionId: linked.connectionId,
      externalUserId: 'reconnecting',
    });
    await finishSession(fixture, session);
    const { scopedToken: _, session: __, ...result } = linked;
    const again = { ...result, linkSessionId: session.id };
    expect(session.view).toMatchObject({ state: 'finished', result: again });
    expect(session.view).not.toHaveProperty('result.scopedToken');
    expect((await session.acknowledge()).status).toBe(204);
    expect(await readAccounts(fixture, linked)).toEqual(accounts);
    expect(await readTransactions(fixture, linked)).toEqual(transactions);
    expect(await connectionIdsOf(fixture, linked.scopedToken)).toEqual([linked.connectionId]);
  });

  test('an anonymous user gets no scoped token either, and keeps the connection without an acknowledgement', async () => {
    const linked = await fixture.link();
    const session = await reconnect(fixture, linked);
    expect(session.view).not.toHaveProperty('result.scopedToken');
    expect(session.view).not.toHaveProperty('result.user');
    fixture.service.advance(days(1));
    expect(await connectionIdsOf(fixture, linked.scopedToken)).toEqual([linked.connectionId]);
  });

  test('new transactions and balances are imported at once, and the next refresh is rescheduled', async () => {
    const username = fixture.newUser();
    const linked = await fixture.link({ username });
    const dueAt = await nextRefreshOf(fixture, linked);
    const [first, card] = accountsOf(username);
    const asOf = '2024-01-20T12:00:00.000Z';
    const later = scriptedTransaction({ id: 'e3', date: '2024-01-20', description: 'third' });
    fixture.connector.setAccounts(username, [
      { ...first!, balance: { current: '77.70', asOf }, transactions: [...first!.transactions, later] },
      card!,
    ]);
    fixture.service.advance(hours(3));
    await reconnect(fixture, linked, username);
    const transactions = await readTransactions(fixture, linked);
    expect(transactions.map(({ description }) => description)).toEqual(['third', 'second', 'first']);
    expect((await readAccounts(fixture, linked))[0]!.balance).toEqual({ current: 77.7, asOf });
    expect(Date.parse((await nextRefreshOf(fixture, linked))!)).toBeGreaterThan(Date.parse(dueAt!));
  });

  test('a balance that was read while the clock was ahead is replaced', async () => {
    const account = scriptedAccount({ balance: { current: '1.00' } });
    fixture.connector.setAccounts('early', [account]);
    fixture.service.advance(hours(1));
    const linked = await fixture.link({ username: 'early' });
    fixture.service.advance(-hours(1));
    fixture.connector.setAccounts('early', [{ ...account, balance: { current: '2.00' } }]);
    await reconnect(fixture, linked, 'early');
    expect((await readAccounts(fixture, linked))[0]!.balance.current).toBe(2);
  });

  test('a connection that the bank refused is refreshed again', async () => {
    const username = fixture.newUser();
    const linked = await fixture.link({ username });
    // The bank no longer accepts these credentials, as after a password change.
    fixture.connector.setAccounts('renewed', accountsOf(username));
    fixture.connector.remove(username);
    fixture.service.advance(days(1));
    await eventually(async () => expect(await reconnectReasonOf(fixture, linked)).toBe('wrong_credentials'));
    expect(await jobsOf(fixture, linked)).toEqual([]);
    expect(await readTransactions(fixture, linked)).toHaveLength(2);
    // A failed reconnect schedules nothing.
    const failed = await reconnect(fixture, linked, 'other');
    expect(failed.view).toMatchObject({ state: 'failed', reason: 'accounts_mismatch' });
    expect(await jobsOf(fixture, linked)).toEqual([]);
    await reconnect(fixture, linked, 'renewed');
    expect(await reconnectReasonOf(fixture, linked)).toBe(null);
    expect(await jobsOf(fixture, linked)).toMatchObject([{ kind: 'refresh' }]);
  });
};

const otherAccountTests = (fixture: LinkFixture): void => {
  test('the accounts of another user are refused, and nothing changes', async () => {
    const linked = await fixture.link();
    const accounts = await readAccounts(fixture, linked);
    const transactions = await readTransactions(fixture, linked);
    const session = await reconnect(fixture, linked, 'other');
    expect(session.view).toMatchObject({
      state: 'failed',
      reason: 'accounts_mismatch',
      retryTargets: ['credentials'],
    });
    expect(await readAccounts(fixture, linked)).toEqual(accounts);
    expect(await readTransactions(fixture, linked)).toEqual(transactions);
    // Refreshes continue with the previous credentials.
    expect(await jobsOf(fixture, linked)).toMatchObject([{ kind: 'refresh', linkSessionId: null }]);
    expect(await session.step({ kind: 'retry' })).toMatchObject({ state: 'credentials', reconnect: true });
    expect((await finishSession(fixture, session)).state).toBe('finished');
  });

  test('a missing account is reported once, and keeps its history', async () => {
    const username = fixture.newUser();
    const linked = await fixture.link({ username });
    const before = await readTransactions(fixture, linked);
    const replacement = scriptedAccount({ id: 'new', number: 'NEW' });
    fixture.connector.setAccounts(username, [replacement, ...accountsOf(username).slice(1)]);
    const session = await reconnect(fixture, linked, username);
    const [missing, card] = linked.accounts;
    expect(session.view).toMatchObject({
      ...{ state: 'finished', result: { accounts: [card], missingAccountIds: [missing!.id] } },
    });
    expect((await readAccounts(fixture, linked)).map(({ id }) => id)).toEqual([missing!.id, card!.id]);
    expect(await readTransactions(fixture, linked)).toEqual(before);
    const again = await reconnect(fixture, linked, username);
    expect(again.view.state).toBe('finished');
    expect(again.view).not.toHaveProperty('result.missingAccountIds');
  });

  test('accounts with new ids are matched by their numbers, and those that were not selected before are ignored', async () => {
    const username = fixture.newUser();
    const linked = await fixture.link({ username, accounts: ['Main Account'] });
    const renumbered = accountsOf(username).map((account) => ({ ...account, id: `new-${account.id}` }));
    fixture.connector.setAccounts(username, [scriptedAccount({ id: 'new', number: 'NEW' }), ...renumbered]);
    const session = await reconnect(fixture, linked, username);
    expect(session.view).toMatchObject({ state: 'finished', result: { accounts: linked.accounts } });
    expect((await readAccounts(fixture, linked)).map(({ name }) => name)).toEqual(['Main Account']);
  });

  test('accounts with new ids and one number in several currencies are matched by their currencies', async () => {
    const inCurrencies = (prefix: string, currencies: string[]) =>
      currencies.map((currency) => scriptedAccount({ id: `${prefix}-${currency}`, number: 'DE1', currency }));
    fixture.connector.setAccounts('currencies', inCurrencies('old', ['EUR', 'USD']));
    const linked = await fixture.link({ username: 'currencies' });
    fixture.connector.setAccounts('currencies', inCurrencies('new', ['CHF', 'USD', 'EUR']));
    const session = await reconnect(fixture, linked, 'currencies');
    expect(session.view).toMatchObject({ state: 'finished', result: { accounts: linked.accounts } });
    expect((await readAccounts(fixture, linked)).map(({ id, currency }) => [id, currency])).toEqual(
      linked.accounts.map(({ id }, at) => [id, ['EUR', 'USD'][at]]),
    );
  });

  test('accounts with new ids and without numbers are refused, and those with their ids are recognized', async () => {
    const withoutNumber = (id: string) => [scriptedAccount({ id, number: '' })];
    fixture.connector.setAccounts('unnumbered', withoutNumber('first'));
    const linked = await fixture.link({ username: 'unnumbered' });
    expect(linked.accounts).toMatchObject([{ lastFour: '' }]);
    expect(await readAccounts(fixture, linked)).toMatchObject([{ lastFour: '' }]);
    fixture.connector.setAccounts('unnumbered', withoutNumber('second'));
    const refused = await reconnect(fixture, linked, 'unnumbered');
    expect(refused.view).toMatchObject({ state: 'failed', reason: 'accounts_mismatch' });
    fixture.connector.setAccounts('unnumbered', [...withoutNumber('second'), ...withoutNumber('first')]);
    const session = await reconnect(fixture, linked, 'unnumbered');
    expect(session.view).toMatchObject({ state: 'finished', result: { accounts: linked.accounts } });
  });
};

/** The columns of a link session whose job was removed. */
const expired = {
  ...{ state: 'failed', failure: 'session_expired' },
  ...{ stateSealed: null, importRequestSealed: null, progress: null },
};

const authorizationTests = (fixture: LinkFixture): void => {
  test('the response reveals nothing about a connection that may not be reconnected', async () => {
    const otherApplication = await fixture.service.addApplication({ environment: 'production' });
    const foreign = await fixture.link({ applicationId: otherApplication.id });
    const revoked = await fixture.link();
    await revoke(fixture, revoked);
    const unacknowledged = resultOf(await openFinishedSession(fixture));
    const ids = [...[foreign, revoked, unacknowledged].map((one) => one.connectionId), makeId('con')];
    const bodies = new Set<string>();
    for (const connectionId of ids) {
      const { status, body } = await createSession(fixture, { connectionId });
      expect({ connectionId, status }).toEqual({ connectionId, status: 403 });
      bodies.add(JSON.stringify({ ...body, requestId: undefined }));
    }
    expect([...bodies].map((body) => JSON.parse(body))).toMatchObject([{ code: 'forbidden' }]);
  });

  test('an external user id must match that of the connection', async () => {
    const linked = await fixture.link({ externalUserId: 'its-user' });
    const anonymous = await fixture.link();
    const connectionId = linked.connectionId;
    expect((await createSession(fixture, { connectionId, externalUserId: 'another-user' })).status).toBe(403);
    expect(
      (await createSession(fixture, { connectionId: anonymous.connectionId, externalUserId: 'its-user' }))
        .status,
    ).toBe(403);
    expect((await createSession(fixture, { connectionId, externalUserId: 'its-user' })).status).toBe(201);
    expect((await createSession(fixture, { connectionId })).status).toBe(201);
  });

  test('a connection that is revoked meanwhile deletes the new credentials, before the page polls', async () => {
    const { username, linked, release } = await linkHeld(fixture);
    const before = fixture.connector.callsOf(username).history;
    const session = await startReconnect(fixture, linked, username);
    await eventually(() => expect(fixture.connector.callsOf(username).history).toBeGreaterThan(before));
    expect(await sessionRowOf(fixture, session)).toMatchObject({ importRequestSealed: expect.any(Buffer) });
    await revoke(fixture, linked);
    expect(await sessionRowOf(fixture, session)).toMatchObject(expired);
    // The page learns of the failure although nothing can be written.
    await whileNothingCanBeWritten(fixture, async () => {
      expect(await session.refresh()).toMatchObject({ state: 'failed', reason: 'session_expired' });
    });
    release();
    await fixture.untilDropped(linked.connectionId);
    expect(await jobsOf(fixture, linked)).toEqual([]);
    const row = await fixture.db.read('connections').where({ id: linked.connectionId }).first();
    expect(row).toMatchObject({ revokedAt: expect.any(String), credentials: null });
  });

  test('when two sessions are for one connection, the later one continues, and the earlier one expires', async () => {
    const { username, linked, release } = await linkHeld(fixture);
    const [earlier, later] = [await openReconnect(fixture, linked), await openReconnect(fixture, linked)];
    await earlier.step(credentialsOf(username));
    await later.step(credentialsOf(username));
    expect(await sessionRowOf(fixture, earlier)).toMatchObject(expired);
    expect(await earlier.refresh()).toMatchObject({ state: 'failed', reason: 'session_expired' });
    await cancel(fixture, earlier);
    expect((await later.refresh()).state).toBe('importing');
    release();
    expect((await later.waitForImport()).state).toBe('finished');
    expect(await jobsOf(fixture, linked)).toMatchObject([{ kind: 'refresh' }]);
  });

  test('when two sessions continue concurrently, one imports and the other keeps no credentials', async () => {
    const { username, linked } = await linkHeld(fixture);
    const sessions = [await openReconnect(fixture, linked), await openReconnect(fixture, linked)];
    await Promise.all(sessions.map((session) => tryStep(fixture, session, credentialsOf(username))));
    const rows = await Promise.all(sessions.map((session) => sessionRowOf(fixture, session)));
    expect(rows.filter((row) => row!.importRequestSealed !== null)).toMatchObject([{ state: 'importing' }]);
  });
};

/** The due time of the next refresh; undefined while none is scheduled. */
const nextRefreshOf = async (fixture: LinkFixture, linked: LinkResult): Promise<string | undefined> => {
  const [job] = await jobsOf(fixture, linked);
  return job?.kind === 'refresh' ? job.dueAt : undefined;
};

/** Starts a reconnect, which stays in its import while the connector holds the history. */
const startReconnect = async (
  fixture: LinkFixture,
  linked: LinkResult,
  username: string,
): Promise<TestLinkSession> => {
  const session = await openReconnect(fixture, linked);
  expect((await session.step(credentialsOf(username))).state).toBe('importing');
  return session;
};

const scheduleTests = (fixture: LinkFixture): void => {
  test('three failed ones leave the next refresh at its time, and it is done then', async () => {
    const username = fixture.newUser();
    const linked = await fixture.link({ username });
    const dueAt = await nextRefreshOf(fixture, linked);
    for (let attempt = 1; attempt <= 3; attempt++) {
      fixture.service.advance(hours(1));
      const session = await reconnect(fixture, linked, 'other');
      expect(session.view).toMatchObject({ state: 'failed', reason: 'accounts_mismatch' });
      expect(await nextRefreshOf(fixture, linked)).toBe(dueAt);
    }
    const [main, card] = accountsOf(username);
    fixture.connector.setAccounts(username, [{ ...main!, balance: { current: '77.70' } }, card!]);
    fixture.service.advance(Date.parse(dueAt!) - fixture.service.service.clock.real().getTime());
    await eventually(async () =>
      expect((await readAccounts(fixture, linked))[0]!.balance.current).toBe(77.7),
    );
  });

  test('three cancelled ones leave the next refresh at its time', async () => {
    const { username, linked } = await linkHeld(fixture);
    const dueAt = await nextRefreshOf(fixture, linked);
    for (let attempt = 1; attempt <= 3; attempt++) {
      fixture.service.advance(hours(1));
      const session = await startReconnect(fixture, linked, username);
      expect(await nextRefreshOf(fixture, linked)).toBe(undefined);
      await cancel(fixture, session);
      expect(await nextRefreshOf(fixture, linked)).toBe(dueAt);
    }
  });

  test('one that replaces another does not change the time of the next refresh', async () => {
    const { username, linked } = await linkHeld(fixture);
    const dueAt = await nextRefreshOf(fixture, linked);
    const first = await startReconnect(fixture, linked, username);
    fixture.service.advance(hours(1));
    const second = await startReconnect(fixture, linked, username);
    await cancel(fixture, first);
    expect(await nextRefreshOf(fixture, linked)).toBe(undefined);
    await cancel(fixture, second);
    expect(await nextRefreshOf(fixture, linked)).toBe(dueAt);
  });
};

describeLinkingOnce('reconnecting', (fixture) => {
  describe('asks for credentials only', () => reconnectStepTests(fixture));
  describe('keeps everything else', () => reconnectResultTests(fixture));
  describe('checks the accounts', () => otherAccountTests(fixture));
});
describeLinking('reconnecting', (fixture) => {
  describe('authorization', () => authorizationTests(fixture));
  describe('schedules', () => scheduleTests(fixture));
});
