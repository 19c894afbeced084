// A step locks its link session as long as the bank takes, and no longer than its process lives.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { addMilliseconds, days, seconds } from '../../src/clock.ts';
import { lockStep, saveStep } from '../../src/linking/store.ts';
import { sweepNow } from '../retention/fixture.ts';
import { describeLinking, eventually, finishSession, requestWidgetApi, tryStep } from './fixture.ts';

const leaseSeconds = 0.6;
const credentials = { kind: 'credentials', values: { username: 'ada', password: 'password' } };

describeLinking(
  'a running step',
  (fixture) => {
    const atCredentials = async () => {
      const session = await fixture.openSession();
      await session.step({ kind: 'consent' });
      await session.step({ kind: 'selectInstitution', institutionId: 'north-bank' });
      return session;
    };

    test('is not run again while the bank takes longer than the lease', async () => {
      const session = await atCredentials();
      const callsBefore = fixture.connector.calls.signIn;
      const release = fixture.connector.hold('signIn');
      const first = tryStep(fixture, session, credentials);
      await eventually(() => expect(fixture.connector.calls.signIn).toBe(callsBefore + 1));
      for (let third = 0; third < 6; third++) {
        await sleep(seconds(leaseSeconds) / 3);
        expect((await tryStep(fixture, session, credentials)).status).toBe(409);
      }
      release();
      expect((await first).body).toMatchObject({ view: { state: 'accounts' } });
      expect(fixture.connector.calls.signIn).toBe(callsBefore + 1);
    });

    test('can be run again when its process has died and its lease has expired', async () => {
      const session = await atCredentials();
      const now = fixture.service.service.clock.real();
      // The row as a process leaves it that is killed during a step.
      const time = {
        now: now.toISOString(),
        until: addMilliseconds(now, seconds(leaseSeconds)).toISOString(),
      };
      const row = { id: session.id, version: session.view.version };
      expect(await lockStep(fixture.db.write, row, time)).toBe(true);
      expect((await requestWidgetApi(fixture.service, `/${session.id}`, session)).body.view).toMatchObject({
        busy: true,
      });
      expect((await tryStep(fixture, session, credentials)).status).toBe(409);
      await eventually(async () => expect(await session.refresh()).not.toHaveProperty('busy'));
      expect((await finishSession(fixture, session)).state).toBe('finished');
    });

    test('neither begins nor is saved on a session that has been closed meanwhile', async () => {
      const session = await atCredentials();
      const row = { id: session.id, version: session.view.version };
      fixture.service.advance(days(1));
      await sweepNow(fixture.service);
      const { db, clock } = fixture.service.service;
      const now = clock.real();
      const time = {
        now: now.toISOString(),
        until: addMilliseconds(now, seconds(leaseSeconds)).toISOString(),
      };
      expect(await lockStep(db.write, row, time)).toBe(false);
      expect(await saveStep(db.write, row, { state: 'accounts' })).toBe(false);
    });
  },
  { limits: { leaseSeconds } },
);
