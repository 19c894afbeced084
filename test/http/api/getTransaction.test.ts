// GET /accounts/{accountId}/transactions/{transactionId}.
import { describe, expect, test } from 'vitest';
import { commonErrorTests, credentialTests, expectAuthError, expectProblem } from './commonErrors.ts';
import { describeApi } from './fixture.ts';

describeApi('getTransaction', (fixture) => {
  describe('responses', () => {
    test('the transaction with all its fields', async () => {
      const { status, body } = await fixture.request('getTransaction');
      expect(status).toBe(200);
      expect(body).toEqual({
        transaction: {
          id: fixture.ids.transactionId,
          accountId: fixture.ids.accountId,
          amount: -30,
          date: '2024-02-10',
          description: 'BOOKS',
          reference: '',
          status: 'pending',
          transactionRefresh: expect.stringMatching(/^txr_/),
        },
      });
    });

    test('each transaction as in the list', async () => {
      const { body: list } = await fixture.request('listTransactions');
      expect(list.transactions).toHaveLength(5);
      for (const transaction of list.transactions) {
        const ids = { ...fixture.ids, transactionId: transaction.id };
        expect((await fixture.request('getTransaction', { ids })).body).toEqual({ transaction });
      }
    });
  });

  describe('errors', () => {
    commonErrorTests(fixture, 'getTransaction');

    test('a transaction of another account of the same end user', async () => {
      const accountId = fixture.ada.south.accounts[0]!.id;
      const response = await fixture.request('getTransaction', { ids: { ...fixture.ids, accountId } });
      expectProblem(response, 404, 'not_found');
    });

    test('an account of another end user', async () => {
      for (const { north } of [fixture.ben, fixture.cleo]) {
        const ids = { ...fixture.ids, accountId: north.accounts[0]!.id };
        expectAuthError(await fixture.request('getTransaction', { ids }), 403);
      }
    });

    test('a transaction of another end user under an own account', async () => {
      const { token, north } = fixture.ben;
      const own = { ...fixture.ids, accountId: north.accounts[0]!.id };
      const { body } = await fixture.request('listTransactions', { ids: own, scopedToken: token });
      const ids = { ...fixture.ids, transactionId: body.transactions[0].id };
      expectProblem(await fixture.request('getTransaction', { ids }), 404, 'not_found');
    });
  });

  describe('credentials', () => credentialTests(fixture, 'getTransaction'));
});
