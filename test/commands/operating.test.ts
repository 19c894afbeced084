// An operator at work beside a running service, on its database: each command in another process than the service's,
// where that matters.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { days } from '../../src/clock.ts';
import {
  makeScriptedConnector,
  northBank,
  scriptedAccount,
  scriptedTransaction,
} from '../support/scriptedConnector.ts';
import { databases } from '../support/databases.ts';
import { link, startService, type TestService } from '../support/testService.ts';
import { findInTables } from '../retention/leftoverRows.ts';
import {
  runCliProcess,
  runInCliServer,
  runCli,
  type CliResult,
  type Settings,
  cliSettingsOf,
} from '../support/cli.ts';

type Shown = {
  state: string;
  attention: string | null;
  accounts: number;
  transactions: number;
  refreshedAt: string;
  revokedAt: string;
  readableUntil: string;
  refresh: { dueAt: string; lastFailure: string | null } | null;
  events: { kind: string; by: string | null; reason: string | null }[];
};
type Listed = { connections: { connectionId: string; state: string }[]; next?: string };
type Status = Record<'scheduled' | 'due', number> &
  Record<'failing' | 'stopped', { total: number; reasons: Record<string, number> }>;
type Refreshed = Record<'failed' | 'stopped', { connectionId: string; reason: string }[]> & {
  refreshed: number;
};

