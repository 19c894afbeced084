// The records of link sessions are versioned: samples of the current version can be continued, and records of other
// versions are left to processes that know them.
import { expect, test } from 'vitest';
import type { In, LinkSessionStatus } from '../../src/flows/link/linkSession.ts';
import { deriveKey } from '../../src/platform/vault/keys.ts';
import { seal, sealForWorker } from '../../src/platform/vault/seal.ts';
import { unsealForWorker } from '../../src/platform/vault/workerBoxes.ts';
import { northBank } from '../support/scriptedConnector.ts';
import type { TestLinkSession } from '../support/testService.ts';
import { describeLinkingOnce, type LinkFixture, requestWidgetApi, sessionRowOf } from './fixture.ts';

const institution = { id: northBank, name: 'North Bank' };
const values = { username: 'ada', password: 'x' };
const signedIn = {
  institution,
  values,
  access: 'access of ada',
  deviceToken: undefined,
  expiresAt: undefined,
  historyUntil: undefined,
  revocationId: undefined,
};
const challenge = { kind: 'code', label: 'Code' } as const;
const account = {
  id: 'ada-main',
  name: 'Main Account',
  type: 'depository',
  number: 'DE1',
  currency: 'EUR',
} as const;

/** A state of each name as version 4 stores it. If you change one of their types, increment `recordVersion`. */
const samples: { [At in Exclude<LinkSessionStatus, 'finished' | 'ended'>]: In<At> } = {
  consent: { at: 'consent', institution: undefined },
  institution: { at: 'institution' },
  credentials: { at: 'credentials', institution, error: { reason: 'wrong_credentials', attemptsLeft: 2 } },
  challenge: {
    ...{ at: 'challenge', institution, values, signInAt: '2024-01-15T12:00:00.000Z', challenge },
    ...{ challengeState: 'state of ada', actions: 1, reading: undefined, returnState: undefined },
    error: { reason: 'wrong_answer' },
  },
  accounts: { at: 'accounts', ...signedIn, accounts: [account], asked: undefined, sharedIds: undefined },
  importing: { at: 'importing', institution, userSecret: 'A'.repeat(43) },
  failed: { at: 'failed', institution, signedIn },
};

/** The screen of the page for each sample. */
const views: Record<keyof typeof samples, object> = {
  consent: { steps: ['consent'] },
  institution: { steps: ['selectInstitution', 'back'] },
  credentials: { institution, steps: ['credentials', 'back'], error: { attemptsLeft: 2 } },
  challenge: { challenge, error: { reason: 'wrong_answer' } },
  accounts: { accounts: [{ id: '0', name: 'Main Account' }] },
  importing: { institution, steps: [] },
  failed: { reason: 'institution_down', retryTargets: ['accounts', 'institution'], steps: ['retry'] },
};

/** Stores a record as the session's own process would. */
const store = async (
  { db }: LinkFixture,
  { id, secret }: TestLinkSession,
  { state, v }: { state: { at: LinkSessionStatus }; v: number },
): Promise<void> => {
  const row = (await db.read('link_sessions').where({ id }).first('*'))!;
  const binding = [id, row.applicationId, row.externalUserId, row.reconnectConnectionId, row.origin];
  const key = deriveKey(Buffer.from(secret, 'base64url'), 'link session state v1');
  const record = JSON.stringify({ v, kept: { language: 'en' }, state });
  const stateSealed = seal(record, key, ['link session', JSON.stringify(binding)]);
  const failure = state.at === 'failed' ? 'institution_down' : null;
  await db.write('link_sessions').where({ id }).update({ state: state.at, stateSealed, failure });
};

const view = (fixture: LinkFixture, { id, secret }: TestLinkSession) =>
  requestWidgetApi(fixture.service, `/${id}`, { secret });

describeLinkingOnce('records of link sessions', (fixture) => {
  test.for(Object.values(samples))('of version 4 are opened in the state $at', async (state) => {
    const session = await fixture.openSession();
    await store(fixture, session, { state, v: 4 });
    const { status, body } = await view(fixture, session);
    expect({ status, ...body }).toMatchObject({ status: 200, view: { state: state.at, ...views[state.at] } });
  });

  test('of another version end the session', async () => {
    const session = await fixture.openSession();
    await store(fixture, session, { state: samples.institution, v: 9 });
    expect(await view(fixture, session)).toMatchObject({ status: 410, body: { code: 'session_expired' } });
  });

  test('of another state are refused', async () => {
    const session = await fixture.openSession();
    await store(fixture, session, { state: samples.institution, v: 4 });
    await fixture.db.write('link_sessions').where({ id: session.id }).update({ state: 'accounts' });
    expect((await view(fixture, session)).status).toBe(500);
    expect(fixture.takeErrorLogs()).toMatchObject([{ msg: 'request failed' }]);
  });

  test('an import request of a newer version waits for a worker that knows it, without using an attempt', async () => {
    const { db, service, connector } = fixture;
    const { keys } = service.service.secrets.worker!;
    const release = connector.hold('ada', 'history');
    const session = await fixture.openDrivenSession();
    const change = async (v: number) => {
      const { importRequestSealed } = (await sessionRowOf(fixture, session))!;
      const binding = ['importRequest', session.id] as const;
      const request = unsealForWorker<object>(importRequestSealed!, binding, keys);
      const changed = sealForWorker({ ...request, v }, binding, keys.current());
      await db.write('link_sessions').where({ id: session.id }).update({ importRequestSealed: changed });
    };
    await change(4);
    let claims = 0;
    const unwatch = db.watch((text) => {
      if (/attempts \+ 1/.test(text)) claims++;
    });
    // The running attempt loses its lease.
    await db
      .write('jobs')
      .where({ linkSessionId: session.id })
      .update({ leaseToken: null, leaseExpiresAt: null });
    release();
    await expect.poll(() => claims).toBeGreaterThan(3);
    unwatch();
    const job = await db.read('jobs').where({ linkSessionId: session.id }).first('attempts');
    expect(job!.attempts).toBeLessThan(3);
    await change(3);
    expect(await session.waitForImport()).toMatchObject({ state: 'finished' });
  });
});
