// Signing in at a company's provider: a real one runs beside the service, and the test walks through it as a browser.
import { operatorActor } from '../../../src/audit/store.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../../src/config.ts';
import { invite } from '../../../src/members/invitations.ts';
import { makeOidcClient } from '../../../src/members/oidc.ts';
import { databases } from '../../support/databases.ts';
import { startService, type TestService } from '../../support/testService.ts';
import { clientId, clientSecret, startOidcProvider } from './oidcProvider.ts';
import { anonymousUser, createMember, type DashboardUser, onlyOrganization } from './users.ts';

/** A browser at the provider: goes on until it is sent back, and gives the address that it is sent back to. */
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
  throw new Error('The provider never sent its visitor back.');
};

for (const database of databases) {
  describe(`OpenID Connect on ${database.name}`, () => {
    let service: TestService;
    let provider: Awaited<ReturnType<typeof startOidcProvider>>;
    beforeAll(async () => {
      provider = await startOidcProvider('http://localhost:0');
      const settings = {
        OIDC_ISSUER: provider.issuer,
        OIDC_CLIENT_ID: clientId,
        OIDC_CLIENT_SECRET: clientSecret,
      };
      service = await startService({ database, worker: false, env: settings });
    });
    afterAll(async () => {
      await service.close();
      await provider.close();
    });

    const begin = async (person: DashboardUser) => {
      const response = await person.fetch('/dashboard/api/sign-in/oidc', { method: 'POST' });
      const { url } = (await response.json()) as { url: string };
      const [cookie = ''] = response.headers.getSetCookie();
      return { url, cookie };
    };

    const comeBack = (person: DashboardUser, back: URL, journey?: string) =>
      person.fetch(`${back.pathname}${back.search}`, { headers: { Cookie: journey ?? '' } });

    const enter = async (person: DashboardUser, login: string): Promise<string | null> => {
      const { url, cookie } = await begin(person);
      const back = await followRedirects(url, login);
      const response = await comeBack(person, back, cookie.split(';')[0]);
      expect(response.status).toBe(303);
      return response.headers.get('Location');
    };

    const inviteTo = async (email: string) => {
      const organizationId = await onlyOrganization(service);
      return invite(service.service.members, {
        organizationId,
        email,
        role: 'developer',
        actor: operatorActor,
      });
    };

    test('the page knows that there is a provider', async () => {
      const { data } = await anonymousUser(service.url).client.GET('/dashboard/api/sign-in');
      expect(data?.oidc).toBe(true);
    });

    test('who was invited by the email that the provider vouches for gets in, and comes back', async () => {
      await inviteTo('invited@example.com');
      const person = anonymousUser(service.url);
      const { cookie } = await begin(person);
      expect(cookie).toMatch(
        /^dashboard_oidc=[\w-]{43}; Max-Age=600; Path=\/dashboard; .*HttpOnly; SameSite=Lax$/,
      );
      expect(await enter(person, 'invited')).toBe('/dashboard');
      expect(person.cookie()).toMatch(/^dashboard_session=/);
      const { data } = await person.client.GET('/dashboard/api/session');
      expect(data).toMatchObject({
        member: { email: 'invited@example.com', name: 'Name of invited', hasPassword: false },
        organizations: [{ name: 'Tests', role: 'developer' }],
      });
      expect(await enter(anonymousUser(service.url), 'invited')).toBe('/dashboard');
    });

    test('who was not invited, or has an email that nobody verified, does not', async () => {
      await inviteTo('victim@example.com');
      const cases = { uninvited: 'not_invited', 'unverified-victim': 'email_not_verified' };
      for (const [login, problem] of Object.entries(cases)) {
        const person = anonymousUser(service.url);
        expect(await enter(person, login)).toBe(`/dashboard/sign-in?error=${problem}`);
        expect(person.cookie()).toBeUndefined();
      }
    });

    test('an account that was made by a link before opens no more by what was set up then', async () => {
      const email = 'early@example.com';
      const early = await createMember(service, { role: 'viewer', email });
      const person = anonymousUser(service.url);
      expect(await enter(person, 'early')).toBe('/dashboard');
      expect((await early.fetch('/dashboard/api/session')).status).toBe(401);
      const { response } = await early.client.POST('/dashboard/api/sign-in', {
        body: { email, password: early.password },
      });
      expect(response.status).toBe(401);
    });

    test('an answer is taken once, and only by the browser that asked', async () => {
      await inviteTo('careful@example.com');
      const failed = '/dashboard/sign-in?error=failed';
      const person = anonymousUser(service.url);
      const { url, cookie } = await begin(person);
      const back = await followRedirects(url, 'careful');
      const journey = cookie.split(';')[0];
      expect((await comeBack(anonymousUser(service.url), back)).headers.get('Location')).toBe(failed);
      const other = await begin(person);
      const mixed = await comeBack(person, back, other.cookie.split(';')[0]);
      expect(mixed.headers.get('Location')).toBe(failed);
      expect((await comeBack(person, back, journey)).headers.get('Location')).toBe('/dashboard');
      expect((await comeBack(person, back, journey)).headers.get('Location')).toBe(failed);
    });
  });
}

test('a provider is set as a whole, and by https', () => {
  const whole = { OIDC_ISSUER: 'https://id.example', OIDC_CLIENT_ID: 'a', OIDC_CLIENT_SECRET: 'b' };
  expect(readConfig(whole).oidc).toEqual({
    issuer: 'https://id.example',
    clientId: 'a',
    clientSecret: 'b',
  });
  expect(readConfig({}).oidc).toBeUndefined();
  for (const name of Object.keys(whole)) {
    expect(() => readConfig({ ...whole, [name]: '' })).toThrow(`${name} is missing`);
  }
  expect(() => readConfig({ ...whole, OIDC_ISSUER: 'http://id.example' })).toThrow(
    'must be an https address',
  );
});

test('a provider that does not answer refuses, and is asked again the next time', async () => {
  const oidc = makeOidcClient({ issuer: 'http://127.0.0.1:1', clientId, clientSecret });
  const service = await startService({ worker: false });
  try {
    for (let time = 0; time < 2; time++) {
      await expect(oidc.start(service.service.members)).rejects.toMatchObject({ problem: 'failed' });
    }
  } finally {
    await service.close();
  }
});
