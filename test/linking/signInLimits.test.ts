// Limits of sign-ins at institutions, so that the widget cannot be used to try the logins of a bank.
import { describe, expect, test } from 'vitest';
import { limits as defaults } from '../../src/platform/settings/limits.ts';
import { seconds } from '../../src/platform/values/clock.ts';
import { createMember } from '../http/dashboard/users.ts';
import type { TestLinkSession } from '../support/testService.ts';
import {
  describeLinkingOnce,
  type LinkFixture,
  openForm,
  requestWidgetApi,
  type WidgetApiResponse,
} from './fixture.ts';

const minute = seconds(60);
const rejectedView = { state: 'credentials', error: { reason: 'wrong_credentials' } };

const wrong = { username: 'ada', password: 'mistyped' };
const right = { username: 'ada', password: 'password' };

/** Submits a step from a client address. The session's view is updated. */
const submit = async (
  fixture: LinkFixture,
  session: TestLinkSession,
  { step, address }: { step: object; address?: string },
): Promise<WidgetApiResponse> => {
  const { secret, view } = session;
  const body = { version: view.version, step };
  const request = { method: 'POST', secret, body, address };
  const response = await requestWidgetApi(fixture.service, `/${session.id}/steps`, request);
  if (response.status === 200) session.view = response.body.view;
  return response;
};

const signIn = (
  fixture: LinkFixture,
  session: TestLinkSession,
  { values, address }: { values: object; address?: string },
): Promise<WidgetApiResponse> => submit(fixture, session, { step: { kind: 'credentials', values }, address });

/** Signs in with each of the credentials in a new link session, and returns the statuses. */
const signInEach = async (
  fixture: LinkFixture,
  attempts: { values: object; address?: string }[],
  applicationId?: string,
): Promise<number[]> => {
  const statuses: number[] = [];
  for (const attempt of attempts)
    statuses.push((await signIn(fixture, await openForm(fixture, applicationId), attempt)).status);
  return statuses;
};

const expectLimited = (response: WidgetApiResponse, retryAfterMax: number): void => {
  expect(response).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
  const retryAfter = Number(response.headers.get('Retry-After'));
  expect(retryAfter).toBeGreaterThan(0);
  expect(retryAfter).toBeLessThanOrEqual(retryAfterMax);
};

/** Moves the clock to the start of a window of 15 minutes, which is also the start of a minute. */
const atStartOfWindow = ({ service }: LinkFixture): void => {
  const window = 15 * minute;
  service.advance(window - (service.service.clock.real().getTime() % window));
};

const rejectionTests = (fixture: LinkFixture): void => {
  test('five rejected sign-ins end a link session', async () => {
    const session = await openForm(fixture);
    for (let at = 0; at < 4; at++)
      expect((await signIn(fixture, session, { values: wrong })).body.view).toMatchObject(rejectedView);
    await signIn(fixture, session, { values: wrong });
    const ended = { state: 'failed', reason: 'wrong_credentials', retryTargets: [] };
    expect(session.view).toMatchObject(ended);
    const { signIn: calls } = fixture.connector.callsOf('ada');
    for (const step of [{ kind: 'retry' }, { kind: 'credentials', values: right }, { kind: 'back' }]) {
      const body = { version: session.view.version, step };
      const request = { method: 'POST', secret: session.secret, body };
      expect((await requestWidgetApi(fixture.service, `/${session.id}/steps`, request)).status).toBe(409);
    }
    expect(fixture.connector.callsOf('ada').signIn).toBe(calls);
    expect(await session.refresh()).toMatchObject(ended);
  });

  test('wrong answers count too, and going back or signing in does not reset the count', async () => {
    const session = await openForm(fixture);
    const challenged = { username: 'challenged', password: 'password' };
    await signIn(fixture, session, { values: wrong });
    await session.step({ kind: 'back' });
    await session.step({ kind: 'selectInstitution', institutionId: 'north-bank' });
    for (let at = 0; at < 3; at++) {
      await signIn(fixture, session, { values: challenged });
      expect(await session.step({ kind: 'answer', answer: '000000' })).toMatchObject({
        ...{ state: 'challenge', error: { reason: 'wrong_answer' } },
      });
      await session.step({ kind: 'answer', answer: '123456' });
      await session.step({ kind: 'back' });
      await session.step({ kind: 'selectInstitution', institutionId: 'north-bank' });
    }
    await signIn(fixture, session, { values: challenged });
    expect(await session.step({ kind: 'answer', answer: '000000' })).toMatchObject({
      ...{ state: 'failed', reason: 'wrong_answer', retryTargets: [] },
    });
  });
};

