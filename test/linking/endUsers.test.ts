// Assigns connections to end users, both with external user ids and anonymous, and returns a scoped token for some of the
// links.
import { describe, expect, test } from 'vitest';
import { days, seconds } from '../../src/platform/values/clock.ts';
import { southBank } from '../support/scriptedConnector.ts';
import type { TestLinkSession } from '../support/testService.ts';
import {
  connectionIdsOf,
  describeLinking,
  describeLinkingOnce,
  eventually,
  finishSession,
  type LinkFixture,
  resultOf,
  revoke,
  sessionRowOf,
  statusOf,
} from './fixture.ts';

let userCount = 0;
/** A new external user id. */
const newExternalUserId = (): string => `user-${userCount++}`;

describeLinkingOnce('the end user of a connection', (fixture) => {
  describe('with an external user id', () => {
    test('gets a scoped token with the first connection only, and it reads both', async () => {
      const externalUserId = newExternalUserId();
      const first = await fixture.link({ externalUserId });
      const second = await fixture.link({ externalUserId, username: 'other', institutionId: southBank });
      expect(first.scopedToken).toMatch(/^sct_[A-Za-z0-9_-]{72}$/);
      expect(second).not.toHaveProperty('scopedToken');
      expect(first.user).toEqual({ id: expect.stringMatching(/^usr_/), externalUserId });
      expect(second.user).toEqual(first.user);
      expect(await connectionIdsOf(fixture, first.scopedToken)).toEqual([
        first.connectionId,
        second.connectionId,
      ]);
      const params = { path: { accountId: second.accounts[0]!.id } };
      const { data } = await fixture
        .client(first.scopedToken)
        .GET('/accounts/{accountId}/transactions', { params });
      expect(data?.transactions).toHaveLength(2);
    });

    test('is another end user in another application', async () => {
      const externalUserId = newExternalUserId();
      const otherApplication = await fixture.service.addApplication({ environment: 'production' });
      const first = await fixture.link({ externalUserId });
      const second = await fixture.link({ externalUserId, applicationId: otherApplication.id });
      expect(second.scopedToken).toBeDefined();
      expect(second.user!.id).not.toBe(first.user!.id);
      expect(await connectionIdsOf(fixture, second.scopedToken)).toBe(403);
    });

    test('is identified by the exact external user id', async () => {
      const externalUserId = newExternalUserId();
      const first = await fixture.link({ externalUserId });
      for (const other of [
        externalUserId.toUpperCase(),
        `${externalUserId} `,
        `${externalUserId}é`,
        `${externalUserId}e\u0301`,
      ]) {
        const linked = await fixture.link({ externalUserId: other });
        expect(linked.user!.externalUserId).toBe(other);
        expect(linked.user!.id).not.toBe(first.user!.id);
      }
    });

    test('keeps the scoped token while one connection of several is revoked', async () => {
      const externalUserId = newExternalUserId();
      const first = await fixture.link({ externalUserId });
      const second = await fixture.link({ externalUserId });
      await revoke(fixture, first);
      const third = await fixture.link({ externalUserId });
      expect(third).not.toHaveProperty('scopedToken');
      expect(await connectionIdsOf(fixture, first.scopedToken)).toEqual(
        [first, second, third].map(({ connectionId }) => connectionId),
      );
    });

    test('is a new one when all connections are revoked, and the old scoped token reads the revoked ones', async () => {
      const externalUserId = newExternalUserId();
      const old = [await fixture.link({ externalUserId }), await fixture.link({ externalUserId })];
      for (const one of old) await revoke(fixture, one);
      const fresh = await fixture.link({ externalUserId });
      expect(fresh.scopedToken).toBeDefined();
      expect(fresh.user!.externalUserId).toBe(externalUserId);
      expect(fresh.user!.id).not.toBe(old[0]!.user!.id);
      expect(await connectionIdsOf(fixture, old[0]!.scopedToken)).toEqual(
        old.map(({ connectionId }) => connectionId),
      );
      expect(await connectionIdsOf(fixture, fresh.scopedToken)).toEqual([fresh.connectionId]);
      const next = await fixture.link({ externalUserId });
      expect(next).not.toHaveProperty('scopedToken');
      expect(next.user).toEqual(fresh.user);
      fixture.service.advance(days(30));
      expect(await connectionIdsOf(fixture, old[0]!.scopedToken)).toBe(403);
      expect(await connectionIdsOf(fixture, fresh.scopedToken)).toEqual([
        fresh.connectionId,
        next.connectionId,
      ]);
    });
  });

  describe('without an external user id', () => {
    test('is a new one with each connection, and no scoped token reads another’s', async () => {
      const first = await fixture.link();
      const second = await fixture.link();
      expect(first).not.toHaveProperty('user');
      expect(second.scopedToken).toBeDefined();
      expect(second.scopedToken).not.toBe(first.scopedToken);
      expect(await connectionIdsOf(fixture, first.scopedToken)).toEqual([first.connectionId]);
      expect(await connectionIdsOf(fixture, second.scopedToken)).toEqual([second.connectionId]);
      const params = { path: { connectionId: first.connectionId } };
      const { response } = await fixture
        .client(second.scopedToken)
        .GET('/connections/{connectionId}/accounts', { params });
      expect(response.status).toBe(403);
    });
  });
});

