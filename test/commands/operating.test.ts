// The operator's commands on the database of a running service; on SQLite in their own process.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { days, seconds } from '../../src/platform/values/clock.ts';
import { findInTables } from '../retention/leftoverRows.ts';
import {
  type CliResult,
  cliSettingsOf,
  runCli,
  runCliProcess,
  runInCliServer,
  type Settings,
} from '../support/cli.ts';
import { type DatabaseKind, databases, oneDatabase } from '../support/databases.ts';
import {
  makeScriptedConnector,
  northBank,
  scriptedAccount,
  scriptedTransaction,
} from '../support/scriptedConnector.ts';
import { link, startService, type TestService } from '../support/testService.ts';

type ConnectionDetails = {
  state: string;
  reconnectReason: string | null;
  accounts: number;
  transactions: number;
  refreshedAt: string;
  revokedAt: string;
  readableUntil: string;
  refresh: { dueAt: string; lastFailure: string | null } | null;
  events: { kind: string; actor: string | null; reason: string | null }[];
};
type ConnectionList = { connections: { connectionId: string; state: string }[]; next?: string };
type Status = Record<'scheduled' | 'due', number> &
  Record<'failing' | 'needsReconnect', { total: number; reasons: Record<string, number> }>;
type RefreshResult = Record<'failed' | 'needsReconnect', { connectionId: string; reason: string }[]> & {
  refreshed: number;
};

const scripted = makeScriptedConnector();
let service: TestService;
let settings: Settings;
const isOnSqlite = (): boolean => settings.DATABASE_URL!.startsWith('sqlite:');
const run = (...args: string[]): Promise<CliResult> =>
  (isOnSqlite() ? runInCliServer : runCli)(settings, ...args);
/** Runs a command in its own process, as for an operator. This is slow, so only once for each group of commands. */
const runProcess = (...args: string[]): Promise<CliResult> =>
  (isOnSqlite() ? runCliProcess : runCli)(settings, ...args);
const jsonOf = async <Shape>(args: string[], runWith: typeof run): Promise<Shape> => {
  const result = await runWith(...args, '--json');
  if (result.code !== 0) throw new Error(`${args.join(' ')} exits with ${result.code}: ${result.err}`);
  return result.json<Shape>();
};
const runJson = <Shape = Record<string, unknown>>(...args: string[]) => jsonOf<Shape>(args, run);
const runProcessJson = <Shape = Record<string, unknown>>(...args: string[]) =>
  jsonOf<Shape>(args, runProcess);
const listConnections = async (...args: string[]) => {
  const { connections, next } = await runJson<ConnectionList>('connections', 'list', ...args);
  return { ids: connections.map(({ connectionId }) => connectionId), next };
};
const show = (id: string) => runJson<ConnectionDetails>('connections', 'show', id);
const status = () => runJson<Status>('refresh', 'status');
const statusWith = async (apiKey: string): Promise<number> => {
  const client = service.client(undefined, apiKey);
  const path = { connectionId: 'con_0123456789012345678901' };
  return (await client.GET('/connections/{connectionId}', { params: { path } })).response.status;
};

const startOn = (database: DatabaseKind): void => {
  beforeAll(async () => {
    service = await startService({ database, systemTime: true, connectors: [scripted.module] });
    settings = cliSettingsOf(service.service.config);
  });
  afterAll(() => service.close());
};

