// A bank that requires the end user to act elsewhere, such as on an aggregator's site: the connection reports it, the
// service retries daily, and the connection is restored without a reconnect.
import { describe, expect, test } from 'vitest';
import { seconds } from '../../src/platform/values/clock.ts';
import { BankRefused } from '../../src/platform/values/errors.ts';
import { createMember } from '../http/dashboard/users.ts';
import { oneDatabase } from '../support/databases.ts';
import { makeScriptedConnector, northBank, scriptedAccount } from '../support/scriptedConnector.ts';
import { link } from '../support/testService.ts';
import { createEndpoint, startWebhookService } from '../webhooks/fixture.ts';

const hours = (count: number): number => seconds(count * 3600);

for (const database of oneDatabase) {
  describe(`a refusal at a refresh on ${database.name}`, () => {
    const linkAtNorthBank = async () => {
      const scripted = makeScriptedConnector();
      const service = await startWebhookService({
        ...{ database, connectors: [scripted.module], limits: { workerPollMs: 20 } },
      });
      const application = await service.addApplication({ environment: 'production' });
      scripted.setAccounts('ada', [scriptedAccount()]);
      const { connectionId, scopedToken } = await link(service, {
        ...{ username: 'ada', institutionId: northBank, applicationId: application.id },
      });
      const statusOf = async () => {
        const { data } = await service
          .client(scopedToken, application.apiKey)
          .GET('/connections/{connectionId}', { params: { path: { connectionId } } });
        return data!.connection.status;
      };
      const { read } = service.service.db;
      return {
        ...{ service, application, connectionId, statusOf },
        refuse: (repairedElsewhere: boolean) =>
          scripted.fail('ada', 'signIn', new BankRefused('user_action_required', { repairedElsewhere })),
        waitForStatus: (status: string) => expect.poll(statusOf).toBe(status),
        /** The outcomes of the refreshes: null, or the reason for a refusal. */
        outcomes: async () => {
          const events = await read('connection_events').where({ connectionId }).orderBy('id');
          return events.slice(1).map(({ reason }) => reason);
        },
        jobOf: () => read('jobs').where({ connectionId }).first('dueAt'),
      };
    };

    test('that is repaired elsewhere is retried daily, reported once, and ends on its own', async () => {
      const { service, application, connectionId, refuse, ...linked } = await linkAtNorthBank();
      // Nothing listens there: only the queued events matter.
      await createEndpoint(service, 'https://127.0.0.1:9/', application.id);
      refuse(true);
      service.advance(hours(7));
      await linked.waitForStatus('needs_reconnect');
      const { dueAt } = (await linked.jobOf())!;
      const pauseHours = (Date.parse(dueAt) - service.service.clock.real().getTime()) / hours(1);
      expect(pauseHours).toBeGreaterThan(21);
      expect(pauseHours).toBeLessThan(27);

      refuse(true);
      service.advance(hours(27));
      await expect.poll(async () => (await linked.outcomes()).length).toBe(2);
      expect(await linked.statusOf()).toBe('needs_reconnect');

      service.advance(hours(27));
      await linked.waitForStatus('active');
      const told = await service.service.db.read('webhook_deliveries').where({ connectionId });
      expect(told.map(({ type }) => type).toSorted()).toEqual([
        ...['connection.needs_reconnect', 'connection.restored'],
      ]);
      expect(await linked.outcomes()).toEqual(['user_action_required', 'user_action_required', null]);
    });

    test('that is repaired elsewhere is retried at once if a member requests it', async () => {
      const { service, application, connectionId, refuse, waitForStatus } = await linkAtNorthBank();
      refuse(true);
      service.advance(hours(7));
      await waitForStatus('needs_reconnect');
      const operation = '/management/applications/{applicationId}/connections/{connectionId}/refresh';
      const params = { path: { applicationId: application.id, connectionId } };
      const { client } = await createMember(service, { role: 'developer', email: 'dev@example.com' });
      const { response } = await client.POST(operation, { params });
      expect(response.status).toBe(204);
      await waitForStatus('active');
    });

    test('of another kind stops refreshes until the user reconnects', async () => {
      const { service, refuse, waitForStatus, jobOf } = await linkAtNorthBank();
      refuse(false);
      service.advance(hours(7));
      await waitForStatus('needs_reconnect');
      expect(await jobOf()).toBeUndefined();
    });
  });
}
