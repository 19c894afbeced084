// After a failure a link session goes on with the sign-in that was made: a code, a token or a bank's page is used up by it, and
// the end user cannot do that again.
import { expect, test } from 'vitest';
import { BankRefused, BankUnreachable } from '../../src/errors.ts';
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
const options = { username: 'challenged', answers: ['123456'] };

/** How often the end user was asked for something. */
const askedOf = ({ connector }: LinkFixture): number => {
  const { signIn, answer } = connector.callsOf(options.username);
  return signIn + answer;
};

/** Sets whether the bank answers for the transactions of the user `challenged`. */
const setSilent = ({ connector }: LinkFixture, isSilent: boolean): void =>
  connector.setAccounts(
    'challenged',
    accountsOf('challenged').map((account) => ({ ...account, isSilent })),
  );

/** A session whose import has failed at all of its attempts. */
const failImport = async (fixture: LinkFixture, connectionId?: string): Promise<TestLinkSession> => {
  setSilent(fixture, true);
  const session = await fixture.openDrivenSession({ ...options, connectionId });
  expect(await session.waitForImport()).toMatchObject({
    ...down,
    retryTargets: expect.arrayContaining(['accounts']),
  });
  setSilent(fixture, false);
  return session;
};

describeLinkingOnce('the sign-in of a link session', (fixture) => {
  test('is kept where the accounts could not be read', async () => {
    fixture.connector.fail('challenged', 'accounts', new BankUnreachable('down'));
    const session = await fixture.openDrivenSession(options);
    expect(session.view).toMatchObject({ ...down, retryTargets: ['accounts', 'institution'] });
    const asked = askedOf(fixture);
    fixture.connector.fail('challenged', 'accounts', new BankUnreachable('timeout'));
    const again = {
      state: 'failed',
      reason: 'institution_timeout',
      retryTargets: ['accounts', 'institution'],
    };
    expect(await session.step({ kind: 'retry' })).toMatchObject(again);
    expect((await session.step({ kind: 'retry', target: 'accounts' })).state).toBe('accounts');
    expect((await finishSession(fixture, session)).state).toBe('finished');
    expect(askedOf(fixture)).toBe(asked);
  });

  test('is kept where the import failed', async () => {
    const session = await failImport(fixture);
    const asked = askedOf(fixture);
    expect((await session.step({ kind: 'retry' })).state).toBe('accounts');
    expect((await finishSession(fixture, session)).state).toBe('finished');
    expect(askedOf(fixture)).toBe(asked);
  });

  test('is kept where a reconnect failed, which then goes on with the import', async () => {
    const { connectionId } = await fixture.link(options);
    const session = await failImport(fixture, connectionId);
    expect(session.view).toMatchObject({ retryTargets: ['accounts'] });
    const asked = askedOf(fixture);
    expect((await session.step({ kind: 'retry' })).state).toBe('importing');
    expect(await session.waitForImport()).toMatchObject({ state: 'finished', result: { connectionId } });
    expect(askedOf(fixture)).toBe(asked);
  });

  test('is dropped where the bank refuses it', async () => {
    const session = await failImport(fixture);
    fixture.connector.fail('challenged', 'accounts', new BankRefused('user_action_required'));
    const refused = { reason: 'user_action_required', retryTargets: ['credentials', 'institution'] };
    expect(await session.step({ kind: 'retry' })).toMatchObject(refused);
    expect((await session.step({ kind: 'retry' })).state).toBe('credentials');
  });

  test('is deleted when the end user closes the widget, or chooses another bank', async () => {
    const closed = await failImport(fixture);
    expect((await sessionRowOf(fixture, closed))!.resultSealed).not.toBeNull();
    await cancel(fixture, closed);
    expect(await sessionRowOf(fixture, closed)).toMatchObject({ stateSealed: null, resultSealed: null });
    const left = await failImport(fixture);
    expect((await left.step({ kind: 'retry', target: 'institution' })).state).toBe('institution');
    expect(await sessionRowOf(fixture, left)).toMatchObject({ resultSealed: null });
  });
});
