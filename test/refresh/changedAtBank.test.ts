// Changes at the bank after an account is connected: withdrawn announcements, and a new currency.
import { beforeEach, expect, test } from 'vitest';
import { addMilliseconds, days, toIsoDate } from '../../src/platform/values/clock.ts';
import {
  describeLinkingOnce,
  finishSession,
  type LinkFixture,
  type LinkResult,
  readTransactions,
  refreshFully,
} from '../linking/fixture.ts';
import { type ScriptedAccount, scriptedAccount, scriptedTransaction } from '../support/scriptedConnector.ts';

const dayFromToday = (difference: number): string => toIsoDate(addMilliseconds(new Date(), days(difference)));

/** A new user for each test. */
let username: string;

/** Sets the accounts of the test's user. */
const setAccounts = ({ connector }: LinkFixture, accounts: Partial<ScriptedAccount>[]): void =>
  connector.setAccounts(username, accounts.map(scriptedAccount));

describeLinkingOnce('a transaction that the bank announces for a later day', (fixture) => {
  beforeEach(() => {
    username = fixture.newUser();
  });
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
    const linked = await fixture.link({ username });
    setAccounts(fixture, [{ completeTo, transactions: [changed!] }]);
    expect(await refreshFully(fixture, linked)).toBeNull();
    const transactions = await readTransactions(fixture, linked);
    const statuses = Object.fromEntries(transactions.map(({ amount, status: one }) => [amount, one]));
    expect(statuses).toEqual({ '-99': status, '-98.5': 'pending', '-1': 'posted' });
  });
});

/** The accounts of a connection, each with the amounts of its transactions by status. */
const readAccounts = async (fixture: LinkFixture, { connectionId, scopedToken }: LinkResult) => {
  const client = fixture.client(scopedToken);
  const params = { path: { connectionId } };
  const { data } = await client.GET('/connections/{connectionId}/accounts', { params });
  return Promise.all(
    data!.accounts.map(async ({ id, currency, replacedBy }) => {
      const read = await client.GET('/accounts/{accountId}/transactions', {
        params: { path: { accountId: id } },
      });
      const amounts = Object.fromEntries(
        read.data!.transactions.map(({ amount, status }) => [amount, status]),
      );
      return { id, currency, replacedBy, amounts };
    }),
  );
};

describeLinkingOnce('an account whose currency the bank changes', (fixture) => {
  beforeEach(() => {
    username = fixture.newUser();
  });
  const [rent, shop] = [
    { date: dayFromToday(-200), amount: '-195.58' },
    { date: dayFromToday(-3), amount: '-19.56' },
  ];
  const inLev = [rent, shop].map(scriptedTransaction);
  // The bank has converted only the newest transaction.
  const inEuro = [rent, { ...shop, amount: '-10.00' }].map(scriptedTransaction);
  const levAccount = { currency: 'BGN', transactions: inLev };
  const euroAccount = { currency: 'EUR', transactions: inEuro };
  const other = { id: 'other', number: 'XX9', currency: 'USD' };

  /** Links the account while it is in lev; by the refresh, it is in euros. */
  const linkAndChange = async () => {
    setAccounts(fixture, [levAccount, other]);
    const linked = await fixture.link({ username });
    setAccounts(fixture, [euroAccount, other]);
    expect(await refreshFully(fixture, linked)).toBeNull();
    return linked;
  };

  test('ends, and another one continues it: each transaction counts once, in its currency', async () => {
    const linked = await linkAndChange();
    const accounts = await readAccounts(fixture, linked);
    const [lev, dollar] = linked.accounts;
    const euro = accounts.find(({ currency }) => currency === 'EUR')!;
    expect(accounts).toHaveLength(3);
    expect(accounts).toEqual(
      expect.arrayContaining([
        {
          ...{ id: lev!.id, currency: 'BGN', replacedBy: euro.id },
          amounts: { '-195.58': 'posted', '-19.56': 'void' },
        },
        { id: euro.id, currency: 'EUR', replacedBy: undefined, amounts: { '-10': 'posted' } },
        { id: dollar!.id, currency: 'USD', replacedBy: undefined, amounts: {} },
      ]),
    );
    expect(await refreshFully(fixture, linked)).toBeNull();
    expect(await readAccounts(fixture, linked)).toEqual(accounts);
  });

  test('continues if the bank returns to the previous currency', async () => {
    const linked = await linkAndChange();
    const { id: levId } = linked.accounts[0]!;
    setAccounts(fixture, [levAccount, other]);
    expect(await refreshFully(fixture, linked)).toBeNull();
    const byCurrency = new Map((await readAccounts(fixture, linked)).map((one) => [one.currency, one]));
    expect(byCurrency.get('BGN')).toEqual({
      ...{ id: levId, currency: 'BGN', replacedBy: undefined },
      amounts: { '-195.58': 'posted', '-19.56': 'posted' },
    });
    expect(byCurrency.get('EUR')).toMatchObject({ replacedBy: levId, amounts: { '-10': 'void' } });
  });

  test('is not missing when the connection is reconnected', async () => {
    setAccounts(fixture, [levAccount, other]);
    const linked = await fixture.link({ username });
    setAccounts(fixture, [euroAccount, other]);
    const session = await fixture.openSession({ connectionId: linked.connectionId });
    const view = await finishSession(fixture, session, { username });
    expect(view).toMatchObject({
      state: 'finished',
      result: { accounts: [{ currency: 'EUR' }, linked.accounts[1]] },
    });
    expect(view).not.toHaveProperty('result.missingAccountIds');
    const [lev] = (await readAccounts(fixture, linked)).filter(({ currency }) => currency === 'BGN');
    expect(lev).toMatchObject({ id: linked.accounts[0]!.id, replacedBy: expect.stringMatching(/^acc_/) });
  });

  test('stays unchanged until the bank returns its transactions, and next to another currency with the same id', async () => {
    setAccounts(fixture, [levAccount, other]);
    const linked = await fixture.link({ username });
    const before = await readAccounts(fixture, linked);
    setAccounts(fixture, [{ ...euroAccount, isSilent: true }, other]);
    expect(await refreshFully(fixture, linked)).toBeNull();
    expect(await readAccounts(fixture, linked)).toEqual(before);
    setAccounts(fixture, [levAccount, euroAccount, other]);
    expect(await refreshFully(fixture, linked)).toBeNull();
    expect(await readAccounts(fixture, linked)).toEqual(before);
  });

  test('keeps its first day when the bank does not answer for it once', async () => {
    const linked = await linkAndChange();
    const accounts = await readAccounts(fixture, linked);
    setAccounts(fixture, [{ ...euroAccount, isSilent: true }, other]);
    await refreshFully(fixture, linked);
    setAccounts(fixture, [euroAccount, other]);
    expect(await refreshFully(fixture, linked)).toBeNull();
    expect(await readAccounts(fixture, linked)).toEqual(accounts);
  });

  test('is not replaced by another shared currency with the same id when the bank stops listing it', async () => {
    const inDollar = { ...levAccount, currency: 'USD' };
    setAccounts(fixture, [levAccount, inDollar, other]);
    const linked = await fixture.link({ username });
    const before = await readAccounts(fixture, linked);
    setAccounts(fixture, [inDollar, other]);
    expect(await refreshFully(fixture, linked)).toBeNull();
    expect(await readAccounts(fixture, linked)).toEqual(before);
  });
});
