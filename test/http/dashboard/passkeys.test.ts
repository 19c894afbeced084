// Passkeys: added by a member, then sufficient to sign in. A response is valid once, for its own challenge and site.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seconds } from '../../../src/clock.ts';
import { databases } from '../../support/databases.ts';
import { startService, type TestService } from '../../support/testService.ts';
import { type Authenticator, makeAuthenticator } from './authenticator.ts';
import { anonymousUser, createMember, type DashboardUser, password } from './users.ts';

type Options = { challenge: string; rp?: { id: string }; user?: { id: string } };

for (const database of databases) {
  describe(`passkeys on ${database.name}`, () => {
    let service: TestService;
    let origin: string;
    beforeAll(async () => {
      service = await startService({ database, worker: false });
      origin = service.service.config.baseUrl;
    });
    afterAll(() => service.close());

    const startAdding = async (user: DashboardUser) => {
      const { data } = await user.client.POST('/dashboard/api/me/passkeys/challenge', {
        body: { password },
      });
      return { challengeId: data!.challengeId, options: data!.options as Options };
    };

    const add = async (user: DashboardUser, authenticator: Authenticator) => {
      const { challengeId, options } = await startAdding(user);
      const body = { challengeId, name: 'Laptop', response: authenticator.create(options) };
      return user.client.POST('/dashboard/api/me/passkeys', { body });
    };

    const startSignIn = async (user: DashboardUser) => {
      const { data } = await user.client.POST('/dashboard/api/sign-in/passkey/challenge');
      return { challengeId: data!.challengeId, options: data!.options as Options };
    };

    const signInWith = async (user: DashboardUser, challengeId: string, response: Record<string, unknown>) =>
      user.client.POST('/dashboard/api/sign-in/passkey', { body: { challengeId, response } });

    test('a passkey is added, signs in, and can be removed', async () => {
      const user = await createMember(service, { role: 'viewer', email: 'key@example.com' });
      const authenticator = makeAuthenticator(origin);
      const { data: passkey } = await add(user, authenticator);
      expect(passkey).toMatchObject({ name: 'Laptop', lastUsedAt: null });
      const browser = anonymousUser(service.url);
      const { challengeId, options } = await startSignIn(browser);
      const { data } = await signInWith(browser, challengeId, authenticator.get(options));
      expect(data?.member.email).toBe('key@example.com');
      const { data: sessions } = await browser.client.GET('/dashboard/api/me/sessions');
      expect(sessions?.sessions.find(({ isCurrent }) => isCurrent)?.method).toBe('passkey');
      const { data: list } = await browser.client.GET('/dashboard/api/me/passkeys');
      expect(list?.passkeys.map(({ lastUsedAt }) => lastUsedAt === null)).toEqual([false]);
      await browser.client.DELETE('/dashboard/api/me/passkeys/{passkeyId}', {
        params: { path: { passkeyId: passkey!.id } },
      });
      const next = anonymousUser(service.url);
      const again = await startSignIn(next);
      const { response } = await signInWith(next, again.challengeId, authenticator.get(again.options));
      expect(response.status).toBe(401);
    });

    test('a response is valid once, for 5 minutes, for its own challenge and site', async () => {
      const user = await createMember(service, { role: 'viewer', email: 'careful@example.com' });
      const authenticator = makeAuthenticator(origin);
      await add(user, authenticator);
      const browser = anonymousUser(service.url);
      const status = async (id: string, response: Record<string, unknown>) =>
        (await signInWith(browser, id, response)).response.status;
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
      const elsewhere = makeAuthenticator('https://evil.example');
      const refused = await add(user, elsewhere);
      expect(refused.error).toMatchObject({ code: 'invalid_request' });
      const unknown = makeAuthenticator(origin);
      const fourth = await startSignIn(browser);
      expect(await status(fourth.challengeId, unknown.get(fourth.options))).toBe(401);
    });

    test('a passkey belongs to one member, and adding one needs the password', async () => {
      const [one, two] = [
        await createMember(service, { role: 'viewer', email: 'one@example.com' }),
        await createMember(service, { role: 'viewer', email: 'two@example.com' }),
      ];
      const authenticator = makeAuthenticator(origin);
      expect((await add(one, authenticator)).response.status).toBe(201);
      expect((await add(two, authenticator)).response.status).toBe(400);
      const { challengeId, options } = await startAdding(one);
      const stolen = await two.client.POST('/dashboard/api/me/passkeys', {
        body: { challengeId, name: 'Mine', response: makeAuthenticator(origin).create(options) },
      });
      expect(stolen.response.status).toBe(400);
      for (const wrong of [undefined, 'wrong']) {
        const { response } = await one.client.POST('/dashboard/api/me/passkeys/challenge', {
          body: { password: wrong },
        });
        expect(response.status).toBe(403);
      }
    });
  });
}