for (const database of databases) {
  describe(`on ${database.name}`, () => {
    const bank = makeScriptedConnector();
    let service: TestService;
    let settings: Settings;
    const child = (...words: string[]): Promise<CliResult> =>
      (database.name === 'SQLite' ? runInCliServer : runCli)(settings, ...words);
    /** As an operator has it, once for each group of commands. */
    const program = (...words: string[]): Promise<CliResult> =>
      (database.name === 'SQLite' ? runCliProcess : runCli)(settings, ...words);
    const answerOf = async <Shape>(words: string[], way: typeof child): Promise<Shape> => {
      const said = await way(...words, '--json');
      if (said.code !== 0) throw new Error(`${words.join(' ')} ends with ${said.code}: ${said.err}`);
      return said.json<Shape>();
    };
    const answer = <Shape = Record<string, unknown>>(...words: string[]) => answerOf<Shape>(words, child);
    const programAnswer = <Shape = Record<string, unknown>>(...words: string[]) =>
      answerOf<Shape>(words, program);
    const show = (id: string) => answer<Shown>('connections', 'show', id);
    const status = () => answer<Status>('refresh', 'status');
    const statusWith = async (apiKey: string): Promise<number> => {
      const client = service.client(undefined, apiKey);
      const path = { connectionId: 'con_0123456789012345678901' };
      return (await client.GET('/connections/{connectionId}', { params: { path } })).response.status;
    };

    beforeAll(async () => {
      service = await startService({ database, systemTime: true, connectors: [bank.module] });
      settings = cliSettingsOf(service.service.config);
    });
    afterAll(() => service.close());

    test('makes a key that ends by itself', async () => {
      const words = ['api-keys', 'create', '--application', service.application.id, '--expires-in-days', '7'];
      const { apiKey, expiresAt } = await programAnswer<Record<string, string>>(...words);
      expect(Math.abs(Date.parse(expiresAt!) - Date.now() - days(7))).toBeLessThan(60_000);
      const claims = JSON.parse(Buffer.from(apiKey!.split('.')[1]!, 'base64url').toString());
      expect(claims.exp).toBe(Math.floor(Date.parse(expiresAt!) / 1000));
    });

    test('finds connections by user and by application, a page at a time', async () => {
      const shop = await service.addApplication();
      const other = await service.addApplication();
      const at = (applicationId: string, externalUserId?: string) =>
        link(service, { applicationId, externalUserId, username: 'usd' }).then(
          (linked) => linked.connectionId,
        );
      const all = [await at(shop.id, 'user-1'), await at(shop.id), await at(shop.id, 'user-1')];
      const elsewhere = await at(other.id, 'user-1');
      const ids = async (...words: string[]): Promise<string[]> =>
        (await answer<Listed>('connections', 'list', ...words)).connections.map((one) => one.connectionId);
      expect(await ids('--application', shop.id, '--external-user', 'user-1')).toEqual([all[0], all[2]]);
      expect(await ids('--external-user', 'user-1')).toEqual([all[0], all[2], elsewhere]);
      const first = await answer<Listed>('connections', 'list', '--application', shop.id, '--limit', '2');
      expect(first).toMatchObject({ connections: [{ connectionId: all[0] }, { connectionId: all[1] }] });
      expect(first.next).toBe(all[1]);
      expect(await ids('--application', shop.id, '--limit', '2', '--after', first.next!)).toEqual([all[2]]);
    });

    test('shows what may be known of a connection, and nothing that the bank said', async () => {
      const { connectionId, scopedToken, accounts } = await link(service, { externalUserId: 'shown' });
      const client = service.client(scopedToken);
      const words = accounts.flatMap(({ name, lastFour }) => [name, lastFour]);
      let transactions = 0;
      for (const { id } of accounts) {
        const path = { accountId: id };
        const { data } = await client.GET('/accounts/{accountId}/transactions', { params: { path } });
        transactions += data!.transactions.length;
        words.push(
          ...data!.transactions.slice(0, 50).flatMap((one) => [one.description, one.reference, one.id]),
        );
      }
      const json = await child('connections', 'show', connectionId, '--json');
      expect(json.json()).toMatchObject({
        ...{ connectionId, state: 'active', attention: null, accounts: accounts.length, transactions },
        institution: { id: 'sandbox-bank', name: 'Sandbox Bank' },
        application: { id: service.application.id, environment: 'sandbox' },
        user: { externalUserId: 'shown' },
        revokedAt: null,
      });
      const text = await program('connections', 'show', connectionId);
      expect(text.out).toMatch(/^Connection +con_\w+\nState +active\n/);
      const said = json.out + text.out + json.err + text.err;
      expect(words.filter((word) => word.length > 3 && said.includes(word))).toEqual([]);
    });

    test('revokes a connection, whose data stays readable for thirty days', async () => {
      const { connectionId, scopedToken } = await link(service, { username: 'usd' });
      const { revokedAt } = await answer<{ revokedAt: string }>('connections', 'revoke', connectionId);
      const { data } = await service.client(scopedToken).GET('/connections');
      expect(data?.connections).toEqual([expect.objectContaining({ id: connectionId, revokedAt })]);
      const shown = await show(connectionId);
      expect(shown).toMatchObject({ state: 'revoked', revokedAt, refresh: null });
      expect(Date.parse(shown.readableUntil) - Date.parse(revokedAt)).toBe(days(30));
      expect(shown.events[0]).toMatchObject({ kind: 'revoked', actor: 'operator' });
      expect(await answer('connections', 'revoke', connectionId)).toEqual({ connectionId, revokedAt });
      const again = await child('refresh', 'run', '--connection', connectionId);
      expect(again).toMatchObject({ code: 1, out: '' });
      expect(again.err).toBe(`${connectionId} is revoked, so it is not refreshed.\n`);
    });

    describe('with nobody else at work', () => {
      let good: string;
      let expiring: string;
      let away: string;
      beforeAll(async () => {
        bank.setAccounts('ada', [scriptedAccount({ transactions: [scriptedTransaction()] })]);
        const { id: applicationId } = await service.addApplication({ environment: 'production' });
        good = (await link(service, { username: 'usd' })).connectionId;
        expiring = (await link(service, { username: 'expires' })).connectionId;
        away = (await link(service, { username: 'ada', institutionId: northBank, applicationId }))
          .connectionId;
        await service.service.worker!.stop();
      });

      test('refreshes one connection now', async () => {
        const before = await show(good);
        expect(before.events[0]).toMatchObject({ kind: 'linked' });
        expect(await programAnswer('refresh', 'run', '--connection', good)).toEqual({
          ...{ refreshed: 1, elsewhere: 0, failed: [], stopped: [] },
        });
        const after = await show(good);
        expect(after.events.slice(0, 2)).toMatchObject([
          { kind: 'refreshed' },
          { kind: 'refresh_requested', actor: 'operator' },
        ]);
        expect(after.refreshedAt > before.refreshedAt).toBe(true);
      });

      test('says which refreshes fail and which are stopped, and why', async () => {
        const ran = await child('refresh', 'run', '--connection', expiring, '--json');
        expect(ran.code).toBe(1);
        const stopped = { connectionId: expiring, reason: 'wrong_credentials' };
        expect(ran.json()).toEqual({ refreshed: 0, elsewhere: 0, failed: [], stopped: [stopped] });
        expect(await show(expiring)).toMatchObject({ state: 'needs_reconnect', refresh: null });
        const again = await child('refresh', 'run', '--connection', expiring);
        const sentence = `${expiring} waits for its user to reconnect (wrong_credentials), so it is not refreshed.\n`;
        expect(again).toMatchObject({ code: 1, out: '', err: sentence });

        // This process has no connector for that bank, as if the setting CONNECTORS were wrong.
        const failing = await child('refresh', 'run', '--connection', away);
        expect(failing.code).toBe(1);
        expect(failing.out).toBe(
          `0 connections refreshed, 1 failed, 0 stopped.\n  ${away} failed: institution_down; it is tried again\n`,
        );
        expect(await show(away)).toMatchObject({
          state: 'active',
          refresh: { lastFailure: 'institution_down' },
        });
        const counted = await status();
        expect(counted.failing).toEqual({ total: 1, reasons: { institution_down: 1 } });
        expect(counted.stopped.reasons).toEqual({ wrong_credentials: 1 });
      });

      test('refreshes everything that is on the schedule, and counts what is due', async () => {
        const before = await status();
        const ran = await child('refresh', 'run', '--json');
        const { refreshed, failed } = ran.json<Refreshed>();
        expect(failed).toEqual([{ connectionId: away, reason: 'institution_down' }]);
        expect(refreshed + failed.length).toBe(before.scheduled);
        expect(await status()).toMatchObject({ scheduled: before.scheduled, due: 0 });
        await answer('sandbox', 'advance', '--hours', '7');
        const { out } = await child('refresh', 'status');
        expect(out).toMatch(/^Scheduled +\d+\nDue +[1-9]\d*, the longest for \d+ seconds\nRunning +0\n/);
      });

      test('sweeps what is over by the sandbox’s clock', async () => {
        await answer('connections', 'revoke', good);
        await answer('sandbox', 'advance', '--days', '31');
        // The service has seen the clock move, and sweeps at the same time.
        expect(Object.keys(await programAnswer('retention', 'sweep'))).toContain('transactions');
        expect(await findInTables(service.service, [good])).toEqual([]);
        const { code, err } = await child('connections', 'show', good);
        expect({ code, err }).toEqual({ code: 1, err: `There is no connection ${good}.\n` });
      });
    });

    test('loads logins, changes a password, and says how far the sandbox is ahead', async () => {
      const file = join(service.service.config.dataDir, 'some.csv');
      const rows = ['login,account,date,transaction,amount,balance,description,reference'];
      rows.push(
        'ada,1,2024-01-01,t1,1.50,1.50,A,r',
        'ada,2,2024-01-02,t2,2,2,B,r',
        'bob,1,2024-01-01,t,3,3,C,r',
      );
      await writeFile(file, `${rows.join('\n')}\n`);
      expect(await programAnswer('sandbox', 'load', file)).toEqual({ rows: 3, logins: 2, accounts: 3 });
      expect((await child('sandbox', 'set-password', 'ada', 'lovelace')).out).toBe(
        'The password of ada is changed.\n',
      );
      const { now, aheadSeconds } = await answer<{ now: string; aheadSeconds: number }>(
        ...['sandbox', 'advance', '--days', '2', '--hours', '3'],
      );
      expect(Math.abs(Date.parse(now) - Date.now() - aheadSeconds * 1000)).toBeLessThan(60_000);
      const { clock } = service.service;
      const sees = (): number => Math.round((clock.now('sandbox').getTime() - Date.now()) / 1000);
      await expect.poll(sees, { timeout: 2000 }).toBe(aheadSeconds);
    });

    test('makes an organization, an application of it and a key that works until it is revoked', async () => {
      const { organizationId } = await programAnswer<{ organizationId: string }>(
        ...['organizations', 'create', '--name', 'Acme'],
      );
      const { organizations } = await answer<{ organizations: object[] }>('organizations', 'list');
      expect(organizations).toContainEqual(expect.objectContaining({ organizationId, name: 'Acme' }));
      const words = ['applications', 'create', '--name', 'Shop', '--environment', 'sandbox'];
      const origins = ['--origin', 'https://a.example', '--origin', 'https://b.example/'];
      const unclear = await child(...words, ...origins);
      expect(unclear).toMatchObject({ code: 1, out: '' });
      expect(unclear.err).toContain(`Say which organization with --organization: `);
      const made = await answer<{ applicationId: string }>(
        ...[...words, ...origins, '--organization', organizationId],
      );
      expect(made).toMatchObject({
        organizationId,
        environment: 'sandbox',
        origins: ['https://a.example', 'https://b.example'],
      });
      const { applications } = await answer<{ applications: object[] }>('applications', 'list');
      expect(applications).toContainEqual(made);

      const { applicationId } = made;
      const { keyId, apiKey } = await answer<Record<string, string>>(
        ...['api-keys', 'create', '--application', applicationId, '--name', 'Backend'],
      );
      expect(await statusWith(apiKey!)).toBe(404);
      const list = () => answer<{ keys: object[] }>('api-keys', 'list', '--application', applicationId);
      expect((await list()).keys).toEqual([
        expect.objectContaining({ keyId, state: 'active', name: 'Backend' }),
      ]);
      expect(await answer('api-keys', 'revoke', keyId!)).toEqual({ keyId });
      expect(await statusWith(apiKey!)).toBe(401);
      expect((await list()).keys).toEqual([expect.objectContaining({ keyId, state: 'revoked' })]);
    });
  });
}
