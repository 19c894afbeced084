// SimpleFIN accesses: their creators, their single claim, their accounts, and that nothing opens them after their deletion.
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { archiveApplication, restoreApplication } from '../../src/domain/applications/applications.ts';
import { findApplication } from '../../src/domain/applications/store.ts';
import { byOperator } from '../../src/domain/audit/by.ts';
import { parseClaimToken } from '../../src/flows/simplefin/tokens.ts';
import { limits } from '../../src/platform/settings/limits.ts';
import { days, seconds } from '../../src/platform/values/clock.ts';
import { sweepNow } from '../retention/fixture.ts';
import { cliSettingsOf, runInCliServer, runInCliServerWith } from '../support/cli.ts';
import { databases } from '../support/databases.ts';
import { northBank, scriptedAccount, scriptedTransaction, southBank } from '../support/scriptedConnector.ts';
import { driveToEnd, openLinkSession, startService } from '../support/testService.ts';
import {
  claim,
  claimAddressOf,
  describeSimplefin,
  type LinkedUser,
  readSet,
  readWith,
  type SimplefinFixture,
  splitAccessUrl,
  statusWith,
} from './fixture.ts';

/** The id of the access that a setup token belongs to. */
const accessIdOf = (setupToken: string): string =>
  parseClaimToken(claimAddressOf(setupToken).split('/').at(-1)!)!.id;

const accounts = (username: string) => [
  scriptedAccount({
    ...{ id: `${username}-main`, name: 'Main', number: `${username}-1111` },
    transactions: [scriptedTransaction({ date: new Date().toISOString().slice(0, 10) })],
  }),
  scriptedAccount({ id: `${username}-card`, name: 'Card', type: 'credit', number: `${username}-2222` }),
];

/** Links a login of South Bank, which has one account, for a user who has one of North Bank. */
const linkAtSouth = (fixture: SimplefinFixture, username: string, externalUserId: string) => {
  const account = scriptedAccount({ id: `${username}-s`, name: 'South', number: '3333' });
  return fixture.link(username, [account], { institutionId: southBank, externalUserId });
};

const namesOf = async (accessUrl: string): Promise<string[]> =>
  (await readSet(accessUrl)).accounts.map(({ name }) => name).toSorted();

