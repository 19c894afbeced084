// The organizations of the fixture, with their applications and members.
import { makeAuthenticator } from '../http/dashboard/authenticator.ts';
import { anonymousUser, createMember, password, tokenOf } from '../http/dashboard/users.ts';
import { pngOfSize } from '../logos/files.ts';
import { hostOrigin, type TestService } from '../support/testService.ts';
import type { Organization, OrganizationName } from './fixtureTypes.ts';

export type Tenant = Omit<Organization, 'invitation' | 'resetToken' | 'newPasskey'>;

export const addTenant = async (
  service: TestService,
  name: OrganizationName,
  organizationId: string,
): Promise<Tenant> => {
  const email = `owner@${name.toLowerCase()}.example`;
  const user = await createMember(service, { organizationId, role: 'owner', email });
  await createMember(service, {
    organizationId,
    role: 'viewer',
    email: `viewer@${name.toLowerCase()}.example`,
  });
  const production = await service.addApplication({ organizationId, environment: 'production' });
  const sandbox =
    name === 'Acmecorp' ? service.application : await service.addApplication({ organizationId });
  const authenticator = makeAuthenticator(service.url);
  const tenant = {
    name,
    id: organizationId,
    production,
    sandbox,
    owner: { email, user, authenticator, newAuthenticator: makeAuthenticator(service.url) },
  };
  const { data } = await user.client.POST('/dashboard/api/me/passkeys/challenge', { body: { password } });
  const { challengeId, options } = data!;
  const body = { challengeId, name: `Key of ${name}`, response: authenticator.create(options as never) };
  await accepted(user.client.POST('/dashboard/api/me/passkeys', { body }));
  await requirePasskeys(tenant);
  for (const { id: applicationId } of [production, sandbox]) {
    const params = { path: { applicationId } };
    const path = '/dashboard/api/applications/{applicationId}/api-keys';
    await accepted(user.client.POST(path, { params, body: { name: `${name} spare key` } }));
    const created = await accepted(
      user.client.POST(path, {
        params,
        body: { name: `${name} old key`, expiresAt: '2099-01-01T00:00:00.000Z' },
      }),
    );
    const keyPath = { path: { applicationId, keyId: created.apiKey.id } };
    await accepted(user.client.DELETE(`${path}/{keyId}`, { params: keyPath }));
    await accepted(
      user.client.POST('/dashboard/api/applications/{applicationId}/identity-secret', { params }),
    );
  }
  return tenant;
};

