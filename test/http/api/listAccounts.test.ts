// List accounts: what the end user chose to share through one connection.
import { describe, expect, test } from 'vitest';
import { scriptedAccount } from '../../support/scriptedConnector.ts';
import { commonErrorTests, credentialTests, expectProblem, expectAuthError } from './commonErrors.ts';
import { describeApi } from './fixture.ts';

const cursor = expect.stringMatching(/^txr_[0-9A-HJKMNP-TV-Z]{26}$/);

describeApi('listAccounts', (stage) => {
  describe('answers', () => {
    test('the accounts in the bank’s order, with balances as far as the bank gives them', async () => {
      const { body } = await stage.request('listAccounts');
      const [first, card] = stage.ada.north.accounts;
      const { connectionId } = stage.ids;
      expect(body).toEqual({
        accounts: [
          {
            id: first!.id,
            connectionId,
            type: 'depository',
            name: 'Everyday Account',
            lastFour: '4821',
            currency: 'EUR',
            balance: { current: 1520.75, available: 1498.2 },
            lastTransactionRefresh: cursor,
          },
          {
            id: card!.id,
            connectionId,
            type: 'credit',
            name: 'Rewards Card',
            lastFour: '093',
            currency: 'USD',
            balance: { current: -342.18, available: 2657.82, limit: 3000 },
            lastTransactionRefresh: cursor,
          },
        ],
      });
    });

    test('only those that the user chose', async () => {
      const linked = await stage.link({ username: 'ada', accounts: ['Rewards Card'] });
      const ids = { ...stage.ids, connectionId: linked.connectionId };
      const { body } = await stage.request('listAccounts', { ids, scopedToken: linked.scopedToken! });
      expect(body.accounts.map(({ name }: { name: string }) => name)).toEqual(['Rewards Card']);
    });

    test('every type of account, and money to the last digit', async () => {
      const types = ['depository', 'credit', 'loan', 'investment', 'other'] as const;
      const currents = ['0', '-0.01', '-250000.00', '12345678901234567.89', '0.001'];
      const accounts = types.map((type, at) =>
        scriptedAccount({ id: type, type, name: type, balance: { current: currents[at]! } }),
      );
      stage.connector.setAccounts('many', accounts);
      const linked = await stage.link({ username: 'many' });
      const ids = { ...stage.ids, connectionId: linked.connectionId };
      const { body, text } = await stage.request('listAccounts', { ids, scopedToken: linked.scopedToken! });
      expect(body.accounts.map(({ type }: { type: string }) => type)).toEqual(types);
      // Prism prints numbers anew.
      const printed = [...text.matchAll(/"current":([^,}]*)/g)].map(([, number]) => number);
      if (!stage.throughPrism) expect(printed).toEqual(currents);
      expect(body.accounts[0].balance).toEqual({ current: 0 });
    });
  });

  describe('refusals', () => {
    commonErrorTests(stage, 'listAccounts');

    test('a connection of another application', async () => {
      const ids = { ...stage.ids, connectionId: stage.cleo.north.connectionId };
      expectAuthError(await stage.request('listAccounts', { ids }), 403);
    });

    test('a connection of another user of the same application', async () => {
      const ids = { ...stage.ids, connectionId: stage.ben.north.connectionId };
      expectAuthError(await stage.request('listAccounts', { ids }), 403);
    });

    test('the id of an account is the id of no connection', async () => {
      const ids = { ...stage.ids, connectionId: stage.ids.accountId };
      expectProblem(await stage.request('listAccounts', { ids }), 404, 'not_found');
    });
  });

  describe('credentials', () => credentialTests(stage, 'listAccounts'));
});
