// Reconnecting: only the bank's credentials are asked, nothing but them changes, and other accounts are refused.
import { describe, expect, test } from 'vitest';
import { days } from '../../src/clock.ts';
import { makeId } from '../../src/ids.ts';
import { northBank, scriptedAccount, scriptedTransaction } from '../support/scriptedConnector.ts';
import { hostOrigin, type TestLinkSession } from '../support/testService.ts';
import {
  accountsOf,
  requestWidgetApi,
  connectionIdsOf,
  describeLinking,
  eventually,
  finishSession,
  type LinkResult,
  type LinkFixture,
  tryStep,
} from './fixture.ts';

const credentials = (username: string) => ({
  kind: 'credentials' as const,
  values: { username, password: 'password' },
});

const createSession = (stage: LinkFixture, body: object, applicationId = stage.shop.id) =>
  requestWidgetApi(stage.service, '', {
    method: 'POST',
    body: { applicationId, origin: hostOrigin, ...body },
  });

const accountsRead = async (stage: LinkFixture, { connectionId, scopedToken }: LinkResult) => {
  const params = { path: { connectionId } };
  const { data } = await stage.client(scopedToken).GET('/connections/{connectionId}/accounts', { params });
  return data!.accounts;
};

const entriesRead = async (stage: LinkFixture, { accounts, scopedToken }: LinkResult) => {
  const params = { path: { accountId: accounts[0]!.id } };
  const { data } = await stage.client(scopedToken).GET('/accounts/{accountId}/transactions', { params });
  return data!.transactions;
};

const jobsOf = (stage: LinkFixture, { connectionId }: LinkResult) =>
  stage.db.read('jobs').where({ connection_id: connectionId });

const reconnectReasonOf = async (stage: LinkFixture, { connectionId }: LinkResult): Promise<string | null> =>
  (await stage.db.read('connections').where({ id: connectionId }).first('reconnect_reason')).reconnect_reason;

const reconnected = async (
  stage: LinkFixture,
  linked: LinkResult,
  username = 'ada',
): Promise<TestLinkSession> => {
  const session = await stage.openSession({ connectionId: linked.connectionId });
  await finishSession(stage, session, { username });
  return session;
};

const reconnectStepTests = (stage: LinkFixture): void => {
  test('it begins at the credentials of the connection’s bank, and there is no way back', async () => {
    const linked = await stage.link();
    const session = await stage.openSession({ connectionId: linked.connectionId });
    expect(session.view).toMatchObject({
      ...{ state: 'credentials', reconnect: true, institution: { id: northBank, name: 'North Bank' } },
    });
    expect((await tryStep(stage, session, { kind: 'back' })).status).toBe(409);
    expect(
      (await tryStep(stage, session, { kind: 'selectInstitution', institutionId: northBank })).status,
    ).toBe(409);
    // From the credentials straight to the import: no accounts are chosen.
    const release = stage.connector.hold('history');
    await session.step(credentials('ada'));
    expect(session.view.state).toBe('importing');
    release();
    expect(await session.waitForImport()).toMatchObject({ state: 'finished', reconnect: true });
  });

  test('what the bank asks on the way is asked', async () => {
    const linked = await stage.link({ username: 'asked', answers: ['123456'] });
    const session = await stage.openSession({ connectionId: linked.connectionId });
    await session.step(credentials('asked'));
    expect(session.view.state).toBe('challenge');
    expect((await session.step({ kind: 'back' })).state).toBe('credentials');
    await session.step(credentials('asked'));
    await session.step({ kind: 'answer', answer: '123456' });
    expect((await session.waitForImport()).state).toBe('finished');
  });

  test('wrong credentials may be tried again', async () => {
    const linked = await stage.link();
    const session = await stage.openSession({ connectionId: linked.connectionId });
    const wrong = { kind: 'credentials' as const, values: { username: 'ada', password: 'mistyped' } };
    expect(await session.step(wrong)).toMatchObject({
      ...{ state: 'credentials', reconnect: true, error: { reason: 'wrong_credentials' } },
    });
    expect((await finishSession(stage, session)).state).toBe('finished');
  });
};

