// Whose a connection is, and who gets a token: the promises of the specification about external user ids and
// anonymous users.
import { describe, expect, test } from 'vitest';
import { days, seconds } from '../../src/clock.ts';
import { southBank } from '../support/scriptedConnector.ts';
import type { TestLinkSession } from '../support/testService.ts';
import {
  connectionIdsOf,
  describeLinking,
  eventually,
  finishSession,
  type LinkFixture,
  statusOf,
} from './fixture.ts';

const revoke = async (stage: LinkFixture, connectionId: string): Promise<void> => {
  const params = { path: { connectionId } };
  const { response } = await stage.client().DELETE('/connections/{connectionId}', { params });
  expect(response.status).toBe(204);
};

const resultOf = ({ view }: TestLinkSession) => {
  if (view.state !== 'finished') throw new Error(`The session is ${view.state}.`);
  return view.result;
};

let people = 0;
/** An external user id that nobody had before. */
const somebody = (): string => `user-${people++}`;

describeLinking('whose a connection is', (stage) => {
  describe('a user with an external id', () => {
    test('gets a token with the first connection and none with the second, and the first reads both', async () => {
      const externalUserId = somebody();
      const first = await stage.link({ externalUserId });
      const second = await stage.link({ externalUserId, username: 'other', institutionId: southBank });
      expect(first.scopedToken).toMatch(/^sct_[A-Za-z0-9_-]{72}$/);
      expect(second).not.toHaveProperty('scopedToken');
      expect(first.user).toEqual({ id: expect.stringMatching(/^usr_/), externalUserId });
      expect(second.user).toEqual(first.user);
      expect(await connectionIdsOf(stage, first.scopedToken)).toEqual([
        first.connectionId,
        second.connectionId,
      ]);
      const params = { path: { accountId: second.accounts[0]!.id } };
      const { data } = await stage
        .client(first.scopedToken)
        .GET('/accounts/{accountId}/transactions', { params });
      expect(data?.transactions).toHaveLength(2);
    });

    test('is another user in another application', async () => {
      const externalUserId = somebody();
      const rival = await stage.service.addApplication({ environment: 'production' });
      const ours = await stage.link({ externalUserId });
      const theirs = await stage.link({ externalUserId, applicationId: rival.id });
      expect(theirs.scopedToken).toBeDefined();
      expect(theirs.user!.id).not.toBe(ours.user!.id);
      expect(await connectionIdsOf(stage, theirs.scopedToken)).toBe(403);
    });

    test('is known by the exact letters of the id', async () => {
      const externalUserId = somebody();
      const first = await stage.link({ externalUserId });
      for (const other of [
        externalUserId.toUpperCase(),
        `${externalUserId} `,
        `${externalUserId}é`,
        `${externalUserId}e\u0301`,
      ]) {
        const linked = await stage.link({ externalUserId: other });
        expect(linked.user!.externalUserId).toBe(other);
        expect(linked.user!.id).not.toBe(first.user!.id);
      }
    });

    test('keeps the token while one connection of several is revoked', async () => {
      const externalUserId = somebody();
      const first = await stage.link({ externalUserId });
      const second = await stage.link({ externalUserId });
      await revoke(stage, first.connectionId);
      const third = await stage.link({ externalUserId });
      expect(third).not.toHaveProperty('scopedToken');
      expect(await connectionIdsOf(stage, first.scopedToken)).toEqual(
        [first, second, third].map(({ connectionId }) => connectionId),
      );
    });

    test('whose connections are all revoked starts afresh, and the old token reads what is left', async () => {
      const externalUserId = somebody();
      const old = [await stage.link({ externalUserId }), await stage.link({ externalUserId })];
      for (const { connectionId } of old) await revoke(stage, connectionId);
      const fresh = await stage.link({ externalUserId });
      expect(fresh.scopedToken).toBeDefined();
      expect(fresh.user!.externalUserId).toBe(externalUserId);
      expect(fresh.user!.id).not.toBe(old[0]!.user!.id);
      expect(await connectionIdsOf(stage, old[0]!.scopedToken)).toEqual(
        old.map(({ connectionId }) => connectionId),
      );
      expect(await connectionIdsOf(stage, fresh.scopedToken)).toEqual([fresh.connectionId]);
      const next = await stage.link({ externalUserId });
      expect(next).not.toHaveProperty('scopedToken');
      expect(next.user).toEqual(fresh.user);
      stage.service.advance(days(30));
      expect(await connectionIdsOf(stage, old[0]!.scopedToken)).toBe(403);
      expect(await connectionIdsOf(stage, fresh.scopedToken)).toEqual([
        fresh.connectionId,
        next.connectionId,
      ]);
    });
  });

  describe('an anonymous user', () => {
    test('is another one with each connection, and no token reads another’s', async () => {
      const first = await stage.link();
      const second = await stage.link();
      expect(first).not.toHaveProperty('user');
      expect(second.scopedToken).toBeDefined();
      expect(second.scopedToken).not.toBe(first.scopedToken);
      expect(await connectionIdsOf(stage, first.scopedToken)).toEqual([first.connectionId]);
      expect(await connectionIdsOf(stage, second.scopedToken)).toEqual([second.connectionId]);
      const params = { path: { connectionId: first.connectionId } };
      const { response } = await stage
        .client(second.scopedToken)
        .GET('/connections/{connectionId}/accounts', { params });
      expect(response.status).toBe(403);
    });
  });

  describe('two first connections of one user at the same time', () => {
    test('where nobody has seen the first result, the second takes its place', async () => {
      const externalUserId = somebody();
      const [first, second] = [
        await stage.openDrivenSession({ externalUserId }),
        await stage.openSession({ externalUserId }),
      ];
      const { connection_id } = await stage.db.read('link_sessions').where({ id: first.id }).first();
      // Finished, and its page has not asked yet.
      await eventually(async () => {
        const row = await stage.db.read('link_sessions').where({ id: first.id }).first('state');
        expect(row.state).toBe('finished');
      });
      await finishSession(stage, second);
      const result = resultOf(second);
      expect(result.scopedToken).toBeDefined();
      expect((await second.acknowledge()).status).toBe(204);
      expect(await first.refresh()).toMatchObject({
        state: 'failed',
        reason: 'superseded',
        retryTarget: 'none',
      });
      expect(await statusOf(stage, connection_id)).toBe(404);
      expect(await connectionIdsOf(stage, result.scopedToken)).toEqual([result.connectionId]);
    });

    test('where the first result was seen, the second waits, and then needs no token', async () => {
      const externalUserId = somebody();
      const seen = await stage.openDrivenSession({ externalUserId });
      await seen.waitForImport();
      const other = await stage.openDrivenSession({ externalUserId });
      await expectUndecided(other);
      expect((await seen.acknowledge()).status).toBe(204);
      await other.waitForImport();
      expect(resultOf(other)).not.toHaveProperty('scopedToken');
      expect((await other.acknowledge()).status).toBe(204);
      expect(await connectionIdsOf(stage, resultOf(seen).scopedToken)).toEqual([
        resultOf(seen).connectionId,
        resultOf(other).connectionId,
      ]);
    });

    test('where the first result was seen and never acknowledged, the second is the first', async () => {
      const externalUserId = somebody();
      const first = await stage.openDrivenSession({ externalUserId });
      await first.waitForImport();
      const lost = resultOf(first);
      const second = await stage.openDrivenSession({ externalUserId });
      await expectUndecided(second);
      stage.service.advance(seconds(600));
      await second.waitForImport();
      const kept = resultOf(second);
      expect(kept.scopedToken).toBeDefined();
      expect((await second.acknowledge()).status).toBe(204);
      expect(await statusOf(stage, lost.connectionId)).toBe(404);
      expect(await connectionIdsOf(stage, lost.scopedToken)).toBe(403);
      expect(await connectionIdsOf(stage, kept.scopedToken)).toEqual([kept.connectionId]);
    });

    test('whoever comes first, every acknowledged connection can be read with the one token', async () => {
      for (let round = 0; round < 5; round++) {
        const externalUserId = somebody();
        const release = stage.connector.hold('history');
        const sessions = await Promise.all([1, 2, 3].map(() => stage.openDrivenSession({ externalUserId })));
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
        const readable = (await connectionIdsOf(stage, tokens[0])) as string[];
        expect(readable.sort()).toEqual(kept.map(({ connectionId }) => connectionId).sort());
      }
    });
  });
});

/** The session's import goes on being tried, because whose it will be is not decided. */
const expectUndecided = async (session: TestLinkSession): Promise<void> => {
  for (let look = 0; look < 10; look++) {
    expect((await session.refresh()).state).toBe('importing');
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
};
