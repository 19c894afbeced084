// Connecting the same accounts twice: the page is notified before anything is shared, and can reconnect the first connection.
// If the accounts are shared again, the new connection refers to the first.
import { expect, test } from 'vitest';
import { scriptedAccount } from '../support/scriptedConnector.ts';
import type { LinkOptions } from '../support/testService.ts';
import {
  accountsOf,
  connectionIdsOf,
  describeLinkingOnce,
  finishSession,
  type LinkFixture,
  type LinkResult,
  openFinishedSession,
  readTransactions,
  resultOf,
  revoke,
  sessionRowOf,
  tryStep,
} from './fixture.ts';

const duplicateOf = async (fixture: LinkFixture, { connectionId }: Pick<LinkResult, 'connectionId'>) => {
  const params = { path: { connectionId } };
  return (await fixture.client().GET('/connections/{connectionId}', { params })).data!.connection.duplicateOf;
};

describeLinkingOnce('accounts that are already connected', (fixture) => {
  test('are reported before they are shared again, and named afterwards', async () => {
    const options = { externalUserId: 'twice', username: fixture.newUser() };
    const first = await fixture.link(options);
    const session = await openFinishedSession(fixture, options);
    expect(session.view).toMatchObject({
      state: 'accounts',
      accounts: [{ name: 'Main Account' }, { name: 'Card' }],
      alreadyConnected: { accountIds: ['0', '1'], selectedIds: ['0', '1'], canReconnect: true },
    });
    expect(await connectionIdsOf(fixture, first.scopedToken)).toEqual([first.connectionId]);
    const { signIn } = fixture.connector.callsOf(options.username);
    await session.step({ kind: 'selectAccounts', accountIds: ['0'] });
    expect(await session.waitForImport()).toMatchObject({
      ...{
        state: 'finished',
        result: { duplicateOf: first.connectionId, accounts: [{ name: 'Main Account' }] },
      },
    });
    await session.acknowledge();
    expect(fixture.connector.callsOf(options.username).signIn).toBe(signIn);
    expect(await duplicateOf(fixture, resultOf(session))).toBe(first.connectionId);
    expect(await duplicateOf(fixture, first)).toBeUndefined();
    expect(first).not.toHaveProperty('duplicateOf');
  });

  test('can be reconnected instead, without another sign-in', async () => {
    const options = { externalUserId: 'renews', username: fixture.newUser() };
    const first = await fixture.link(options);
    const before = await readTransactions(fixture, first);
    const session = await openFinishedSession(fixture, options);
    const { signIn } = fixture.connector.callsOf(options.username);
    await session.step({ kind: 'reconnect' });
    const { scopedToken: _, session: __, ...known } = first;
    expect(await session.waitForImport()).toMatchObject({
      ...{ state: 'finished', reconnect: true, result: { ...known, linkSessionId: session.id } },
    });
    expect(session.view).not.toHaveProperty('result.duplicateOf');
    expect((await session.acknowledge()).status).toBe(204);
    expect(fixture.connector.callsOf(options.username).signIn).toBe(signIn);
    expect(await connectionIdsOf(fixture, first.scopedToken)).toEqual([first.connectionId]);
    expect(await readTransactions(fixture, first)).toEqual(before);
    const events = fixture.db.read('connection_events').where({ connectionId: first.connectionId });
    expect((await events.orderBy('at').select('kind')).map(({ kind }) => kind)).toEqual([
      'linked',
      'reconnected',
    ]);
  });

  test('cannot be reconnected with a login that lacks an account of the connection', async () => {
    const [main, card] = accountsOf('joint');
    fixture.connector.setAccounts('joint', [main!, card!]);
    const options = { externalUserId: 'family' };
    const first = await fixture.link({ ...options, username: 'joint' });
    const own = scriptedAccount({ id: 'own', number: 'own-1' });
    fixture.connector.setAccounts('partner', [own, card!]);
    const session = await openFinishedSession(fixture, { ...options, username: 'partner' });
    expect(session.view).toMatchObject({ alreadyConnected: { accountIds: ['1'], canReconnect: false } });
    expect((await tryStep(fixture, session, { kind: 'reconnect' })).status).toBe(400);
    expect(await finishSession(fixture, session, { ...options, accounts: [own.name] })).toMatchObject({
      ...{ state: 'finished', result: { accounts: [{ name: own.name }] } },
    });
    expect(session.view).not.toHaveProperty('result.duplicateOf');
    expect(await duplicateOf(fixture, first)).toBeUndefined();
  });

  test('are not reported for other end users, other banks or revoked connections', async () => {
    const selectAndFinish = async (one: LinkOptions) => {
      const session = await openFinishedSession(fixture, one);
      expect(session.view.state).toBe('finished');
      await session.acknowledge();
    };
    const options = { username: 'other' };
    const mine = await fixture.link({ ...options, externalUserId: 'mine' });
    const elsewhere = { ...options, externalUserId: 'mine', institutionId: 'south-bank' };
    for (const one of [{ ...options, externalUserId: 'theirs' }, options, elsewhere])
      await selectAndFinish(one);
    await revoke(fixture, mine);
    await selectAndFinish({ ...options, externalUserId: 'mine' });
  });

  test('are revoked while the page asks: then nothing is reconnected, and the session continues', async () => {
    const options = { externalUserId: 'revokes' };
    const first = await fixture.link(options);
    const session = await openFinishedSession(fixture, options);
    await revoke(fixture, first);
    expect((await tryStep(fixture, session, { kind: 'reconnect' })).status).toBe(409);
    expect((await session.step({ kind: 'back' })).state).toBe('institution');
    expect(await sessionRowOf(fixture, session)).toMatchObject({ resultSealed: null });
  });
});
