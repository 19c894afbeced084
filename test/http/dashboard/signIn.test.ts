// Sign-in: invitations, passwords, sessions, reset links.
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { inviteFirstOwner } from '../../../src/domain/members/invitations.ts';
import type { Role } from '../../../src/domain/members/member.ts';
import { makeMemberToken } from '../../../src/domain/members/memberTokens.ts';
import { createResetLinkAsOperator } from '../../../src/domain/members/passwords.ts';
import { days, seconds } from '../../../src/platform/values/clock.ts';
import { oneDatabase } from '../../support/databases.ts';
import { startService, type TestService } from '../../support/testService.ts';
import {
  acceptInvitation,
  addOrganization,
  anonymousUser,
  createMember,
  type DashboardUser,
  inviteAsOperator,
  memberIdOf,
  password,
  resetPassword,
  signIn,
  tokenOf,
} from './users.ts';

const secondPassword = 'a different long password';
const hour = seconds(3600);
const organizationPath = '/management/organizations/{organizationId}';
const memberPath = `${organizationPath}/members/{memberId}` as const;

const statusOf = async (user: DashboardUser): Promise<number> =>
  (await user.fetch('/management/session')).status;

const tryPassword = async (user: DashboardUser, email: string, attempt: string): Promise<Response> => {
  const { response } = await user.client.POST('/management/sign-in', {
    body: { email, password: attempt },
  });
  return response;
};

