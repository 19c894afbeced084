// Passkeys: members add them, and then need nothing else to sign in. A response is valid once, for its own challenge and site. An
// organization that requires passkeys restricts sessions without one.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createResetLinkAsOperator } from '../../../src/domain/members/passwords.ts';
import { seconds } from '../../../src/platform/values/clock.ts';
import { type DatabaseKind, databases, oneDatabase } from '../../support/databases.ts';
import { holdRow, untilWaiting } from '../../support/holdRow.ts';
import { startService, type TestService } from '../../support/testService.ts';
import { type Authenticator, makeAuthenticator } from './authenticator.ts';
import {
  addPasskey,
  finishAdding,
  finishSignIn,
  signInByPasskey,
  startAdding,
  startSignIn,
} from './passkeyRequests.ts';
import {
  acceptInvitation,
  addOrganization,
  anonymousUser,
  auditEvents,
  createMember,
  type DashboardUser,
  inviteAsOperator,
  memberIdOf,
  password,
  resetPassword,
  signIn,
} from './users.ts';

const refused = '403 passkey_required';

let service: TestService;
const startOn = (database: DatabaseKind): void => {
  beforeAll(async () => {
    service = await startService({ database, worker: false });
  });
  afterAll(() => service.close());
};

const setRequired = async (
  user: DashboardUser,
  authenticator: Authenticator,
  { organizationId, isRequired = true }: { organizationId: string; isRequired?: boolean },
) => {
  const { challengeId, options } = await startSignIn(user);
  const confirmation = { challengeId, response: authenticator.get(options) };
  return user.client.PUT('/management/organizations/{organizationId}/passkey-requirement', {
    params: { path: { organizationId } },
    body: { isRequired, confirmation },
  });
};

const stepOf = async (user: DashboardUser) =>
  (await user.client.GET('/management/session')).data?.session.requiredStep;

const statusOf = async (user: DashboardUser, path: string, method = 'GET') => {
  const response = await user.fetch(`/management${path}`, { method });
  const text = await response.text();
  return response.ok ? response.status : `${response.status} ${JSON.parse(text).code}`;
};

/** An organization that requires passkeys, with its owner, who is signed in by password and has confirmed with a passkey. */
const requireIn = async (name: string) => {
  const organizationId = await addOrganization(service, name);
  const authenticator = makeAuthenticator(service.url);
  const email = `owner@${name}.example`;
  const owner = await createMember(service, { role: 'owner', email, organizationId });
  await addPasskey(owner, authenticator);
  const { response } = await setRequired(owner, authenticator, { organizationId });
  expect(response.status).toBe(204);
  return { organizationId, owner, authenticator };
};

