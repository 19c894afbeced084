// GET /connections/{connectionId}. Needs no scoped token.
import { describe, expect, test } from 'vitest';
import { days } from '../../../src/clock.ts';
import { scriptedAccount } from '../../support/scriptedConnector.ts';
import { commonErrorTests, credentialTests, expectAuthError, expectProblem } from './commonErrors.ts';
import { describeApi } from './fixture.ts';

describeApi('getConnection', (fixture) => {
  describe('responses', () => {
    test('the connection with its institution and creation time', async () => {
      const response = await fixture.request('getConnection', { scopedToken: null });
      expect(response.status).toBe(200);
      expect(response.body).toEqual({
        connection: {
          id: fixture.ids.connectionId,
          institution: { id: 'north-bank', name: 'North Bank' },
          status: 'active',
          createdAt: expect.any(String),
          refreshedAt: response.body.connection.createdAt,
        },
      });
      const age = Date.now() - Date.parse(response.body.connection.createdAt);
      expect(age).toBeGreaterThan(0);
      expect(age).toBeLessThan(60_000);
    });

    test('a connection of any end user of the application, with any token', async () => {
      const ids = { ...fixture.ids, connectionId: fixture.ben.north.connectionId };
      for (const scopedToken of [
        null,
        fixture.ben.token,
        fixture.ada.token,
        fixture.cleo.token,
        'garbage',
        '',
      ]) {
        const { status, body } = await fixture.request('getConnection', { ids, scopedToken });
        expect({ status, id: body.connection?.id }).toEqual({ status: 200, id: ids.connectionId });
      }
    });

    test('needs_reconnect after the bank refused a refresh, and active after a reconnect', async () => {
      const accounts = [scriptedAccount({ number: 'DE77' })];
      fixture.connector.setAccounts('leaving', accounts);
      const { connectionId, scopedToken } = await fixture.link({ username: 'leaving' });
      const ids = { ...fixture.ids, connectionId };
      const read = async () => (await fixture.request('getConnection', { ids })).body.connection;
      const linked = await read();
      fixture.service.advance(days(1));
      await expect.poll(async () => (await read()).refreshedAt > linked.refreshedAt).toBe(true);
      const refreshed = await read();
      expect(refreshed).toEqual({ ...linked, refreshedAt: refreshed.refreshedAt });

      fixture.connector.remove('leaving');
      fixture.service.advance(days(1));
      await expect.poll(async () => (await read()).status).toBe('needs_reconnect');
      expect(await read()).toEqual({ ...refreshed, status: 'needs_reconnect' });
      const { data } = await fixture.client(scopedToken).GET('/connections');
      expect(data?.connections.map(({ status }) => status)).toEqual(['needs_reconnect']);

      fixture.connector.setAccounts('leaving', accounts);
      await fixture.link({ username: 'leaving', connectionId });
      const restored = await read();
      expect(restored).toEqual({ ...linked, refreshedAt: restored.refreshedAt });
      expect(restored.refreshedAt > refreshed.refreshedAt).toBe(true);
    });

    test('a revoked connection with revokedAt, until 30 days later', async () => {
      const { connectionId } = await fixture.link();
      const ids = { ...fixture.ids, connectionId };
      await fixture.request('revokeConnection', { ids });
      const { body } = await fixture.request('getConnection', { ids });
      expect(body.connection).toMatchObject({ status: 'revoked', refreshedAt: body.connection.createdAt });
      expect(body.connection.revokedAt >= body.connection.createdAt).toBe(true);
      fixture.service.advance(days(30));
      expectProblem(await fixture.request('getConnection', { ids }), 404, 'not_found');
    });
  });

  describe('errors', () => {
    commonErrorTests(fixture, 'getConnection');

    test('a connection of another application', async () => {
      const ids = { ...fixture.ids, connectionId: fixture.cleo.north.connectionId };
      expectAuthError(await fixture.request('getConnection', { ids }), 403);
    });

    test('the id of an account', async () => {
      const ids = { ...fixture.ids, connectionId: fixture.ids.accountId };
      expectProblem(await fixture.request('getConnection', { ids }), 404, 'not_found');
    });
  });

  describe('credentials', () => credentialTests(fixture, 'getConnection'));
});
