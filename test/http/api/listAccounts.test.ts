// GET /connections/{connectionId}/accounts.
import { expect, test } from 'vitest';
import { scriptedAccount } from '../../support/scriptedConnector.ts';
import { describeOperation } from './commonErrors.ts';
import { toRequest } from './fixture.ts';

const cursor = expect.stringMatching(/^txr_[0-9A-HJKMNP-TV-Z]{26}$/);

describeOperation('listAccounts', (fixture) => {
  test('the accounts in the order of the bank, with the balances and the subtype that the bank provides', async () => {
    const { body } = await fixture.request('listAccounts');
    const [first, card] = fixture.ada.north.accounts;
    const connectionId = fixture.ids.connectionId;
    const shared = { connectionId, lastTransactionRefresh: cursor, historyFrom: '1900-01-01' };
    expect(body).toEqual({
      accounts: [
        {
          ...{ ...shared, id: first!.id, type: 'depository', subtype: 'checking' },
          ...{ name: 'Everyday Account', lastFour: '4821', currency: 'EUR' },
          balance: { current: 1520.75, available: 1498.2, asOf: '2024-02-10T17:45:00.000Z' },
        },
        {
          ...{ ...shared, id: card!.id, type: 'credit' },
          ...{ name: 'Rewards Card', lastFour: '0093', currency: 'USD' },
          balance: { current: -342.18, available: 2657.82, limit: 3000, asOf: '2024-02-10T00:00:00.000Z' },
        },
      ],
    });
  });

  test('only the accounts that the end user chose', async () => {
    const linked = await fixture.link({ username: 'ada', accounts: ['Rewards Card'] });
    const { body } = await fixture.request('listAccounts', toRequest(fixture, linked));
    expect(body.accounts).toMatchObject([{ name: 'Rewards Card' }]);
  });

  test('every type of account, and exact amounts', async () => {
    const types = ['depository', 'credit', 'loan', 'investment', 'other'] as const;
    const currents = ['0', '-0.01', '-250000.00', '12345678901234567.89', '0.001'];
    const asOf = '2024-03-01T08:00:00.000Z';
    const more = { available: '1498.20', limit: '12345678901234567.80' };
    const accounts = types.map((type, at) => {
      const balance = { current: currents[at]!, asOf, ...(type === 'credit' && more) };
      return scriptedAccount({ id: type, type, name: type, balance });
    });
    fixture.connector.setAccounts('many', accounts);
    const linked = await fixture.link({ username: 'many' });
    const { body, text } = await fixture.request('listAccounts', toRequest(fixture, linked));
    expect(body.accounts.map(({ type }: { type: string }) => type)).toEqual(types);
    // Prism reserializes numbers.
    const serialized = (name: string) =>
      [...text.matchAll(new RegExp(`"${name}":([^,}]*)`, 'g'))].map(([, number]) => number);
    if (!fixture.throughPrism) {
      expect(serialized('current')).toEqual(currents);
      expect(serialized('available')).toEqual([more.available]);
      expect(serialized('limit')).toEqual([more.limit]);
    }
    expect(body.accounts[0].balance).toEqual({ current: 0, asOf });
  });
});
