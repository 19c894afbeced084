// List connections: what a scoped token gives access to.
import { describe, expect, test } from 'vitest';
import { days } from '../../../src/clock.ts';
import { southBank } from '../../support/scriptedConnector.ts';
import { commonErrorTests, credentialTests, expectAuthError } from './commonErrors.ts';
import { describeApi } from './fixture.ts';

describeApi('listConnections', (stage) => {
  describe('answers', () => {
    test('all connections of a user with an external id, the oldest first', async () => {
      const { data } = await stage.client().GET('/connections');
      const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      expect(data).toEqual({
        connections: [
          {
            id: stage.ada.north.connectionId,
            institution: { id: 'north-bank', name: 'North Bank' },
            createdAt: moment,
          },
          {
            id: stage.ada.south.connectionId,
            institution: { id: 'south-bank', name: 'South Bank' },
            createdAt: moment,
          },
        ],
      });
    });

    test('the one connection of an anonymous user', async () => {
      const { data } = await stage.client(stage.ben.token).GET('/connections');
      expect(data?.connections.map(({ id }) => id)).toEqual([stage.ben.north.connectionId]);
    });

    test('a revoked connection among them, with the moment, until 30 days later', async () => {
      const first = await stage.link({ externalUserId: 'dora' });
      const second = await stage.link({ externalUserId: 'dora', institutionId: southBank });
      const client = stage.client(first.scopedToken);
      await client.DELETE('/connections/{connectionId}', {
        params: { path: { connectionId: first.connectionId } },
      });
      const list = async () => (await client.GET('/connections')).data?.connections;
      expect((await list())?.map(({ id, revokedAt }) => [id, typeof revokedAt])).toEqual([
        [first.connectionId, 'string'],
        [second.connectionId, 'undefined'],
      ]);
      stage.service.advance(days(30));
      expect((await list())?.map(({ id }) => id)).toEqual([second.connectionId]);
    });
  });

  describe('refusals', () => {
    commonErrorTests(stage, 'listConnections');

    test('a token of whose user nothing is left is refused like any other bad token', async () => {
      const gone = await stage.link();
      await stage.request('revokeConnection', { ids: { ...stage.ids, connectionId: gone.connectionId } });
      const scopedToken = gone.scopedToken!;
      expect((await stage.request('listConnections', { scopedToken })).status).toBe(200);
      stage.service.advance(days(30));
      expectAuthError(await stage.request('listConnections', { scopedToken }), 403);
    });
  });

  describe('credentials', () => credentialTests(stage, 'listConnections'));
});
