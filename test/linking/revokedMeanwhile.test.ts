// A revocation during a reconnect of the same connection: in either order, the bank gets no request after the 204, and no
// credentials for the bank remain. Also two sessions that end each other's connection.
import { expect, onTestFinished, test } from 'vitest';
import { holdRow, untilWaiting } from '../support/holdRow.ts';
import type { TestLinkSession } from '../support/testService.ts';
import {
  credentialsOf,
  describeLinking,
  eventually,
  type LinkFixture,
  type LinkResult,
  openReconnect,
  revoke,
  sessionRowOf,
  tryStep,
} from './fixture.ts';

/** Submits the credentials, which is the last step of a reconnect. */
const submitCredentials = (fixture: LinkFixture, session: TestLinkSession, username: string) =>
  tryStep(fixture, session, credentialsOf(username));

/** The number of requests to the bank for a user. */
const countConversations = ({ connector }: LinkFixture, username: string): number => {
  const { signIn, answer, read } = connector.callsOf(username);
  return signIn + answer + read;
};

/** Links another user and waits until the worker picks up that import, which it does only after all jobs due earlier. */
const letWorkerLook = (fixture: LinkFixture): Promise<LinkResult> => fixture.link({ username: 'other' });

/** A user with a connection, and with a session that reconnects it and waits for the credentials. */
const startReconnect = async (fixture: LinkFixture) => {
  const username = fixture.newUser();
  const linked = await fixture.link({ username });
  const session = await openReconnect(fixture, linked);
  if (session.view.state === 'consent') await session.step({ kind: 'consent' });
  // As after a refusal, nothing is scheduled.
  await fixture.db.write('jobs').where({ connectionId: linked.connectionId }).delete();
  return { username, linked, session };
};

const expectNothingLeft = async (
  fixture: LinkFixture,
  linked: LinkResult,
  session: TestLinkSession,
): Promise<void> => {
  const { connectionId } = linked;
  expect(await fixture.db.read('jobs').where({ connectionId })).toEqual([]);
  const connection = await fixture.db.read('connections').where({ id: connectionId }).first();
  expect(connection).toMatchObject({ credentials: null, fingerprintKey: null });
  expect(await sessionRowOf(fixture, session)).toMatchObject({
    importRequestSealed: null,
    resultSealed: null,
  });
};

describeLinking('revoking a connection', (fixture) => {
  test('a reconnect that is queued during the revocation is refused', async () => {
    const { username, linked, session } = await startReconnect(fixture);
    const release = await holdRow(fixture.db, 'connections', { id: linked.connectionId });
    const revoking = revoke(fixture, linked);
    await untilWaiting(fixture.db, 1);
    const reconnecting = submitCredentials(fixture, session, username);
    await Promise.race([reconnecting, untilWaiting(fixture.db, 2)]);
    await release();
    await revoking;
    const before = countConversations(fixture, username);
    expect((await reconnecting).status).toBeGreaterThanOrEqual(400);
    await expectNothingLeft(fixture, linked, session);
    await letWorkerLook(fixture);
    expect(countConversations(fixture, username)).toBe(before);
  });

  test('a reconnect that was queued just before is ended by the revocation', async () => {
    const { username, linked, session } = await startReconnect(fixture);
    onTestFinished(fixture.connector.hold(username, 'read'));
    const release = await holdRow(fixture.db, 'connections', { id: linked.connectionId });
    const reconnecting = submitCredentials(fixture, session, username);
    await Promise.race([reconnecting, untilWaiting(fixture.db, 1)]);
    const revoking = revoke(fixture, linked);
    await untilWaiting(fixture.db, 2);
    await release();
    expect((await reconnecting).status).toBeLessThan(500);
    await revoking;
    await expectNothingLeft(fixture, linked, session);
  });

  test('a session that reconnects it gets no further, and the bank gets no request', async () => {
    const { username, linked, session } = await startReconnect(fixture);
    await revoke(fixture, linked);
    const before = countConversations(fixture, username);
    const { status, body } = await submitCredentials(fixture, session, username);
    expect({ status, code: body.code }).toEqual({ status: 410, code: 'session_expired' });
    expect(countConversations(fixture, username)).toBe(before);
  });
});

describeLinking('two first links of one end user', (fixture) => {
  test('an acknowledgement and the link that ends its session do not deadlock', async () => {
    const externalUserId = 'acknowledged late';
    const first = await fixture.openDrivenSession({ externalUserId });
    await eventually(async () => expect((await sessionRowOf(fixture, first))!.state).toBe('finished'));
    const release = await holdRow(fixture.db, 'link_sessions', { id: first.id });
    const second = fixture.openDrivenSession({ externalUserId, username: 'other' });
    await untilWaiting(fixture.db, 1);
    const acknowledging = first.acknowledge();
    await untilWaiting(fixture.db, 2);
    await release();
    const status = (await acknowledging).status;
    const { state } = await (await second).waitForImport();
    expect({ status, state }).toEqual({ status: status === 204 ? 204 : 410, state: 'finished' });
  });
});
