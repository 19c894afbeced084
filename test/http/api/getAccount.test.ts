// GET /accounts/{accountId}.
import { describe, expect, test } from 'vitest';
import { days } from '../../../src/clock.ts';
import { southBank } from '../../support/scriptedConnector.ts';
import { commonErrorTests, credentialTests, expectAuthError, expectProblem } from './commonErrors.ts';
import { describeApi } from './fixture.ts';

describeApi('getAccount', (fixture) => {
  describe('responses', () => {
    test('each account as in the list', async () => {
      const { body: list } = await fixture.request('listAccounts');
      for (const account of list.accounts) {
        const { status, body } = await fixture.request('getAccount', {
          ids: { ...fixture.ids, accountId: account.id },
        });
        expect({ status, body }).toEqual({ status: 200, body: { account } });
      }
    });

    test('an account of each connection of an end user, with the same token', async () => {
      for (const { connectionId, accounts } of [fixture.ada.north, fixture.ada.south]) {
        const ids = { ...fixture.ids, accountId: accounts[0]!.id };
        const { body } = await fixture.request('getAccount', { ids });
        expect(body.account.connectionId).toBe(connectionId);
      }
    });
  });

  describe('errors', () => {
    commonErrorTests(fixture, 'getAccount');

    test('an account of another application', async () => {
      const ids = { ...fixture.ids, accountId: fixture.cleo.north.accounts[0]!.id };
      expectAuthError(await fixture.request('getAccount', { ids }), 403);
    });

    test('an account of another end user of the same application', async () => {
      const ids = { ...fixture.ids, accountId: fixture.ben.north.accounts[0]!.id };
      expectAuthError(await fixture.request('getAccount', { ids }), 403);
    });

    test('an account whose connection was revoked 30 days ago, while its end user has another', async () => {
      const first = await fixture.link({ externalUserId: 'fay' });
      await fixture.link({ externalUserId: 'fay', institutionId: southBank });
      const options = {
        ids: { ...fixture.ids, connectionId: first.connectionId, accountId: first.accounts[0]!.id },
        scopedToken: first.scopedToken!,
      };
      await fixture.request('revokeConnection', options);
      expect((await fixture.request('getAccount', options)).status).toBe(200);
      fixture.service.advance(days(30));
      expectProblem(await fixture.request('getAccount', options), 404, 'not_found');
    });
  });

  describe('credentials', () => credentialTests(fixture, 'getAccount'));
});
