// Each connection has its own fingerprint key, sealed to the worker. Only a rotation of `worker` re-encrypts it, it is deleted with
// the connection, and write access to the database is not enough to replace it.
import { expect, test } from 'vitest';
import { byOperator } from '../../src/domain/audit/by.ts';
import { breakCredentials } from '../../src/domain/connections/refreshRequests.ts';
import {
  accountFingerprints,
  openFingerprintKey,
  sealFingerprintKey,
} from '../../src/flows/merge/fingerprints.ts';
import { keyId, makeSecret } from '../../src/platform/vault/keys.ts';
import {
  describeLinkingOnce,
  finishSession,
  type LinkFixture,
  type LinkResult,
  openFinishedSession,
  readTransactions,
  refreshFully,
  resultOf,
  revoke,
} from '../linking/fixture.ts';
import { sweepNow } from '../retention/fixture.ts';

const rowOf = async ({ db }: LinkFixture, { connectionId }: { connectionId: string }) =>
  (await db.read('connections').where({ id: connectionId }).first())!;

const openKey = async (fixture: LinkFixture, linked: { connectionId: string }): Promise<Buffer> =>
  openFingerprintKey(await rowOf(fixture, linked), fixture.service.service.secrets.worker!.keys);

const change = ({ db }: LinkFixture, { connectionId }: LinkResult, columns: object) =>
  db.write('connections').where({ id: connectionId }).update(columns);

const flipLastBit = (bytes: Buffer): Buffer => {
  const flipped = Buffer.from(bytes);
  flipped[flipped.length - 1]! ^= 1;
  return flipped;
};

const reconnect = async (fixture: LinkFixture, { connectionId }: LinkResult) =>
  finishSession(fixture, await fixture.openSession({ connectionId }), { username: 'ada' });

const idsOf = async (fixture: LinkFixture, linked: LinkResult): Promise<string[]> =>
  (await readTransactions(fixture, linked)).map(({ id }) => id);

