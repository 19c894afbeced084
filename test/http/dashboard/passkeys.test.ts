// Passkeys: added by who is signed in, then enough to sign in. An answer is good once, for its own challenge and site.
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

    const begin = async (person: DashboardUser) => {
      const { data } = await person.client.POST('/dashboard/api/me/passkeys/challenge', {
        body: { password },
      });
      return { challengeId: data!.challengeId, options: data!.options as Options };
    };

    const add = async (person: DashboardUser, authenticator: Authenticator) => {
      const { challengeId, options } = await begin(person);
      const body = { challengeId, name: 'Laptop', response: authenticator.create(options) };
      return person.client.POST('/dashboard/api/me/passkeys', { body });
    };

    const challenge = async (person: DashboardUser) => {
      const { data } = await person.client.POST('/dashboard/api/sign-in/passkey/challenge');
      return { challengeId: data!.challengeId, options: data!.options as Options };
    };

    const enter = async (person: DashboardUser, challengeId: string, response: Record<string, unknown>) =>
      person.client.POST('/dashboard/api/sign-in/passkey', { body: { challengeId, response } });

    test('a passkey is added, signs in, and can be removed', async () => {
      const person = await createMember(service, { role: 'viewer', email: 'key@example.com' });
      const authenticator = makeAuthenticator(origin);
      const { data: passkey } = await add(person, authenticator);
      expect(passkey).toMatchObject({ name: 'Laptop', lastUsedAt: null });
      const visitor = anonymousUser(service.url);
      const { challengeId, options } = await challenge(visitor);
      const { data } = await enter(visitor, challengeId, authenticator.get(options));
      expect(data?.member.email).toBe('key@example.com');
      const { data: sessions } = await visitor.client.GET('/dashboard/api/me/sessions');
      expect(sessions?.sessions.find(({ isCurrent }) => isCurrent)?.method).toBe('passkey');
      const { data: held } = await visitor.client.GET('/dashboard/api/me/passkeys');
      expect(held?.passkeys.map(({ lastUsedAt }) => lastUsedAt === null)).toEqual([false]);
      await visitor.client.DELETE('/dashboard/api/me/passkeys/{passkeyId}', {
        params: { path: { passkeyId: passkey!.id } },
      });
      const next = anonymousUser(service.url);
      const again = await challenge(next);
      const { response } = await enter(next, again.challengeId, authenticator.get(again.options));
      expect(response.status).toBe(401);
    });

    test('an answer is good once, in time, for its own challenge, from its own site', async () => {
      const person = await createMember(service, { role: 'viewer', email: 'careful@example.com' });
      const authenticator = makeAuthenticator(origin);
      await add(person, authenticator);
      const visitor = anonymousUser(service.url);
      const status = async (id: string, answer: Record<string, unknown>) =>
        (await enter(visitor, id, answer)).response.status;
      const first = await challenge(visitor);
      const answer = authenticator.get(first.options);
      expect(await status(first.challengeId, answer)).toBe(200);
      expect(await status(first.challengeId, answer)).toBe(401);
      const [second, third] = [await challenge(visitor), await challenge(visitor)];
      expect(await status(second.challengeId, authenticator.get(third.options))).toBe(401);
      const late = await challenge(visitor);
      service.advance(seconds(5 * 60) + 1);
      expect(await status(late.challengeId, authenticator.get(late.options))).toBe(401);
      const copied = await challenge(visitor);
      expect(await status(copied.challengeId, authenticator.get(copied.options, { back: 4 }))).toBe(401);
      const elsewhere = makeAuthenticator('https://evil.example');
      const refused = await add(person, elsewhere);
      expect(refused.error).toMatchObject({ code: 'invalid_request' });
      const unknown = makeAuthenticator(origin);
      const fourth = await challenge(visitor);
      expect(await status(fourth.challengeId, unknown.get(fourth.options))).toBe(401);
    });

    test('a passkey belongs to one member, and adding one takes the password', async () => {
      const [one, two] = [
        await createMember(service, { role: 'viewer', email: 'one@example.com' }),
        await createMember(service, { role: 'viewer', email: 'two@example.com' }),
      ];
      const authenticator = makeAuthenticator(origin);
      expect((await add(one, authenticator)).response.status).toBe(201);
      expect((await add(two, authenticator)).response.status).toBe(400);
      const { challengeId, options } = await begin(one);
      const stolen = await two.client.POST('/dashboard/api/me/passkeys', {
        body: { challengeId, name: 'Mine', response: makeAuthenticator(origin).create(options) },
      });
      expect(stolen.response.status).toBe(400);
      for (const given of [undefined, 'wrong']) {
        const { response } = await one.client.POST('/dashboard/api/me/passkeys/challenge', {
          body: { password: given },
        });
        expect(response.status).toBe(403);
      }
    });
  });
}
