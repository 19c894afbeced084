// GET /connections.
import { describe, expect, test } from 'vitest';
import { days } from '../../../src/clock.ts';
import { southBank } from '../../support/scriptedConnector.ts';
import { commonErrorTests, credentialTests, expectAuthError } from './commonErrors.ts';
import { describeApi } from './fixture.ts';

describeApi('listConnections', (fixture) => {
  describe('responses', () => {
    test('all connections of an end user, oldest first', async () => {
      const { data } = await fixture.client().GET('/connections');
      const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      expect(data).toEqual({
        connections: [
          {
            id: fixture.ada.north.connectionId,
            institution: { id: 'north-bank', name: 'North Bank' },
            status: 'active',
            createdAt: timestamp,
            refreshedAt: timestamp,
          },
          {
            id: fixture.ada.south.connectionId,
            institution: { id: 'south-bank', name: 'South Bank' },
            status: 'active',
            createdAt: timestamp,
            refreshedAt: timestamp,
          },
        ],
      });
    });

    test('the connection of an anonymous end user', async () => {
      const { data } = await fixture.client(fixture.ben.token).GET('/connections');
      expect(data?.connections.map(({ id }) => id)).toEqual([fixture.ben.north.connectionId]);
    });

    test('a revoked connection with revokedAt, until 30 days later', async () => {
      const first = await fixture.link({ externalUserId: 'dora' });
      const second = await fixture.link({ externalUserId: 'dora', institutionId: southBank });
      const client = fixture.client(first.scopedToken);
      await client.DELETE('/connections/{connectionId}', {
        params: { path: { connectionId: first.connectionId } },
      });
      const list = async () => (await client.GET('/connections')).data?.connections;
      expect((await list())?.map(({ id, revokedAt }) => [id, typeof revokedAt])).toEqual([
        [first.connectionId, 'string'],
        [second.connectionId, 'undefined'],
      ]);
      fixture.service.advance(days(30));
      expect((await list())?.map(({ id }) => id)).toEqual([second.connectionId]);
    });
  });

  describe('errors', () => {
    commonErrorTests(fixture, 'listConnections');

    test('a token whose end user has no connection left', async () => {
      const linked = await fixture.link();
      await fixture.request('revokeConnection', {
        ids: { ...fixture.ids, connectionId: linked.connectionId },
      });
      const scopedToken = linked.scopedToken!;
      expect((await fixture.request('listConnections', { scopedToken })).status).toBe(200);
      fixture.service.advance(days(30));
      expectAuthError(await fixture.request('listConnections', { scopedToken }), 403);
    });
  });

  describe('credentials', () => credentialTests(fixture, 'listConnections'));
});
