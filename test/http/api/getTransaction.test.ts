// GET /accounts/{accountId}/transactions/{transactionId}.
import { expect, test } from 'vitest';
import { describeOperation, expectProblem } from './commonErrors.ts';
import { toRequest } from './fixture.ts';

describeOperation('getTransaction', (fixture) => {
  test('each transaction as in the list', async () => {
    const { body: list } = await fixture.request('listTransactions');
    expect(list.transactions).toHaveLength(5);
    for (const transaction of list.transactions) {
      const ids = { ...fixture.ids, transactionId: transaction.id };
      const { status, body } = await fixture.request('getTransaction', { ids });
      expect({ status, body }).toEqual({ status: 200, body: { transaction } });
    }
  });

  test('a transaction of another account, of the same end user or another one', async () => {
    const { accountId } = toRequest(fixture, fixture.ada.south).ids;
    const { body } = await fixture.request('listTransactions', toRequest(fixture, fixture.ben.north));
    for (const foreign of [{ accountId }, { transactionId: body.transactions[0].id }]) {
      const ids = { ...fixture.ids, ...foreign };
      expectProblem(await fixture.request('getTransaction', { ids }), 404, 'not_found');
    }
  });
});
