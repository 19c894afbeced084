// A step holds its session as long as the bank takes, however long that is, and not longer than its process lives.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { addMilliseconds, seconds } from '../../src/clock.ts';
import { lockStep } from '../../src/linking/store.ts';
import { requestWidgetApi, describeLinking, eventually, finishSession, tryStep } from './fixture.ts';

const leaseSeconds = 0.6;
const credentials = { kind: 'credentials', values: { username: 'ada', password: 'password' } };

describeLinking(
  'a step under way',
  (stage) => {
    const atCredentials = async () => {
      const session = await stage.openSession();
      await session.step({ kind: 'consent' });
      await session.step({ kind: 'selectInstitution', institutionId: 'north-bank' });
      return session;
    };

    test('is not taken again while the bank takes longer than the lease', async () => {
      const session = await atCredentials();
      const asked = stage.connector.calls.signIn;
      const release = stage.connector.hold('signIn');
      const first = tryStep(stage, session, credentials);
      await eventually(() => expect(stage.connector.calls.signIn).toBe(asked + 1));
      for (let third = 0; third < 6; third++) {
        await sleep(seconds(leaseSeconds) / 3);
        expect((await tryStep(stage, session, credentials)).status).toBe(409);
      }
      release();
      expect((await first).body).toMatchObject({ view: { state: 'accounts' } });
      expect(stage.connector.calls.signIn).toBe(asked + 1);
    });

    test('can be taken again when its process has died and its lease has run out', async () => {
      const session = await atCredentials();
      const now = stage.service.service.clock.real();
      // What is left of a process that was killed in the middle of a step.
      const time = {
        now: now.toISOString(),
        until: addMilliseconds(now, seconds(leaseSeconds)).toISOString(),
      };
      const row = { id: session.id, version: session.view.version };
      expect(await lockStep(stage.db.write, row, time)).toBe(true);
      expect((await requestWidgetApi(stage.service, `/${session.id}`, session)).body.view).toMatchObject({
        busy: true,
      });
      expect((await tryStep(stage, session, credentials)).status).toBe(409);
      await eventually(async () => expect(await session.refresh()).not.toHaveProperty('busy'));
      expect((await finishSession(stage, session)).state).toBe('finished');
    });
  },
  { limits: { leaseSeconds } },
);
