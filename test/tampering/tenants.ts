// The organizations of the fixture, with their applications and members.
import { createManagementClient } from '../../client/management.ts';
import { makeAuthenticator } from '../http/dashboard/authenticator.ts';
import { anonymousUser, createMember, createToken, password, tokenOf } from '../http/dashboard/users.ts';
import { pngOfSize } from '../logos/files.ts';
import { hostOrigin, type TestService } from '../support/testService.ts';
import type { Organization, OrganizationName } from './fixtureTypes.ts';

const ofOrganization = '/management/organizations/{organizationId}';
const ofApplication = '/management/applications/{applicationId}';

export type Tenant = Omit<Organization, 'invitation' | 'resetToken' | 'newPasskey'>;

export const addTenant = async (
  service: TestService,
  name: OrganizationName,
  organizationId: string,
): Promise<Tenant> => {
  const createWithRole = (role: 'owner' | 'viewer') =>
    createMember(service, { organizationId, role, email: emailOf(role, name) });
  const user = await createWithRole('owner');
  await createWithRole('viewer');
  const production = await service.addApplication({ organizationId, environment: 'production' });
  const sandbox =
    name === 'Acmecorp' ? service.application : await service.addApplication({ organizationId });
  const authenticator = makeAuthenticator(service.url);
  const newAuthenticator = makeAuthenticator(service.url);
  const owner = { email: emailOf('owner', name), user, authenticator, newAuthenticator };
  const input = { name: `${name} token`, role: 'developer' as const };
  const scopes = ['read' as const, 'sandbox' as const];
  const { secret: token } = await createToken(user, organizationId, { ...input, scopes });
  const revoked = await createToken(user, organizationId, { name: `${name} old token`, role: 'viewer' });
  const tokenPath = { path: { organizationId, tokenId: revoked.token.id } };
  await accepted(user.client.DELETE(`${ofOrganization}/tokens/{tokenId}`, { params: tokenPath }));
  const tenant = { name, id: organizationId, production, sandbox, owner, token };
  const { data } = await user.client.POST('/management/me/passkeys/challenge', { body: { password } });
  const { challengeId, options } = data!;
  const body = { challengeId, name: `Key of ${name}`, response: authenticator.create(options as never) };
  await accepted(user.client.POST('/management/me/passkeys', { body }));
  await requirePasskeys(tenant);
  for (const { id: applicationId } of [production, sandbox]) {
    const params = { path: { applicationId } };
    const keys = `${ofApplication}/api-keys` as const;
    await accepted(user.client.POST(keys, { params, body: { name: `${name} spare key` } }));
    const old = { name: `${name} old key`, expiresAt: '2099-01-01T00:00:00.000Z' };
    const created = await accepted(user.client.POST(keys, { params, body: old }));
    const keyPath = { path: { applicationId, keyId: created.apiKey.id } };
    await accepted(user.client.DELETE(`${keys}/{keyId}`, { params: keyPath }));
    await accepted(user.client.POST(`${ofApplication}/identity-secret`, { params }));
  }
  return tenant;
};

const emailOf = (who: string, name: OrganizationName): string => `${who}@${name.toLowerCase()}.example`;

const requirePasskeys = async ({ id: organizationId, owner }: Tenant): Promise<void> => {
  const { client } = owner.user;
  const { challengeId, options } = await accepted(client.POST('/management/sign-in/passkey/challenge'));
  const confirmation = { challengeId, response: owner.authenticator.get(options as never) };
  const params = { path: { organizationId } };
  const body = { isRequired: true, confirmation };
  await accepted(client.PUT(`${ofOrganization}/passkey-requirement`, { params, body }));
};

/** The data of a successful response. */
export const accepted = async <Data>(
  request: Promise<{ data?: Data; error?: unknown; response: Response }>,
): Promise<Data> => {
  const { data, error, response } = await request;
  if (!response.ok) throw new Error(`${response.url}: ${response.status} ${JSON.stringify(error)}`);
  return data as Data;
};