describe.each(oneDatabase)('on $name', (database) => {
  startOn(database);

  test('creates a key that expires', async () => {
    const args = ['api-keys', 'create', '--application', service.application.id, '--expires-in-days', '7'];
    const { apiKey, expiresAt } = await runProcessJson<Record<string, string>>(...args);
    const { iat, exp } = JSON.parse(Buffer.from(apiKey!.split('.')[1]!, 'base64url').toString());
    expect(seconds(exp - iat)).toBe(days(7));
    expect(exp).toBe(Math.floor(Date.parse(expiresAt!) / 1000));
  });

  test('lists connections by end user and by application, in pages', async () => {
    const shop = await service.addApplication();
    const other = await service.addApplication();
    const linkAt = async (applicationId: string, externalUserId?: string) =>
      (await link(service, { applicationId, externalUserId, username: 'usd' })).connectionId;
    const all = [await linkAt(shop.id, 'user-1'), await linkAt(shop.id), await linkAt(shop.id, 'user-1')];
    const ofOther = await linkAt(other.id, 'user-1');
    const ids = async (...args: string[]) => (await listConnections(...args)).ids;
    expect(await ids('--application', shop.id, '--external-user', 'user-1')).toEqual([all[0], all[2]]);
    expect(await ids('--external-user', 'user-1')).toEqual([all[0], all[2], ofOther]);
    const ofShop = ['--application', shop.id, '--limit', '2'];
    expect(await listConnections(...ofShop)).toEqual({ ids: all.slice(0, 2), next: all[1] });
    expect(await ids(...ofShop, '--after', all[1]!)).toEqual([all[2]]);
  });

  test('lists pages that skip connections whose retention period has passed', async () => {
    const { id: applicationId } = await service.addApplication();
    const linked = [];
    for (const username of ['usd', 'usd', 'usd'])
      linked.push(await link(service, { applicationId, username }));
    const [first, past, last] = linked.map(({ connectionId }) => connectionId);
    const { write } = service.service.db;
    await write('connections').where({ id: past }).update({ revokedAt: '2020-01-01T00:00:00.000Z' });
    await write('jobs').where({ connectionId: past }).delete();
    const ofOne = ['--application', applicationId, '--limit', '1'];
    expect(await listConnections(...ofOne)).toEqual({ ids: [first], next: first });
    expect(await listConnections(...ofOne, '--after', first!)).toEqual({ ids: [last], next: undefined });
  });

  test('shows the state of a connection and no data of the institution', async () => {
    const { connectionId, scopedToken, accounts } = await link(service, { externalUserId: 'user-2' });
    const client = service.client(scopedToken);
    const bankData = accounts.flatMap(({ name, lastFour }) => [name, lastFour]);
    let transactions = 0;
    for (const { id } of accounts) {
      const params = { path: { accountId: id } };
      const listed = (await client.GET('/accounts/{accountId}/transactions', { params })).data!.transactions;
      transactions += listed.length;
      bankData.push(...listed.slice(0, 50).flatMap((one) => [one.description, one.reference, one.id]));
    }
    const json = await run('connections', 'show', connectionId, '--json');
    expect(json.json()).toMatchObject({
      ...{ connectionId, state: 'active', reconnectReason: null, accounts: accounts.length, transactions },
      duplicateOf: null,
      institution: { id: 'sandbox-bank', name: 'Sandbox Bank' },
      application: { id: service.application.id, environment: 'sandbox' },
      user: { externalUserId: 'user-2' },
      revokedAt: null,
    });
    const text = await runProcess('connections', 'show', connectionId);
    expect(text.out).toMatch(/^Connection +con_\w+\nState +active\n/);
    const output = json.out + text.out + json.err + text.err;
    expect(bankData.filter((word) => word.length > 3 && output.includes(word))).toEqual([]);
  });

  test('revokes a connection, whose data stays readable for thirty days', async () => {
    const { connectionId, scopedToken } = await link(service, { username: 'usd' });
    const { revokedAt } = await runJson<{ revokedAt: string }>('connections', 'revoke', connectionId);
    const { data } = await service.client(scopedToken).GET('/connections');
    expect(data?.connections).toEqual([expect.objectContaining({ id: connectionId, revokedAt })]);
    const details = await show(connectionId);
    expect(details).toMatchObject({ state: 'revoked', revokedAt, refresh: null });
    expect(Date.parse(details.readableUntil) - Date.parse(revokedAt)).toBe(days(30));
    expect(details.events[0]).toMatchObject({ kind: 'revoked', actor: 'operator' });
    expect(await runJson('connections', 'revoke', connectionId)).toEqual({ connectionId, revokedAt });
    const err = `${connectionId} is revoked, so it is not refreshed.\n`;
    expect(await run('refresh', 'run', '--connection', connectionId)).toMatchObject({
      code: 1,
      out: '',
      err,
    });
    const recorded = await service.service.db.read('audit_events').where({ action: 'connection_revoked' });
    expect(recorded).toMatchObject([{ memberId: null, subject: `con_…${connectionId.slice(-6)}` }]);
  });

  describe('without a running worker', () => {
    let good: string;
    let expiring: string;
    let unreachable: string;
    beforeAll(async () => {
      scripted.setAccounts('ada', [scriptedAccount({ transactions: [scriptedTransaction()] })]);
      const { id: applicationId } = await service.addApplication({ environment: 'production' });
      good = (await link(service, { username: 'usd' })).connectionId;
      expiring = (await link(service, { username: 'expires' })).connectionId;
      unreachable = (await link(service, { username: 'ada', institutionId: northBank, applicationId }))
        .connectionId;
      await service.service.worker!.stop();
    });

    test('refreshes one connection now', async () => {
      const before = await show(good);
      expect(before.events[0]).toMatchObject({ kind: 'linked' });
      expect(await runProcessJson('refresh', 'run', '--connection', good)).toEqual({
        ...{ refreshed: 1, byOtherProcesses: 0, failed: [], needsReconnect: [] },
      });
      const after = await show(good);
      expect(after.events.slice(0, 2)).toMatchObject([
        { kind: 'refreshed' },
        { kind: 'refresh_requested', actor: 'operator' },
      ]);
      const recorded = service.service.db
        .read('audit_events')
        .where({ action: 'connection_refresh_requested' });
      expect(await recorded).toMatchObject([{ memberId: null, subject: `con_…${good.slice(-6)}` }]);
      expect(after.refreshedAt > before.refreshedAt).toBe(true);
    });

    test('reports failed refreshes and needed reconnects with reasons', async () => {
      const result = await run('refresh', 'run', '--connection', expiring, '--json');
      expect(result.code).toBe(1);
      const refused = { connectionId: expiring, reason: 'wrong_credentials' };
      expect(result.json()).toEqual({
        ...{ refreshed: 0, byOtherProcesses: 0, failed: [], needsReconnect: [refused] },
      });
      expect(await show(expiring)).toMatchObject({ state: 'needs_reconnect', refresh: null });
      const again = await run('refresh', 'run', '--connection', expiring);
      const sentence = `${expiring} needs a reconnect (wrong_credentials), so it is not refreshed.\n`;
      expect(again).toMatchObject({ code: 1, out: '', err: sentence });

      // This process has no connector for that institution, as if the setting CONNECTORS were wrong.
      const failing = await run('refresh', 'run', '--connection', unreachable);
      const counted = '0 connections refreshed, 1 failed, 0 need a reconnect.';
      const out = `${counted}\n  ${unreachable} failed: institution_down; will be retried\n`;
      expect(failing).toMatchObject({ code: 1, out });
      const retried = { state: 'active', refresh: { lastFailure: 'institution_down' } };
      expect(await show(unreachable)).toMatchObject(retried);
      const counts = await status();
      expect(counts.failing).toEqual({ total: 1, reasons: { institution_down: 1 } });
      expect(counts.needsReconnect.reasons).toEqual({ wrong_credentials: 1 });
    });

    test('refreshes all scheduled connections and counts due ones', async () => {
      const before = await status();
      const result = await run('refresh', 'run', '--json');
      const { refreshed, failed } = result.json<RefreshResult>();
      expect(failed).toEqual([{ connectionId: unreachable, reason: 'institution_down' }]);
      expect(refreshed + failed.length).toBe(before.scheduled);
      expect(await status()).toMatchObject({ scheduled: before.scheduled, due: 0 });
      await runJson('sandbox', 'advance', '--hours', '7');
      const { out } = await run('refresh', 'status');
      expect(out).toMatch(
        /^Workers +\d+\nScheduled +\d+\nDue +[1-9]\d*, the longest for \d+ seconds\nRunning +0\n/,
      );
    });
  });

  test('creates an organization, its application and a key that is valid until it is revoked, each recorded once', async () => {
    const { organizationId } = await runProcessJson<{ organizationId: string }>(
      ...['organizations', 'create', '--name', 'Acme'],
    );
    const { organizations } = await runJson<{ organizations: object[] }>('organizations', 'list');
    expect(organizations).toContainEqual(expect.objectContaining({ organizationId, name: 'Acme' }));
    const args = ['applications', 'create', '--name', 'Shop', '--environment', 'sandbox'];
    const origins = ['--origin', 'https://a.example', '--origin', 'https://b.example/'];
    const ambiguous = await run(...args, ...origins);
    expect(ambiguous).toMatchObject({ code: 1, out: '' });
    expect(ambiguous.err).toContain(`--organization is required because there are several organizations: `);
    const ofAcme = [...args, ...origins, '--organization', organizationId];
    const created = await runJson<{ applicationId: string }>(...ofAcme);
    const normalized = ['https://a.example', 'https://b.example'];
    expect(created).toMatchObject({ organizationId, environment: 'sandbox', origins: normalized });
    const { applications } = await runJson<{ applications: object[] }>('applications', 'list');
    expect(applications).toContainEqual(created);

    const { applicationId } = created;
    const { keyId, apiKey } = await runJson<Record<string, string>>(
      ...['api-keys', 'create', '--application', applicationId, '--name', 'Backend'],
    );
    expect(await statusWith(apiKey!)).toBe(404);
    const list = () => runJson<{ keys: object[] }>('api-keys', 'list', '--application', applicationId);
    expect((await list()).keys).toMatchObject([{ keyId, state: 'active', name: 'Backend' }]);
    expect(await runJson('api-keys', 'revoke', keyId!)).toEqual({ keyId });
    expect(await statusWith(apiKey!)).toBe(401);
    expect((await list()).keys).toMatchObject([{ keyId, state: 'revoked' }]);
    await runJson('api-keys', 'revoke', keyId!);
    const events = await service.service.db.read('audit_events').where({ organizationId }).orderBy('id');
    const byOperator = { memberId: null, email: null, address: null };
    expect(events).toMatchObject([
      ...[{ action: 'organization_created' }, { action: 'application_created' }],
      ...[{ action: 'api_key_created' }, { action: 'api_key_revoked' }],
    ]);
    for (const event of events) expect(event).toMatchObject(byOperator);
    expect(JSON.stringify(events)).not.toContain(apiKey);
  });
});

describe.each(databases)('on $name', (database) => {
  startOn(database);

  describe('without a running worker', () => {
    test('sweeps data that has expired by the sandbox clock', async () => {
      const { connectionId } = await link(service, { username: 'usd' });
      await service.service.worker!.stop();
      await runJson('connections', 'revoke', connectionId);
      await runJson('sandbox', 'advance', '--days', '31');
      // The service has noticed the change of the clock, and is sweeping at the same time.
      expect(Object.keys(await runProcessJson('retention', 'sweep'))).toContain('transactions');
      expect(await findInTables(service.service, [connectionId])).toEqual([]);
      const { code, err } = await run('connections', 'show', connectionId);
      expect({ code, err }).toEqual({ code: 1, err: `There is no connection ${connectionId}.\n` });
    });
  });
});
