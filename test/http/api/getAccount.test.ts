// GET /accounts/{accountId}.
import { describe, expect, test } from 'vitest';
import { days } from '../../../src/clock.ts';
import { scriptedAccount, southBank } from '../../support/scriptedConnector.ts';
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

  test('an account whose key is replaced while it is read, before the reader has wrapped the old one', async () => {
    const { connector, service } = fixture;
    connector.setAccounts('eve', [scriptedAccount()]);
    const linked = await fixture.link({ username: 'eve', externalUserId: 'eve' });
    const { connectionId, scopedToken } = linked;
    const accountId = linked.accounts[0]!.id;
    const { db } = service.service;
    const findRow = async () => (await db.read('accounts').where({ id: accountId }).first())!;
    const before = await findRow();
    await fixture.link({ username: 'eve', externalUserId: 'eve', connectionId });
    const after = await findRow();
    expect(after.keySealed).not.toEqual(before.keySealed);
    const columnsOf = ({ sealed, keySealed }: typeof before) => ({ sealed, keySealed, keyWrapped: null });
    const request = { ids: { ...fixture.ids, accountId }, scopedToken: scopedToken! };
    const read = async () => (await fixture.request('getAccount', request)).status;
    await db.write('accounts').where({ id: accountId }).update(columnsOf(before));
    await db.transaction(async (trx) => {
      await trx('accounts').where({ id: accountId }).update(columnsOf(after));
      // Sees the row of before, and waits with the wrapped key of it until the new row is committed.
      expect(await read()).toBe(200);
    });
    await expect.poll(async () => (await read()) !== 200 || (await findRow()).keyWrapped !== null).toBe(true);
    expect(await read()).toBe(200);
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