/** Names, origins, roles and the sandbox clock. */
export const changePlainData = async (tenant: Tenant, age: 'older' | 'newer'): Promise<void> => {
  const { name, id: organizationId, owner, production, sandbox, token } = tenant;
  const { client } = owner.user;
  const params = { path: { organizationId } };
  await accepted(client.PATCH(ofOrganization, { params, body: { name: `${name} ${age}` } }));
  const site = `https://${age}.${name.toLowerCase()}.example`;
  const company = { name: `${name} Ltd ${age}`, privacyUrl: `${site}/privacy`, termsUrl: `${site}/terms` };
  await accepted(client.PUT(`${ofOrganization}/company`, { params, body: company }));
  await accepted(client.PATCH('/management/me', { body: { name: `Owner of ${name}, ${age}` } }));
  for (const [environment, { id: applicationId }] of Object.entries({ production, sandbox })) {
    // A different number for each, and so a different color, limit and logo size.
    const number = name.charCodeAt(0) + environment.length;
    const isSandbox = environment === 'sandbox';
    const body = {
      ...{ name: `${name} ${environment} ${age}`, origins: [hostOrigin, site] },
      ...{ nativeAllowed: isSandbox, identityRequired: isSandbox },
      returnAddresses: [`${age}-${name.toLowerCase()}://bank-return`],
      color: `#${age === 'older' ? '8' : '9'}0${number.toString(16).padStart(4, '0')}`,
    };
    const params = { path: { applicationId } };
    await accepted(client.PATCH(ofApplication, { params, body }));
    const limit = { requestsPerMinute: (age === 'older' ? 1000 : 1500) + number };
    await accepted(client.PUT(`${ofApplication}/rate-limit`, { params, body: limit }));
    const [width, height] = [age === 'older' ? 8 : 9, number];
    const { ok } = await owner.user.fetch(`/management/applications/${applicationId}/logo`, {
      method: 'PUT',
      headers: { 'Content-Type': 'application/octet-stream' },
      body: pngOfSize(width, height) as BodyInit,
    });
    if (!ok) throw new Error(`The logo of ${name} was refused.`);
  }
  const ofViewer = { params: { path: { organizationId, memberId: await viewerOf(tenant) } } };
  const role = age === 'older' ? 'viewer' : 'developer';
  await accepted(client.PATCH(`${ofOrganization}/members/{memberId}`, { ...ofViewer, body: { role } }));
  const program = createManagementClient({ baseUrl: owner.user.url, token, retries: 0 });
  await accepted(program.POST(`${ofOrganization}/sandbox/clock`, { params, body: { seconds: 60 } }));
};

const viewerOf = async ({ id: organizationId, owner }: Tenant): Promise<string> => {
  const params = { path: { organizationId } };
  const { members } = await accepted(owner.user.client.GET(`${ofOrganization}/members`, { params }));
  return members.find(({ email }) => email.startsWith('viewer'))!.id;
};

/** Rows that expire within minutes: an invitation, a reset link, and the challenges of a sign-in and of a new passkey. */
export const openSignIns = async (
  service: TestService,
  tenant: Tenant,
): Promise<Pick<Organization, 'invitation' | 'resetToken' | 'newPasskey'>> => {
  const { id: organizationId, name, owner } = tenant;
  const { client } = owner.user;
  const params = { path: { organizationId } };
  const guest = { email: emailOf('guest', name), role: 'viewer' } as const;
  const invited = await accepted(client.POST(`${ofOrganization}/invitations`, { params, body: guest }));
  const ofViewer = { params: { path: { organizationId, memberId: await viewerOf(tenant) } } };
  const reset = await accepted(client.POST(`${ofOrganization}/members/{memberId}/reset-link`, ofViewer));
  const stranger = anonymousUser(service.url).client;
  await stranger.POST('/management/sign-in', { body: { email: owner.email, password: 'wrong password' } });
  await service.service.members.backgroundTasks.drain();
  const signIn = await accepted(stranger.POST('/management/sign-in/passkey/challenge'));
  const response = owner.authenticator.get(signIn.options as never);
  const body = { challengeId: signIn.challengeId, response };
  await accepted(stranger.POST('/management/sign-in/passkey', { body }));
  await accepted(stranger.POST('/management/sign-in/passkey/challenge'));
  const { challengeId, options } = await accepted(
    client.POST('/management/me/passkeys/challenge', { body: { password } }),
  );
  const challenge = (options as { challenge: string }).challenge;
  return {
    invitation: tokenOf(invited.link),
    resetToken: tokenOf(reset.link),
    newPasskey: { challengeId, challenge },
  };
};
