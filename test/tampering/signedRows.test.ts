// An attacker with write access to the database, but no secret of the worker, changes rows so that the worker would seal new
// data to the attacker, or send credentials to another institution. The worker and the serving process refuse.
import { expect, test } from 'vitest';
import { deriveKeyPair, derivePublicKey, makeSecret, toBoxPublicKey } from '../../src/platform/vault/keys.ts';
import { type BankCredentials, sealForWorker, unsealBox } from '../../src/platform/vault/seal.ts';
import { addOrganization, createMember } from '../http/dashboard/users.ts';
import {
  describeLinking,
  eventually,
  type LinkFixture,
  type LinkResult,
  readTransactions,
  refreshFully,
  requestWidgetApi,
  tryStep,
} from '../linking/fixture.ts';
import { oneDatabase } from '../support/databases.ts';
import { northBank, southBank } from '../support/scriptedConnector.ts';
import { hostOrigin } from '../support/testService.ts';

/** The attacker's user secret, like that in a scoped token. */
const attacker = makeSecret();

/** The number of the user's data keys that the attacker can open. */
const countOpened = async ({ db }: LinkFixture): Promise<number> => {
  const keys = await db.read('data_keys').select('sealed');
  const pair = deriveKeyPair(attacker);
  const opens = (sealed: Buffer) => {
    try {
      return unsealBox(pair, sealed).length > 0;
    } catch {
      return false;
    }
  };
  return keys.filter(({ sealed }) => opens(sealed)).length;
};

const changeConnection = ({ db }: LinkFixture, { connectionId }: LinkResult, change: object) =>
  db.write('connections').where({ id: connectionId }).update(change);

const changeEndUser = ({ db }: LinkFixture, endUserId: string, change: object) =>
  db.write('end_users').where({ endUserId }).update(change);

const connectionRow = async ({ db }: LinkFixture, { connectionId }: LinkResult) =>
  (await db.read('connections').where({ id: connectionId }).first())!;

const spoilFingerprints = async ({ db }: LinkFixture, { connectionId }: LinkResult): Promise<void> => {
  const accounts = await db.read('accounts').where({ connectionId }).pluck('shortId');
  const spoiled = Buffer.alloc(16, 7);
  await db
    .write('transactions')
    .whereIn('accountShortId', accounts)
    .update({ fingerprint: spoiled.subarray(0, 12) });
};

const refreshTests = (fixture: LinkFixture): void => {
  test('a replaced public key gets no data, and the end user still reads everything', async () => {
    const linked = await fixture.link();
    const before = await readTransactions(fixture, linked);
    const { endUserId } = await connectionRow(fixture, linked);
    const user = (await fixture.db.read('end_users').where({ endUserId }).first())!;
    const replaced = Buffer.from(user.publicKey);
    toBoxPublicKey(derivePublicKey(attacker)).copy(replaced);
    await changeEndUser(fixture, endUserId, { publicKey: replaced });
    await spoilFingerprints(fixture, linked);
    expect(await refreshFully(fixture, linked)).toBe('invalid_signature');
    expect(await countOpened(fixture)).toBe(0);

    await changeEndUser(fixture, endUserId, { publicKey: user.publicKey });
    expect(await readTransactions(fixture, linked)).toEqual(before);
  });

  test.each([
    ['institutionId', southBank],
    ['applicationId', 'app_0000000000000000000000'],
  ])('credentials are sent nowhere after a change of connections.%s', async (column, value) => {
    const username = fixture.newUser();
    const linked = await fixture.link({ username });
    await changeConnection(fixture, linked, { [column]: value });
    expect(await refreshFully(fixture, linked)).toBe('invalid_signature');
    expect(fixture.connector.callsOf(username).signIn).toBe(1);
  });

  test.each([
    ['environment', 'sandbox'],
    ['organizationId', 'org_0000000000000000000000'],
  ])('credentials are sent nowhere after a change of jobs.%s', async (column, value) => {
    const username = fixture.newUser();
    const linked = await fixture.link({ username });
    await fixture.db
      .write('jobs')
      .where({ connectionId: linked.connectionId })
      .update({ [column]: value });
    await refreshFully(fixture, linked);
    expect(fixture.connector.callsOf(username).signIn).toBe(1);
  });

  test('another kind of value that is sealed to the worker for the same connection is not used as credentials', async () => {
    const username = fixture.newUser();
    const linked = await fixture.link({ username });
    const workerKey = fixture.service.service.secrets.workerPublicKeys.current();
    const value: BankCredentials = { values: { username, password: 'password' } };
    const refreshWith = async (kind: 'importRequest' | 'credentials'): Promise<string | null> => {
      const credentials = sealForWorker(value, [kind, linked.connectionId], workerKey);
      await changeConnection(fixture, linked, { credentials });
      return refreshFully(fixture, linked);
    };
    expect(await refreshWith('importRequest')).toBe('internal');
    expect(fixture.connector.callsOf(username).signIn).toBe(1);
    expect(await refreshWith('credentials')).toBeNull();
    expect(fixture.connector.callsOf(username).signIn).toBe(2);
  });

  test('another end user’s signed row in place of the user’s is refused', async () => {
    const linked = await fixture.link();
    const other = await fixture.link({ username: 'other' });
    const { endUserId } = await connectionRow(fixture, linked);
    const { endUserId: otherId } = await connectionRow(fixture, other);
    const { publicKey, signature } = (await fixture.db
      .read('end_users')
      .where({ endUserId: otherId })
      .first())!;
    await changeEndUser(fixture, endUserId, { publicKey, signature });
    expect(await refreshFully(fixture, linked)).toBe('invalid_signature');
  });

  test('an operator sees the reason and the connection is refreshed again once the row is restored', async () => {
    const linked = await fixture.link();
    await changeConnection(fixture, linked, { institutionId: southBank });
    await refreshFully(fixture, linked);
    const events = await fixture.db.read('connection_events').where({ connectionId: linked.connectionId });
    const failed = { kind: 'refresh_failed', reason: 'invalid_signature' };
    expect(events).toContainEqual(expect.objectContaining(failed));
    await changeConnection(fixture, linked, { institutionId: northBank });
    expect(await refreshFully(fixture, linked)).toBeNull();
  });
};

