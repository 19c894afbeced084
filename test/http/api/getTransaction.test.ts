// Get transaction: one entry of one account.
import { describe, expect, test } from 'vitest';
import { commonErrorTests, credentialTests, expectProblem, expectAuthError } from './commonErrors.ts';
import { describeApi } from './fixture.ts';

describeApi('getTransaction', (stage) => {
  describe('answers', () => {
    test('the entry with all its fields', async () => {
      const { status, body } = await stage.request('getTransaction');
      expect(status).toBe(200);
      expect(body).toEqual({
        transaction: {
          id: stage.ids.transactionId,
          accountId: stage.ids.accountId,
          amount: -30,
          date: '2024-02-10',
          description: 'BOOKS',
          reference: '',
          status: 'pending',
          transactionRefresh: expect.stringMatching(/^txr_/),
        },
      });
    });

    test('each entry as the list has it', async () => {
      const { body: list } = await stage.request('listTransactions');
      expect(list.transactions).toHaveLength(5);
      for (const transaction of list.transactions) {
        const ids = { ...stage.ids, transactionId: transaction.id };
        expect((await stage.request('getTransaction', { ids })).body).toEqual({ transaction });
      }
    });
  });

  describe('refusals', () => {
    commonErrorTests(stage, 'getTransaction');

    test('an entry that is in another account of the same user', async () => {
      const accountId = stage.ada.south.accounts[0]!.id;
      const answer = await stage.request('getTransaction', { ids: { ...stage.ids, accountId } });
      expectProblem(answer, 404, 'not_found');
    });

    test('an entry of an account of somebody else', async () => {
      for (const { north } of [stage.ben, stage.cleo]) {
        const ids = { ...stage.ids, accountId: north.accounts[0]!.id };
        expectAuthError(await stage.request('getTransaction', { ids }), 403);
      }
    });

    test('somebody else’s entry under one’s own account', async () => {
      const { token, north } = stage.ben;
      const own = { ...stage.ids, accountId: north.accounts[0]!.id };
      const { body } = await stage.request('listTransactions', { ids: own, scopedToken: token });
      const ids = { ...stage.ids, transactionId: body.transactions[0].id };
      expectProblem(await stage.request('getTransaction', { ids }), 404, 'not_found');
    });
  });

  describe('credentials', () => credentialTests(stage, 'getTransaction'));
});
