// A token is shown to one page and then forgotten: until the page says that it has it, asking again gives it
// again; and what nobody ever said to have is given up, because nobody could read it.
import { describe, expect, test } from 'vitest';
import { seconds } from '../../src/clock.ts';
import { viewLinkSession } from '../../src/linking/linkSessionResult.ts';
import { authenticateLinkSession } from '../../src/linking/createLinkSession.ts';
import { openLinkSession, type TestLinkSession } from '../support/testService.ts';
import {
  requestWidgetApi,
  connectionIdsOf,
  describeLinking,
  eventually,
  type LinkResult,
  sessionRowOf,
  type LinkFixture,
  statusOf,
} from './fixture.ts';

const tenMinutes = seconds(600);

const finished = async (stage: LinkFixture, externalUserId?: string): Promise<TestLinkSession> => {
  const session = await stage.openDrivenSession({ externalUserId });
  await session.waitForImport();
  return session;
};

const resultOf = ({ view }: TestLinkSession) => {
  if (view.state !== 'finished') throw new Error(`The session is ${view.state}.`);
  return view.result;
};

let people = 0;

describeLinking('the delivery of a result', (stage) => {
  describe('until it is acknowledged', () => {
    test('asking again gives the same result with the same token, on another page too', async () => {
      const session = await finished(stage);
      const first = resultOf(session);
      expect(first.scopedToken).toBeDefined();
      for (let again = 0; again < 3; again++) {
        await session.refresh();
        expect(resultOf(session)).toEqual(first);
      }
      const reloaded = await openLinkSession(stage.service, { session });
      expect(resultOf(reloaded)).toEqual(first);
    });

    test('the connection is there for its token, because onSuccess may have fired', async () => {
      const { connectionId, scopedToken } = resultOf(await finished(stage));
      expect(await connectionIdsOf(stage, scopedToken)).toEqual([connectionId]);
      expect(await statusOf(stage, connectionId)).toBe(200);
    });

    test('it counts as shown, too, where it is published between two questions of one look', async () => {
      const release = stage.connector.hold('chunk');
      const { id, secret } = await stage.openDrivenSession();
      const { linking } = stage.service.service;
      const asSeenBefore = await authenticateLinkSession(linking, id, secret);
      release();
      await eventually(async () =>
        expect(await sessionRowOf(stage, { id })).toMatchObject({ state: 'finished' }),
      );
      expect(await sessionRowOf(stage, { id })).toMatchObject({ delivered_at: null });
      expect(await viewLinkSession(linking, asSeenBefore)).toMatchObject({ state: 'finished' });
      expect(await sessionRowOf(stage, { id })).toMatchObject({ delivered_at: expect.any(String) });
    });

    test('it is for the session’s page alone', async () => {
      const session = await finished(stage);
      const other = await finished(stage);
      expect((await requestWidgetApi(stage.service, `/${session.id}`, { secret: other.secret })).status).toBe(
        401,
      );
      expect((await requestWidgetApi(stage.service, `/${session.id}`)).status).toBe(401);
    });
  });

  describe('when it is acknowledged', () => {
    test('the session forgets it, says so again, and the connection stays', async () => {
      const session = await finished(stage);
      const { connectionId, scopedToken } = resultOf(session);
      expect((await session.acknowledge()).status).toBe(204);
      expect((await session.acknowledge()).status).toBe(204);
      expect(
        (await requestWidgetApi(stage.service, `/${session.id}`, { secret: session.secret })).status,
      ).toBe(410);
      expect(await sessionRowOf(stage, session)).toMatchObject({
        ...{ state: 'ended', state_sealed: null, import_request_sealed: null, result_sealed: null },
      });
      stage.service.advance(tenMinutes);
      expect(await connectionIdsOf(stage, scopedToken)).toEqual([connectionId]);
    });

    test('several at once are all told that it is', async () => {
      const session = await finished(stage);
      const answers = await Promise.all([1, 2, 3].map(() => session.acknowledge()));
      expect(answers.map(({ status }) => status)).toEqual([204, 204, 204]);
    });

    test('it must be there: before that there is nothing to acknowledge', async () => {
      const session = await stage.openDrivenSession({ username: 'asked' });
      const { status, body } = await requestWidgetApi(stage.service, `/${session.id}/acknowledgement`, {
        ...{ method: 'POST', secret: session.secret },
      });
      expect({ status, code: body.code }).toEqual({ status: 409, code: 'conflict' });
    });
  });

  describe('when it is not acknowledged within ten minutes', () => {
    test('the new connection and its new user cannot be read from that moment on', async () => {
      const session = await finished(stage);
      const { connectionId, scopedToken } = resultOf(session);
      stage.service.advance(tenMinutes - 1000);
      expect(await connectionIdsOf(stage, scopedToken)).toEqual([connectionId]);
      stage.service.advance(1000);
      expect(await connectionIdsOf(stage, scopedToken)).toBe(403);
      expect(await statusOf(stage, connectionId)).toBe(404);
    });

    test('it is too late to ask or to acknowledge', async () => {
      const session = await finished(stage);
      stage.service.advance(tenMinutes);
      expect(
        (await requestWidgetApi(stage.service, `/${session.id}`, { secret: session.secret })).status,
      ).toBe(410);
      expect((await session.acknowledge()).status).toBe(410);
    });

    test('another connection of the same user stays as it was', async () => {
      const externalUserId = `late-${people++}`;
      const first: LinkResult = await stage.link({ externalUserId });
      const second = resultOf(await finished(stage, externalUserId));
      expect(await connectionIdsOf(stage, first.scopedToken)).toEqual([
        first.connectionId,
        second.connectionId,
      ]);
      stage.service.advance(tenMinutes);
      expect(await connectionIdsOf(stage, first.scopedToken)).toEqual([first.connectionId]);
      const third = await stage.link({ externalUserId });
      expect(third).not.toHaveProperty('scopedToken');
    });

    test('the external id is free for a new user with a new token', async () => {
      const externalUserId = `lost-${people++}`;
      const lost = resultOf(await finished(stage, externalUserId));
      stage.service.advance(tenMinutes);
      const again = await stage.link({ externalUserId });
      expect(again.scopedToken).toBeDefined();
      expect(again.scopedToken).not.toBe(lost.scopedToken);
      expect(again.user!.id).not.toBe(lost.user!.id);
      expect(await connectionIdsOf(stage, lost.scopedToken)).toBe(403);
      expect(await connectionIdsOf(stage, again.scopedToken)).toEqual([again.connectionId]);
    });
  });
});