const limitTests = (fixture: LinkFixture): void => {
  test('an address signs in 30 times a minute, and an IPv6 network is one address', async () => {
    atStartOfWindow(fixture);
    const attempts = Array.from({ length: 30 }, (_, at) => ({
      values: { username: `user-${at}`, password: 'guess' },
      address: `2001:db8:0:12::${at}`,
    }));
    expect(new Set(await signInEach(fixture, attempts))).toEqual(new Set([200]));
    const session = await openForm(fixture);
    const { signIn: calls } = fixture.connector.callsOf('ada');
    const { version } = session.view;
    const limited = { values: right, address: '2001:db8:0:12::ffff' };
    expectLimited(await signIn(fixture, session, limited), 60);
    expect(fixture.connector.callsOf('ada').signIn).toBe(calls);
    // The link session waits at the form. Other addresses can sign in there, and so can this one after a minute.
    const waiting = await session.refresh();
    expect(waiting).toMatchObject({ state: 'credentials', version });
    expect(waiting).not.toHaveProperty('busy');
    expect(await signInEach(fixture, [{ values: right, address: '2001:db8:0:13::1' }])).toEqual([200]);
    fixture.service.advance(minute);
    expect((await signIn(fixture, session, limited)).body.view.state).toBe('accounts');
  });

  test('a login can be tried ten times in 15 minutes, regardless of the addresses', async () => {
    atStartOfWindow(fixture);
    const spellings = ['ada', 'ADA', ' ada'];
    const attempts = Array.from({ length: 10 }, (_, at) => ({
      values: { ...wrong, username: spellings[at % 3] },
      address: `203.0.113.${at}`,
    }));
    expect(new Set(await signInEach(fixture, attempts))).toEqual(new Set([200]));
    const session = await openForm(fixture);
    fixture.service.advance(minute);
    const again = { values: right, address: '198.51.100.1' };
    expectLimited(await signIn(fixture, session, again), 14 * 60);
    expect(await signInEach(fixture, [{ ...again, values: { ...right, username: 'other' } }])).toEqual([200]);
    const { id } = await fixture.service.addApplication({ environment: 'production' });
    expect(await signInEach(fixture, [again], id)).toEqual([200]);
    fixture.service.advance(14 * minute);
    expect((await signIn(fixture, session, again)).body.view.state).toBe('accounts');
  });

  test('successful sign-ins of a login are not limited, with or without a challenge', async () => {
    atStartOfWindow(fixture);
    for (let at = 0; at < 12; at++) {
      const session = await openForm(fixture);
      const username = at % 2 ? 'ada' : 'challenged';
      const { body } = await signIn(fixture, session, {
        values: { ...right, username },
        address: `192.0.2.${at}`,
      });
      if (body.view.state === 'challenge') await session.step({ kind: 'answer', answer: '123456' });
      expect(session.view.state).toBe('accounts');
    }
  });

  test('a sign-in that ends in a later window is not deducted there', async () => {
    atStartOfWindow(fixture);
    const values = { ...right, username: 'challenged' };
    const session = await openForm(fixture);
    await signIn(fixture, session, { values });
    fixture.service.advance(15 * minute);
    await session.step({ kind: 'answer', answer: '123456' });
    expect(session.view.state).toBe('accounts');
    const rejected = { values: { ...values, password: 'mistyped' } };
    const statuses = await signInEach(fixture, Array(11).fill(rejected));
    expect(statuses).toEqual([...Array(10).fill(200), 429]);
  });
};

const applicationTests = (fixture: LinkFixture): void => {
  test('strangers who use up the sign-ins of an application lock out only themselves', async () => {
    atStartOfWindow(fixture);
    const strangers = [1, 2, 3].map((last) => ({ values: wrong, address: `203.0.113.${last}` }));
    expect(await signInEach(fixture, strangers)).toEqual([200, 200, 200]);
    const { signIn: calls } = fixture.connector.callsOf('ada');
    for (const stranger of strangers) {
      expectLimited(await signIn(fixture, await openForm(fixture), stranger), 60);
      expectLimited(await signIn(fixture, await openForm(fixture), { ...stranger, values: right }), 60);
    }
    expect(fixture.connector.callsOf('ada').signIn).toBe(calls);
    const user = { values: right, address: '198.51.100.1' };
    expect(await signInEach(fixture, [user, user])).toEqual([200, 200]);
    const session = await openForm(fixture);
    await signIn(fixture, session, { ...user, values: { ...right, username: 'challenged' } });
    await submit(fixture, session, { ...user, step: { kind: 'answer', answer: '123456' } });
    expect(session.view.state).toBe('accounts');
    expect(await signInEach(fixture, [user, { ...user, values: wrong }, user])).toEqual([200, 200, 429]);
    const { id } = await fixture.service.addApplication({ environment: 'production' });
    expect(await signInEach(fixture, strangers, id)).toEqual([200, 200, 200]);
    fixture.service.advance(minute);
    expect(await signInEach(fixture, strangers.slice(0, 1))).toEqual([200]);
  });

  test('the overview shows the sign-ins that exceeded the limit of the application within an hour', async () => {
    atStartOfWindow(fixture);
    const { service } = fixture;
    const { id: applicationId } = await service.addApplication({ environment: 'production' });
    const strangers = [1, 2, 3, 1, 2].map((last) => ({ values: wrong, address: `203.0.113.${last}` }));
    await signInEach(fixture, [...strangers, { values: right, address: '198.51.100.1' }], applicationId);
    await service.service.metrics.flush();
    const viewer = await createMember(service, { role: 'viewer', email: 'viewer@example.com' });
    const signInsOverLimit = async () => {
      const one = '/management/applications/{applicationId}/overview';
      return (await viewer.client.GET(one, { params: { path: { applicationId } } })).data!.signInsOverLimit;
    };
    expect(await signInsOverLimit()).toEqual({ allowed: 1, refused: 2 });
    service.advance(60 * minute);
    expect(await signInsOverLimit()).toEqual({ allowed: 0, refused: 0 });
  });
};

const { linkSignInsPerAddress, linkSignInsPerLogin } = defaults;
describeLinkingOnce(
  'limits of sign-ins at institutions',
  (fixture) => {
    describe('of a link session', () => rejectionTests(fixture));
    describe('by address and by login', () => limitTests(fixture));
  },
  { limits: { linkSignInsPerAddress, linkSignInsPerLogin } },
);
describeLinkingOnce('the limit of an application', applicationTests, {
  limits: { linkSignInsPerApplication: 3 },
});
