// GET /connections/{connectionId}. Needs no scoped token.
import { describe, expect, test } from 'vitest';
import { days } from '../../../src/clock.ts';
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
          createdAt: expect.any(String),
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

    test('a revoked connection with revokedAt, until 30 days later', async () => {
      const { connectionId } = await fixture.link();
      const ids = { ...fixture.ids, connectionId };
      await fixture.request('revokeConnection', { ids });
      const { body } = await fixture.request('getConnection', { ids });
      expect(Object.keys(body.connection)).toEqual(['id', 'institution', 'createdAt', 'revokedAt']);
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
