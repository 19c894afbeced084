// Get account: one account with its balance.
import { describe, expect, test } from 'vitest';
import { days } from '../../../src/clock.ts';
import { southBank } from '../../support/scriptedConnector.ts';
import { commonErrorTests, credentialTests, expectProblem, expectAuthError } from './commonErrors.ts';
import { describeApi } from './fixture.ts';

describeApi('getAccount', (stage) => {
  describe('answers', () => {
    test('each account as the list has it', async () => {
      const { body: list } = await stage.request('listAccounts');
      for (const account of list.accounts) {
        const { status, body } = await stage.request('getAccount', {
          ids: { ...stage.ids, accountId: account.id },
        });
        expect({ status, body }).toEqual({ status: 200, body: { account } });
      }
    });

    test('an account of each connection of one user, by the same token', async () => {
      for (const { connectionId, accounts } of [stage.ada.north, stage.ada.south]) {
        const ids = { ...stage.ids, accountId: accounts[0]!.id };
        const { body } = await stage.request('getAccount', { ids });
        expect(body.account.connectionId).toBe(connectionId);
      }
    });
  });

  describe('refusals', () => {
    commonErrorTests(stage, 'getAccount');

    test('an account of another application', async () => {
      const ids = { ...stage.ids, accountId: stage.cleo.north.accounts[0]!.id };
      expectAuthError(await stage.request('getAccount', { ids }), 403);
    });

    test('an account of another user of the same application', async () => {
      const ids = { ...stage.ids, accountId: stage.ben.north.accounts[0]!.id };
      expectAuthError(await stage.request('getAccount', { ids }), 403);
    });

    test('an account whose connection was revoked 30 days ago, while its user has another', async () => {
      const first = await stage.link({ externalUserId: 'fay' });
      await stage.link({ externalUserId: 'fay', institutionId: southBank });
      const asking = {
        ids: { ...stage.ids, connectionId: first.connectionId, accountId: first.accounts[0]!.id },
        scopedToken: first.scopedToken!,
      };
      await stage.request('revokeConnection', asking);
      expect((await stage.request('getAccount', asking)).status).toBe(200);
      stage.service.advance(days(30));
      expectProblem(await stage.request('getAccount', asking), 404, 'not_found');
    });
  });

  describe('credentials', () => credentialTests(stage, 'getAccount'));
});
