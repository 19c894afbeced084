// Revoke connection: the one thing that this interface changes.
import { describe, expect, test } from 'vitest';
import { days } from '../../../src/clock.ts';
import { type ApiResponse, operationIds, operations } from './operations.ts';
import { commonErrorTests, credentialTests, expectProblem, expectAuthError } from './commonErrors.ts';
import { describeApi, type LinkResult, type ApiFixture } from './fixture.ts';

const revoke = (stage: ApiFixture, { connectionId }: LinkResult, more = {}): Promise<ApiResponse> =>
  stage.request('revokeConnection', { ids: { ...stage.ids, connectionId }, scopedToken: null, ...more });

/** What the service keeps of a connection to ask its bank again. */
const storedSecretsOf = async ({ service }: ApiFixture, { connectionId }: LinkResult) => {
  const { read } = service.service.db;
  const row = await read('connections').where({ id: connectionId }).first('credentials');
  const work = await read('jobs').where({ connection_id: connectionId });
  return { credentials: row.credentials, work: work.length };
};

describeApi('revokeConnection', (stage) => {
  describe('answers', () => {
    test('204 without a body, and 204 again', async () => {
      const linked = await stage.link();
      const ids = { ...stage.ids, connectionId: linked.connectionId };
      const moment = async () => (await stage.request('getConnection', { ids })).body.connection.revokedAt;
      for (const answer of [await revoke(stage, linked), await revoke(stage, linked)]) {
        expect({ status: answer.status, text: answer.text }).toEqual({ status: 204, text: '' });
      }
      const first = await moment();
      stage.service.advance(days(1));
      expect((await revoke(stage, linked)).status).toBe(204);
      expect(await moment()).toBe(first);
    });

    test('the bank’s credentials are forgotten at once, and nothing is due any more', async () => {
      const linked = await stage.link();
      expect(await storedSecretsOf(stage, linked)).toEqual({ credentials: expect.any(Uint8Array), work: 1 });
      await revoke(stage, linked);
      expect(await storedSecretsOf(stage, linked)).toEqual({ credentials: null, work: 0 });
    });

    test('everything that was read stays readable for 30 days, then nothing is', async () => {
      const linked = await stage.link({ username: 'ada' });
      const accountId = linked.accounts[0]!.id;
      const scopedToken = linked.scopedToken!;
      const own = { ids: { ...stage.ids, connectionId: linked.connectionId, accountId }, scopedToken };
      const { body } = await stage.request('listTransactions', own);
      expect(body.transactions).toHaveLength(5);
      const asking = { ...own, ids: { ...own.ids, transactionId: body.transactions[0].id } };
      await revoke(stage, linked);
      const read = operationIds.filter((id) => id !== 'revokeConnection');
      for (const id of read) expect((await stage.request(id, asking)).status).toBe(200);
      stage.service.advance(days(30));
      for (const id of read) {
        const answer = await stage.request(id, asking);
        if (operations[id].needsToken) expectAuthError(answer, 403);
        else expectProblem(answer, 404, 'not_found');
      }
      expectProblem(await revoke(stage, linked), 404, 'not_found');
    });

    test('other connections of the same user are not touched', async () => {
      const first = await stage.link({ externalUserId: 'emil' });
      const second = await stage.link({ externalUserId: 'emil' });
      await revoke(stage, first);
      const ids = { ...stage.ids, connectionId: second.connectionId };
      expect((await stage.request('getConnection', { ids })).body.connection).not.toHaveProperty('revokedAt');
      expect(await storedSecretsOf(stage, second)).toMatchObject({
        credentials: expect.any(Uint8Array),
        work: 1,
      });
    });

    test('several at once give 204 each', async () => {
      const linked = await stage.link();
      const answers = await Promise.all(Array.from({ length: 5 }, () => revoke(stage, linked)));
      expect(answers.map(({ status }) => status)).toEqual([204, 204, 204, 204, 204]);
    });
  });

  describe('refusals', () => {
    commonErrorTests(stage, 'revokeConnection');

    test('a connection of another application, which stays as it is', async () => {
      expectAuthError(await revoke(stage, stage.cleo.north), 403);
      const { apiKey } = stage.otherApplication;
      const ids = { ...stage.ids, connectionId: stage.cleo.north.connectionId };
      const { body } = await stage.request('getConnection', { ids, apiKey });
      expect(body.connection).not.toHaveProperty('revokedAt');
    });
  });

  describe('credentials', () => {
    credentialTests(stage, 'revokeConnection');

    test('after all these refusals the connection is still active', async () => {
      expect((await stage.request('getConnection')).body.connection).not.toHaveProperty('revokedAt');
    });
  });
});