describeLinking('concurrent first connections of an end user', (fixture) => {
  test('an undelivered first result is superseded by the second', async () => {
    const externalUserId = newExternalUserId();
    const [first, second] = [
      await fixture.openDrivenSession({ externalUserId }),
      await fixture.openSession({ externalUserId }),
    ];
    // The session is finished, but its page has not fetched the result.
    await eventually(async () => expect((await sessionRowOf(fixture, first))!.state).toBe('finished'));
    const connectionId = (await sessionRowOf(fixture, first))!.connectionId!;
    await finishSession(fixture, second);
    const result = resultOf(second);
    expect(result.scopedToken).toBeDefined();
    expect((await second.acknowledge()).status).toBe(204);
    expect(await first.refresh()).toMatchObject({
      state: 'failed',
      reason: 'superseded',
      retryTargets: [],
    });
    expect(await statusOf(fixture, connectionId)).toBe(404);
    expect(await connectionIdsOf(fixture, result.scopedToken)).toEqual([result.connectionId]);
  });

  test('after a delivered first result the second waits, and then needs no scoped token', async () => {
    const externalUserId = newExternalUserId();
    const delivered = await fixture.openDrivenSession({ externalUserId });
    await delivered.waitForImport();
    const other = await fixture.openDrivenSession({ externalUserId, username: 'other' });
    await expectRetried(fixture, other);
    expect((await delivered.acknowledge()).status).toBe(204);
    await other.waitForImport();
    expect(resultOf(other)).not.toHaveProperty('scopedToken');
    expect((await other.acknowledge()).status).toBe(204);
    expect(await connectionIdsOf(fixture, resultOf(delivered).scopedToken)).toEqual([
      resultOf(delivered).connectionId,
      resultOf(other).connectionId,
    ]);
  });

  test('after a delivered but never acknowledged first result the second replaces it', async () => {
    const externalUserId = newExternalUserId();
    const first = await fixture.openDrivenSession({ externalUserId });
    await first.waitForImport();
    const discarded = resultOf(first);
    const second = await fixture.openDrivenSession({ externalUserId });
    await expectRetried(fixture, second);
    fixture.service.advance(seconds(600));
    await second.waitForImport();
    const kept = resultOf(second);
    expect(kept.scopedToken).toBeDefined();
    expect((await second.acknowledge()).status).toBe(204);
    expect(await statusOf(fixture, discarded.connectionId)).toBe(404);
    expect(await connectionIdsOf(fixture, discarded.scopedToken)).toBe(403);
    expect(await connectionIdsOf(fixture, kept.scopedToken)).toEqual([kept.connectionId]);
  });

  test('one scoped token reads every acknowledged connection, whichever finishes first', async () => {
    for (let round = 0; round < 5; round++) {
      const externalUserId = newExternalUserId();
      const release = fixture.connector.hold('ada', 'history');
      const sessions = await Promise.all([1, 2, 3].map(() => fixture.openDrivenSession({ externalUserId })));
      release();
      const ended = await Promise.all(
        sessions.map(async (session) => {
          await session.waitForImport();
          return session.view.state === 'finished' && (await session.acknowledge()).status === 204
            ? resultOf(session)
            : undefined;
        }),
      );
      const kept = ended.filter((result) => result !== undefined);
      const tokens = kept.flatMap(({ scopedToken }) => scopedToken ?? []);
      expect(tokens).toHaveLength(1);
      const readable = (await connectionIdsOf(fixture, tokens[0])) as string[];
      expect(readable.sort()).toEqual(kept.map(({ connectionId }) => connectionId).sort());
    }
  });
});

/** The import is postponed repeatedly, because its end user is not known yet. */
const expectRetried = async ({ db }: LinkFixture, session: TestLinkSession): Promise<void> => {
  const dueAt = new Set<string>();
  await eventually(async () => {
    const job = await db.read('jobs').where({ linkSessionId: session.id }).first('dueAt');
    expect(dueAt.add(job!.dueAt).size).toBeGreaterThan(3);
  });
  expect((await session.refresh()).state).toBe('importing');
};
