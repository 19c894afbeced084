// The status of every operation for anonymous requests, members of another organization, and each role. The table must
// contain every operation of the contract.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { operations } from '../../../generated/management.ts';
import { updatePasskeysRequiredAt } from '../../../src/domain/members/passkeyStore.ts';
import { findOperations, readContract } from '../../../src/interfaces/http/contract.ts';
import { oneDatabase } from '../../support/databases.ts';
import { link, startService, type TestService } from '../../support/testService.ts';
import { createEndpoint } from '../../webhooks/fixture.ts';
import { endpointUrl, requestBodies } from './requestBodies.ts';
import {
  acceptInvitation,
  addOrganization,
  anonymousUser,
  createMember,
  type DashboardUser,
  inviteAsOperator,
  memberIdOf,
} from './users.ts';

type Id = keyof operations;
type Statuses = [anonymous: number, outsider: number, viewer: number, developer: number, owner: number];

const anyone = (status: number): Statuses => [status, status, status, status, status];
const members = (status: number): Statuses => [401, status, status, status, status];
const viewers = (status: number): Statuses => [401, 404, status, status, status];
const developers = (status: number): Statuses => [401, 404, 403, status, status];
const owners = (status: number): Statuses => [401, 404, 403, 403, status];

/** Operations whose bodies are files. */
const uploads: Id[] = ['setApplicationLogo', 'loadSandboxFile'];

type Expected = { statuses: Statuses; query?: string; path?: Record<string, string> };

const each = <Ids extends Id>(statuses: Statuses, ...ids: Ids[]) =>
  Object.fromEntries(ids.map((id) => [id, { statuses }])) as Record<Ids, Expected>;

/** The expected statuses, and the requests. Path parameters without a value here refer to existing resources. */
const expectedStatuses: Record<Id, Expected> = {
  ...each(anyone(200), 'getSignInOptions', 'startPasskeySignIn'),
  // Wrong credentials and unknown links.
  ...each(anyone(401), 'signIn', 'signInWithPasskey'),
  ...each(anyone(404), 'startOidcSignIn', 'getInvitation', 'acceptInvitation', 'resetPassword'),

  ...each(members(200), 'getSession', 'updateProfile', 'listSessions', 'listPasskeys'),
  ...each(members(200), 'startPasskeyRegistration'),
  ...each(members(204), 'changePassword', 'endOtherSessions'),
  endSession: { statuses: members(404), path: { sessionId: 'ses_none' } },
  addPasskey: { statuses: members(400) },
  removePasskey: { statuses: members(404), path: { passkeyId: 'psk_none' } },
  signOut: { statuses: members(204) },

  ...each(owners(200), 'renameOrganization', 'setCompany', 'changeMemberRole', 'listInvitations'),
  ...each(owners(200), 'setRateLimit', 'listOrganizationTokens'),
  ...each(owners(200), 'archiveApplication', 'restoreApplication', 'listAuditEvents', 'exportAuditEvents'),
  ...each(owners(201), 'createResetLink', 'createInvitation', 'createOrganizationToken'),
  // The confirmation belongs to no passkey.
  setPasskeyRequirement: { statuses: [401, 404, 403, 403, 403] },
  revokeOrganizationToken: { statuses: owners(404), path: { tokenId: 'tok_none' } },
  removeMember: { statuses: owners(404), path: { memberId: 'mem_none' } },
  revokeInvitation: { statuses: owners(404), path: { invitationId: 'inv_none' } },

  ...each(developers(200), 'updateApplication', 'removeApplicationLogo', 'replayFailedWebhooks'),
  ...each(developers(200), 'advanceSandboxClock'),
  ...each(developers(201), 'createApplication', 'createIdentitySecret', 'createApiKey'),
  ...each(developers(201), 'createWebhookEndpoint'),
  ...each(developers(201), 'rotateWebhookSecret', 'sendTestWebhook'),
  ...each(developers(204), 'refreshConnection', 'breakSandboxCredentials', 'revokeConnection'),
  ...each(developers(204), 'enableWebhookEndpoint'),
  setApplicationLogo: { statuses: developers(400) },
  loadSandboxFile: { statuses: developers(400), query: '?name=empty.csv' },
  revokeApiKey: { statuses: developers(404), path: { keyId: 'key_none' } },
  replayWebhook: { statuses: developers(404), path: { eventId: 'evt_none' } },
  deleteWebhookEndpoint: { statuses: developers(404), path: { endpointId: 'whe_none' } },
  revokeSimplefinAccess: { statuses: developers(404), path: { accessId: 'sfa_none' } },

  ...each(viewers(200), 'listMembers', 'getCompany', 'listApplications', 'getApplication', 'getConsentText'),
  ...each(viewers(200), 'getRateLimit', 'listApiKeys', 'listInstitutions', 'getConnection', 'listConsents'),
  ...each(viewers(200), 'listWebhookEndpoints', 'getSandbox'),
  search: { statuses: viewers(200), query: '?text=user' },
  getOverview: { statuses: viewers(200), query: '?range=hour' },
  listConnections: { statuses: viewers(200), query: '?limit=10&state=active' },
  listLinkSessions: { statuses: viewers(200), query: '?outcome=connected&limit=10' },
  getLinkSessionStatistics: { statuses: viewers(200), query: '?days=30' },
  listRequests: { statuses: viewers(200), query: '?outcome=refused&limit=10' },
  listWebhookDeliveries: { statuses: viewers(200), query: '?limit=10&state=pending' },
  listSimplefinAccesses: { statuses: viewers(200), query: '?limit=10&externalUserId=user-1' },
};

