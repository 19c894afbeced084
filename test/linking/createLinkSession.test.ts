// Who may create a link session: which origins, native apps and users.
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

type Body = Partial<components['schemas']['NewLinkSession']>;

const started = { status: 201, code: undefined };
const otherOrigin = { status: 403, code: 'origin_not_allowed' };
const forbidden = { status: 403, code: 'forbidden' };

for (const database of databases) {
  describe(`creating a link session on ${database.name}`, () => {
    let service: TestService;
    beforeAll(async () => {
      service = await startService({ database });
    });
    afterAll(() => service.close());

    const start = async (body: Body & { applicationId: string }) => {
      const response = await fetch(`${service.url}/connect/api/link-sessions`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ origin: hostOrigin, ...body }),
      });
      const { code } = (await response.json()) as { code?: string };
      return { status: response.status, code };
    };
    const change = async (applicationId: string, change: ApplicationChange) => {
      const { db, clock } = service.service;
      const application = (await findApplication(db.read, applicationId))!;
      await changeApplication(db.write, application, { change, now: clock.real() });
    };

    describe('in a native app', () => {
      test('works only while the application allows native apps', async () => {
        const { id: applicationId } = await service.addApplication();
        const native = { applicationId, origin: 'native' };
        expect(await start(native)).toEqual(otherOrigin);
        await change(applicationId, { nativeAllowed: true });
        expect(await start(native)).toEqual(started);
        await change(applicationId, { nativeAllowed: false });
        expect(await start(native)).toEqual(otherOrigin);
        expect(await start({ applicationId })).toEqual(started);
      });

      test('gives web pages neither a link session nor a frame', async () => {
        const { id: applicationId } = await service.addApplication({ origins: [] });
        await change(applicationId, { nativeAllowed: true });
        for (const origin of [hostOrigin, 'null', '', 'Native', 'native://', 'https://native']) {
          expect(await start({ applicationId, origin }), origin).toEqual(otherOrigin);
        }
        const page = await fetch(`${service.url}/connect?application=${applicationId}`);
        expect(page.status).toBe(200);
        expect(page.headers.get('content-security-policy')).toMatch(/;frame-ancestors 'none'(;|$)/);
      });
    });

    describe('when the backend must sign the external user id', () => {
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

      test.each([hostOrigin, 'native'])('needs the signature of this user, from %s', async (origin) => {
        const { applicationId, sign } = await requireSignatures();
        const { sign: signForOther } = await requireSignatures();
        const startAs = (externalUserId: string, userSignature?: string) =>
          start({ applicationId, origin, externalUserId, userSignature });
        expect(await startAs('ann')).toEqual(forbidden);
        expect(await startAs('ann', sign('ben'))).toEqual(forbidden);
        expect(await startAs('ann', sign('ann', 'wrong key'))).toEqual(forbidden);
        expect(await startAs('ann', signForOther('ann'))).toEqual(forbidden);
        // The signature covers the exact bytes of the id, including case and spaces.
        expect(await startAs('Ann', sign('ann'))).toEqual(forbidden);
        expect(await startAs('ann ', sign('ann'))).toEqual(forbidden);
        expect(await startAs('ann', '')).toEqual({ status: 400, code: 'invalid_request' });
        expect(await startAs('ann', sign('ann'))).toEqual(started);
        expect(await startAs('jürgen 👋', sign('jürgen 👋'))).toEqual(started);
        // Without an external user id there is nothing to sign.
        expect(await start({ applicationId, origin })).toEqual(started);
      });

      test('reconnects only a connection of this user', async () => {
        const { applicationId, sign } = await requireSignatures();
        await change(applicationId, { identityRequired: false });
        const { connectionId } = await link(service, {
          applicationId,
          username: 'usd',
          externalUserId: 'ann',
        });
        await change(applicationId, { identityRequired: true });
        const reconnect = (externalUserId: string, userSignature?: string) =>
          start({ applicationId, connectionId, externalUserId, userSignature });
        expect(await reconnect('ann')).toEqual(forbidden);
        expect(await reconnect('ann', sign('ben'))).toEqual(forbidden);
        expect(await reconnect('ben', sign('ben'))).toEqual(forbidden);
        expect(await reconnect('ann', sign('ann'))).toEqual(started);
      });
    });
  });
}
