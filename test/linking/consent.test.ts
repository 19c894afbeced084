// The consent: its text; only the text on the screen can be accepted; the accepted text is stored with the connection; and a
// reconnect requests consent again after a change.
import { expect, test } from 'vitest';
import { days } from '../../src/platform/values/clock.ts';
import { BankUnreachable } from '../../src/platform/values/errors.ts';
import { createMember, type DashboardUser } from '../http/dashboard/users.ts';
import { sweepNow } from '../retention/fixture.ts';
import { northBank } from '../support/scriptedConnector.ts';
import { hostOrigin } from '../support/testService.ts';
import {
  describeLinking,
  describeLinkingOnce,
  finishSession,
  type LinkFixture,
  requestWidgetApi,
  resultOf,
  revoke,
  tryStep,
} from './fixture.ts';

const operator = { name: 'Open Banking Ltd', privacyUrl: 'https://operator.example/privacy' };
const env = {
  OPERATOR_NAME: operator.name,
  OPERATOR_PRIVACY_URL: operator.privacyUrl,
  OPERATOR_TERMS_URL: 'https://shared.example/terms',
};

const owners = new WeakMap<LinkFixture['service'], Promise<DashboardUser>>();

/** The owner of the organization, created once for each service. */
const ownerOf = ({ service }: LinkFixture): Promise<DashboardUser> => {
  const known = owners.get(service) ?? createMember(service, { role: 'owner', email: 'owner@example.com' });
  owners.set(service, known);
  return known;
};

const setCompany = async (fixture: LinkFixture, body: Record<string, string>): Promise<void> => {
  const { client } = await ownerOf(fixture);
  const params = { path: { organizationId: fixture.service.organizationId } };
  const { response } = await client.PUT('/management/organizations/{organizationId}/company', {
    ...{ params, body },
  });
  expect(response.status).toBe(200);
};

const consentIn = ({ view }: Awaited<ReturnType<LinkFixture['openSession']>>) => {
  if (view.state !== 'consent') throw new Error(`The state is ${view.state}.`);
  return view.consent;
};

const consentsOf = ({ db }: LinkFixture, connectionId: string) => db.read('consents').where({ connectionId });

const readConsents = async (fixture: LinkFixture, connectionId: string) => {
  const { client } = await ownerOf(fixture);
  const params = { path: { applicationId: fixture.application.id, connectionId } };
  const path = '/management/applications/{applicationId}/connections/{connectionId}/consents';
  return client.GET(path, { params });
};

