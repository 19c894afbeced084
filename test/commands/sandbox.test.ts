// The sandbox commands change the sandbox of one organization, which is required if there are several.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cliSettingsOf, runCli, runInCliServer, type Settings } from '../support/cli.ts';
import { oneDatabase } from '../support/databases.ts';
import { expectAbsent } from '../support/expectAbsent.ts';
import {
  driveToImport,
  openLinkSession,
  startService,
  type TestApplication,
  type TestService,
} from '../support/testService.ts';

describe.each(oneDatabase)('the sandbox commands on $name', (database) => {
  let service: TestService;
  let settings: Settings;
  let globexId: string;
  let globex: TestApplication;
  let file: string;
  const run = (...args: string[]) =>
    (database.name === 'SQLite' ? runInCliServer : runCli)(settings, ...args);

  beforeAll(async () => {
    service = await startService({ database, systemTime: true });
    settings = cliSettingsOf(service.service.config);
    file = join(service.service.config.dataDir, 'rows.csv');
    const rows = ['login,account,date,transaction,amount,balance,description,reference'];
    rows.push(
      'ada,1,2024-01-01,t1,1.50,1.50,A,r',
      'ada,2,2024-01-02,t2,2,2,B,r',
      'bob,1,2024-01-01,t,3,3,C,r',
    );
    await writeFile(file, `${rows.join('\n')}\n`);
  });
  afterAll(() => service.close());

  const addOrganization = async (name: string): Promise<string> => {
    const { json } = await run('organizations', 'create', '--name', name, '--json');
    return json<{ organizationId: string }>().organizationId;
  };

  const stateAfterSignIn = async (application: TestApplication, username: string, password: string) => {
    const session = await openLinkSession({ url: service.url, application });
    return (await driveToImport(session, { username, password, accounts: [] }).catch(() => session.view))
      .state;
  };

  describe('sandbox link', () => {
    type Linked = { connectionId: string; accounts: { id: string }[]; scopedToken?: string };
    const linkUser = async (user: string, ...more: string[]) =>
      run('sandbox', 'link', '--application', service.application.id, '--user', user, ...more, '--json');

    test('prints the argument of onSuccess, and imports if no worker runs', async () => {
      await service.service.worker!.stop();
      const first = (await linkUser('otp', '--external-user', 'ann')).json<Linked>();
      const client = service.client(first.scopedToken);
      const { data } = await client.GET('/connections');
      expect(data!.connections).toMatchObject([{ id: first.connectionId, status: 'active' }]);
      const second = (await linkUser('good', '--external-user', 'ann')).json<Linked>();
      expect(second.scopedToken).toBeUndefined();
      const params = { path: { accountId: second.accounts[0]!.id }, query: { limit: 1 } };
      const read = await client.GET('/accounts/{accountId}/transactions', { params });
      expect(read.data!.transactions).toHaveLength(1);
      const again = await linkUser('otp', '--external-user', 'ann', '--connection', first.connectionId);
      const { connectionId, accounts } = first;
      expect(again.json<Linked>()).toMatchObject({ connectionId, accounts });
    });

    test('names the built-in users if there is no such user', async () => {
      const { code, err } = await linkUser('god');
      expect(code).toBe(2);
      expect(err).toMatch(
        /^There is no sandbox user "god" with this password\. Built-in users: good, otp, .*, bhd\.\n$/,
      );
    });

    const noConnection = 'This application and user have no connection con_x to reconnect.';
    test.each([
      [['locked'], 'The sandbox user was not linked: locked.'],
      [['good', '--password', 'wrong'], 'The sandbox user was not linked: wrong_credentials.'],
      [['good', '--institution', 'no-bank'], 'There is no sandbox institution no-bank.'],
      [['good', '--connection', 'con_x'], noConnection],
    ])('%j is refused', async ([user, ...more], message) => {
      expect(await linkUser(user!, ...more)).toMatchObject({ code: 1, out: '', err: `${message}\n` });
    });

    test('a Production application is refused', async () => {
      const { id } = await service.addApplication({ environment: 'production' });
      const err = `${id} is not a Sandbox application.\n`;
      expect(await run('sandbox', 'link', '--application', id, '--user', 'good')).toMatchObject({
        code: 1,
        err,
      });
    });
  });

  const changes = (login: string) => [
    ['load', file],
    ['set-password', login, 'lovelace'],
    ['advance', '--days', '1'],
  ];

  test('use the only organization, print their effect, and reach the running service', async () => {
    const [load, setPassword, advance] = changes('ada');
    const loaded = await run('sandbox', ...load!, '--json');
    expect(loaded.json()).toEqual({ rows: 3, logins: 2, accounts: 3 });
    expect((await run('sandbox', ...setPassword!)).out).toBe('Changed the password of ada.\n');
    const { aheadSeconds } = (await run('sandbox', ...advance!, '--json')).json<{ aheadSeconds: number }>();
    expect(aheadSeconds).toBe(86_400);
    const { clock } = service.service;
    const own = { environment: 'sandbox', organizationId: service.organizationId } as const;
    const seenAhead = () => Math.round((clock.now(own).getTime() - clock.real().getTime()) / 1000);
    await expect.poll(seenAhead).toBe(aheadSeconds);
    const { organizationId } = service;
    const events = await service.service.db.read('audit_events').where({ organizationId }).orderBy('id');
    const recorded = events.filter(({ action }) => action.startsWith('sandbox_'));
    expect(recorded).toMatchObject([
      ...['file_loaded', 'password_changed', 'clock_advanced'].map((what) => ({ action: `sandbox_${what}` })),
    ]);
    expectAbsent(JSON.stringify(recorded), ['ada', 'lovelace']);
  });

  test('are refused without --organization if there are two, and name both', async () => {
    globexId = await addOrganization('Globex');
    globex = await service.addApplication({ organizationId: globexId });
    const both = `${service.organizationId} (Tests), ${globexId} (Globex)`;
    const err = `--organization is required because there are several organizations: ${both}.\n`;
    for (const words of changes('good'))
      expect(await run('sandbox', ...words), words[0]).toMatchObject({ code: 1, out: '', err });
  });

  test('change nothing in another organization', async () => {
    expect(await stateAfterSignIn(globex, 'ada', 'lovelace')).toBe('credentials');
    const setPassword = (of: string) => run('sandbox', 'set-password', 'ada', 'other', '--organization', of);
    const err = expect.stringMatching(/has no login "ada": .*\. Built-in users: good, otp, .*, bhd\.\n$/);
    expect(await setPassword('Globex')).toMatchObject({ code: 2, err });
    expect(await run('sandbox', 'load', file, '--organization', 'Globex')).toMatchObject({ code: 0 });
    expect(await setPassword(globexId)).toMatchObject({ code: 0 });
    expect(await stateAfterSignIn(globex, 'ada', 'other')).toBe('accounts');
    expect(await stateAfterSignIn(globex, 'ada', 'lovelace')).toBe('credentials');
    expect(await stateAfterSignIn(service.application, 'ada', 'lovelace')).toBe('accounts');
    expect(await stateAfterSignIn(service.application, 'ada', 'other')).toBe('credentials');
  });

  test('advance the clock of the named organization only', async () => {
    const advance = async (name: string) => {
      const { json } = await run('sandbox', 'advance', '--days', '2', '--organization', name, '--json');
      return json<{ aheadSeconds: number }>().aheadSeconds;
    };
    expect([await advance('Globex'), await advance('Tests')]).toEqual([2 * 86_400, 3 * 86_400]);
  });

  test('need the id of an organization whose name is not unique', async () => {
    const secondId = await addOrganization('Globex');
    const advance = (name: string) => run('sandbox', 'advance', '--days', '1', '--organization', name);
    const all = `${service.organizationId} (Tests), ${globexId} (Globex), ${secondId} (Globex)`;
    const err = `Several organizations match Globex: choose one of ${all}.\n`;
    expect(await advance('Globex')).toMatchObject({ code: 1, err });
    expect(await advance(secondId)).toMatchObject({ code: 0, err: '' });
  });
});