describe.each(oneDatabase)('passkeys on $name', (database) => {
  startOn(database);

  test('a passkey is added, signs in, and can be removed', async () => {
    const user = await createMember(service, { role: 'viewer', email: 'key@example.com' });
    const authenticator = makeAuthenticator(service.url);
    const { data: passkey } = await addPasskey(user, authenticator);
    expect(passkey).toMatchObject({ name: 'Laptop', lastUsedAt: null });
    const browser = await signInByPasskey(service, authenticator);
    const { data: session } = await browser.client.GET('/management/session');
    expect(session?.member.email).toBe('key@example.com');
    const { data: sessions } = await browser.client.GET('/management/me/sessions');
    expect(sessions?.sessions.find(({ isCurrent }) => isCurrent)?.method).toBe('passkey');
    const { data: list } = await browser.client.GET('/management/me/passkeys');
    expect(list?.passkeys.map(({ lastUsedAt }) => lastUsedAt === null)).toEqual([false]);
    await browser.client.DELETE('/management/me/passkeys/{passkeyId}', {
      params: { path: { passkeyId: passkey!.id } },
    });
    expect((await signInByPasskey(service, authenticator)).status).toBe(401);
  });

  test('a response is valid once, for 5 minutes, for its own challenge and site', async () => {
    const user = await createMember(service, { role: 'viewer', email: 'careful@example.com' });
    const authenticator = makeAuthenticator(service.url);
    await addPasskey(user, authenticator);
    const browser = anonymousUser(service.url);
    const status = async (id: string, response: Record<string, unknown>) =>
      (await finishSignIn(browser, id, response)).response.status;
    const first = await startSignIn(browser);
    const response = authenticator.get(first.options);
    expect(await status(first.challengeId, response)).toBe(200);
    expect(await status(first.challengeId, response)).toBe(401);
    const [second, third] = [await startSignIn(browser), await startSignIn(browser)];
    expect(await status(second.challengeId, authenticator.get(third.options))).toBe(401);
    const late = await startSignIn(browser);
    service.advance(seconds(5 * 60) + 1);
    expect(await status(late.challengeId, authenticator.get(late.options))).toBe(401);
    const copied = await startSignIn(browser);
    expect(await status(copied.challengeId, authenticator.get(copied.options, { back: 4 }))).toBe(401);
    const elsewhere = await addPasskey(user, makeAuthenticator('https://evil.example'));
    expect(elsewhere.error).toMatchObject({ code: 'invalid_request' });
    const unknown = await signInByPasskey(service, makeAuthenticator(service.url));
    expect(unknown.status).toBe(401);
  });

  test('a passkey belongs to one member, and adding one needs the password', async () => {
    const [one, two] = [
      await createMember(service, { role: 'viewer', email: 'one@example.com' }),
      await createMember(service, { role: 'viewer', email: 'two@example.com' }),
    ];
    const authenticator = makeAuthenticator(service.url);
    expect((await addPasskey(one, authenticator)).response.status).toBe(201);
    expect((await addPasskey(two, authenticator)).response.status).toBe(400);
    expect((await finishAdding(two, await startAdding(one))).response.status).toBe(400);
    for (const wrong of [undefined, 'wrong']) {
      const { response } = await one.client.POST('/management/me/passkeys/challenge', {
        body: { password: wrong },
      });
      expect(response.status).toBe(403);
    }
  });

  test('an owner needs their own passkey to require them, and to stop', async () => {
    const organizationId = await addOrganization(service, 'confirming');
    const create = (role: 'owner' | 'developer', name: string) =>
      createMember(service, { role, email: `${name}@confirming.example`, organizationId });
    const [owner, other] = [await create('owner', 'owner'), await create('owner', 'other')];
    const developer = await create('developer', 'developer');
    const [authenticator, otherAuthenticator] = [
      makeAuthenticator(service.url),
      makeAuthenticator(service.url),
    ];
    await addPasskey(other, otherAuthenticator);
    await addPasskey(developer, authenticator);
    const statuses = [
      await setRequired(owner, makeAuthenticator(service.url), { organizationId }),
      await setRequired(owner, otherAuthenticator, { organizationId }),
      await setRequired(developer, authenticator, { organizationId }),
    ].map(({ response }) => response.status);
    expect(statuses).toEqual([403, 403, 403]);
    expect(await stepOf(developer)).toBeUndefined();
    for (const isRequired of [true, true, false]) {
      const { response } = await setRequired(other, otherAuthenticator, { organizationId, isRequired });
      expect(response.status).toBe(204);
      expect(await stepOf(developer)).toBe(isRequired ? 'use_passkey' : undefined);
    }
    const email = 'other@confirming.example';
    expect(
      await auditEvents(service, { action: 'passkey_requirement_changed', organizationId }),
    ).toMatchObject([
      { email, details: { before: 'no', after: 'yes' } },
      { email, details: { before: 'yes', after: 'no' } },
    ]);
  });

  test('a session without a passkey is restricted in each organization until a first passkey is added', async () => {
    const elsewhere = await addOrganization(service, 'elsewhere');
    const { organizationId } = await requireIn('limiting');
    const email = 'member@limiting.example';
    const before = await createMember(service, { role: 'owner', email, organizationId });
    const further = await inviteAsOperator(service, { email, role: 'owner', organizationId: elsewhere });
    await acceptInvitation(before, further);
    const after = await signIn(service, { email });
    for (const user of [before, after]) {
      expect(await stepOf(user)).toBe('add_passkey');
      const members = [organizationId, elsewhere].map((id) => `/organizations/${id}/members`);
      for (const path of ['/me/sessions', '/me/passkeys', ...members])
        expect(await statusOf(user, path)).toBe(refused);
    }
    expect((await addPasskey(after)).response.status).toBe(201);
    expect(await stepOf(after)).toBeUndefined();
    expect(await statusOf(after, `/organizations/${organizationId}/members`)).toBe(200);
    // The other session was opened with a password, and has no passkey sign-in.
    expect(await stepOf(before)).toBe('use_passkey');
    expect(await statusOf(before, `/organizations/${organizationId}/members`)).toBe(refused);
    expect(await statusOf(before, '/session', 'DELETE')).toBe(204);
  });

  test('a password alone is not enough to add a second passkey', async () => {
    const { authenticator } = await requireIn('guarded');
    const email = 'owner@guarded.example';
    const thief = await signIn(service, { email });
    const challenge = await thief.client.POST('/management/me/passkeys/challenge', { body: { password } });
    expect(challenge.error).toMatchObject({ status: 403, code: 'passkey_required' });
    const owner = await signInByPasskey(service, authenticator);
    const added = await finishAdding(thief, await startAdding(owner));
    expect(added.error).toMatchObject({ status: 403, code: 'passkey_required' });
    expect((await addPasskey(owner)).response.status).toBe(201);
  });

  test('a reset link and an invitation lead only to adding a passkey', async () => {
    const { organizationId, owner, authenticator } = await requireIn('linking');
    const email = 'member@linking.example';
    const invited = await createMember(service, { role: 'viewer', email, organizationId });
    expect(await stepOf(invited)).toBe('add_passkey');
    await addPasskey(invited);
    const path = '/management/organizations/{organizationId}/members/{memberId}/reset-link';
    const params = { path: { organizationId, memberId: await memberIdOf(invited) } };
    const { link } = (await owner.client.POST(path, { params })).data!;
    await resetPassword(anonymousUser(service.url), link);
    expect(await stepOf(await signIn(service, { email }))).toBe('add_passkey');
    // A passkey session that accepts another invitation keeps its rights.
    const elsewhere = await addOrganization(service, 'second');
    const invitation = { email: owner.email, role: 'viewer' as const, organizationId: elsewhere };
    const withPasskey = await signInByPasskey(service, authenticator);
    const joined = await acceptInvitation(withPasskey, await inviteAsOperator(service, invitation));
    expect(joined.response.status).toBe(200);
    expect(await stepOf(withPasskey)).toBeUndefined();
    expect(await stepOf(await signIn(service, owner))).toBe('use_passkey');
  });
});

