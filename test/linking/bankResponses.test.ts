// Responses of a bank: data that is invalid, or longer than any bank sends, counts as incomplete, and nothing is stored. Control
// characters are removed. `lastFour` is four digits or empty for any account number from a connector.
import { expect, test, vi } from 'vitest';
import type { BankAccount, BankTransaction } from '../../connectors/kit/contract.ts';
import { claimAccessUrl, createSetupToken, readWith } from '../simplefin/fixture.ts';
import { scriptedAccount, scriptedTransaction } from '../support/scriptedConnector.ts';
import { describeLinkingOnce, finishSession, readAccounts, readTransactions, tryStep } from './fixture.ts';

const long = (length: number) => 'x'.repeat(length);
const digits = (length: number) => '1'.repeat(length);

/** Values that the contract forbids, for each field. */
const accounts: Record<keyof BankAccount, unknown[]> = {
  id: [long(1001)],
  name: [long(201), 7],
  type: [long(21)],
  number: [long(101)],
  currency: ['EURO'],
  subtype: ['current'],
  balance: [
    { current: digits(41) },
    { current: '1', asOf: '2024-02-10' },
    { current: '1', limit: digits(100_000) },
  ],
};
const transactions: Record<keyof BankTransaction, unknown[]> = {
  id: [long(1001)],
  amount: [digits(41), `0.${'0'.repeat(100_000)}1`],
  description: [long(2001), undefined],
  reference: [long(501)],
  date: ['2024-02-30'],
  status: ['booked'],
};
const casesOf = (invalid: Record<string, unknown[]>) =>
  Object.entries(invalid).flatMap(([field, values]) =>
    values.map((value) => ({
      name: `${field} ${JSON.stringify(value)}`,
      odd: { [field]: value },
    })),
  );

const longest = {
  account: {
    ...{ id: long(1000), name: long(200), number: long(100) },
    balance: { current: `-${digits(39)}` },
  },
  transaction: { id: long(1000), amount: digits(40), description: long(2000), reference: long(500) },
};

describeLinkingOnce('an incomplete response', (fixture) => {
  const failed = { state: 'failed', reason: 'institution_incomplete' };

  test.each(casesOf(accounts))('of the accounts: $name', async ({ odd }) => {
    fixture.connector.setAccounts('odd', [scriptedAccount(), scriptedAccount(odd)]);
    const session = await fixture.openDrivenSession({ username: 'odd' });
    expect(session.view).toMatchObject(failed);
  });

  test('of more accounts than the widget can show', async () => {
    const many = Array.from({ length: 501 }, (_, at) => scriptedAccount({ id: `a${at}` }));
    fixture.connector.setAccounts('odd', many);
    expect((await fixture.openDrivenSession({ username: 'odd' })).view).toMatchObject(failed);
  });

  test.each(casesOf(transactions))('of the transactions at an import: $name', async ({ odd }) => {
    const transactions = [scriptedTransaction(), scriptedTransaction(odd)];
    fixture.connector.setAccounts('odd', [scriptedAccount({ transactions })]);
    const session = await fixture.openDrivenSession({ username: 'odd' });
    expect(await finishSession(fixture, session)).toMatchObject(failed);
  });

  test('of a refresh is retried later, and stored data is kept', async () => {
    const transaction = scriptedTransaction(longest.transaction);
    const account = scriptedAccount({ ...longest.account, transactions: [transaction] });
    fixture.connector.setAccounts('odd', [account]);
    const linked = await fixture.link({ username: 'odd' });
    const odd = { ...transaction, description: long(2001) };
    fixture.connector.setAccounts('odd', [{ ...account, transactions: [odd] }]);
    fixture.service.advance(8 * 24 * 3600 * 1000);
    const job = () => fixture.db.read('jobs').where({ connectionId: linked.connectionId }).first();
    await vi.waitUntil(async () => (await job())?.lastFailure === 'institution_incomplete', {
      timeout: 30_000,
    });
    const params = { path: { accountId: linked.accounts[0]!.id } };
    const { data } = await fixture
      .client(linked.scopedToken)
      .GET('/accounts/{accountId}/transactions', { params });
    expect(data!.transactions).toMatchObject([{ description: long(2000), status: 'posted' }]);
  });
});

describeLinkingOnce('odd characters of a bank', (fixture) => {
  const odd = 'nul\0 escape\u001b[2J, half \ud83d, whole \u{1f600}\r\n\tnext\u0085';
  const plain = 'nul escape[2J, half \ufffd, whole \u{1f600}\r\n\tnext';

  test('leave in no field: in the widget, onSuccess, the API and SimpleFIN', async () => {
    const transaction = scriptedTransaction({ description: odd, reference: odd });
    const account = scriptedAccount({ name: odd, number: '12\u000034\u0000', transactions: [transaction] });
    fixture.connector.setAccounts('odd', [account]);
    fixture.connector.challenge('odd', { kind: 'code', label: odd, hint: odd }, '1');
    const session = await fixture.openDrivenSession({ username: 'odd' });
    expect(session.view).toMatchObject({ challenge: { label: plain, hint: plain } });
    const answered = await tryStep(fixture, session, { kind: 'answer', answer: '1' });
    expect(answered.body.view.accounts).toMatchObject([{ name: plain, lastFour: '1234' }]);
    const linked = await fixture.link({ username: 'odd', answers: ['1'] });
    expect(linked.accounts).toMatchObject([{ name: plain, lastFour: '1234' }]);
    const params = { path: { accountId: linked.accounts[0]!.id } };
    const client = fixture.client(linked.scopedToken);
    const { data } = await client.GET('/accounts/{accountId}', { params });
    expect(data!.account).toMatchObject({ name: plain, lastFour: '1234' });
    expect(await readTransactions(fixture, linked)).toMatchObject([{ description: plain, reference: plain }]);
    const { apiKey } = fixture.application;
    const access = { url: fixture.service.url, apiKey, scopedToken: linked.scopedToken! };
    const accessUrl = await claimAccessUrl(await createSetupToken(access));
    const { accounts: shared } = await (await readWith(accessUrl, '?start-date=0')).json();
    expect(shared[0].name).toContain(plain);
    expect(shared[0].transactions[0].description).toContain(plain);
  });
});

/** Account numbers, with the last four digits of each. */
const numbers: Record<string, string> = {
  'DE89 3704 0044 0532 0130 00': '3000',
  DE89370400440532013000: '3000',
  '123 456 ': '3456',
  '4000-0000\u00a00000–0093': '0093',
  '**** 4821\u200b': '4821',
  // Masked, shorter, or with letters where the digits should be.
  'DE •• 22': '',
  '****': '',
  '12•34': '',
  '093': '',
  '': '',
  MT84MALT011000012345MTLCAST001S: '',
  '١٢٣٤': '',
};

describeLinkingOnce('the last four digits', (fixture) => {
  test('are four digits or nothing', async () => {
    const accounts = Object.keys(numbers).map((number, at) =>
      scriptedAccount({ id: `a${at}`, name: `${at}`, number }),
    );
    fixture.connector.setAccounts('numbers', accounts);
    const expected = Object.values(numbers);
    const linked = await fixture.link({ username: 'numbers' });
    expect(linked.accounts.map(({ lastFour }) => lastFour)).toEqual(expected);
    const read = await readAccounts(fixture, linked);
    expect(read.map(({ lastFour }) => lastFour)).toEqual(expected);
  });
});
