// After a failure, a link session continues with the existing sign-in, because the end user cannot reuse a code, a token or a
// bank's page.
import { expect, test } from 'vitest';
import { BankRefused, BankUnreachable } from '../../src/platform/values/errors.ts';
import type { TestLinkSession } from '../support/testService.ts';
import {
  accountsOf,
  cancel,
  describeLinkingOnce,
  finishSession,
  type LinkFixture,
  sessionRowOf,
} from './fixture.ts';

const down = { state: 'failed', reason: 'institution_down' };

/** A separate user, whose bank requires a code. */
const newUser = (fixture: LinkFixture) => {
  const username = fixture.newUser();
  fixture.connector.challenge(username, { kind: 'code', label: 'Code' }, '123456');
  return { username, answers: ['123456'] };
};

type User = ReturnType<typeof newUser>;

/** The number of requests for input from the end user. */
const askedOf = ({ connector }: LinkFixture, { username }: User): number => {
  const { signIn, answer } = connector.callsOf(username);
  return signIn + answer;
};

/** Makes the bank respond, or stop responding, to requests for a user's transactions. */
const setSilent = ({ connector }: LinkFixture, { username }: User, isSilent: boolean): void =>
  connector.setAccounts(
    username,
    accountsOf(username).map((account) => ({ ...account, isSilent })),
  );

/** A session whose import failed at every attempt. */
const failImport = async (
  fixture: LinkFixture,
  user: User,
  connectionId?: string,
): Promise<TestLinkSession> => {
  setSilent(fixture, user, true);
  const session = await fixture.openDrivenSession({ ...user, connectionId });
  expect(await session.waitForImport()).toMatchObject({
    ...down,
    retryTargets: expect.arrayContaining(['accounts']),
  });
  setSilent(fixture, user, false);
  return session;
};

describeLinkingOnce('the sign-in of a link session', (fixture) => {
  test('is kept if the accounts could not be read', async () => {
    const user = newUser(fixture);
    fixture.connector.fail(user.username, 'accounts', new BankUnreachable('down'));
    const session = await fixture.openDrivenSession(user);
    expect(session.view).toMatchObject({ ...down, retryTargets: ['accounts', 'institution'] });
    const asked = askedOf(fixture, user);
    fixture.connector.fail(user.username, 'accounts', new BankUnreachable('timeout'));
    const again = {
      state: 'failed',
      reason: 'institution_timeout',
      retryTargets: ['accounts', 'institution'],
    };
    expect(await session.step({ kind: 'retry' })).toMatchObject(again);
    expect((await session.step({ kind: 'retry', target: 'accounts' })).state).toBe('accounts');
    expect((await finishSession(fixture, session)).state).toBe('finished');
    expect(askedOf(fixture, user)).toBe(asked);
  });

  test('is kept if the import failed', async () => {
    const user = newUser(fixture);
    const session = await failImport(fixture, user);
    const asked = askedOf(fixture, user);
    expect((await session.step({ kind: 'retry' })).state).toBe('accounts');
    expect((await finishSession(fixture, session)).state).toBe('finished');
    expect(askedOf(fixture, user)).toBe(asked);
  });

  test('is kept if a reconnect fails, which then continues with the import', async () => {
    const user = newUser(fixture);
    const { connectionId } = await fixture.link(user);
    const session = await failImport(fixture, user, connectionId);
    expect(session.view).toMatchObject({ retryTargets: ['accounts'] });
    const asked = askedOf(fixture, user);
    expect((await session.step({ kind: 'retry' })).state).toBe('importing');
    expect(await session.waitForImport()).toMatchObject({ state: 'finished', result: { connectionId } });
    expect(askedOf(fixture, user)).toBe(asked);
  });

  test('is dropped if the bank refuses it', async () => {
    const user = newUser(fixture);
    const session = await failImport(fixture, user);
    fixture.connector.fail(user.username, 'accounts', new BankRefused('user_action_required'));
    const refused = { reason: 'user_action_required', retryTargets: ['credentials', 'institution'] };
    expect(await session.step({ kind: 'retry' })).toMatchObject(refused);
    expect((await session.step({ kind: 'retry' })).state).toBe('credentials');
  });

  test('is deleted when the end user closes the widget, or chooses another bank', async () => {
    const user = newUser(fixture);
    const closed = await failImport(fixture, user);
    expect((await sessionRowOf(fixture, closed))!.resultSealed).not.toBeNull();
    await cancel(fixture, closed);
    expect(await sessionRowOf(fixture, closed)).toMatchObject({ stateSealed: null, resultSealed: null });
    const left = await failImport(fixture, user);
    expect((await left.step({ kind: 'retry', target: 'institution' })).state).toBe('institution');
    expect(await sessionRowOf(fixture, left)).toMatchObject({ resultSealed: null });
  });
});
