// The audit log names what the operator changes at the command line, as it does for members.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CliResult, cliSettingsOf, runCli, type Settings } from '../support/cli.ts';
import { oneDatabase } from '../support/databases.ts';
import { expectAbsent } from '../support/expectAbsent.ts';
import { link, startService, type TestService } from '../support/testService.ts';

describe.each(oneDatabase)('the command line on $name', (database) => {
  let service: TestService;
  let settings: Settings;

  beforeAll(async () => {
    service = await startService({ database, systemTime: true });
    settings = cliSettingsOf(service.service.config);
  });
  afterAll(() => service?.close());

  const run = async (...args: string[]): Promise<Record<string, string>> => {
    const result: CliResult = await runCli(settings, ...args, '--json');
    expect({ args, code: result.code, err: result.err }).toMatchObject({ args, code: 0 });
    return result.json();
  };

  test('records each change once, as the operator, with no secret in it', async () => {
    const { organizationId } = await run('organizations', 'create', '--name', 'Acme');
    const { applicationId } = await run(
      ...['applications', 'create', '--name', 'Shop', '--environment', 'sandbox'],
      ...['--origin', 'https://shop.example', '--organization', organizationId!],
    );
    const { keyId, apiKey } = await run('api-keys', 'create', '--application', applicationId!);
    await run('api-keys', 'revoke', keyId!);
    await run('api-keys', 'revoke', keyId!);
    const { connectionId } = await link(service, { username: 'good', applicationId });
    await run('refresh', 'run', '--connection', connectionId);
    await run('connections', 'revoke', connectionId);
    const ofAcme = ['--organization', 'Acme'];
    await run('sandbox', 'advance', '--hours', '1', ...ofAcme);
    await run('sandbox', 'set-password', 'good', 'another', ...ofAcme);
    const file = join(service.service.config.dataDir, 'rows.csv');
    await writeFile(
      file,
      'login,account,date,transaction,amount,balance,description,reference\nada,1,2024-01-01,t1,1,1,A,B\n',
    );
    await run('sandbox', 'load', file, ...ofAcme);

    const events = await service.service.db.read('audit_events').where({ organizationId }).orderBy('id');
    expect(events.map(({ action }: { action: string }) => action)).toEqual([
      ...['organization_created', 'application_created', 'api_key_created', 'api_key_revoked'],
      ...['connection_refresh_requested', 'connection_revoked'],
      ...['sandbox_clock_advanced', 'sandbox_password_changed', 'sandbox_file_loaded'],
    ]);
    const others = await service.service.db.read('audit_events').whereNot({ organizationId });
    expect(others.filter(({ action }) => action.startsWith('sandbox_'))).toEqual([]);
    for (const event of events) expect(event).toMatchObject({ memberId: null, email: null, address: null });
    expectAbsent(JSON.stringify(events), [apiKey!, connectionId, 'another', 'ada']);
  });
});