describe.each(databases)('passkeys on $name', (database) => {
  startOn(database);

  test('when two sessions add a first passkey concurrently, one succeeds', async () => {
    const { organizationId } = await requireIn('racing');
    const email = 'member@racing.example';
    const first = await createMember(service, { role: 'viewer', email, organizationId });
    const users = [first, await signIn(service, { email })];
    const bodies = await Promise.all(users.map((user) => startAdding(user)));
    const results = await Promise.all(users.map((user, at) => finishAdding(user, bodies[at]!)));
    expect(results.map(({ response }) => response.status).sort()).toEqual([201, 403]);
  });

  test('neither a passkey nor a password outlives a reset that overtakes it', async () => {
    const email = 'overtaken@example.com';
    const user = await createMember(service, { role: 'viewer', email });
    const passkey = await startAdding(user);
    const { db, members } = service.service;
    const { url } = await createResetLinkAsOperator(members, email);
    const release = await holdRow(db, 'members', { email });
    const resetting = resetPassword(anonymousUser(service.url), url);
    // If another request came first after all, the reset would overwrite its result.
    await untilWaiting(db, 1);
    const adding = finishAdding(user, passkey);
    const changing = user.client.PUT('/management/me/password', {
      body: { currentPassword: password, newPassword: 'the password of a thief' },
    });
    await untilWaiting(db, 3);
    await release();
    await Promise.all([resetting, adding, changing]);
    const { data } = await (await signIn(service, { email })).client.GET('/management/me/passkeys');
    expect(data!.passkeys).toEqual([]);
  });

  test('the last passkey cannot be removed while it is required', async () => {
    const { organizationId, owner, authenticator } = await requireIn('keeping');
    const second = makeAuthenticator(service.url);
    await addPasskey(owner, second);
    const { data } = await owner.client.GET('/management/me/passkeys');
    const statuses = await Promise.all(
      data!.passkeys.map(({ id }) => statusOf(owner, `/me/passkeys/${id}`, 'DELETE')),
    );
    expect(statuses.sort()).toEqual([204, '409 conflict']);
    const { data: left } = await owner.client.GET('/management/me/passkeys');
    expect(left!.passkeys).toHaveLength(1);
    const { id } = left!.passkeys[0]!;
    expect(await statusOf(owner, `/me/passkeys/${id}`, 'DELETE')).toBe('409 conflict');
    const kept = id === data!.passkeys[0]!.id ? authenticator : second;
    await setRequired(owner, kept, { organizationId, isRequired: false });
    expect(await statusOf(owner, `/me/passkeys/${id}`, 'DELETE')).toBe(204);
  });
});