const reconnectResultTests = (stage: LinkFixture): void => {
  test('no token, the same connection, accounts and entries, and the old token reads them', async () => {
    const linked = await stage.link({ externalUserId: 'reconnecting' });
    const [accounts, entries] = [await accountsRead(stage, linked), await entriesRead(stage, linked)];
    const session = await stage.openSession({
      connectionId: linked.connectionId,
      externalUserId: 'reconnecting',
    });
    await finishSession(stage, session);
    const { scopedToken: _, session: __, ...same } = linked;
    expect(session.view).toMatchObject({ state: 'finished', result: same });
    expect(session.view).not.toHaveProperty('result.scopedToken');
    expect((await session.acknowledge()).status).toBe(204);
    expect(await accountsRead(stage, linked)).toEqual(accounts);
    expect(await entriesRead(stage, linked)).toEqual(entries);
    expect(await connectionIdsOf(stage, linked.scopedToken)).toEqual([linked.connectionId]);
  });

  test('an anonymous user gets no token either', async () => {
    const linked = await stage.link();
    const session = await reconnected(stage, linked);
    expect(session.view).not.toHaveProperty('result.scopedToken');
    expect(session.view).not.toHaveProperty('result.user');
  });

  test('what happened meanwhile is there at once', async () => {
    stage.connector.setAccounts('grows', accountsOf('grows'));
    const linked = await stage.link({ username: 'grows' });
    const [first, card] = accountsOf('grows');
    const later = scriptedTransaction({ id: 'e3', date: '2024-01-20', description: 'third' });
    stage.connector.setAccounts('grows', [
      { ...first!, balance: { current: '77.70' }, transactions: [...first!.transactions, later] },
      card!,
    ]);
    await reconnected(stage, linked, 'grows');
    const entries = await entriesRead(stage, linked);
    expect(entries.map(({ description }) => description)).toEqual(['third', 'second', 'first']);
    expect((await accountsRead(stage, linked))[0]!.balance.current).toBe(77.7);
  });

  test('it stays, also where nobody acknowledges it', async () => {
    const linked = await stage.link();
    await reconnected(stage, linked);
    stage.service.advance(days(1));
    expect(await connectionIdsOf(stage, linked.scopedToken)).toEqual([linked.connectionId]);
  });

  test('a connection whose bank refused it is refreshed again', async () => {
    stage.connector.setAccounts('stale', accountsOf('stale'));
    const linked = await stage.link({ username: 'stale' });
    // The bank forgets this login, as banks do when a password is changed.
    stage.connector.setAccounts('stale-new', accountsOf('stale'));
    stage.connector.remove('stale');
    stage.service.advance(days(1));
    await eventually(async () => expect(await reconnectReasonOf(stage, linked)).toBe('wrong_credentials'));
    expect(await jobsOf(stage, linked)).toEqual([]);
    expect(await entriesRead(stage, linked)).toHaveLength(2);
    await reconnected(stage, linked, 'stale-new');
    expect(await reconnectReasonOf(stage, linked)).toBe(null);
    expect(await jobsOf(stage, linked)).toMatchObject([{ kind: 'refresh' }]);
  });
};

const otherAccountTests = (stage: LinkFixture): void => {
  test('another login’s accounts are refused, and nothing has changed', async () => {
    const linked = await stage.link();
    const [accounts, entries] = [await accountsRead(stage, linked), await entriesRead(stage, linked)];
    const session = await reconnected(stage, linked, 'other');
    expect(session.view).toMatchObject({
      state: 'failed',
      reason: 'accounts_mismatch',
      retryTarget: 'credentials',
    });
    expect(await accountsRead(stage, linked)).toEqual(accounts);
    expect(await entriesRead(stage, linked)).toEqual(entries);
    // The schedule goes on with the credentials of before.
    expect(await jobsOf(stage, linked)).toMatchObject([{ kind: 'refresh', link_session_id: null }]);
    expect(await session.step({ kind: 'retry' })).toMatchObject({ state: 'credentials', reconnect: true });
    expect((await finishSession(stage, session)).state).toBe('finished');
  });

  test('one account of several that is missing is refused', async () => {
    stage.connector.setAccounts('fewer', accountsOf('fewer'));
    const linked = await stage.link({ username: 'fewer' });
    stage.connector.setAccounts('fewer', accountsOf('fewer').slice(1));
    const session = await reconnected(stage, linked, 'fewer');
    expect(session.view).toMatchObject({ state: 'failed', reason: 'accounts_mismatch' });
  });

  test('accounts that were not shared before are passed over', async () => {
    stage.connector.setAccounts('more', accountsOf('more'));
    const linked = await stage.link({ username: 'more', accounts: ['Main Account'] });
    stage.connector.setAccounts('more', [
      scriptedAccount({ id: 'new', number: 'NEW' }),
      ...accountsOf('more'),
    ]);
    const session = await reconnected(stage, linked, 'more');
    expect(session.view.state).toBe('finished');
    expect((await accountsRead(stage, linked)).map(({ name }) => name)).toEqual(['Main Account']);
  });

  test('a bank that has given its accounts new ids is recognised by their numbers', async () => {
    stage.connector.setAccounts('renumbers', accountsOf('renumbers'));
    const linked = await stage.link({ username: 'renumbers' });
    const again = accountsOf('renumbers').map((account) => ({ ...account, id: `new-${account.id}` }));
    stage.connector.setAccounts('renumbers', again);
    const session = await reconnected(stage, linked, 'renumbers');
    expect(session.view).toMatchObject({ state: 'finished', result: { accounts: linked.accounts } });
  });
};