describe.each(oneDatabase)('sign-in on $name', (database) => {
  let service: TestService;
  let organizationId: string;
  const lines: string[] = [];
  beforeAll(async () => {
    service = await startService({ database, logTo: (line) => lines.push(line), worker: false });
    ({ organizationId } = service);
  });
  afterAll(() => service.close());

  test('the first owner accepts the link from the terminal, which works once', async () => {
    const { members } = service.service;
    const first = await inviteFirstOwner(members, organizationId);
    // Another replica that starts at the same time keeps the link.
    service.advance(seconds(59));
    expect(await inviteFirstOwner(members, organizationId)).toBeUndefined();
    service.advance(seconds(2));
    const second = await inviteFirstOwner(members, organizationId);
    const anonymous = anonymousUser(service.url);
    const { data: options } = await anonymous.client.GET('/management/sign-in');
    expect(options).toEqual({ hasMembers: false, oidc: false });
    const accept = (link: string, email = 'First@Example.com') =>
      acceptInvitation(anonymous, link, { email, name: 'First', password });
    // A new link replaces the previous one.
    expect((await accept(first!.url)).response.status).toBe(404);
    const statements: string[] = [];
    const unwatch = service.service.db.watch((sql) => statements.push(sql));
    const { data: invitation } = await anonymous.client.POST('/management/invitation/view', {
      body: { token: tokenOf(second!.url) },
    });
    unwatch();
    // Other organizations are not read.
    const ofOrganizations = statements.filter((sql) => /from .organizations/.test(sql));
    expect(ofOrganizations).toEqual([expect.stringContaining('where')]);
    const expected = { email: '', role: 'owner', hasAccount: false, organizationName: 'Tests' };
    expect(invitation).toMatchObject(expected);
    const { data } = await accept(second!.url);
    expect(data).toMatchObject({
      member: { email: 'first@example.com', hasPassword: true },
      organizations: [{ id: organizationId, role: 'owner' }],
    });
    expect((await accept(second!.url, 'other@example.com')).response.status).toBe(404);
    expect(await inviteFirstOwner(members, organizationId)).toBeUndefined();
  });

  test('an invitation is for one email, works once and expires after 7 days', async () => {
    const owner = await createMember(service, { role: 'owner', email: 'inviter@example.com' });
    const params = { path: { organizationId } };
    const body = { email: 'Invitee@Example.com', role: 'developer' } as const;
    const create = ({ client }: DashboardUser) =>
      client.POST(`${organizationPath}/invitations`, { params, body });
    const replaced = await create(owner);
    const { data: created } = await create(owner);
    const invitee = anonymousUser(service.url);
    const accept = (link: string) => acceptInvitation(invitee, link, { name: 'Invitee', password });
    expect((await accept(replaced.data!.link)).response.status).toBe(404);
    service.advance(days(7) + 1);
    expect((await accept(created!.link)).response.status).toBe(404);
    const inviter = await signIn(service, { email: 'inviter@example.com' });
    const { link } = (await create(inviter)).data!;
    expect((await accept(link)).data?.organizations).toMatchObject([{ role: 'developer' }]);
    expect((await accept(link)).response.status).toBe(404);
    expect((await create(inviter)).response.status).toBe(409);
  });

  test('an existing member joins another organization with their password or session', async () => {
    const email = 'both@example.com';
    const user = await createMember(service, { role: 'viewer', email });
    const linkTo = async (name: string) =>
      inviteAsOperator(service, {
        email,
        role: 'owner',
        organizationId: await addOrganization(service, name),
      });
    const link = await linkTo('North');
    const attacker = anonymousUser(service.url);
    for (const attempt of [undefined, 'wrong password, that is']) {
      const { response } = await acceptInvitation(attacker, link, { password: attempt });
      expect(response.status).toBe(401);
    }
    const joined = await acceptInvitation(anonymousUser(service.url), link);
    expect(joined.data?.organizations.map(({ name }) => name)).toContain('North');
    const signedIn = await acceptInvitation(user, await linkTo('South'), {});
    const roles = signedIn.data?.organizations.map(({ name, role }) => `${name} ${role}`);
    expect(roles).toEqual(['North owner', 'South owner', 'Tests viewer']);
  });

  test('an unknown email and a wrong password get the same response', async () => {
    await createMember(service, { role: 'viewer', email: 'known@example.com' });
    const responses = [];
    for (const email of ['known@example.com', 'unknown@example.com']) {
      const { error, response } = await anonymousUser(service.url).client.POST('/management/sign-in', {
        body: { email, password: 'not the password at all' },
      });
      const { requestId, ...problem } = error!;
      expect(requestId).toBe(response.headers.get('Request-Id'));
      responses.push({ status: response.status, problem, cookies: response.headers.getSetCookie() });
    }
    expect(responses[0]).toMatchObject({ status: 401, cookies: [] });
    expect(responses[1]).toEqual(responses[0]);
  });

  test('each sign-in sets a new cookie, invisible to scripts and other sites', async () => {
    const email = 'cookie@example.com';
    await createMember(service, { role: 'viewer', email });
    const user = anonymousUser(service.url);
    // An attacker has planted their own session cookie in this browser (session fixation).
    const planter = await createMember(service, { role: 'viewer', email: 'planter@example.com' });
    const planted = planter.cookie();
    user.setCookie(planted);
    const response = await tryPassword(user, email, password);
    const [cookie = ''] = response.headers.getSetCookie();
    expect(cookie).toMatch(
      /^dashboard_session=[\w-]{43}; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Strict$/,
    );
    expect(user.cookie()).not.toBe(planted);
    expect(await statusOf(planter)).toBe(401);
    const rows = await service.service.db.read('member_sessions').select();
    expect(JSON.stringify(rows)).not.toContain(cookie.slice('dashboard_session='.length, 60));
  });

  test('a page at another name of this service cannot sign in', async () => {
    await createMember(service, { role: 'viewer', email: 'rebound@example.com' });
    const body = JSON.stringify({ email: 'rebound@example.com', password });
    const statusAt = (origin: string): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        const headers = { Host: new URL(origin).host, Origin: origin, 'Sec-Fetch-Site': 'same-origin' };
        const sent = request(`${service.url}/management/sign-in`, {
          method: 'POST',
          headers: { ...headers, 'Dashboard-Request': '1', 'Content-Type': 'application/json' },
        });
        sent.on('response', (response) => resolve(response.resume().statusCode));
        sent.on('error', reject).end(body);
      });
    expect(await statusAt(service.url)).toBe(200);
    expect(await statusAt('http://evil.example')).toBe(403);
  });

  test('a session expires without use and after 7 days, and can be ended', async () => {
    const email = 'sessions@example.com';
    await createMember(service, { role: 'viewer', email });
    const idle = await signIn(service, { email });
    service.advance(12 * hour);
    expect(await statusOf(idle)).toBe(401);
    const used = await signIn(service, { email });
    const almost = 12 * hour - seconds(60);
    for (let at = 0; at < 14; at++) {
      service.advance(almost);
      expect(await statusOf(used)).toBe(200);
    }
    service.advance(days(7) - 14 * almost);
    expect(await statusOf(used)).toBe(401);

    const [one, two] = [await signIn(service, { email }), await signIn(service, { email })];
    const three = await signIn(service, { email });
    const { data } = await one.client.GET('/management/me/sessions');
    expect(data?.sessions.filter(({ isCurrent }) => isCurrent)).toHaveLength(1);
    const { data: other } = await two.client.GET('/management/session');
    await one.client.DELETE('/management/me/sessions/{sessionId}', {
      params: { path: { sessionId: other!.session.id } },
    });
    expect([await statusOf(one), await statusOf(two), await statusOf(three)]).toEqual([200, 401, 200]);
    await one.client.DELETE('/management/me/sessions');
    expect([await statusOf(one), await statusOf(three)]).toEqual([200, 401]);
    const oldCookie = one.cookie();
    await one.client.DELETE('/management/session');
    expect(one.cookie()).toBeUndefined();
    one.setCookie(oldCookie);
    expect(await statusOf(one)).toBe(401);
  });

  test('changing the password needs the current one and ends other sessions', async () => {
    const email = 'changes@example.com';
    await createMember(service, { role: 'viewer', email });
    const [current, other] = [await signIn(service, { email }), await signIn(service, { email })];
    const change = async (currentPassword: string | undefined, newPassword: string) =>
      (await current.client.PUT('/management/me/password', { body: { currentPassword, newPassword } }))
        .response.status;
    expect(await change(undefined, secondPassword)).toBe(403);
    expect(await change('wrong', secondPassword)).toBe(403);
    expect(await change(password, secondPassword)).toBe(204);
    expect([await statusOf(current), await statusOf(other)]).toEqual([200, 401]);
    expect((await tryPassword(anonymousUser(service.url), email, password)).status).toBe(401);
    expect((await tryPassword(anonymousUser(service.url), email, secondPassword)).status).toBe(200);
  });

  test('a new password has at least 12 characters, in an invitation, a change and a reset', async () => {
    const email = 'shortest@example.com';
    const [tooShort, shortest] = ['11 letters.', '12 letters..'];
    const invitation = await inviteAsOperator(service, { email, role: 'viewer' });
    const user = anonymousUser(service.url);
    const accept = async (chosen: string) =>
      (await acceptInvitation(user, invitation, { name: 'Shortest', password: chosen })).response.status;
    const change = async (newPassword: string) => {
      const body = { currentPassword: shortest, newPassword };
      return (await user.client.PUT('/management/me/password', { body })).response.status;
    };
    expect([await accept(tooShort), await accept(shortest)]).toEqual([400, 200]);
    expect([await change(tooShort), await change(shortest)]).toEqual([400, 204]);
    const { url } = await createResetLinkAsOperator(service.service.members, email);
    const reset = (chosen: string) => resetPassword(user, url, chosen);
    expect([await reset(tooShort), await reset(shortest)]).toEqual([400, 204]);
  });

  test('a password is stored as Argon2id of 19 MiB and 2 passes', async () => {
    const { email } = await createMember(service, { role: 'viewer', email: 'hashed@example.com' });
    const member = await service.service.db.read('members').where({ email }).first('passwordHash');
    expect(member!.passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  test('a reset link from an owner or the operator works once, for an hour', async () => {
    const email = 'forgot@example.com';
    const user = await createMember(service, { role: 'viewer', email });
    const owner = await createMember(service, { role: 'owner', email: 'helper@example.com' });
    const params = { path: { organizationId, memberId: await memberIdOf(user) } };
    const { link } = (await owner.client.POST(`${memberPath}/reset-link`, { params })).data!;
    const anonymous = anonymousUser(service.url);
    expect(await resetPassword(anonymous, link, secondPassword)).toBe(204);
    expect(await resetPassword(anonymous, link)).toBe(404);
    expect(await statusOf(user)).toBe(401);
    expect((await tryPassword(anonymous, email, secondPassword)).status).toBe(200);
    const { url } = await createResetLinkAsOperator(service.service.members, 'FORGOT@example.com');
    service.advance(hour + 1);
    expect(await resetPassword(anonymous, url)).toBe(404);
  });

  test('a sign-in with the old password does not outlive a reset that overtakes it', async () => {
    const email = 'overtaken@example.com';
    await createMember(service, { role: 'viewer', email });
    const { url } = await createResetLinkAsOperator(service.service.members, email);
    const users: ReturnType<typeof anonymousUser>[] = [];
    let isReset = false;
    const signingIn = (async () => {
      while (!isReset) {
        const user = anonymousUser(service.url);
        users.push(user);
        await tryPassword(user, email, password);
      }
    })();
    await expect.poll(() => users.length).toBeGreaterThan(1);
    await resetPassword(anonymousUser(service.url), url, secondPassword);
    isReset = true;
    await signingIn;
    expect(new Set(await Promise.all(users.map(statusOf)))).toEqual(new Set([401]));
  });

  test('an owner creates a reset link only for a member whose organizations they all own', async () => {
    const [email, helper] = ['of-two@example.com', 'of-one@example.com'];
    const user = await createMember(service, { role: 'viewer', email });
    const owner = await createMember(service, { role: 'owner', email: helper });
    const params = { path: { organizationId, memberId: await memberIdOf(user) } };
    const create = () => owner.client.POST(`${memberPath}/reset-link`, { params });
    const elsewhere = await addOrganization(service, 'Elsewhere');
    const join = async (member: DashboardUser, email: string, role: Role) => {
      const link = await inviteAsOperator(service, { email, role, organizationId: elsewhere });
      expect((await acceptInvitation(member, link, {})).response.status).toBe(200);
    };
    const { link } = (await create()).data!;
    // The link would also give access to an organization of other owners.
    await join(user, email, 'viewer');
    expect(await resetPassword(anonymousUser(service.url), link)).toBe(404);
    expect((await create()).response.status).toBe(409);
    await join(owner, helper, 'viewer');
    expect((await create()).response.status).toBe(409);
  });

  test('links that a removed or demoted owner may have kept do not work', async () => {
    const organizationId = await addOrganization(service, 'Leaving');
    const add = (role: Role, name: string) =>
      createMember(service, { role, email: `${name}@leaving.example`, organizationId });
    const [owner, leaving] = [await add('owner', 'owner'), await add('owner', 'leaving')];
    const viewer = await add('viewer', 'viewer');
    const ofMember = async (user: DashboardUser) => ({
      params: { path: { organizationId, memberId: await memberIdOf(user) } },
    });
    const [member, ofViewer] = [await ofMember(leaving), await ofMember(viewer)];
    const changeRole = (role: Role) => owner.client.PATCH(memberPath, { ...member, body: { role } });
    const createLink = async () =>
      (await leaving.client.POST(`${memberPath}/reset-link`, ofViewer)).data!.link;
    const statusOfReset = (link: string) => resetPassword(anonymousUser(service.url), link);
    const whileOwner = await createLink();
    await changeRole('developer');
    expect(await statusOfReset(whileOwner)).toBe(404);
    await changeRole('owner');
    const again = await createLink();
    // An invitation that remained when another one for the same email was accepted.
    const email = 'leaving@leaving.example';
    const fields = { kind: 'invitation', organizationId, email, role: 'owner' } as const;
    const left = makeMemberToken(service.service.members, fields, 1);
    await service.service.db.write('member_tokens').insert(left.memberToken);
    expect((await owner.client.DELETE(memberPath, member)).response.status).toBe(204);
    expect(await statusOfReset(again)).toBe(404);
    expect((await acceptInvitation(leaving, left.url)).response.status).toBe(404);
  });

  test('the last owner cannot be changed; role changes and removals take effect with the next request', async () => {
    const organizationId = await addOrganization(service, 'Small');
    const add = (role: Role, email: string) => createMember(service, { role, email, organizationId });
    const owner = await add('owner', 'last@example.com');
    const other = await add('developer', 'next@example.com');
    const [ownerId, otherId] = [await memberIdOf(owner), await memberIdOf(other)];
    const ofMember = (memberId: string) => ({ params: { path: { organizationId, memberId } } });
    const change = async (memberId: string, role: Role) =>
      (await owner.client.PATCH(memberPath, { ...ofMember(memberId), body: { role } })).response.status;
    const remove = async (user: DashboardUser, memberId: string) =>
      (await user.client.DELETE(memberPath, ofMember(memberId))).response.status;
    const create = async () => {
      const body = { name: 'App', environment: 'sandbox' } as const;
      const params = { path: { organizationId } };
      return (await other.client.POST(`${organizationPath}/applications`, { params, body })).response.status;
    };
    expect(await change(ownerId, 'viewer')).toBe(409);
    expect(await remove(owner, ownerId)).toBe(409);
    expect(await create()).toBe(201);
    expect(await change(otherId, 'viewer')).toBe(200);
    expect(await create()).toBe(403);
    expect(await change(otherId, 'owner')).toBe(200);
    expect(await remove(other, ownerId)).toBe(204);
    expect(await change(otherId, 'viewer')).toBe(404);
    expect(await remove(other, otherId)).toBe(409);
  });

  test('no secret is logged', async () => {
    const text = lines.join('\n');
    expect(lines.length).toBeGreaterThan(50);
    for (const secret of [password, secondPassword, '@example.com', 'dashboard_session=']) {
      expect(text.toLowerCase()).not.toContain(secret.toLowerCase());
    }
  });
});

test('a session has its own limit of requests a minute, and so has an address without one', async () => {
  const service = await startService({
    ...{ worker: false, env: { TRUSTED_PROXIES: 'loopback' }, limits: { dashboardRequestsPerMinute: 3 } },
  });
  onTestFinished(service.close);
  const one = await createMember(service, { role: 'viewer', email: 'one@example.com' });
  const other = await createMember(service, { role: 'viewer', email: 'other@example.com' });
  const stranger = (address: string) => anonymousUser(service.url, 'stranger@example.com', { address });
  const statuses = async (path: string, users: DashboardUser[]): Promise<number[]> => {
    const found: number[] = [];
    for (const user of users) found.push((await user.fetch(path)).status);
    return found;
  };
  // All requests are in one minute.
  service.advance(60_000 - (service.service.clock.real().getTime() % 60_000));
  const bySession = [one, one, one, one, other];
  expect(await statuses('/management/session', bySession)).toEqual([200, 200, 200, 429, 200]);
  const last = ['2::1', '2::2', '2::3', '2:ffff::', '3::1'];
  const byAddress = last.map((end) => stranger(`2001:db8:1:${end}`));
  expect(await statuses('/management/sign-in', byAddress)).toEqual([200, 200, 200, 429, 200]);
});
