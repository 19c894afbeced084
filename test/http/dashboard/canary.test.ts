// No response of the dashboard's API contains end user data: users with distinctive data are linked, every operation is
// called, and each body is searched. A second test shows that the search finds such data.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { unwrap } from '../../../client/index.ts';
import { findOperations, readContract } from '../../../src/interfaces/http/contract.ts';
import { claimAccessUrl, createSetupToken, splitAccessUrl } from '../../simplefin/fixture.ts';
import { oneDatabase } from '../../support/databases.ts';
import { link, startService, type TestService } from '../../support/testService.ts';
import { createEndpoint } from '../../webhooks/fixture.ts';
import { endpointUrl, requestBodies } from './requestBodies.ts';
import { createMember, type DashboardUser, memberIdOf, password } from './users.ts';

const canaries = {
  login: 'canary-login-7f3a',
  account: '99887766554433221100',
  amount: '73519.73',
  balance: '918273.64',
  description: 'CANARY DESCRIPTION OPAL',
  reference: 'CANARY-REFERENCE-QUARTZ',
  password: 'password-canary-topaz',
};

const file = [
  'login,account,date,transaction,amount,balance,description,reference',
  `${canaries.login},${canaries.account},2024-01-05,t1,${canaries.amount},${canaries.balance},${canaries.description},${canaries.reference}`,
  '',
].join('\n');

const bodies: Record<string, object> = {
  ...requestBodies,
  signIn: { email: 'owner@example.com', password },
  changeMemberRole: { role: 'owner' },
};
// Called last, because they delete rows that other operations need.
const calledLast = ['deleteWebhookEndpoint', 'revokeConnection', 'removeMember', 'signOut'];

describe.each(oneDatabase)('canaries on $name', (database) => {
  let service: TestService;
  let owner: DashboardUser;
  let ids: Record<string, string>;
  let secrets: string[];
  beforeAll(async () => {
    service = await startService({ database, env: { ALLOWED_NETWORKS: '127.0.0.0/8' } });
    owner = await createMember(service, { role: 'owner', email: 'owner@example.com' });
    const { organizationId } = service;
    const path = `/management/organizations/${organizationId}/sandbox/files?name=canary.csv`;
    const headers = { 'Content-Type': 'application/octet-stream' };
    expect((await owner.fetch(path, { method: 'POST', headers, body: file })).status).toBe(200);
    const { endpointId } = await createEndpoint(service, endpointUrl);
    const { login: username, password } = canaries;
    const linked = await link(service, { username, password, externalUserId: 'user-1' });
    const accountIds = linked.accounts.map(({ id }) => id);
    const { apiKey } = service.application;
    const setupToken = await createSetupToken(
      { url: service.url, apiKey, scopedToken: linked.scopedToken! },
      { label: 'Actual Budget', accountIds },
    );
    const access = splitAccessUrl(await claimAccessUrl(setupToken));
    ids = {
      ...{ organizationId, applicationId: service.application.id, connectionId: linked.connectionId },
      ...{ endpointId, accessId: access.user, memberId: await memberIdOf(owner) },
    };
    const params = { path: { accountId: linked.accounts[0]!.id } };
    const client = service.client(linked.scopedToken);
    await unwrap(client.GET('/accounts/{accountId}/transactions', { params }));
    await service.service.requestLog.flush();
    secrets = [
      ...Object.values(canaries),
      linked.scopedToken!,
      ...[setupToken, access.password],
      ...linked.accounts.flatMap(({ id, name }) => [id, name]),
      service.application.apiKey,
    ];
  });
  afterAll(() => service.close());

  // Random ids may also contain four digits.
  const lastFour = canaries.account.slice(-4);
  const findSecrets = (text: string): string[] => [
    ...secrets.filter(
      (secret) => text.includes(secret) || text.includes(Buffer.from(secret).toString('base64')),
    ),
    ...(new RegExp(`(?<!\\w)${lastFour}(?!\\w)`).test(text) ? [lastFour] : []),
  ];

  test('no response of any operation contains any of it', async () => {
    const operations = findOperations(readContract('management/openapi.yaml'));
    const rank = (id: string) => calledLast.indexOf(id);
    operations.sort((left, right) => rank(left.operationId) - rank(right.operationId));
    for (const { operationId, method, path, bodyType } of operations) {
      const address = path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? 'none');
      const query = operationId === 'loadSandboxFile' ? '?name=again.csv' : '';
      const upload = bodyType === 'application/octet-stream';
      const body = upload ? 'nothing,known\n' : JSON.stringify(bodies[operationId]);
      const type = upload ? bodyType : 'application/json';
      const headers: Record<string, string> = body === undefined ? {} : { 'Content-Type': type };
      const response = await owner.fetch(`${address}${query}`, { method, headers, body });
      const text = await response.text();
      expect(findSecrets(text), operationId).toEqual([]);
      expect(response.status, operationId).toBeLessThan(500);
    }
  });

  test('the search finds existing data', async () => {
    expect(findSecrets(file)).toEqual(expect.arrayContaining([canaries.description, canaries.amount]));
    expect(findSecrets(`•• ${canaries.account.slice(-4)}`)).toEqual(['1100']);
    expect(findSecrets(Buffer.from(canaries.login).toString('base64'))).toEqual([canaries.login]);
  });
});