describeSimplefin('a SimpleFIN access', (fixture) => {
  let ada: LinkedUser;
  const externalUserId = 'user-1';
  beforeAll(async () => {
    ada = await fixture.link('ada', accounts('ada'), { externalUserId });
  });

  const rowOf = (id: string) => fixture.service.service.db.read('simplefin_accesses').where({ id }).first();

  test('covers the accounts that were named', async () => {
    const card = ada.accounts.find(({ name }) => name === 'Card')!;
    const accessUrl = await fixture.createAccessUrl(ada.scopedToken, {
      ...{ label: 'Card only', accountIds: [card.id] },
    });
    expect(await namesOf(accessUrl)).toEqual(['Card (2222)']);
    const [main] = ada.accounts.filter(({ id }) => id !== card.id);
    expect((await readSet(accessUrl, `?account=${main!.id}`)).accounts).toEqual([]);
  });

  test('covers all accounts, even of a later connection, if that was chosen', async () => {
    const all = await fixture.createAccessUrl(ada.scopedToken);
    const named = await fixture.createAccessUrl(ada.scopedToken, {
      ...{ label: 'Named', accountIds: ada.accounts.map(({ id }) => id) },
    });
    await linkAtSouth(fixture, 'ada-south', externalUserId);
    expect(await namesOf(all)).toEqual(['Card (2222)', 'Main (1111)', 'South (3333)']);
    expect(await namesOf(named)).toEqual(['Card (2222)', 'Main (1111)']);
  });

  test('covers a newly added account only once the end user shares it, and only if all accounts were chosen', async () => {
    const [main, card] = accounts('eve');
    const eve = await fixture.link('eve', [main!], { externalUserId: 'eve' });
    const { connectionId, scopedToken } = eve;
    const named = { label: 'Named', accountIds: eve.accounts.map(({ id }) => id) };
    const accesses = [
      await fixture.createAccessUrl(scopedToken),
      await fixture.createAccessUrl(scopedToken, named),
    ];
    const covered = () => Promise.all(accesses.map(namesOf));
    fixture.connector.setAccounts('eve', [main!, card!]);
    fixture.service.advance(seconds(7 * 3600));
    const offered = async () =>
      (await fixture.service.service.db.read('connections').where({ id: connectionId }).first())!
        .offeredFingerprints;
    await expect.poll(offered, { timeout: 30_000 }).not.toBeNull();
    expect(await covered()).toEqual([['Main (1111)'], ['Main (1111)']]);
    const { id: applicationId } = fixture.application;
    const options = { applicationId, connectionId, accountSelection: true };
    const session = await openLinkSession(fixture.service, options);
    expect((await driveToEnd(session, { username: 'eve' })).state).toBe('finished');
    expect(await covered()).toEqual([['Card (2222)', 'Main (1111)'], ['Main (1111)']]);
  });

  test('never returns pending transactions, even on request, if that was chosen', async () => {
    const bank = scriptedAccount({
      transactions: [
        scriptedTransaction({ id: 'posted', amount: '-2.00' }),
        scriptedTransaction({ id: 'pending', amount: '-3.00', status: 'pending' }),
      ],
    });
    const user = { externalUserId: 'posted-only' };
    const { scopedToken } = await fixture.link('posted-only', [bank], user);
    const all = await fixture.createAccessUrl(scopedToken);
    const access = { label: 'Posted', allAccounts: true, postedOnly: true };
    const posted = await fixture.createAccessUrl(scopedToken, access);
    const amountsOf = async (url: string, query: string) =>
      (await readSet(url, query)).accounts.flatMap(({ transactions }) =>
        transactions.map(({ amount }) => amount).toSorted(),
      );
    expect(await amountsOf(all, '?start-date=0&pending=1')).toEqual(['-2.00', '-3.00']);
    for (const query of ['?start-date=0&pending=1', '?start-date=0&version=2&pending=1', '?start-date=0'])
      expect(await amountsOf(posted, query)).toEqual(['-2.00']);
    expect((await list(user)).accesses).toMatchObject([
      { label: 'Posted', postedOnly: true },
      { label: 'Actual Budget', postedOnly: false },
    ]);
    // An attacker with write access to the database changes the column.
    const { user: id } = splitAccessUrl(posted);
    await fixture.service.service.db.write('simplefin_accesses').where({ id }).update({ postedOnly: 0 });
    expect(await statusWith(posted)).toBe(403);
  });

  test('names no bank of which it covers no account', async () => {
    const user = { externalUserId: 'two-banks' };
    const { scopedToken, accounts: ofNorth } = await fixture.link('two', accounts('two'), user);
    const south = await linkAtSouth(fixture, 'two-south', user.externalUserId);
    const all = await fixture.createAccessUrl(scopedToken);
    const named = await fixture.createAccessUrl(scopedToken, {
      ...{ label: 'North only', accountIds: ofNorth.map(({ id }) => id) },
    });
    await revoke(south.connectionId);
    const [north, ended] = [{ org_id: northBank }, 'Connection to South Bank has ended'];
    expect(await readSet(all)).toMatchObject({
      connections: [north, { org_id: southBank }],
      errors: [ended],
    });
    expect(await readSet(named)).toMatchObject({ connections: [north], errors: [], errlist: [] });
  });

  const revoke = async (connectionId: string): Promise<void> => {
    const path = `${fixture.service.url}/connections/${connectionId}`;
    const headers = { Authorization: `Bearer ${fixture.application.apiKey}` };
    expect((await fetch(path, { method: 'DELETE', headers })).status).toBe(204);
  };

  test('is neither claimed nor read while its application is archived, and works again once it is restored', async () => {
    const accessUrl = await fixture.createAccessUrl(ada.scopedToken);
    const setupToken = await fixture.createSetupToken(ada.scopedToken);
    const { db, clock } = fixture.service.service;
    const application = (await findApplication(db.read, fixture.application.id))!;
    const by = () => byOperator(application.organizationId, clock.real());
    await archiveApplication(db, application, by());
    expect([await statusWith(accessUrl), (await claim(setupToken)).status]).toEqual([403, 403]);
    await restoreApplication(db, application, by());
    expect([await statusWith(accessUrl), (await claim(setupToken)).status]).toEqual([200, 200]);
  });

  test('cannot be claimed after 30 minutes, and is then deleted', async () => {
    const setupToken = await fixture.createSetupToken(ada.scopedToken);
    const inTime = await fixture.createSetupToken(ada.scopedToken);
    const id = accessIdOf(setupToken);
    fixture.service.advance(seconds(29 * 60));
    expect((await claim(inTime)).status).toBe(200);
    fixture.service.advance(seconds(61));
    expect((await claim(setupToken)).status).toBe(403);
    expect(await listed({})).not.toContain(id);
    expect((await sweepNow(fixture.service)).setupTokens).toBeGreaterThan(0);
    expect(await rowOf(id)).toBeUndefined();
    const owners = await fixture.service.service.db.read('resource_owners').where({ id });
    expect(owners).toEqual([]);
  });

  type List = { accesses: { id: string }[]; nextCursor: string };
  const list = async (query: Record<string, string>) =>
    (await (await fixture.fromBackend('GET', `?${new URLSearchParams(query)}`)).json()) as List;
  const listed = async (query: Record<string, string>) => (await list(query)).accesses.map(({ id }) => id);

  test('is listed without a scoped token, by user and by page, and never reveals its accounts', async () => {
    const user = { externalUserId: 'lister' };
    const { scopedToken } = await fixture.link('lister', accounts('lister'), user);
    const token = await fixture.createSetupToken(scopedToken, { label: 'First', allAccounts: true });
    const first = accessIdOf(token);
    const accessUrl = await fixture.createAccessUrl(scopedToken, { label: 'Second', allAccounts: true });
    const { user: second } = splitAccessUrl(accessUrl);
    expect(await listed(user)).toEqual([second, first]);
    expect(await listed({ externalUserId: 'nobody' })).toEqual([]);
    const { accesses, nextCursor } = await list({ ...user, limit: '1' });
    const access = {
      ...{ id: second, label: 'Second', ...user, postedOnly: false },
      ...{ state: 'active', createdAt: expect.any(String) },
    };
    expect(accesses).toEqual([access]);
    expect(await listed({ ...user, cursor: nextCursor })).toEqual([first]);
    await readSet(accessUrl);
    const used = { ...access, lastUsedAt: expect.any(String) };
    expect((await list({ ...user, limit: '1' })).accesses).toEqual([used]);
  });

  test('opens nothing after it was revoked, claimed or not, and revoking it again is a 404', async () => {
    const accessUrl = await fixture.createAccessUrl(ada.scopedToken);
    const setupToken = await fixture.createSetupToken(ada.scopedToken);
    expect(await statusWith(accessUrl)).toBe(200);
    for (const id of [splitAccessUrl(accessUrl).user, accessIdOf(setupToken)]) {
      const revokeSimplefinAccess = async () => (await fixture.fromBackend('DELETE', `/${id}`)).status;
      expect(await revokeSimplefinAccess()).toBe(204);
      expect(await rowOf(id)).toBeUndefined();
      expect(await revokeSimplefinAccess()).toBe(404);
    }
    expect([await statusWith(accessUrl), (await claim(setupToken)).status]).toEqual([403, 403]);
  });

  test('belongs to its application', async () => {
    const id = accessIdOf(await fixture.createSetupToken(ada.scopedToken));
    const { apiKey } = fixture.service.application;
    expect((await fixture.fromBackend('DELETE', `/${id}`, { apiKey })).status).toBe(404);
    const body = { label: 'Other', allAccounts: true };
    const { scopedToken } = ada;
    expect((await fixture.fromBackend('POST', '', { apiKey, scopedToken, body })).status).toBe(403);
    const ofOther = await fixture.fromBackend('GET', '', { apiKey });
    expect(await ofOther.json()).toEqual({ accesses: [] });
  });

  const accountIds = ['acc_3nVnx3kVEcA4wxWXfIjhkr'];
  test.each([
    { body: { label: 'x' }, path: '/body/accountIds' },
    { body: { label: 'x', allAccounts: true, accountIds }, path: '/body/accountIds' },
    { body: { label: 'x', accountIds }, path: '/body/accountIds/0' },
    { body: { label: ' ', allAccounts: true }, path: '/body/label' },
    { body: { allAccounts: true }, path: '/body/label' },
  ])('is not created from $body', async ({ body, path }) => {
    const response = await fixture.fromBackend('POST', '', { scopedToken: ada.scopedToken, body });
    expect(response.status).toBe(400);
    const { errors } = (await response.json()) as { errors: { path: string }[] };
    expect(errors.map((error) => error.path)).toContain(path);
  });

  test('reads a revoked connection for 30 days, reports its end, and is then refused', async () => {
    const user = await fixture.link('leaver', accounts('leaver'));
    const accessUrl = await fixture.createAccessUrl(user.scopedToken);
    await revoke(user.connectionId);
    expect(await readSet(accessUrl)).toMatchObject({
      errors: ['Connection to North Bank has ended'],
      errlist: [{ code: 'con.' }],
    });
    fixture.service.advance(days(30) + 1000);
    expect(await statusWith(accessUrl)).toBe(403);
    await sweepNow(fixture.service);
    expect(await rowOf(splitAccessUrl(accessUrl).user)).toBeUndefined();
  });
});