describeLinkingOnce(
  'the consent',
  (fixture) => {
    test('names the company, the operator and their policies, each of them once', async () => {
      await setCompany(fixture, {
        name: 'Shop Ltd',
        privacyUrl: 'https://shop.example/privacy',
        termsUrl: 'https://shared.example/terms',
      });
      const session = await fixture.openSession();
      expect(session.view).toMatchObject({ operator: operator.name });
      const { language, points, links } = consentIn(session);
      expect(language).toBe('en');
      expect(points[0]!.text).toContain('Shop Ltd');
      expect(points[2]!.text).toContain(operator.name);
      expect(points[3]!.text).toContain('30 days');
      expect(links).toEqual([
        { label: 'Shop Ltd Privacy Policy', url: 'https://shop.example/privacy' },
        { label: 'Shop Ltd Terms', url: 'https://shared.example/terms' },
        { label: `${operator.name} Privacy Policy`, url: operator.privacyUrl },
      ]);
    });

    test('names the application alone without a company', async () => {
      await setCompany(fixture, {});
      const { points, links } = consentIn(await fixture.openSession());
      expect(points[0]!.text).toMatch(/^Shop gets/);
      expect(links.map(({ label }) => label)).toEqual([
        `${operator.name} Privacy Policy`,
        `${operator.name} Terms`,
      ]);
    });

    test('is in English if the service lacks the language of the page', async () => {
      const body = { applicationId: fixture.application.id, origin: hostOrigin, language: 'frr-Latn' };
      const { body: created } = await requestWidgetApi(fixture.service, '', { method: 'POST', body });
      expect(created.view.consent.language).toBe('en');
    });

    test('is not accepted when its text has changed since it was shown, and the new one is shown', async () => {
      const session = await fixture.openSession();
      const { hash } = consentIn(session);
      await setCompany(fixture, { name: 'Another Shop Ltd' });
      expect((await tryStep(fixture, session, { kind: 'consent', hash })).status).toBe(409);
      const view = await session.refresh();
      expect(view).not.toHaveProperty('busy');
      const changed = consentIn(session);
      expect(changed.hash).not.toBe(hash);
      expect(changed.points[0]!.text).toContain('Another Shop Ltd');
      expect((await session.step({ kind: 'consent', hash: changed.hash })).state).toBe('institution');
    });

    test('is stored with the connection, in the language in which it was read, even after a failed sign-in', async () => {
      const session = await fixture.openSession();
      const { hash } = consentIn(session);
      await session.step({ kind: 'consent', hash });
      const username = fixture.newUser();
      fixture.connector.fail(username, 'signIn', new BankUnreachable('down'));
      expect((await finishSession(fixture, session, { username })).state).toBe('failed');
      await session.step({ kind: 'retry' });
      expect((await finishSession(fixture, session, { username })).state).toBe('finished');
      expect(await consentsOf(fixture, resultOf(session).connectionId)).toMatchObject([
        { textHash: hash, language: 'en', linkSessionId: session.id },
      ]);
    });

    test('is requested again by a reconnect after a change of the text, and stored in addition to the first', async () => {
      await setCompany(fixture, { name: 'First Shop Ltd' });
      const { connectionId } = await fixture.link();
      await setCompany(fixture, { name: 'Second Shop Ltd' });
      const session = await fixture.openSession({ connectionId });
      expect(session.view).toMatchObject({ reconnect: true, institution: { id: northBank } });
      const { hash, points } = consentIn(session);
      expect(points[0]!.text).toContain('Second Shop Ltd');
      expect((await tryStep(fixture, session, { kind: 'back' })).status).toBe(409);
      await session.step({ kind: 'consent', hash });
      expect(session.view).toMatchObject({ state: 'credentials', institution: { id: northBank } });
      expect((await tryStep(fixture, session, { kind: 'back' })).status).toBe(409);
      expect((await finishSession(fixture, session)).state).toBe('finished');
      const rows = await consentsOf(fixture, connectionId);
      expect(rows.map(({ textHash }) => textHash)).toContain(hash);
      expect(rows).toHaveLength(2);
      expect((await fixture.openSession({ connectionId })).view.state).toBe('credentials');
    });

    test('is not requested again by a reconnect with the same text, but is for a connection without consent', async () => {
      const { connectionId } = await fixture.link();
      const session = await fixture.openSession({ connectionId });
      expect(session.view.state).toBe('credentials');
      expect((await finishSession(fixture, session)).state).toBe('finished');
      expect(await consentsOf(fixture, connectionId)).toHaveLength(1);
      await fixture.db.write('consents').where({ connectionId }).delete();
      expect((await fixture.openSession({ connectionId })).view.state).toBe('consent');
    });

    test('a reconnect that stops there counts only as opened', async () => {
      const { id: applicationId } = await fixture.service.addApplication({ environment: 'production' });
      const { connectionId } = await fixture.link({ applicationId });
      await setCompany(fixture, { name: 'Third Shop Ltd' });
      await fixture.openSession({ applicationId, connectionId });
      const { client } = await ownerOf(fixture);
      const params = { path: { applicationId }, query: { days: 7 as const } };
      const { data } = await client.GET('/management/applications/{applicationId}/link-session-statistics', {
        params,
      });
      expect(data).toMatchObject({ opened: 2, reconnects: 1, reached: { institution: 1, credentials: 1 } });
    });

    test('is shown in the dashboard, newest first', async () => {
      await setCompany(fixture, { name: 'Older Shop Ltd' });
      const { connectionId } = await fixture.link();
      await setCompany(fixture, { name: 'Newer Shop Ltd' });
      await finishSession(fixture, await fixture.openSession({ connectionId }));
      const { data } = await readConsents(fixture, connectionId);
      const [newer, older, ...others] = data!.consents;
      expect(newer!.text.points[0]!.text).toMatch(/^Newer Shop Ltd gets/);
      expect(older!.text.points[0]!.text).toMatch(/^Older Shop Ltd gets/);
      expect(older!.text.language).toBe('en');
      expect(Date.parse(newer!.acceptedAt)).toBeGreaterThan(Date.parse(older!.acceptedAt));
      expect(others).toEqual([]);
    });

    test('is neither shown nor trusted by a reconnect if its row was changed', async () => {
      await setCompany(fixture, { name: 'Accepted Shop Ltd' });
      const { connectionId } = await fixture.link();
      await setCompany(fixture, { name: 'Forged Shop Ltd' });
      const [forged] = await consentsOf(fixture, (await fixture.link()).connectionId);
      const [row] = await consentsOf(fixture, connectionId);
      // Citus refuses to change a row's distribution column.
      const { endUserId: _, ...rest } = row!;
      for (const change of [
        { textHash: forged!.textHash },
        { language: 'de' },
        { acceptedAt: forged!.acceptedAt },
        { signature: forged!.signature },
      ]) {
        await fixture.db.write('consents').where({ connectionId }).update(change);
        expect((await readConsents(fixture, connectionId)).response.status).toBe(500);
        await expect(fixture.openSession({ connectionId })).rejects.toThrow('internal_error');
        await fixture.db.write('consents').where({ connectionId }).update(rest);
      }
      expect((await readConsents(fixture, connectionId)).response.status).toBe(200);
      expect(fixture.takeErrorLogs()).toHaveLength(8);
    });

    // Must be the last test, because the owner's session expires after these days.
    test('is deleted with the connection, and its text stays', async () => {
      const { connectionId } = await fixture.link();
      await revoke(fixture, { connectionId });
      const [consent] = await consentsOf(fixture, connectionId);
      fixture.service.advance(days(31));
      const { db } = fixture;
      await sweepNow(fixture.service);
      expect(await consentsOf(fixture, connectionId)).toEqual([]);
      expect(await db.read('consent_texts').where({ hash: consent!.textHash })).toHaveLength(1);
    });
  },
  { env },
);

describeLinking('the text of a consent', (fixture) => {
  test('can neither be changed nor deleted', async () => {
    await fixture.link();
    const { write } = fixture.db;
    const before = await write('consent_texts').orderBy('hash');
    expect(before.length).toBeGreaterThan(0);
    await expect(write('consent_texts').update({ text: '{}' })).rejects.toThrow(
      'Consent texts cannot be changed or deleted',
    );
    await expect(write('consent_texts').delete()).rejects.toThrow('cannot be changed or deleted');
    expect(await write('consent_texts').orderBy('hash')).toEqual(before);
  });
});
