// The origins, native apps and users that may create a link session.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type SignedUser, signUser } from '../../client/index.ts';
import type { components } from '../../generated/widget.ts';
import {
  type ApplicationChange,
  changeApplication,
  createIdentitySecret,
} from '../../src/domain/applications/applications.ts';
import { findApplication } from '../../src/domain/applications/store.ts';
import { byOperator } from '../../src/domain/audit/by.ts';
import { seconds } from '../../src/platform/values/clock.ts';
import { makeId } from '../../src/platform/values/ids.ts';
import { oneDatabase } from '../support/databases.ts';
import { hostOrigin, link, startService, type TestService } from '../support/testService.ts';

type Body = Partial<components['schemas']['NewLinkSession']>;

const started = { status: 201, code: undefined };
const otherOrigin = { status: 403, code: 'origin_not_allowed' };
const wrongAddress = { status: 403, code: 'wrong_address' };
const forbidden = { status: 403, code: 'forbidden' };

for (const database of oneDatabase) {
  describe(`creating a link session on ${database.name}`, () => {
    let service: TestService;
    beforeAll(async () => {
      service = await startService({ database, origins: [hostOrigin, 'https://pay.example'] });
    });
    afterAll(() => service.close());

    const start = async (body: Body & { applicationId: string }, headers: Record<string, string> = {}) => {
      const response = await fetch(`${service.url}/connect/api/link-sessions`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...headers },
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

      test('returns users only to an address that the application has registered', async () => {
        const { id: applicationId } = await service.addApplication();
        const native = { applicationId, origin: 'native' };
        const returnAddress = 'shop://bank-return';
        await change(applicationId, { nativeAllowed: true });
        expect(await start({ ...native, returnAddress })).toEqual(otherOrigin);
        await change(applicationId, { returnAddresses: [returnAddress] });
        expect(await start({ ...native, returnAddress })).toEqual(started);
        for (const other of [`${returnAddress}/`, 'shop://bank', 'https://evil.example'])
          expect(await start({ ...native, returnAddress: other })).toEqual(otherOrigin);
        expect((await start({ ...native, returnAddress: `${returnAddress}?a=b` })).status).toBe(400);
        // Users return to a web page through its own window.
        expect(await start({ applicationId, returnAddress })).toEqual(otherOrigin);
        await change(applicationId, { nativeAllowed: false });
        expect(await start({ ...native, returnAddress })).toEqual(otherOrigin);
      });

      test('allows web pages neither a link session nor a frame', async () => {
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

    test('the page names only the allowed origins of the pages around it', async () => {
      const stored = [
        'https://a.example',
        'https://b.example',
        'https://c.example;script-src',
        'https://*.example',
      ];
      const { id } = await service.addApplication();
      const { db } = service.service;
      // An older version may have stored origins in this form.
      await db
        .write('applications')
        .where({ id })
        .update({ origins: JSON.stringify(stored) });
      const ancestorsFor = async (query: string) => {
        const { headers } = await fetch(`${service.url}/connect?application=${id}${query}`);
        return /;frame-ancestors ([^;]*)/.exec(headers.get('content-security-policy')!)?.[1];
      };
      expect(await ancestorsFor('')).toBe("'none'");
      expect(await ancestorsFor('&origin=https://evil.example')).toBe("'none'");
      expect(await ancestorsFor('&origin=https://a.example')).toBe('https://a.example');
      expect(await ancestorsFor('&origin=https://b.example,https://a.example')).toBe(
        'https://a.example https://b.example',
      );
      expect(await ancestorsFor('&origin=https://a.example,https://evil.example')).toBe('https://a.example');
      for (const origin of ['*', ...stored.slice(2)]) {
        expect(await ancestorsFor(`&origin=${encodeURIComponent(origin)}`)).toBe("'none'");
      }
    });

    test('only the page at the service’s own address may report its embedding page', async () => {
      const applicationId = service.application.id;
      const { baseUrl } = service.service.config;
      const own: Record<string, string>[] = [
        {},
        { Origin: baseUrl },
        { Origin: baseUrl, 'Sec-Fetch-Site': 'same-origin' },
      ];
      for (const headers of own) {
        expect(await start({ applicationId }, headers)).toEqual(started);
      }
      const foreign: Record<string, string>[] = [
        { Origin: 'https://evil.example' },
        { Origin: hostOrigin },
        { Origin: 'null' },
        { Origin: `${baseUrl}0` },
        { 'Sec-Fetch-Site': 'cross-site' },
        { Origin: baseUrl, 'Sec-Fetch-Site': 'same-site' },
        { Origin: hostOrigin, 'Sec-Fetch-Site': 'same-origin' },
      ];
      for (const headers of foreign) {
        expect(await start({ applicationId }, headers), JSON.stringify(headers)).toEqual(wrongAddress);
      }
    });

    describe('when the backend must sign', () => {
      const requireSignatures = async () => {
        const { id } = await service.addApplication();
        const { db, secrets, clock } = service.service;
        const application = (await findApplication(db.read, id))!;
        const by = byOperator(application.organizationId, clock.real());
        const { secret } = await createIdentitySecret(db, secrets.identity, application, by);
        await change(id, { identityRequired: true, nativeAllowed: true });
        return {
          applicationId: id,
          /** The backend's signature from `age` seconds ago. */
          sign: (user: SignedUser, age = 0) =>
            signUser(secret, { at: new Date(clock.real().getTime() - seconds(age)), ...user }),
        };
      };
      const invalid = { status: 400, code: 'invalid_request' };

      test.each([hostOrigin, 'native'])('needs the signature of this user, from %s', async (origin) => {
        const { applicationId, sign } = await requireSignatures();
        const { sign: signForOther } = await requireSignatures();
        const startAs = (externalUserId: string, userSignature?: string) =>
          start({ applicationId, origin, externalUserId, userSignature });
        const ann = sign({ externalUserId: 'ann' });
        expect(await startAs('ann')).toEqual(forbidden);
        expect(await startAs('ann', sign({ externalUserId: 'ben' }))).toEqual(forbidden);
        expect(await startAs('ann', signUser('wrong key', { externalUserId: 'ann' }))).toEqual(forbidden);
        expect(await startAs('ann', signForOther({ externalUserId: 'ann' }))).toEqual(forbidden);
        // The signature covers the exact bytes of the id, including case and spaces.
        expect(await startAs('Ann', ann)).toEqual(forbidden);
        expect(await startAs('ann ', ann)).toEqual(forbidden);
        expect(await startAs('ann', ann)).toEqual(started);
        expect(await startAs('jürgen 👋', sign({ externalUserId: 'jürgen 👋' }))).toEqual(started);
        // Without an external user id there is nothing to sign.
        expect(await start({ applicationId, origin })).toEqual(started);
      });

      test('accepts a signature for ten minutes, by a clock that is up to a minute ahead', async () => {
        const { applicationId, sign } = await requireSignatures();
        const startWith = (userSignature: string) =>
          start({ applicationId, externalUserId: 'ann', userSignature });
        const signedBefore = (age: number) => sign({ externalUserId: 'ann' }, age);
        expect(await startWith(signedBefore(595))).toEqual(started);
        expect(await startWith(signedBefore(602))).toEqual(forbidden);
        expect(await startWith(signedBefore(-55))).toEqual(started);
        expect(await startWith(signedBefore(-65))).toEqual(forbidden);
        // The signature covers the time.
        const old = signedBefore(3600);
        expect(await startWith(old.replace(/^t=\d+/, /^t=\d+/.exec(signedBefore(0))![0]))).toEqual(forbidden);
        const signature = signedBefore(0);
        service.advance(seconds(602));
        expect(await startWith(signature)).toEqual(forbidden);
      });

      test('accepts one right code among several, but no other form', async () => {
        const { applicationId, sign } = await requireSignatures();
        const startWith = (userSignature: string) =>
          start({ applicationId, externalUserId: 'ann', userSignature });
        const signature = sign({ externalUserId: 'ann' });
        const [time, code] = signature.split(',') as [string, string];
        const wrong = `v1=${'0'.repeat(64)}`;
        expect(await startWith([time, wrong, code].join())).toEqual(started);
        expect(await startWith([time, code, wrong].join())).toEqual(started);
        expect(await startWith([time, code.toUpperCase().replace('V', 'v')].join())).toEqual(started);
        expect(await startWith([time, wrong].join())).toEqual(forbidden);
        const malformed = [
          '',
          time,
          code,
          code.slice(3),
          [code, time].join(),
          `${signature}0`,
          `${signature},`,
        ];
        for (const text of [...malformed, signature.replace('v1', 'v2'), `t=-1,${code}`]) {
          expect(await startWith(text), text).toEqual(invalid);
        }
      });

      test('refuses a wrong signature even if none is required', async () => {
        const { applicationId, sign } = await requireSignatures();
        await change(applicationId, { identityRequired: false });
        const { id: withoutSecret } = await service.addApplication();
        const externalUserId = 'ann';
        const userSignature = sign({ externalUserId });
        expect(await start({ applicationId, externalUserId })).toEqual(started);
        expect(await start({ applicationId, externalUserId, userSignature })).toEqual(started);
        expect(await start({ applicationId, externalUserId: 'ben', userSignature })).toEqual(forbidden);
        expect(await start({ applicationId, userSignature })).toEqual(forbidden);
        expect(await start({ applicationId: withoutSecret, externalUserId, userSignature })).toEqual(
          forbidden,
        );
      });

      /** An application that requires signatures, with a connection from before that requirement. */
      const requireForConnection = async (externalUserId?: string) => {
        const required = await requireSignatures();
        const { applicationId } = required;
        await change(applicationId, { identityRequired: false });
        const { connectionId } = await link(service, { applicationId, username: 'usd', externalUserId });
        await change(applicationId, { identityRequired: true });
        return { ...required, connectionId };
      };

      test('reconnects a connection of this user only with a signature of both', async () => {
        const { applicationId, connectionId, sign } = await requireForConnection('ann');
        const reconnect = (externalUserId?: string, userSignature?: string) =>
          start({ applicationId, connectionId, externalUserId, userSignature });
        const both = sign({ externalUserId: 'ann', connectionId });
        expect(await reconnect()).toEqual(forbidden);
        expect(await reconnect('ann')).toEqual(forbidden);
        // Without a signature, the response does not reveal whether a connection exists.
        expect(await start({ applicationId, connectionId: makeId('con') })).toEqual(forbidden);
        expect(await reconnect('ann', sign({ externalUserId: 'ann' }))).toEqual(forbidden);
        expect(await reconnect('ann', sign({ externalUserId: 'ben', connectionId }))).toEqual(forbidden);
        const other = { externalUserId: 'ann', connectionId: makeId('con') };
        expect(await reconnect('ann', sign(other))).toEqual(forbidden);
        expect(await reconnect('ann', sign({ externalUserId: 'ann', connectionId }, 602))).toEqual(forbidden);
        expect(await reconnect('ben', sign({ externalUserId: 'ben', connectionId }))).toEqual(forbidden);
        // The signing backend must name the owner of the connection.
        expect(await reconnect(undefined, sign({ connectionId }))).toEqual(forbidden);
        expect(await reconnect('ann', both)).toEqual(started);
        // The signature is not valid for anything else.
        const linkNew = { applicationId, externalUserId: 'ann', userSignature: both };
        expect(await start(linkNew)).toEqual(forbidden);
      });

      test('reconnects an anonymous connection only with a signature of its id', async () => {
        const { applicationId, connectionId, sign } = await requireForConnection();
        const reconnect = (externalUserId?: string, userSignature?: string) =>
          start({ applicationId, connectionId, externalUserId, userSignature });
        expect(await reconnect()).toEqual(forbidden);
        expect(await reconnect(undefined, sign({}))).toEqual(forbidden);
        expect(await reconnect('ann', sign({ externalUserId: 'ann', connectionId }))).toEqual(forbidden);
        expect(await reconnect(undefined, sign({ connectionId }))).toEqual(started);
      });
    });

    describe('the question whether a page may open the widget', () => {
      const ask = (applicationId: string, origin?: string): Promise<Response> =>
        fetch(`${service.url}/connect/api/applications/${applicationId}/embedding`, {
          headers: { ...(origin && { origin }), 'sec-fetch-site': 'cross-site' },
        });

      test('is answered to a page of an allowed origin', async () => {
        const response = await ask(service.application.id, hostOrigin);
        expect(response.headers.get('access-control-allow-origin')).toBe('*');
        expect(await response.json()).toEqual({ allowed: true, environment: 'sandbox' });
      });

      test('returns the remedy to a page of another origin, but not the allowed origins', async () => {
        const text = await (await ask(service.application.id, 'https://other.example')).text();
        expect(JSON.parse(text)).toEqual({
          allowed: false,
          environment: 'sandbox',
          advice: 'The application does not allow https://other.example. Add this origin in the dashboard.',
        });
        expect(text).not.toContain('pay.example');
      });

      test('returns the reason to a page without an origin', async () => {
        const { allowed, advice } = await (await ask(service.application.id, 'null')).json();
        expect(allowed).toBe(false);
        expect(advice).toContain('allow-same-origin');
        expect(advice).toContain('serve it over HTTP');
        expect(advice).not.toContain('Add this origin');
      });

      test('applies to the service’s own page if the browser names no other', async () => {
        expect(await (await ask(service.application.id)).json()).toMatchObject({
          allowed: false,
          advice: expect.stringContaining(service.url),
        });
      });

      test('is 404 for an unknown application, which the page can read', async () => {
        const response = await ask(makeId('app'), hostOrigin);
        expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([404, '*']);
        expect(await response.json()).toMatchObject({ code: 'not_found' });
      });

      test('opens no other operation to pages of other origins', async () => {
        const response = await fetch(`${service.url}/connect/api/link-sessions`, {
          method: 'POST',
          headers: { origin: 'https://other.example', 'content-type': 'application/json' },
          body: JSON.stringify({ applicationId: service.application.id, origin: hostOrigin }),
        });
        expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([403, null]);
      });
    });
  });
}