describeSimplefin(
  'a SimpleFIN access',
  (fixture) => {
    test('is one of at most a hundred of an end user, even if more are created concurrently', async () => {
      const { scopedToken } = await fixture.link('many', accounts('many'));
      const creating = Array.from({ length: 120 }, () => fixture.createSetupToken(scopedToken));
      const created = (await Promise.allSettled(creating)).filter(({ status }) => status === 'fulfilled');
      expect(created).toHaveLength(100);
    });

    test('is given to one of a hundred concurrent claims', async () => {
      const { scopedToken } = await fixture.link('ada', accounts('ada'));
      const setupToken = await fixture.createSetupToken(scopedToken);
      const other = await startSecondProcess();
      const { pathname } = new URL(claimAddressOf(setupToken));
      const claimAt = (url: string) => fetch(new URL(pathname, url), { method: 'POST' });
      const responses = await Promise.all(
        Array.from({ length: 100 }, (_, at) => claimAt(at % 2 === 0 ? fixture.service.url : other)),
      );
      const statuses = responses.map(({ status }) => status);
      expect(statuses.filter((status) => status === 200)).toHaveLength(1);
      expect(statuses.filter((status) => status === 403)).toHaveLength(99);
      const winner = await responses.find(({ status }) => status === 200)!.text();
      expect(await namesOf(winner)).toContain('Main (1111)');
    });

    /** The address of a second process. On SQLite that of the first, because two writers in one process block each other. */
    const startSecondProcess = async (): Promise<string> => {
      const { db, config } = fixture.service.service;
      if (db.dialect === 'sqlite') return fixture.service.url;
      const { databaseUrl, secretsDir } = config;
      const second = await startService({ existing: { databaseUrl, secretsDir }, worker: false });
      onTestFinished(second.close);
      return second.url;
    };
  },
  { only: databases },
);

