// For whom a session starts: which hosts, and which users. What is asked here is what the widget's page asks.
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { components } from '../../generated/widget.ts';
import {
  type ApplicationChange,
  changeApplication,
  rotateIdentitySecret,
} from '../../src/applications/changeApplication.ts';
import { deriveIdentitySecret } from '../../src/applications/identityVerification.ts';
import { findApplication } from '../../src/applications/store.ts';
import { databases } from '../support/databases.ts';
import { hostOrigin, link, startService, type TestService } from '../support/testService.ts';

type Wanted = Partial<components['schemas']['NewLinkSession']>;

const started = { status: 201, code: undefined };
const otherOrigin = { status: 403, code: 'origin_not_allowed' };
const forbidden = { status: 403, code: 'forbidden' };

for (const database of databases) {
  describe(`a session on ${database.name}`, () => {
    let service: TestService;
    beforeAll(async () => {
      service = await startService({ database });
    });
    afterAll(() => service.close());

    const start = async (wanted: Wanted & { applicationId: string }) => {
      const response = await fetch(`${service.url}/connect/api/link-sessions`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ origin: hostOrigin, ...wanted }),
      });
      const { code } = (await response.json()) as { code?: string };
      return { status: response.status, code };
    };
    const change = async (applicationId: string, change: ApplicationChange) => {
      const { db, clock } = service.service;
      const application = (await findApplication(db.read, applicationId))!;
      await changeApplication(db.write, application, { change, now: clock.real() });
    };

    describe('of a native application', () => {
      test('starts only while the application allows native use', async () => {
        const { id: applicationId } = await service.addApplication();
        const native = { applicationId, origin: 'native' };
        expect(await start(native)).toEqual(otherOrigin);
        await change(applicationId, { nativeAllowed: true });
        expect(await start(native)).toEqual(started);
        await change(applicationId, { nativeAllowed: false });
        expect(await start(native)).toEqual(otherOrigin);
        expect(await start({ applicationId })).toEqual(started);
      });

      test('opens no door to web pages: neither a session nor a frame', async () => {
        const { id: applicationId } = await service.addApplication({ origins: [] });
        await change(applicationId, { nativeAllowed: true });
        for (const origin of [hostOrigin, 'null', '', 'Native', 'native://', 'https://native']) {
          expect(await start({ applicationId, origin }), origin).toEqual(otherOrigin);
        }
        const page = await fetch(`${service.url}/connect?application=${applicationId}`);
        expect(page.status).toBe(200);
        expect(page.headers.get('content-security-policy')).toMatch(/; frame-ancestors 'none'$/);
      });
    });

    describe('of a user whom the backend must sign', () => {
      const requireSignatures = async () => {
        const { id } = await service.addApplication();
        const { db, secrets, clock } = service.service;
        const renewed = await rotateIdentitySecret(
          db.write,
          (await findApplication(db.read, id))!,
          clock.real(),
        );
        await change(id, { identityRequired: true, nativeAllowed: true });
        const secret = deriveIdentitySecret(secrets.apiKeys, renewed)!;
        return {
          applicationId: id,
          sign: (user: string, key = secret) => createHmac('sha256', key).update(user).digest('hex'),
        };
      };

      test.each([hostOrigin, 'native'])('starts for nobody else, from %s', async (origin) => {
        const { applicationId, sign } = await requireSignatures();
        const { sign: signElsewhere } = await requireSignatures();
        const claim = (externalUserId: string, userSignature?: string) =>
          start({ applicationId, origin, externalUserId, userSignature });
        expect(await claim('ann')).toEqual(forbidden);
        expect(await claim('ann', sign('ben'))).toEqual(forbidden);
        expect(await claim('ann', sign('ann', 'a guess'))).toEqual(forbidden);
        expect(await claim('ann', signElsewhere('ann'))).toEqual(forbidden);
        // The id is signed byte for byte: neither case nor space is forgiven.
        expect(await claim('Ann', sign('ann'))).toEqual(forbidden);
        expect(await claim('ann ', sign('ann'))).toEqual(forbidden);
        expect(await claim('ann', '')).toEqual({ status: 400, code: 'invalid_request' });
        expect(await claim('ann', sign('ann'))).toEqual(started);
        expect(await claim('jürgen 👋', sign('jürgen 👋'))).toEqual(started);
        // A user without an id claims to be nobody.
        expect(await start({ applicationId, origin })).toEqual(started);
      });

      test('restores a connection of this user, and no one else’s', async () => {
        const { applicationId, sign } = await requireSignatures();
        await change(applicationId, { identityRequired: false });
        const { connectionId } = await link(service, {
          applicationId,
          username: 'usd',
          externalUserId: 'ann',
        });
        await change(applicationId, { identityRequired: true });
        const restore = (externalUserId: string, userSignature?: string) =>
          start({ applicationId, connectionId, externalUserId, userSignature });
        expect(await restore('ann')).toEqual(forbidden);
        expect(await restore('ann', sign('ben'))).toEqual(forbidden);
        expect(await restore('ben', sign('ben'))).toEqual(forbidden);
        expect(await restore('ann', sign('ann'))).toEqual(started);
      });
    });
  });
}