const requirePasskeys = async ({ id: organizationId, owner }: Tenant): Promise<void> => {
  const { client } = owner.user;
  const { challengeId, options } = await accepted(client.POST('/dashboard/api/sign-in/passkey/challenge'));
  const confirmation = { challengeId, response: owner.authenticator.get(options as never) };
  await accepted(
    client.PUT('/dashboard/api/organizations/{organizationId}/passkey-requirement', {
      params: { path: { organizationId } },
      body: { isRequired: true, confirmation },
    }),
  );
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
  const { name, id: organizationId, owner, production, sandbox } = tenant;
  const { client } = owner.user;
  const params = { path: { organizationId } };
  await accepted(
    client.PATCH('/dashboard/api/organizations/{organizationId}', {
      params,
      body: { name: `${name} ${age}` },
    }),
  );
  const site = `https://${age}.${name.toLowerCase()}.example`;
  await accepted(
    client.PUT('/dashboard/api/organizations/{organizationId}/company', {
      params,
      body: { name: `${name} Ltd ${age}`, privacyUrl: `${site}/privacy`, termsUrl: `${site}/terms` },
    }),
  );
  await accepted(client.PATCH('/dashboard/api/me', { body: { name: `Owner of ${name}, ${age}` } }));
  for (const [environment, { id: applicationId }] of Object.entries({ production, sandbox })) {
    const body = {
      name: `${name} ${environment} ${age}`,
      origins: [hostOrigin, `https://${age}.${name.toLowerCase()}.example`],
      nativeAllowed: environment === 'sandbox',
      returnAddresses: [`${age}-${name.toLowerCase()}://bank-return`],
      identityRequired: environment === 'sandbox',
      // Another one for each.
      color: `#${age === 'older' ? '8' : '9'}0${(name.charCodeAt(0) + environment.length).toString(16).padStart(4, '0')}`,
    };
    const path = '/dashboard/api/applications/{applicationId}';
    await accepted(client.PATCH(path, { params: { path: { applicationId } }, body }));
    await accepted(
      client.PUT(`${path}/rate-limit`, {
        params: { path: { applicationId } },
        body: {
          requestsPerMinute: (age === 'older' ? 1000 : 1500) + name.charCodeAt(0) + environment.length,
        },
      }),
    );
    // Another size for each.
    const [width, height] = [age === 'older' ? 8 : 9, name.charCodeAt(0) + environment.length];
    const { ok } = await owner.user.fetch(`/dashboard/api/applications/${applicationId}/logo`, {
      method: 'PUT',
      headers: { 'Content-Type': 'application/octet-stream' },
      body: pngOfSize(width, height) as BodyInit,
    });
    if (!ok) throw new Error(`The logo of ${name} was refused.`);
  }
  const listPath = '/dashboard/api/organizations/{organizationId}/members';
  const { members } = await accepted(client.GET(listPath, { params }));
  const viewer = members.find(({ email }) => email.startsWith('viewer'))!;
  await accepted(
    client.PATCH(`${listPath}/{memberId}`, {
      params: { path: { organizationId, memberId: viewer.id } },
      body: { role: age === 'older' ? 'viewer' : 'developer' },
    }),
  );
  await accepted(
    client.POST('/dashboard/api/organizations/{organizationId}/sandbox/clock', {
      params,
      body: { seconds: 60 },
    }),
  );
};

/** What expires within minutes: an invitation, a reset link, and the challenges of a sign-in and of a new passkey. */
export const openSignIns = async (
  service: TestService,
  { id: organizationId, name, owner }: Tenant,
): Promise<Pick<Organization, 'invitation' | 'resetToken' | 'newPasskey'>> => {
  const { client } = owner.user;
  const params = { path: { organizationId } };
  const invited = await accepted(
    client.POST('/dashboard/api/organizations/{organizationId}/invitations', {
      params,
      body: { email: `guest@${name.toLowerCase()}.example`, role: 'viewer' },
    }),
  );
  const { members } = await accepted(
    client.GET('/dashboard/api/organizations/{organizationId}/members', { params }),
  );
  const memberId = members.find(({ email }) => email.startsWith('viewer'))!.id;
  const reset = await accepted(
    client.POST('/dashboard/api/organizations/{organizationId}/members/{memberId}/reset-link', {
      params: { path: { organizationId, memberId } },
    }),
  );
  const stranger = anonymousUser(service.url).client;
  await stranger.POST('/dashboard/api/sign-in', { body: { email: owner.email, password: 'wrong password' } });
  await service.service.members.backgroundTasks.drain();
  const signIn = await accepted(stranger.POST('/dashboard/api/sign-in/passkey/challenge'));
  const response = owner.authenticator.get(signIn.options as never);
  const body = { challengeId: signIn.challengeId, response };
  await accepted(stranger.POST('/dashboard/api/sign-in/passkey', { body }));
  await accepted(stranger.POST('/dashboard/api/sign-in/passkey/challenge'));
  const { challengeId, options } = await accepted(
    client.POST('/dashboard/api/me/passkeys/challenge', { body: { password } }),
  );
  const challenge = (options as { challenge: string }).challenge;
  return {
    invitation: tokenOf(invited.link),
    resetToken: tokenOf(reset.link),
    newPasskey: { challengeId, challenge },
  };
};