describeSimplefin('a SimpleFIN access on the command line', (fixture) => {
  const settings = () => cliSettingsOf(fixture.service.service.config);

  test('is created with the scoped token from standard input, listed and revoked', async () => {
    const user = await fixture.link('operator', accounts('operator'), { externalUserId: 'operator' });
    const baseUrl = { BASE_URL: fixture.service.url };
    const create = ['simplefin', 'create', '--label', 'Sheet', '--all-accounts', '--posted-only', '--json'];
    const own = { ...settings(), ...baseUrl };
    const created = await runInCliServerWith(`${user.scopedToken}\n`, own, ...create);
    expect(created.err).toBe('');
    const { accessId, setupToken } = created.json<{ accessId: string; setupToken: string }>();
    const accessUrl = await (await claim(setupToken)).text();
    expect(await namesOf(accessUrl)).toEqual(['Card (2222)', 'Main (1111)']);
    const ofUser = ['--application', fixture.application.id, '--external-user', 'operator'];
    const listed = await runInCliServer(settings(), 'simplefin', 'list', ...ofUser, '--json');
    expect(listed.json()).toMatchObject({ accesses: [{ accessId, label: 'Sheet', postedOnly: true }] });
    const revoked = await runInCliServer(settings(), 'simplefin', 'revoke', accessId);
    expect(revoked).toMatchObject({ code: 0, out: `${accessId} is revoked.\n` });
    expect(await statusWith(accessUrl)).toBe(403);
  });

  test.each([
    { input: 'sct_wrong', args: ['--all-accounts'], code: 1, err: /must contain a scoped token/ },
    { input: '', args: [], code: 2, err: /Set either --account or --all-accounts/ },
  ])('is not created from $input with $args', async ({ input, args, code, err }) => {
    const command = ['simplefin', 'create', '--label', 'x', ...args];
    const result = await runInCliServerWith(input, settings(), ...command);
    expect(result).toMatchObject({ code, out: '', err: expect.stringMatching(err) });
  });
});

describeSimplefin(
  'reads of a SimpleFIN access',
  (fixture) => {
    test('are limited to 24 per UTC day for each access', async () => {
      const { scopedToken } = await fixture.link('ada', accounts('ada'), { institutionId: northBank });
      const first = await fixture.createAccessUrl(scopedToken);
      const second = await fixture.createAccessUrl(scopedToken);
      const { clock } = fixture.service.service;
      const advanceToMidnight = () => fixture.service.advance(days(1) - (clock.real().getTime() % days(1)));
      advanceToMidnight();
      fixture.service.advance(seconds(3600));
      const statuses = [];
      for (let read = 0; read < 25; read++) statuses.push(await statusWith(first));
      expect(statuses).toEqual([...Array(24).fill(200), 429]);
      const refused = await readWith(first);
      expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
      expect(await refused.text()).toMatch(/^Too many requests/);
      expect(await statusWith(second)).toBe(200);
      advanceToMidnight();
      expect(await statusWith(first)).toBe(200);
    });
  },
  { limits: { simplefinReadsPerDay: limits.simplefinReadsPerDay } },
);
