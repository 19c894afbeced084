// Consents are revoked at the bank: when a connection is revoked or reconnected, and when a link session is abandoned after the
// sign-in.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Connector } from '../../connectors/kit/contract.ts';
import { days, seconds } from '../../src/platform/values/clock.ts';
import { BankUnreachable } from '../../src/platform/values/errors.ts';
import { databases } from '../support/databases.ts';
import {
  makeScriptedConnector,
  northBank,
  scriptedAccount,
  southBank,
} from '../support/scriptedConnector.ts';
import {
  driveToImport,
  link,
  openLinkSession,
  startService,
  type TestService,
} from '../support/testService.ts';

const wait = { timeout: 30_000 };

describe.each(databases)('a consent on $name', (database) => {
  let service: TestService;
  let applicationId: string;
  const scripted = makeScriptedConnector();
  let signIns = 0;
  /** The revocations that the bank received, by the credentials from the sign-in. */
  const told: string[] = [];
  /** An error to throw instead, for some time. */
  const failures: Error[] = [];
  beforeAll(async () => {
    const { institutions, connector } = scripted.module;
    const giving: Connector = {
      ...connector,
      signIn: async (request, context) => {
        const signedIn = await connector.signIn(request, context);
        const { username } = request.credentials;
        return request.attended ? { ...signedIn, deviceToken: `${username} ${++signIns}` } : signedIn;
      },
      revoke: async ({ deviceToken }) => {
        const failure = failures.shift();
        if (failure) throw failure;
        told.push(deviceToken!);
      },
    };
    const [north, south] = institutions;
    service = await startService({
      ...{ database, limits: { workerPollMs: 20, revocationPollMs: 20, linkSessionMinutes: 10 } },
      connectors: [
        { institutions: [north!], connector: giving },
        { institutions: [south!], connector },
      ],
    });
    ({ id: applicationId } = await service.addApplication({ environment: 'production' }));
  });
  afterAll(() => service.close());

  const linkAt = (username: string, institutionId = northBank) => {
    scripted.setAccounts(username, [scriptedAccount()]);
    return link(service, { username, institutionId, applicationId });
  };
  const revoke = async (connectionId: string) => {
    const { apiKey } = await service.addKey(applicationId);
    const params = { path: { connectionId } };
    const { response } = await service.client('', apiKey).DELETE('/connections/{connectionId}', { params });
    expect(response.status).toBe(204);
  };
  const kept = () => service.service.db.read('consent_revocations').pluck('id');
  const toldOf = (username: string) => told.filter((token) => token.startsWith(`${username} `));

  test('is revoked with its connection, and the credentials are then deleted', async () => {
    const { connectionId } = await linkAt('ada');
    expect(toldOf('ada')).toEqual([]);
    failures.push(new BankUnreachable('down'));
    await revoke(connectionId);
    await expect.poll(() => failures, wait).toEqual([]);
    expect(await kept()).toContain(connectionId);
    service.advance(seconds(31));
    await expect.poll(() => toldOf('ada'), wait).toHaveLength(1);
    await expect.poll(kept, wait).not.toContain(connectionId);
  });

  test('is revoked when another one replaces it, which is kept', async () => {
    const { connectionId } = await linkAt('bob');
    const [first] = [`bob ${signIns}`];
    const session = await openLinkSession(service, { applicationId, connectionId });
    await driveToImport(session, { username: 'bob' });
    expect((await session.waitForImport()).state).toBe('finished');
    await session.acknowledge();
    await expect.poll(() => toldOf('bob'), wait).toEqual([first]);
    service.advance(seconds(11 * 60));
    await expect.poll(kept, wait).toEqual([]);
    expect(toldOf('bob')).toEqual([first]);
  });

  test.each([
    ['after the sign-in', false],
    ['after the import, whose result nobody has got', true],
  ])('is given back when its link session is left %s', async (_, imports) => {
    const username = imports ? 'eve' : 'ian';
    scripted.setAccounts(username, [scriptedAccount()]);
    const session = await openLinkSession(service, { applicationId });
    await session.step({ kind: 'consent' });
    await session.step({ kind: 'selectInstitution', institutionId: northBank });
    await session.step({ kind: 'credentials', values: { username, password: 'password' } });
    if (imports) {
      await driveToImport(session, { username });
      await session.waitForImport();
    }
    expect(await kept()).toHaveLength(1);
    expect(toldOf(username)).toEqual([]);
    // Lets the session and the delivery of its result expire.
    for (let minutes = 0; minutes < 60; minutes += 11) service.advance(seconds(11 * 60));
    await expect.poll(() => toldOf(username), wait).toHaveLength(1);
    await expect.poll(kept, wait).toEqual([]);
  });

  test('is recorded in the audit log if the bank does not respond for a day', async () => {
    const { connectionId } = await linkAt('kim');
    failures.push(...Array(60).fill(new BankUnreachable('down')));
    await revoke(connectionId);
    const actions = () =>
      service.service.db.read('audit_events').where({ action: 'consent_not_given_back' }).select('details');
    for (let hours = 0; hours < 30 && (await kept()).length > 0; hours++) {
      service.advance(seconds(3601));
      const before = failures.length;
      await expect.poll(async () => failures.length < before || (await kept()).length === 0, wait).toBe(true);
    }
    expect(await kept()).toEqual([]);
    expect((await actions()).map(({ details }) => JSON.parse(details))).toEqual([
      { application: applicationId, institution: northBank },
    ]);
    failures.length = 0;
  });

  test('is kept by a bank without revocation, and the credentials are deleted at once', async () => {
    const { connectionId } = await linkAt('lea', southBank);
    await revoke(connectionId);
    expect(await kept()).toEqual([]);
    service.advance(days(1));
    expect(toldOf('lea')).toEqual([]);
  });
});
