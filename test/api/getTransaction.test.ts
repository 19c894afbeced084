// Get transaction: one entry of one account.
import { describe, expect, test } from 'vitest';
import { commonRefusals, credentialTable, expectProblem, expectRefused } from './refusals.ts';
import { describeOnStage } from './stage.ts';

describeOnStage('getTransaction', (stage) => {
  describe('answers', () => {
    test('the entry with all its fields', async () => {
      const { status, body } = await stage.ask('getTransaction');
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
      const { body: list } = await stage.ask('listTransactions');
      expect(list.transactions).toHaveLength(5);
      for (const transaction of list.transactions) {
        const ids = { ...stage.ids, transactionId: transaction.id };
        expect((await stage.ask('getTransaction', { ids })).body).toEqual({ transaction });
      }
    });
  });

  describe('refusals', () => {
    commonRefusals(stage, 'getTransaction');

    test('an entry that is in another account of the same user', async () => {
      const accountId = stage.ada.south.accounts[0]!.id;
      const answer = await stage.ask('getTransaction', { ids: { ...stage.ids, accountId } });
      expectProblem(answer, 404, 'not_found');
    });

    test('an entry of an account of somebody else', async () => {
      for (const { north } of [stage.ben, stage.cleo]) {
        const ids = { ...stage.ids, accountId: north.accounts[0]!.id };
        expectRefused(await stage.ask('getTransaction', { ids }), 403);
      }
    });

    test('somebody else’s entry under one’s own account', async () => {
      const { token, north } = stage.ben;
      const own = { ...stage.ids, accountId: north.accounts[0]!.id };
      const { body } = await stage.ask('listTransactions', { ids: own, scopedToken: token });
      const ids = { ...stage.ids, transactionId: body.transactions[0].id };
      expectProblem(await stage.ask('getTransaction', { ids }), 404, 'not_found');
    });
  });

  describe('credentials', () => credentialTable(stage, 'getTransaction'));
});