const linkTests = (fixture: LinkFixture): void => {
  test('a later link of the same external user is not sealed to a replaced public key', async () => {
    const linked = await fixture.link({ externalUserId: 'user-1' });
    const { endUserId } = await connectionRow(fixture, linked);
    await changeEndUser(fixture, endUserId, { publicKey: derivePublicKey(attacker) });
    await expect(fixture.link({ externalUserId: 'user-1', username: 'other' })).rejects.toThrow('failed');
    expect(await countOpened(fixture)).toBe(0);
    expect(fixture.takeErrorLogs().map(({ msg }) => msg)).toEqual(['link session failed']);
  });

  test('an external user id that leads to another end user is refused', async () => {
    const linked = await fixture.link({ externalUserId: 'user-2' });
    const mine = await fixture.link({ externalUserId: 'attacker', username: 'other' });
    const { endUserId } = await connectionRow(fixture, mine);
    await fixture.db.write('external_users').where({ externalUserId: 'user-2' }).update({ endUserId });
    await expect(fixture.link({ externalUserId: 'user-2' })).rejects.toThrow('failed');
    expect(await readTransactions(fixture, linked)).not.toEqual([]);
    expect(fixture.takeErrorLogs()).toHaveLength(1);
  });

  test('the ids of a session cannot be changed between its steps', async () => {
    const mine = await fixture.link({ externalUserId: 'attacker-2', username: 'other' });
    const changes = [
      { externalUserId: 'attacker-2' },
      { applicationId: fixture.service.application.id },
      { reconnectConnectionId: mine.connectionId },
      { origin: 'https://attacker.example' },
    ];
    for (const change of changes) {
      const failed = { state: 'failed', failure: 'internal' } as const;
      for (const hidden of [{}, { stateSealed: null }, { stateSealed: null, ...failed }]) {
        const session = await fixture.openSession({ externalUserId: 'user-3' });
        await fixture.db
          .write('link_sessions')
          .where({ id: session.id })
          .update({ ...change, ...hidden });
        const step = 'state' in hidden ? { kind: 'retry' } : { kind: 'consent' };
        const { status } = await tryStep(fixture, session, step);
        expect(status, JSON.stringify({ change, hidden })).toBe('stateSealed' in hidden ? 409 : 500);
      }
    }
    expect(fixture.takeErrorLogs()).toHaveLength(changes.length);
  });

  test('an import with a changed job fails, and nothing is read', async () => {
    const changes = [
      { endUserId: 'usr_0000000000000000000000' },
      { applicationId: fixture.service.application.id },
      { organizationId: 'org_0000000000000000000000' },
      { kind: 'reconnect' as const },
    ];
    for (const change of changes) {
      const username = fixture.newUser();
      const release = fixture.connector.hold(username, 'history');
      const session = await fixture.openDrivenSession({ username });
      await eventually(() => expect(fixture.connector.callsOf(username).history).toBe(1));
      // The running job has read the row; it loses its lease, and the changed row is claimed.
      await fixture.db
        .write('jobs')
        .where({ linkSessionId: session.id })
        .update({ ...change, leaseToken: null, leaseExpiresAt: null });
      release();
      const view = await session.waitForImport();
      expect(view, JSON.stringify(change)).toMatchObject({ state: 'failed', reason: 'internal' });
    }
    expect(fixture.takeErrorLogs().length).toBeGreaterThanOrEqual(changes.length);
  });
};

