// DELETE /connections/{connectionId}.
import { describe, expect, test } from 'vitest';
import { days } from '../../../src/clock.ts';
import { commonErrorTests, credentialTests, expectAuthError, expectProblem } from './commonErrors.ts';
import { type ApiFixture, describeApi, type LinkResult, variantsOfEach } from './fixture.ts';
import { type ApiResponse, operationIds, operations } from './operations.ts';

const revoke = (fixture: ApiFixture, { connectionId }: LinkResult, more = {}): Promise<ApiResponse> =>
  fixture.request('revokeConnection', { ids: { ...fixture.ids, connectionId }, scopedToken: null, ...more });

/** The credentials and the number of jobs that are stored for a connection. */
const findStoredState = async ({ service }: ApiFixture, { connectionId }: LinkResult) => {
  const { read } = service.service.db;
  const row = await read('connections').where({ id: connectionId }).first('credentials');
  const jobs = await read('jobs').where({ connectionId });
  return { credentials: row!.credentials, jobs: jobs.length };
};

describeApi('revokeConnection', (fixture) => {
  describe('responses', () => {
    test('204 without a body, and 204 again', async () => {
      const linked = await fixture.link();
      const ids = { ...fixture.ids, connectionId: linked.connectionId };
      const revokedAt = async () =>
        (await fixture.request('getConnection', { ids })).body.connection.revokedAt;
      for (const response of [await revoke(fixture, linked), await revoke(fixture, linked)]) {
        expect({ status: response.status, text: response.text }).toEqual({ status: 204, text: '' });
      }
      const first = await revokedAt();
      fixture.service.advance(days(1));
      expect((await revoke(fixture, linked)).status).toBe(204);
      expect(await revokedAt()).toBe(first);
    });

    test('the bank credentials and the job are deleted at once', async () => {
      const linked = await fixture.link();
      expect(await findStoredState(fixture, linked)).toEqual({
        credentials: expect.any(Uint8Array),
        jobs: 1,
      });
      await revoke(fixture, linked);
      expect(await findStoredState(fixture, linked)).toEqual({ credentials: null, jobs: 0 });
    });

    test('all data stays readable for 30 days, and is not found after', async () => {
      const linked = await fixture.link({ username: 'ada' });
      const accountId = linked.accounts[0]!.id;
      const scopedToken = linked.scopedToken!;
      const own = { ids: { ...fixture.ids, connectionId: linked.connectionId, accountId }, scopedToken };
      const { body } = await fixture.request('listTransactions', own);
      expect(body.transactions).toHaveLength(5);
      const options = { ...own, ids: { ...own.ids, transactionId: body.transactions[0].id } };
      await revoke(fixture, linked);
      const readOperations = operationIds.filter((id) => id !== 'revokeConnection');
      for (const id of readOperations) expect((await fixture.request(id, options)).status).toBe(200);
      fixture.service.advance(days(30));
      for (const id of readOperations) {
        const response = await fixture.request(id, options);
        if (operations[id].needsToken) expectAuthError(response, 403);
        else expectProblem(response, 404, 'not_found');
      }
      expectProblem(await revoke(fixture, linked), 404, 'not_found');
    });

    test('other connections of the same end user do not change', async () => {
      const first = await fixture.link({ externalUserId: 'emil' });
      const second = await fixture.link({ externalUserId: 'emil' });
      await revoke(fixture, first);
      const ids = { ...fixture.ids, connectionId: second.connectionId };
      expect((await fixture.request('getConnection', { ids })).body.connection).not.toHaveProperty(
        'revokedAt',
      );
      expect(await findStoredState(fixture, second)).toMatchObject({
        credentials: expect.any(Uint8Array),
        jobs: 1,
      });
    });
  });

  describe('errors', () => {
    commonErrorTests(fixture, 'revokeConnection');

    test('a connection of another application, which does not change', async () => {
      expectAuthError(await revoke(fixture, fixture.cleo.north), 403);
      const { apiKey } = fixture.otherApplication;
      const ids = { ...fixture.ids, connectionId: fixture.cleo.north.connectionId };
      const { body } = await fixture.request('getConnection', { ids, apiKey });
      expect(body.connection).not.toHaveProperty('revokedAt');
    });
  });

  describe('credentials', () => {
    credentialTests(fixture, 'revokeConnection');

    test('after all these errors the connection is still active', async () => {
      expect((await fixture.request('getConnection')).body.connection).not.toHaveProperty('revokedAt');
    });
  });
});

describeApi(
  'revokeConnection',
  (fixture) => {
    describe('responses', () => {
      test('several requests at the same time give 204 each', async () => {
        const linked = await fixture.link();
        const responses = await Promise.all(Array.from({ length: 5 }, () => revoke(fixture, linked)));
        expect(responses.map(({ status }) => status)).toEqual([204, 204, 204, 204, 204]);
      });
    });
  },
  { only: variantsOfEach },
);
