// What a bank changes of an account that is connected: transactions that it had announced for a later day.
import { expect, test } from 'vitest';
import { addMilliseconds, days, toIsoDate } from '../../src/clock.ts';
import { describeLinking, type LinkFixture, readTransactions, refreshFully } from '../linking/fixture.ts';
import { type ScriptedAccount, scriptedAccount, scriptedTransaction } from '../support/scriptedConnector.ts';

const dayFromToday = (difference: number): string => toIsoDate(addMilliseconds(new Date(), days(difference)));

/** Sets the accounts of the user `ada`. */
const setAccounts = ({ connector }: LinkFixture, accounts: Partial<ScriptedAccount>[]): void =>
  connector.setAccounts('ada', accounts.map(scriptedAccount));

describeLinking('a transaction that the bank announces for a later day', (fixture) => {
  const today = dayFromToday(0);
  const announced = { id: '1', date: dayFromToday(20), amount: '-99.00', status: 'pending' } as const;
  const posted = scriptedTransaction({ id: '2', date: dayFromToday(3) });
  const withdrawn = [
    ['becomes void where the list of the bank reaches today', today, 'void'],
    ['stays where the list ends before', dayFromToday(-1), 'pending'],
  ] as const;

  test.each(withdrawn)('and withdraws %s', async (_, completeTo, status) => {
    const [old, changed] = [announced, { ...announced, id: '3', amount: '-98.50' }].map(scriptedTransaction);
    setAccounts(fixture, [{ completeTo, transactions: [old!, posted] }]);
    const linked = await fixture.link();
    setAccounts(fixture, [{ completeTo, transactions: [changed!] }]);
    expect(await refreshFully(fixture, linked)).toBeNull();
    const transactions = await readTransactions(fixture, linked);
    const statuses = Object.fromEntries(transactions.map(({ amount, status: one }) => [amount, one]));
    expect(statuses).toEqual({ '-99': status, '-98.5': 'pending', '-1': 'posted' });
  });
});
