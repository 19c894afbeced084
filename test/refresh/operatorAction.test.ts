// A bank that refuses the service itself, such as its registration, for all end users: only the operator can fix it.
import { describe, expect, onTestFinished, test } from 'vitest';
import { seconds } from '../../src/platform/values/clock.ts';
import { BankUnreachable } from '../../src/platform/values/errors.ts';
import { cliSettingsOf, runCli } from '../support/cli.ts';
import { oneDatabase } from '../support/databases.ts';
import { makeScriptedConnector, northBank, scriptedAccount } from '../support/scriptedConnector.ts';
import { driveToEnd, link, openLinkSession, startService } from '../support/testService.ts';

const wait = { timeout: 30_000 };

for (const database of oneDatabase) {
  describe(`a bank that refuses the service on ${database.name}`, () => {
    const startAtNorthBank = async () => {
      const scripted = makeScriptedConnector();
      const service = await startService({
        ...{ database, connectors: [scripted.module], limits: { workerPollMs: 20 } },
      });
      onTestFinished(() => service.close());
      const { id: applicationId } = await service.addApplication({ environment: 'production' });
      scripted.setAccounts('ada', [scriptedAccount()]);
      const refuse = () => scripted.fail('ada', 'signIn', new BankUnreachable('operator_action_required'));
      const values = { username: 'ada', institutionId: northBank };
      const run = (...args: string[]) => runCli(cliSettingsOf(service.service.config), ...args);
      return { service, applicationId, refuse, values, run };
    };

    test('is retried after growing pauses, and refresh status tells the operator what to do', async () => {
      const { service, applicationId, refuse, values, run } = await startAtNorthBank();
      const { connectionId } = await link(service, { ...values, applicationId });
      const { clock, db } = service.service;
      const status = async () => (await run('refresh', 'status', '--json')).json();
      expect(await status()).toMatchObject({ operatorActionRequired: 0 });
      const { out: before } = await run('refresh', 'status');
      expect(before).not.toContain('registration');
      const pauses: number[] = [];
      for (const attempts of [1, 2]) {
        refuse();
        service.advance(seconds(7 * 3600));
        const job = () => db.read('jobs').where({ connectionId }).first('attempts', 'dueAt', 'lastFailure');
        await expect.poll(job, wait).toMatchObject({ attempts, lastFailure: 'operator_action_required' });
        pauses.push(Date.parse((await job())!.dueAt) - clock.real().getTime());
      }
      expect(pauses[1]).toBeGreaterThan(pauses[0]!);
      expect(await status()).toMatchObject({
        failing: { total: 1, reasons: { operator_action_required: 1 } },
        ...{ operatorActionRequired: 1, needsReconnect: { total: 0 } },
      });
      const { out } = await run('refresh', 'status');
      expect(out).toMatch(
        /^Operator action +1 connection cannot be refreshed because a bank rejects this service's registration \(operator_action_required\): check the connector/m,
      );
    });

    test('looks like an unavailable bank to an end user who links', async () => {
      const { service, applicationId, refuse, values } = await startAtNorthBank();
      refuse();
      const session = await openLinkSession(service, { applicationId });
      const failed = { state: 'failed', reason: 'institution_down' };
      expect(await driveToEnd(session, values)).toMatchObject(failed);
    });
  });
}
