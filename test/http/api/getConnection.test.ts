// Get connection: one connection of the application, for which the API key is enough.
import { describe, expect, test } from 'vitest';
import { days } from '../../../src/clock.ts';
import { commonErrorTests, credentialTests, expectProblem, expectAuthError } from './commonErrors.ts';
import { describeApi } from './fixture.ts';

describeApi('getConnection', (stage) => {
  describe('answers', () => {
    test('the connection, with its bank and since when there is one', async () => {
      const answer = await stage.request('getConnection', { scopedToken: null });
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({
        connection: {
          id: stage.ids.connectionId,
          institution: { id: 'north-bank', name: 'North Bank' },
          createdAt: expect.any(String),
        },
      });
      const age = Date.now() - Date.parse(answer.body.connection.createdAt);
      expect(age).toBeGreaterThan(0);
      expect(age).toBeLessThan(60_000);
    });

    test('any user’s connection of the application, whatever token comes along', async () => {
      const ids = { ...stage.ids, connectionId: stage.ben.north.connectionId };
      for (const scopedToken of [null, stage.ben.token, stage.ada.token, stage.cleo.token, 'garbage', '']) {
        const { status, body } = await stage.request('getConnection', { ids, scopedToken });
        expect({ status, id: body.connection?.id }).toEqual({ status: 200, id: ids.connectionId });
      }
    });

    test('a revoked connection with the moment of its revocation, until 30 days later', async () => {
      const { connectionId } = await stage.link();
      const ids = { ...stage.ids, connectionId };
      await stage.request('revokeConnection', { ids });
      const { body } = await stage.request('getConnection', { ids });
      expect(Object.keys(body.connection)).toEqual(['id', 'institution', 'createdAt', 'revokedAt']);
      expect(body.connection.revokedAt >= body.connection.createdAt).toBe(true);
      stage.service.advance(days(30));
      expectProblem(await stage.request('getConnection', { ids }), 404, 'not_found');
    });
  });

  describe('refusals', () => {
    commonErrorTests(stage, 'getConnection');

    test('a connection of another application', async () => {
      const ids = { ...stage.ids, connectionId: stage.cleo.north.connectionId };
      expectAuthError(await stage.request('getConnection', { ids }), 403);
    });

    test('the id of an account is the id of no connection', async () => {
      const ids = { ...stage.ids, connectionId: stage.ids.accountId };
      expectProblem(await stage.request('getConnection', { ids }), 404, 'not_found');
    });
  });

  describe('credentials', () => credentialTests(stage, 'getConnection'));
});
