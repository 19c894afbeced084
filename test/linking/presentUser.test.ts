// A bank receives the end user's address and browser only while they are present.
import { describe, expect, test } from 'vitest';
import type { CallContext, Connector } from '../../connectors/kit/contract.ts';
import { seconds } from '../../src/platform/values/clock.ts';
import { oneDatabase } from '../support/databases.ts';
import { makeScriptedConnector, northBank, scriptedAccount } from '../support/scriptedConnector.ts';
import { driveToImport, link, openLinkSession, startService } from '../support/testService.ts';

describe.each(oneDatabase)('the end user on $name', (database) => {
  test('is described in every call of a link or reconnect, but in no call of a refresh', async () => {
    const scripted = makeScriptedConnector();
    const { institutions, connector } = scripted.module;
    const calls: [string, CallContext['user']][] = [];
    const note = (name: string, { user }: CallContext) => calls.push([name, user]);
    const noting: Connector = {
      ...connector,
      signIn: (request, context) => {
        note('signIn', context);
        return connector.signIn(request, context);
      },
      accounts: (access, context) => {
        note('accounts', context);
        return connector.accounts(access, context);
      },
      read: (access, request, context) => {
        note('read', context);
        return connector.read(access, request, context);
      },
    };
    const service = await startService({
      ...{ database, connectors: [{ institutions, connector: noting }], limits: { workerPollMs: 20 } },
    });
    try {
      const { id: applicationId } = await service.addApplication({ environment: 'production' });
      scripted.setAccounts('ada', [scriptedAccount()]);
      const options = { username: 'ada', institutionId: northBank, applicationId, userAgent: 'Browser/1.0' };
      const { connectionId } = await link(service, { ...options, externalUserId: 'user-1' });
      const user = { ip: '127.0.0.1', userAgent: 'Browser/1.0', language: 'en' };
      const described = {
        ...user,
        acceptLanguage: expect.any(String),
        reference: expect.stringMatching(/^[\w-]{22,}$/),
      };
      const attended = ['signIn', 'accounts', 'read'].map((name) => [name, described]);
      expect(calls).toEqual(attended);
      const references = new Set(calls.map(([, one]) => one!.reference));
      expect(references.size).toBe(1);

      calls.length = 0;
      service.advance(seconds(7 * 3600));
      await expect.poll(() => calls.map(([name]) => name), { timeout: 30_000 }).toEqual(['signIn', 'read']);
      expect(calls.map(([, one]) => one)).toEqual([undefined, undefined]);

      calls.length = 0;
      const session = await openLinkSession(service, {
        applicationId,
        connectionId,
        userAgent: 'Browser/1.0',
      });
      await driveToImport(session, options);
      await session.waitForImport();
      expect(calls).toEqual(attended);
      for (const [, one] of calls) references.add(one!.reference);
      expect(references.size).toBe(1);

      calls.length = 0;
      await link(service, { ...options, externalUserId: 'user-2' });
      for (const [, one] of calls) references.add(one!.reference);
      expect(references.size).toBe(2);
      expect([...references].join()).not.toContain('user-');
    } finally {
      await service.close();
    }
  });
});
