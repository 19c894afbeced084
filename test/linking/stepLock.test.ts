// A step locks its link session until the bank responds, but not beyond the life of its process.
import { expect, test } from 'vitest';
import { lockStep, saveStep } from '../../src/flows/link/store.ts';
import { addMilliseconds, days, seconds } from '../../src/platform/values/clock.ts';
import { sweepNow } from '../retention/fixture.ts';
import {
  credentialsOf,
  describeLinking,
  eventually,
  finishSession,
  openForm,
  requestWidgetApi,
  sessionRowOf,
  tryStep,
} from './fixture.ts';

const leaseSeconds = 0.6;

/** The expected times of a lock that starts now. */
const leaseFrom = (now: Date) => ({
  now: now.toISOString(),
  until: addMilliseconds(now, seconds(leaseSeconds)).toISOString(),
});

describeLinking(
  'a running step',
  (fixture) => {
    test('is not run again while the bank takes longer than the lease', async () => {
      const username = fixture.newUser();
      const session = await openForm(fixture);
      const release = fixture.connector.hold(username, 'signIn');
      const first = tryStep(fixture, session, credentialsOf(username));
      await eventually(() => expect(fixture.connector.callsOf(username).signIn).toBe(1));
      const { lockedUntil } = (await sessionRowOf(fixture, session))!;
      const { clock } = fixture.service.service;
      expect((await tryStep(fixture, session, credentialsOf(username))).status).toBe(409);
      await eventually(() => expect(clock.real().getTime()).toBeGreaterThan(Date.parse(lockedUntil!)));
      expect((await tryStep(fixture, session, credentialsOf(username))).status).toBe(409);
      release();
      expect((await first).body).toMatchObject({ view: { state: 'accounts' } });
      expect(fixture.connector.callsOf(username).signIn).toBe(1);
    });

    test('can be rerun when its process has died and its lease has expired', async () => {
      const session = await openForm(fixture);
      // The row that a process leaves when it is killed during a step.
      const time = leaseFrom(fixture.service.service.clock.real());
      const row = { id: session.id, version: session.view.version };
      expect(await lockStep(fixture.db.write, row, time)).toBe(true);
      expect((await requestWidgetApi(fixture.service, `/${session.id}`, session)).body.view).toMatchObject({
        busy: true,
      });
      expect((await tryStep(fixture, session, credentialsOf('ada'))).status).toBe(409);
      await eventually(async () => expect(await session.refresh()).not.toHaveProperty('busy'));
      expect((await finishSession(fixture, session)).state).toBe('finished');
    });

    test('neither begins nor is saved on a session that was closed meanwhile', async () => {
      const session = await openForm(fixture);
      const row = { id: session.id, version: session.view.version };
      fixture.service.advance(days(1));
      await sweepNow(fixture.service);
      const { db, clock } = fixture.service.service;
      expect(await lockStep(db.write, row, leaseFrom(clock.real()))).toBe(false);
      expect(await saveStep(db.write, row, { state: 'accounts' })).toBe(false);
    });
  },
  { limits: { leaseSeconds } },
);
