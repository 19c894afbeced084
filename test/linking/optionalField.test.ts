// A field of the sign-in that may be left empty.
import { expect, onTestFinished, test } from 'vitest';
import type { Connector, Credentials } from '../../connectors/kit/contract.ts';
import { makeScriptedConnector, northBank, scriptedAccount } from '../support/scriptedConnector.ts';
import { openLinkSession, startService } from '../support/testService.ts';

test('is omitted from the credentials if it is empty, and no other field may be empty', async () => {
  const scripted = makeScriptedConnector();
  const { institutions, connector } = scripted.module;
  const [north] = institutions;
  const received: Credentials[] = [];
  const noting: Connector = {
    ...connector,
    signIn: (request, context) => {
      received.push(request.credentials);
      return connector.signIn(request, context);
    },
  };
  const customer = { name: 'customer', label: 'Customer', secret: false, optional: true } as const;
  const bank = { ...north!, fields: [...north!.fields, customer] };
  const service = await startService({ connectors: [{ institutions: [bank], connector: noting }] });
  onTestFinished(() => service.close());
  const { id: applicationId } = await service.addApplication({ environment: 'production' });
  scripted.setAccounts('ada', [scriptedAccount()]);
  for (const typed of [{}, { customer: '' }, { customer: 'C1' }] as Record<string, string>[]) {
    const session = await openLinkSession(service, { applicationId });
    await session.step({ kind: 'consent' });
    await session.step({ kind: 'selectInstitution', institutionId: northBank });
    expect(session.view).toMatchObject({ fields: [{}, {}, { name: 'customer', optional: true }] });
    const values = { username: 'ada', password: 'password', ...typed };
    expect(await session.step({ kind: 'credentials', values })).toMatchObject({ state: 'accounts' });
  }
  const known = { username: 'ada', password: 'password' };
  expect(received).toEqual([known, known, { ...known, customer: 'C1' }]);
  const session = await openLinkSession(service, { applicationId });
  await session.step({ kind: 'consent' });
  await session.step({ kind: 'selectInstitution', institutionId: northBank });
  const values = { username: 'ada', password: '', customer: 'C1' };
  await expect(session.step({ kind: 'credentials', values })).rejects.toThrow(/400/);
});
