// GET /connections/{connectionId}. Needs no scoped token.
import { expect, test } from 'vitest';
import { days } from '../../../src/platform/values/clock.ts';
import { scriptedAccount } from '../../support/scriptedConnector.ts';
import { describeOperation } from './commonErrors.ts';
import { toRequest } from './fixture.ts';

describeOperation('getConnection', (fixture) => {
  test('the connection with its institution and creation time', async () => {
    const { status, body } = await fixture.request('getConnection', { scopedToken: null });
    expect(status).toBe(200);
    const { createdAt } = body.connection;
    expect(body.connection).toEqual({
      ...{ id: fixture.ids.connectionId, institution: { id: 'north-bank', name: 'North Bank' } },
      ...{ status: 'active', createdAt, refreshedAt: createdAt },
    });
    expect(new Date(createdAt).toISOString()).toBe(createdAt);
  });

  test('a connection of any end user of the application, with any token', async () => {
    const { ids } = toRequest(fixture, fixture.ben.north);
    const { ada, ben, cleo } = fixture;
    for (const scopedToken of [null, ben.token, ada.token, cleo.token, 'garbage', '']) {
      const { status, body } = await fixture.request('getConnection', { ids, scopedToken });
      expect({ status, id: body.connection?.id }).toEqual({ status: 200, id: ids.connectionId });
    }
  });

  test('needs_reconnect after the bank refused a refresh, and active after a reconnect', async () => {
    const accounts = [scriptedAccount({ number: 'DE77' })];
    fixture.connector.setAccounts('leaving', accounts);
    const leaving = await fixture.link({ username: 'leaving' });
    const request = toRequest(fixture, leaving);
    const read = async () => (await fixture.request('getConnection', request)).body.connection;
    const linked = await read();
    fixture.service.advance(days(1));
    await expect.poll(async () => (await read()).refreshedAt > linked.refreshedAt).toBe(true);
    const refreshed = await read();
    expect(refreshed).toEqual({ ...linked, refreshedAt: refreshed.refreshedAt });

    fixture.connector.remove('leaving');
    fixture.service.advance(days(1));
    await expect.poll(async () => (await read()).status).toBe('needs_reconnect');
    expect(await read()).toEqual({ ...refreshed, status: 'needs_reconnect' });
    const { body } = await fixture.request('listConnections', request);
    expect(body.connections).toMatchObject([{ status: 'needs_reconnect' }]);

    fixture.connector.setAccounts('leaving', accounts);
    await fixture.link({ username: 'leaving', connectionId: leaving.connectionId });
    const restored = await read();
    expect(restored).toEqual({ ...linked, refreshedAt: restored.refreshedAt });
    expect(restored.refreshedAt > refreshed.refreshedAt).toBe(true);
  });
});
