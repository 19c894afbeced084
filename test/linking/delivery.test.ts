// Delivery of the result: until the page acknowledges it, the page can fetch it and its scoped token again. A connection
// whose result is never acknowledged is discarded, because nobody may have its token.
import { describe, expect, test } from 'vitest';
import { authenticateLinkSession } from '../../src/flows/link/createLinkSession.ts';
import { viewLinkSession } from '../../src/flows/link/linkSessionView.ts';
import { seconds } from '../../src/platform/values/clock.ts';
import { openLinkSession } from '../support/testService.ts';
import {
  connectionIdsOf,
  describeLinking,
  eventually,
  openFinishedSession,
  requestWidgetApi,
  resultOf,
  sessionRowOf,
  statusOf,
  whileNothingCanBeWritten,
} from './fixture.ts';

const tenMinutes = seconds(600);

describeLinking('delivering a result', (fixture) => {
  describe('before it is acknowledged', () => {
    test('each request returns the same result and scoped token, even on another page', async () => {
      const session = await openFinishedSession(fixture);
      const first = resultOf(session);
      expect(first.scopedToken).toBeDefined();
      for (let again = 0; again < 3; again++) {
        await session.refresh();
        expect(resultOf(session)).toEqual(first);
      }
      const reloaded = await openLinkSession(fixture.service, { session });
      expect(resultOf(reloaded)).toEqual(first);
      // onSuccess may already have run.
      expect(await connectionIdsOf(fixture, first.scopedToken)).toEqual([first.connectionId]);
      expect(await statusOf(fixture, first.connectionId)).toBe(200);
    });

    test('it counts as delivered only when a request has returned it', async () => {
      const release = fixture.connector.hold('ada', 'chunk');
      const { id, secret } = await fixture.openDrivenSession();
      const { linking } = fixture.service.service;
      const sessionBefore = await authenticateLinkSession(linking, id, secret);
      release();
      await eventually(async () =>
        expect(await sessionRowOf(fixture, { id })).toMatchObject({ state: 'finished' }),
      );
      expect(await sessionRowOf(fixture, { id })).toMatchObject({ deliveredAt: null });
      // This request read the session before the import was published.
      expect(await viewLinkSession(linking, sessionBefore)).toMatchObject({ state: 'importing' });
      expect(await sessionRowOf(fixture, { id })).toMatchObject({ deliveredAt: null });
      const { body } = await requestWidgetApi(fixture.service, `/${id}`, { secret });
      expect(body.view).toMatchObject({ state: 'finished' });
      expect(await sessionRowOf(fixture, { id })).toMatchObject({ deliveredAt: expect.any(String) });
    });

    test('polling writes nothing, before the import ends and after the result was returned', async () => {
      const release = fixture.connector.hold('ada', 'chunk');
      const session = await fixture.openDrivenSession();
      await whileNothingCanBeWritten(fixture, async () => {
        expect((await session.refresh()).state).toBe('importing');
      });
      release();
      const { state } = await session.waitForImport();
      expect(state).toBe('finished');
      await whileNothingCanBeWritten(fixture, async () => {
        expect((await session.refresh()).state).toBe('finished');
      });
    });
  });

  describe('when it is acknowledged', () => {
    test('the result is deleted, a repeated acknowledgement succeeds, and the connection stays', async () => {
      const session = await openFinishedSession(fixture);
      const { connectionId, scopedToken } = resultOf(session);
      const concurrent = await Promise.all([1, 2, 3].map(() => session.acknowledge()));
      expect(concurrent.map(({ status }) => status)).toEqual([204, 204, 204]);
      expect((await session.acknowledge()).status).toBe(204);
      expect(
        (await requestWidgetApi(fixture.service, `/${session.id}`, { secret: session.secret })).status,
      ).toBe(410);
      expect(await sessionRowOf(fixture, session)).toMatchObject({
        ...{ state: 'ended', stateSealed: null, importRequestSealed: null, resultSealed: null },
      });
      fixture.service.advance(tenMinutes);
      expect(await connectionIdsOf(fixture, scopedToken)).toEqual([connectionId]);
    });

    test('it must exist: an earlier acknowledgement is a conflict', async () => {
      const session = await fixture.openDrivenSession({ username: 'challenged' });
      const { status, body } = await requestWidgetApi(fixture.service, `/${session.id}/acknowledgement`, {
        ...{ method: 'POST', secret: session.secret },
      });
      expect({ status, code: body.code }).toEqual({ status: 409, code: 'conflict' });
    });
  });

  describe('when it is not acknowledged within ten minutes', () => {
    test('the new connection and its new end user can no longer be read', async () => {
      const externalUserId = 'discarded';
      const session = await openFinishedSession(fixture, { externalUserId });
      const { connectionId, scopedToken, user } = resultOf(session);
      fixture.service.advance(tenMinutes - 1000);
      expect(await connectionIdsOf(fixture, scopedToken)).toEqual([connectionId]);
      fixture.service.advance(1000);
      expect(await connectionIdsOf(fixture, scopedToken)).toBe(403);
      expect(await statusOf(fixture, connectionId)).toBe(404);
      const { secret } = session;
      expect((await requestWidgetApi(fixture.service, `/${session.id}`, { secret })).status).toBe(410);
      expect((await session.acknowledge()).status).toBe(410);
      // The next link creates a new end user with a new scoped token.
      const again = await fixture.link({ externalUserId });
      expect(again.scopedToken).toBeDefined();
      expect(again.user!.id).not.toBe(user!.id);
      expect(await connectionIdsOf(fixture, scopedToken)).toBe(403);
      expect(await connectionIdsOf(fixture, again.scopedToken)).toEqual([again.connectionId]);
    });

    test('another connection of the same end user stays', async () => {
      const externalUserId = 'late';
      const first = await fixture.link({ externalUserId, username: 'other' });
      const second = resultOf(await openFinishedSession(fixture, { externalUserId }));
      expect(await connectionIdsOf(fixture, first.scopedToken)).toEqual([
        first.connectionId,
        second.connectionId,
      ]);
      fixture.service.advance(tenMinutes);
      expect(await connectionIdsOf(fixture, first.scopedToken)).toEqual([first.connectionId]);
      const third = await fixture.link({ externalUserId });
      expect(third).not.toHaveProperty('scopedToken');
    });
  });
});