const authorizationTests = (stage: LinkFixture): void => {
  test('nobody learns anything about a connection that they may not reconnect', async () => {
    const rival = await stage.service.addApplication({ environment: 'production' });
    const foreign = await stage.link({ applicationId: rival.id });
    const revoked = await stage.link();
    const params = { path: { connectionId: revoked.connectionId } };
    await stage.client().DELETE('/connections/{connectionId}', { params });
    const unseen = await stage.openDrivenSession();
    await unseen.waitForImport();
    const ids = [
      foreign.connectionId,
      revoked.connectionId,
      // Its result has not been acknowledged yet.
      unseen.view.state === 'finished' ? unseen.view.result.connectionId : 'missing',
      makeId('con'),
      'con_x',
      'x\0y',
      foreign.accounts[0]!.id,
    ];
    const bodies = new Set<string>();
    for (const connectionId of ids) {
      const { status, body } = await createSession(stage, { connectionId });
      expect({ connectionId, status }).toEqual({ connectionId, status: 403 });
      bodies.add(JSON.stringify({ ...body, requestId: undefined }));
    }
    expect([...bodies].map((body) => JSON.parse(body))).toMatchObject([{ code: 'forbidden' }]);
  });

  test('a user who is named must be the connection’s', async () => {
    const linked = await stage.link({ externalUserId: 'its-user' });
    const anonymous = await stage.link();
    const connectionId = linked.connectionId;
    expect((await createSession(stage, { connectionId, externalUserId: 'another-user' })).status).toBe(403);
    expect(
      (await createSession(stage, { connectionId: anonymous.connectionId, externalUserId: 'its-user' }))
        .status,
    ).toBe(403);
    expect((await createSession(stage, { connectionId, externalUserId: 'its-user' })).status).toBe(201);
    expect((await createSession(stage, { connectionId })).status).toBe(201);
  });

  test('a connection that is revoked on the way stays revoked', async () => {
    const linked = await stage.link();
    const asked = stage.connector.calls.history;
    const release = stage.connector.hold('history');
    const session = await stage.openSession({ connectionId: linked.connectionId });
    await session.step(credentials('ada'));
    await eventually(() => expect(stage.connector.calls.history).toBeGreaterThan(asked));
    const params = { path: { connectionId: linked.connectionId } };
    await stage.client().DELETE('/connections/{connectionId}', { params });
    release();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await jobsOf(stage, linked)).toEqual([]);
    const row = await stage.db.read('connections').where({ id: linked.connectionId }).first();
    expect(row).toMatchObject({ revoked_at: expect.any(String), credentials: null });
    // Its page hears of it, and does not wait for ever.
    expect(await session.refresh()).toMatchObject({ state: 'failed', reason: 'session_expired' });
  });

  test('of two sessions for one connection the later one goes on, whatever happens to the earlier', async () => {
    const linked = await stage.link();
    const release = stage.connector.hold('history');
    const [earlier, later] = [
      await stage.openSession({ connectionId: linked.connectionId }),
      await stage.openSession({ connectionId: linked.connectionId }),
    ];
    await earlier.step(credentials('ada'));
    await later.step(credentials('ada'));
    expect(await earlier.refresh()).toMatchObject({ state: 'failed', reason: 'session_expired' });
    await requestWidgetApi(stage.service, `/${earlier.id}`, { method: 'DELETE', secret: earlier.secret });
    expect((await later.refresh()).state).toBe('importing');
    release();
    expect((await later.waitForImport()).state).toBe('finished');
    expect(await jobsOf(stage, linked)).toMatchObject([{ kind: 'refresh' }]);
  });

  test('one that is given up leaves the schedule as it was', async () => {
    const linked = await stage.link();
    const release = stage.connector.hold('history');
    const session = await stage.openSession({ connectionId: linked.connectionId });
    await session.step(credentials('ada'));
    await requestWidgetApi(stage.service, `/${session.id}`, { method: 'DELETE', secret: session.secret });
    release();
    expect(await jobsOf(stage, linked)).toMatchObject([{ kind: 'refresh', link_session_id: null }]);
    expect(await connectionIdsOf(stage, linked.scopedToken)).toEqual([linked.connectionId]);
  });
};

describeLinking('reconnecting', (stage) => {
  describe('asks for credentials only', () => reconnectStepTests(stage));
  describe('leaves everything else as it was', () => reconnectResultTests(stage));
  describe('checks the accounts', () => otherAccountTests(stage));
  describe('is for whoever has the connection', () => authorizationTests(stage));
});
