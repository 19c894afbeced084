// GET /accounts/{accountId}.
import { expect, test } from 'vitest';
import { scriptedAccount } from '../../support/scriptedConnector.ts';
import { describeOperation } from './commonErrors.ts';
import { toRequest } from './fixture.ts';

describeOperation('getAccount', (fixture) => {
  test('each account as in the list', async () => {
    const { body: list } = await fixture.request('listAccounts');
    for (const account of list.accounts) {
      const ids = { ...fixture.ids, accountId: account.id };
      const { status, body } = await fixture.request('getAccount', { ids });
      expect({ status, body }).toEqual({ status: 200, body: { account } });
    }
  });

  test('an account whose key is replaced while it is read, before the reader has wrapped the old one', async () => {
    fixture.connector.setAccounts('eve', [scriptedAccount()]);
    const linked = await fixture.link({ username: 'eve', externalUserId: 'eve' });
    const { connectionId } = linked;
    const request = toRequest(fixture, linked);
    const { accountId: id } = request.ids;
    const { db } = fixture.service.service;
    const findRow = async () => (await db.read('accounts').where({ id }).first())!;
    const before = await findRow();
    await fixture.link({ username: 'eve', externalUserId: 'eve', connectionId });
    const after = await findRow();
    expect(after.keySealed).not.toEqual(before.keySealed);
    const columnsOf = ({ sealed, keySealed }: typeof before) => ({ sealed, keySealed, keyWrapped: null });
    const read = async () => (await fixture.request('getAccount', request)).status;
    await db.write('accounts').where({ id }).update(columnsOf(before));
    await db.transaction(async (trx) => {
      await trx('accounts').where({ id }).update(columnsOf(after));
      // Sees the previous row, and waits with its wrapped key until the new row is committed.
      expect(await read()).toBe(200);
    });
    await expect.poll(async () => (await read()) !== 200 || (await findRow()).keyWrapped !== null).toBe(true);
    expect(await read()).toBe(200);
  });
});