describeLinkingOnce('the fingerprint key', (fixture) => {
  test('differs between connections, and fingerprints of equal accounts and transactions with it', async () => {
    const [one, other] = [await fixture.link(), await fixture.link()];
    const key = await openKey(fixture, one);
    expect(key).toHaveLength(32);
    expect((await rowOf(fixture, one)).fingerprintKeyId).toBe(keyId(key));
    expect(await openKey(fixture, other)).not.toEqual(key);
    const columns = ['bankIdFingerprint', 'numberFingerprint', 'currencyFingerprint', 'shortId'] as const;
    const accountOf = async ({ connectionId }: LinkResult) =>
      (await fixture.db
        .read('accounts')
        .where({ connectionId })
        .orderBy('position')
        .first(...columns))!;
    const [first, second] = [await accountOf(one), await accountOf(other)];
    const bankAccount = { id: 'ada-main', number: 'DE-ada-1', currency: 'EUR' };
    const made = accountFingerprints(bankAccount, { connectionId: one.connectionId, fingerprintKey: key });
    expect(first).toMatchObject(made);
    expect(second.bankIdFingerprint).not.toEqual(first.bankIdFingerprint);
    expect(second.numberFingerprint).not.toEqual(first.numberFingerprint);
    expect(second.currencyFingerprint).not.toEqual(first.currencyFingerprint);
    const fingerprintsOf = async ({ shortId }: { shortId: number }) =>
      fixture.db.read('transactions').where({ accountShortId: shortId }).pluck('fingerprint');
    const both = [...(await fingerprintsOf(first)), ...(await fingerprintsOf(second))];
    expect(both).toHaveLength(4);
    expect(new Set(both.map((bytes) => bytes.toString('hex'))).size).toBe(4);
  });

  test('is not touched by a reconnect, by refreshes and by broken credentials, and ids stay', async () => {
    const linked = await fixture.link();
    const before = await rowOf(fixture, linked);
    const ids = await idsOf(fixture, linked);
    expect(await reconnect(fixture, linked)).toMatchObject({ state: 'finished' });
    expect(await refreshFully(fixture, linked)).toBeNull();
    const { db, service } = fixture;
    const application = { organizationId: service.organizationId, environment: 'sandbox' } as const;
    const now = new Date();
    await db.transaction((trx) =>
      breakCredentials(
        trx,
        { ...before, ...application },
        {
          by: byOperator(service.organizationId, now),
          at: now,
          eventsMax: 10,
          workerKey: service.service.secrets.workerPublicKeys.current(),
        },
      ),
    );
    const after = await rowOf(fixture, linked);
    expect(after.fingerprintKey).toEqual(before.fingerprintKey);
    expect(after.credentials).not.toEqual(before.credentials);
    expect(await idsOf(fixture, linked)).toEqual(ids);
  });

  test('is deleted when the connection is revoked, or expires before its result is delivered', async () => {
    const revoked = await fixture.link();
    await revoke(fixture, revoked);
    expect(await rowOf(fixture, revoked)).toMatchObject({ credentials: null, fingerprintKey: null });

    const undelivered = resultOf(await openFinishedSession(fixture));
    expect(await openKey(fixture, undelivered)).toHaveLength(32);
    const longAgo = new Date(0).toISOString();
    const { db, service } = fixture;
    await db
      .write('connections')
      .where({ id: undelivered.connectionId })
      .update({ deliveryExpiresAt: longAgo });
    await sweepNow(service);
    const row = await db.read('connections').where({ id: undelivered.connectionId }).first();
    expect(row?.fingerprintKey ?? null).toBeNull();
  });

  test('that is broken stops refreshes with a reason, and a reconnect does not help', async () => {
    const linked = await fixture.link();
    const { fingerprintKey } = await rowOf(fixture, linked);
    await change(fixture, linked, { fingerprintKey: flipLastBit(fingerprintKey!) });
    expect(await refreshFully(fixture, linked)).toBe('stopped');
    expect(await rowOf(fixture, linked)).toMatchObject({ reconnectReason: 'fingerprint_key_lost' });
    const events = await fixture.db.read('connection_events').where({ connectionId: linked.connectionId });
    expect(events.map(({ kind, reason }) => [kind, reason])).toContainEqual([
      ...['refresh_refused', 'fingerprint_key_lost'],
    ]);
    const params = { path: { connectionId: linked.connectionId } };
    const { data } = await fixture.client(linked.scopedToken).GET('/connections/{connectionId}', { params });
    expect(data!.connection.status).toBe('needs_reconnect');
    expect(await reconnect(fixture, linked)).toMatchObject({ state: 'failed', reason: 'internal' });
    expect(fixture.takeErrorLogs()).toHaveLength(1);
    expect(await readTransactions(fixture, linked)).toHaveLength(2);
    expect(await idsOf(fixture, await fixture.link())).toHaveLength(2);
  });

  test('stays when credentials are broken: a reconnect repairs those, and ids stay', async () => {
    const linked = await fixture.link();
    const ids = await idsOf(fixture, linked);
    const { credentials } = await rowOf(fixture, linked);
    await change(fixture, linked, { credentials: flipLastBit(credentials!) });
    expect(await refreshFully(fixture, linked)).toBe('internal');
    expect(await reconnect(fixture, linked)).toMatchObject({ state: 'finished' });
    expect(await refreshFully(fixture, linked)).toBeNull();
    expect(await idsOf(fixture, linked)).toEqual(ids);
  });

  test.each([
    ['without its id', 'stopped', ({ fingerprintKey }: Planted) => ({ fingerprintKey })],
    ['with its id', 'invalid_signature', (planted: Planted) => planted],
  ])('that a writer of the database plants %s makes no fingerprint', async (_, outcome, columnsOf) => {
    const username = fixture.newUser();
    const linked = await fixture.link({ username });
    const worker = fixture.service.service.secrets.workerPublicKeys.current();
    const planted = sealFingerprintKey(makeSecret(), linked.connectionId, worker);
    const accounts = () => fixture.db.read('accounts').where({ connectionId: linked.connectionId });
    const before = await accounts();
    await change(fixture, linked, columnsOf(planted));
    expect(await refreshFully(fixture, linked)).toBe(outcome);
    expect(fixture.connector.callsOf(username).signIn).toBe(1);
    expect(await accounts()).toEqual(before);
  });
});

type Planted = ReturnType<typeof sealFingerprintKey>;