const reconnectTests = (fixture: LinkFixture): void => {
  test('a session for a connection of another institution is not created', async () => {
    const linked = await fixture.link();
    await changeConnection(fixture, linked, { institutionId: southBank });
    const { id: applicationId } = fixture.application;
    const body = { applicationId, origin: hostOrigin, connectionId: linked.connectionId };
    const { status } = await requestWidgetApi(fixture.service, '', { method: 'POST', body });
    expect(status).toBe(500);
    expect(fixture.takeErrorLogs()).toHaveLength(1);
  });

  test('a name in the row is not shown while a connector has the institution', async () => {
    const linked = await fixture.link();
    await changeConnection(fixture, linked, { institutionName: 'South Bank' });
    const session = await fixture.openSession({ connectionId: linked.connectionId });
    expect(session.view).toMatchObject({ institution: { id: northBank, name: 'North Bank' } });
    const { data } = await fixture.client(linked.scopedToken).GET('/connections');
    expect(data!.connections[0]!.institution).toEqual({ id: northBank, name: 'North Bank' });
  });
};

const readTests = (fixture: LinkFixture): void => {
  test('with a changed owner, the API key of another application can neither read nor revoke a connection', async () => {
    const { connectionId } = await fixture.link();
    const other = fixture.service.application;
    await fixture.db.write('resource_owners').where({ id: connectionId }).update({ applicationId: other.id });
    const client = fixture.service.client(undefined, other.apiKey);
    const params = { path: { connectionId } };
    expect((await client.GET('/connections/{connectionId}', { params })).response.status).toBe(403);
    expect((await client.DELETE('/connections/{connectionId}', { params })).response.status).toBe(403);
    const row = await fixture.db.read('connections').where({ id: connectionId }).first();
    expect(row!.revokedAt).toBeNull();
  });

  test('a member who becomes an owner by a changed row sees plain columns, but no data of end users', async () => {
    const { service, db, application } = fixture;
    const { connectionId, accounts } = await fixture.link({ externalUserId: 'user-4' });
    const organizationId = await addOrganization(service, 'Elsewhere');
    const stranger = await createMember(service, { role: 'owner', email: 'a@example.com', organizationId });
    const path = `/management/applications/${application.id}`;
    expect((await stranger.fetch(`${path}/connections`)).status).toBe(404);
    await db.write('memberships').update({ organizationId: service.organizationId });
    const texts = [];
    const one = `connections/${connectionId}`;
    for (const part of ['connections', one, `${one}/consents`]) {
      const response = await stranger.fetch(`${path}/${part}`);
      expect([part, response.status]).toEqual([part, 200]);
      texts.push(await response.text());
    }
    expect(texts[0]).toContain('user-4');
    for (const account of accounts) expect(texts.join()).not.toContain(account.name);
    const { data } = await stranger.client.POST('/management/applications/{applicationId}/api-keys', {
      ...{ params: { path: { applicationId: application.id } }, body: { name: 'Made by a stranger' } },
    });
    const client = service.client(undefined, data!.secret);
    const ofConnection = { params: { path: { connectionId } } };
    expect((await client.GET('/connections/{connectionId}', ofConnection)).response.status).toBe(200);
    const list = await client.GET('/connections/{connectionId}/accounts', ofConnection);
    const params = { path: { accountId: accounts[0]!.id } };
    const account = await client.GET('/accounts/{accountId}', { params });
    expect([list.response.status, account.response.status]).toEqual([403, 403]);
  });
};

describeLinking('changed rows at a refresh', refreshTests, { on: oneDatabase });
describeLinking('changed rows at a link', linkTests, { on: oneDatabase });
describeLinking('changed rows at a reconnect', reconnectTests, { on: oneDatabase });
describeLinking('changed rows at a read', readTests, { on: oneDatabase });
