// GET /logos/{hash}: the logos of institutions, and the institutions in the widget's views.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseLogo } from '../../connectors/kit/logo.ts';
import { sandboxInstitutions } from '../../connectors/sandbox/institutions.ts';
import { changeApplication } from '../../src/domain/applications/applications.ts';
import { findApplication } from '../../src/domain/applications/store.ts';
import { requestWidgetApi } from '../linking/fixture.ts';
import { jpeg } from '../logos/files.ts';
import { makeScriptedConnector, northBank, scriptedAccount } from '../support/scriptedConnector.ts';
import {
  driveToEnd,
  openLinkSession,
  startService,
  type TestLinkSession,
  type TestService,
} from '../support/testService.ts';

const { module, setAccounts } = makeScriptedConnector();
const [north] = module.institutions;
const helpUrl = 'https://north.example/help';
const withFace = { ...north!, logo: jpeg, color: '#AA3300', country: 'CH', helpUrl };

let service: TestService;
let applicationId: string;
beforeAll(async () => {
  setAccounts('ada', [scriptedAccount()]);
  service = await startService({ connectors: [{ ...module, institutions: [withFace] }] });
  ({ id: applicationId } = await service.addApplication({ environment: 'production' }));
});
afterAll(() => service.close());

const fetchLogo = (path: string, init?: RequestInit) => fetch(`${service.url}${path}`, init);
const pathOf = (file: Uint8Array): string => `/logos/${parseLogo(file)!.hash}`;

describe('a logo', () => {
  test('is served at the address of its hash, cacheable forever and unable to run anything', async () => {
    const response = await fetchLogo(pathOf(jpeg));
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/jpeg',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': 'sandbox',
      'cross-origin-resource-policy': 'same-origin',
    });
    expect(Buffer.from(await response.arrayBuffer())).toEqual(jpeg);
    const head = await fetchLogo(pathOf(jpeg), { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(jpeg.length)]);
  });

  test('of each sandbox institution is another one', async () => {
    const paths = sandboxInstitutions.map(({ logo }) => pathOf(logo!));
    expect(new Set(paths).size).toBe(6);
    for (const path of paths) expect((await fetchLogo(path)).headers.get('content-type')).toBe('image/png');
  });

  test.each(['A'.repeat(43), 'x', 'constructor', '%2e%2e%2fsecrets', '%00'])(
    'is not found at any other address: %s',
    async (hash) => {
      const { status, headers } = await fetchLogo(`/logos/${hash}`);
      expect(status).toBe(404);
      expect(headers.get('content-type')).toMatch(/^application\/problem\+json/);
      expect(headers.get('cache-control')).toBe('no-store');
    },
  );
});

describe('a view and the list', () => {
  const profile = { id: northBank, name: north!.name, logo: pathOf(jpeg), color: '#aa3300', country: 'CH' };
  const toCredentials = async (session: TestLinkSession) => {
    await session.step({ kind: 'consent' });
    return session.step({ kind: 'selectInstitution', institutionId: northBank });
  };

  test('have the logo, color and country of an institution, and the form its help address', async () => {
    const session = await openLinkSession(service, { applicationId });
    expect(await toCredentials(session)).toMatchObject({ institution: profile, helpUrl });
    const { body } = await requestWidgetApi(service, `/${session.id}/institutions`, session);
    expect(body).toEqual({ institutions: [profile] });
    const { institution, ...finished } = await driveToEnd(session, { username: 'ada' });
    expect(institution).toEqual(profile);
    // The institution in onSuccess still follows the public contract.
    expect(finished).toMatchObject({ result: { institution: { id: northBank, name: north!.name } } });
    expect(finished.state === 'finished' && Object.keys(finished.result.institution)).toEqual(['id', 'name']);
  });

  test('have no help address in a native application, because its web view opens no other page', async () => {
    const { db } = service.service;
    const application = (await findApplication(db.read, applicationId))!;
    await changeApplication(db.write, application, { change: { nativeAllowed: true }, now: new Date() });
    const { body } = await requestWidgetApi(service, '', {
      method: 'POST',
      body: { applicationId, origin: 'native' },
    });
    const view = await toCredentials(await openLinkSession(service, body));
    expect(view).toMatchObject({ state: 'credentials', institution: profile });
    expect(view).not.toHaveProperty('helpUrl');
  });
});