const contract = readContract('management/openapi.yaml');
const operationById = new Map(
  findOperations(contract).map(({ operationId, method, path }) => [operationId, `${method} ${path}`]),
);

test('the table has every operation of the contract', () => {
  expect(Object.keys(expectedStatuses).sort()).toEqual([...operationById.keys()].sort());
});

const withoutRequestId = (text: string): string => text.replace(/"requestId":"[^"]*"/, '');

const columns = ['anonymous', 'outsider', 'viewer', 'developer', 'owner'] as const;

describe.each(oneDatabase)('statuses on $name', (database) => {
  let service: TestService;
  let ids: Record<string, string>;
  const users = {} as Record<(typeof columns)[number], () => Promise<DashboardUser>>;
  /** The text of every refusal with this status. */
  const refusals = new Map<number, string>();

  beforeAll(async () => {
    service = await startService({
      database,
      limits: { signInAttemptsMax: 1e6 },
      env: { ALLOWED_NETWORKS: '127.0.0.0/8' },
    });
    const { organizationId } = service;
    const elsewhere = await addOrganization(service, 'Elsewhere');
    const someone = await createMember(service, { role: 'viewer', email: 'someone@example.com' });
    const { connectionId } = await link(service, { username: 'good' });
    // The worker would change connections between requests.
    await service.service.worker?.stop();
    const { endpointId } = await createEndpoint(service, endpointUrl);
    const applicationId = service.application.id;
    ids = { organizationId, applicationId, connectionId, endpointId, memberId: await memberIdOf(someone) };
    let count = 0;
    const memberFactory = (role: 'owner' | 'developer' | 'viewer', organizationId: string) => {
      let user: DashboardUser | undefined;
      return async () => {
        // After a sign-out, a new member is created.
        if (!user?.cookie()) {
          const email = `${role}-${count++}@example.com`;
          user = await createMember(service, { role, email, organizationId });
        }
        return user;
      };
    };
    users.anonymous = async () => anonymousUser(service.url);
    users.outsider = memberFactory('owner', elsewhere);
    users.viewer = memberFactory('viewer', organizationId);
    users.developer = memberFactory('developer', organizationId);
    users.owner = memberFactory('owner', organizationId);
    for (const refused of [
      await send('getSession', await users.anonymous()),
      await send('createApiKey', await users.viewer()),
    ])
      refusals.set(refused.status, withoutRequestId(await refused.text()));
    expect([...refusals.keys()]).toEqual([401, 403]);
  });
  afterAll(() => service.close());

  type Changes = { headers?: Record<string, string>; path?: Record<string, string> };
  const send = async (id: Id, user: DashboardUser, changes: Changes = {}): Promise<Response> => {
    const { query = '', path } = expectedStatuses[id];
    const body = requestBodies[id];
    const [method, template] = operationById.get(id)!.split(' ') as [string, string];
    const values = { ...ids, ...path, ...changes.path };
    const address = template.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
    const upload = uploads.includes(id);
    const sent = upload ? 'nothing,known\n' : body && JSON.stringify(body);
    const headers = new Headers(changes.headers);
    if (sent !== undefined) headers.set('Content-Type', `application/${upload ? 'octet-stream' : 'json'}`);
    return user.fetch(`${address}${query}`, { method, body: sent, headers });
  };

  test.each(Object.keys(expectedStatuses) as Id[])('%s', async (id) => {
    const statuses: number[] = [];
    for (const column of columns) {
      const response = await send(id, await users[column]());
      statuses.push(response.status);
      const isProblem = response.headers.get('Content-Type')?.startsWith('application/problem+json') ?? false;
      expect({ column, isProblem }).toEqual({ column, isProblem: response.status >= 400 });
      const text = withoutRequestId(await response.text());
      // An owner who lacks only a passkey is told so.
      if (column !== 'owner') expect(text).toBe(refusals.get(response.status) ?? text);
    }
    expect(statuses).toEqual(expectedStatuses[id].statuses);
  });

  test('data of one application is not found under another one', async () => {
    const owner = await users.owner();
    const { keyId } = service.application;
    const path = { ...ids, keyId, applicationId: (await service.addApplication()).id };
    const ofApplication = [...operationById].filter(([, address]) => /applicationId\}.*\{/.test(address));
    expect(ofApplication.length).toBeGreaterThan(10);
    for (const [id] of ofApplication) {
      const { status } = await send(id as Id, owner, { path });
      expect({ id, status }).toEqual({ id, status: 404 });
    }
  });

  test('a session without a required passkey is refused, except to add a first one and to sign out', async () => {
    const email = 'limited@example.com';
    const organizationId = await addOrganization(service, 'Strict');
    const user = await createMember(service, { role: 'owner', email, organizationId });
    await acceptInvitation(user, await inviteAsOperator(service, { email, role: 'owner' }));
    const { db, clock } = service.service;
    await updatePasskeysRequiredAt(db.write, organizationId, clock.real().toISOString());
    const open: string[] = ['getSession', 'startPasskeyRegistration', 'addPasskey', 'signOut'];
    for (const id of Object.keys(expectedStatuses) as Id[]) {
      const [anonymous, signedIn] = expectedStatuses[id].statuses;
      const needsSession = anonymous === 401 && signedIn !== 401;
      if (open.includes(id) || !needsSession) continue;
      const response = await send(id, user);
      const { code } = (await response.json()) as { code?: string };
      expect({ id, status: response.status, code }).toEqual({ id, status: 403, code: 'passkey_required' });
    }
    for (const id of open as Id[]) {
      const { status } = await send(id, user);
      expect({ id, status }).toEqual({ id, status: expectedStatuses[id].statuses[1] });
    }
  });

  test('every change needs the header and the origin of the page', async () => {
    const changing = (Object.keys(expectedStatuses) as Id[]).filter(
      (id) => !operationById.get(id)!.startsWith('GET '),
    );
    expect(changing.length).toBeGreaterThan(20);
    const owner = await users.owner();
    const foreign: Record<string, string>[] = [
      { 'Dashboard-Request': '' },
      { Origin: 'https://evil.example' },
      { Origin: 'null' },
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site' },
    ];
    for (const id of changing) {
      for (const headers of foreign) {
        const { status } = await send(id, owner, { headers });
        expect({ id, headers, status }).toEqual({ id, headers, status: 403 });
      }
    }
  });
});
