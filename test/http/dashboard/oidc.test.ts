// Sign-in at an OpenID provider: a real provider runs in the test, and fetch acts as the browser.
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';

import { makeOidcClient } from '../../../src/domain/members/oidc.ts';
import { updatePasskeysRequiredAt } from '../../../src/domain/members/passkeyStore.ts';

import { oneDatabase } from '../../support/databases.ts';
import { freePort } from '../../support/freePort.ts';
import { startService, type TestService } from '../../support/testService.ts';
import { clientId, clientSecret, startOidcProvider } from './oidcProvider.ts';
import { anonymousUser, createMember, type DashboardUser, inviteAsOperator } from './users.ts';

/** Signs in at the provider. Returns the callback URL that it redirects to. */
const followRedirects = async (start: string, login: string): Promise<URL> => {
  const cookies = new Map<string, string>();
  let address = new URL(start);
  let form: URLSearchParams | undefined;
  for (let step = 0; step < 20; step++) {
    const headers = { Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') };
    const response = await fetch(address, {
      redirect: 'manual',
      headers,
      ...(form && { method: 'POST', body: form }),
    });
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get('Location');
    form = undefined;
    if (location) {
      address = new URL(location, address);
      if (address.pathname === '/dashboard/oidc/callback') return address;
      continue;
    }
    const page = await response.text();
    const [, action = ''] = /action="([^"]+)"/.exec(page) ?? [];
    const [, prompt = ''] = /name="prompt" value="([^"]+)"/.exec(page) ?? [];
    address = new URL(action, address);
    form = new URLSearchParams({ prompt, ...(prompt === 'login' && { login, password: 'any' }) });
  }
  throw new Error('The provider did not redirect back.');
};

describe.each(oneDatabase)('OpenID Connect on $name', (database) => {
  let service: TestService;
  let provider: Awaited<ReturnType<typeof startOidcProvider>>;
  beforeAll(async () => {
    const PORT = String(await freePort());
    provider = await startOidcProvider(`http://127.0.0.1:${PORT}`);
    const client = { OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret };
    const env = { PORT, OIDC_ISSUER: provider.issuer, ...client };
    service = await startService({ database, worker: false, env });
  });
  afterAll(async () => {
    await service.close();
    await provider.close();
  });

  const start = async (user: DashboardUser) => {
    const response = await user.fetch('/management/sign-in/oidc', { method: 'POST' });
    const { url } = (await response.json()) as { url: string };
    const [cookie = ''] = response.headers.getSetCookie();
    return { url, cookie };
  };

  const callback = (user: DashboardUser, callbackUrl: URL, flowCookie?: string) =>
    user.fetch(`${callbackUrl.pathname}${callbackUrl.search}`, { headers: { Cookie: flowCookie ?? '' } });

  const signInAs = async (user: DashboardUser, login: string): Promise<string | null> => {
    const { url, cookie } = await start(user);
    const callbackUrl = await followRedirects(url, login);
    const response = await callback(user, callbackUrl, cookie.split(';')[0]);
    expect(response.status).toBe(303);
    return response.headers.get('Location');
  };

  const inviteTo = (email: string) => inviteAsOperator(service, { email, role: 'developer' });

  test('an invited user with a verified email can sign in repeatedly', async () => {
    await inviteTo('invited@example.com');
    const user = anonymousUser(service.url);
    expect((await user.client.GET('/management/sign-in')).data?.oidc).toBe(true);
    const { cookie } = await start(user);
    expect(cookie).toMatch(/^dashboard_oidc=[\w-]{43}; Max-Age=600; Path=\/; .*HttpOnly; SameSite=Lax$/);
    expect(await signInAs(user, 'invited')).toBe('/dashboard');
    expect(user.cookie()).toMatch(/^dashboard_session=/);
    const { data } = await user.client.GET('/management/session');
    expect(data).toMatchObject({
      member: { email: 'invited@example.com', name: 'Name of invited', hasPassword: false },
      organizations: [{ name: 'Tests', role: 'developer' }],
    });
    expect(await signInAs(anonymousUser(service.url), 'invited')).toBe('/dashboard');
  });

  test('a user without an invitation or a verified email cannot sign in', async () => {
    await inviteTo('victim@example.com');
    for (const [login, problem] of [
      ['uninvited', 'not_invited'],
      ['unverified-victim', 'email_not_verified'],
      ['unsaid-victim', 'email_not_verified'],
    ] as const) {
      const user = anonymousUser(service.url);
      expect(await signInAs(user, login)).toBe(`/dashboard/sign-in?error=${problem}`);
      expect(user.cookie()).toBeUndefined();
    }
  });

  test('a sign-in at the provider has all rights even if passkeys are required', async () => {
    await inviteTo('provided@example.com');
    const { db, clock } = service.service;
    const { organizationId } = service;
    await updatePasskeysRequiredAt(db.write, organizationId, clock.real().toISOString());
    const user = anonymousUser(service.url);
    await signInAs(user, 'provided');
    const { response } = await user.client.GET('/management/organizations/{organizationId}/members', {
      params: { path: { organizationId } },
    });
    await updatePasskeysRequiredAt(db.write, organizationId, null);
    expect(response.status).toBe(200);
  });

  test('the first sign-in at the provider ends earlier passwords and sessions', async () => {
    const email = 'early@example.com';
    const early = await createMember(service, { role: 'viewer', email });
    const user = anonymousUser(service.url);
    expect(await signInAs(user, 'early')).toBe('/dashboard');
    expect((await early.fetch('/management/session')).status).toBe(401);
    const { response } = await early.client.POST('/management/sign-in', {
      body: { email, password: early.password },
    });
    expect(response.status).toBe(401);
  });

  test('a callback works once, and only in the browser that started the flow', async () => {
    await inviteTo('careful@example.com');
    const failed = '/dashboard/sign-in?error=failed';
    const user = anonymousUser(service.url);
    const { url, cookie } = await start(user);
    const callbackUrl = await followRedirects(url, 'careful');
    const flowCookie = cookie.split(';')[0];
    const locationOf = async (browser: DashboardUser, flow?: string) =>
      (await callback(browser, callbackUrl, flow)).headers.get('Location');
    expect(await locationOf(anonymousUser(service.url))).toBe(failed);
    const other = await start(user);
    expect(await locationOf(user, other.cookie.split(';')[0])).toBe(failed);
    expect(await locationOf(user, flowCookie)).toBe('/dashboard');
    expect(await locationOf(user, flowCookie)).toBe(failed);
  });
});

test('an unreachable provider fails the sign-in and is retried with the next', async () => {
  const oidc = makeOidcClient({ issuer: 'http://127.0.0.1:1', clientId, clientSecret });
  const service = await startService({ worker: false });
  onTestFinished(service.close);
  for (let time = 0; time < 2; time++)
    await expect(oidc.start(service.service.members)).rejects.toMatchObject({ problem: 'failed' });
});
