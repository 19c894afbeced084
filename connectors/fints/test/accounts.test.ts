// Tests accounts of every type that has a number in FinTS.
import { expect, test } from 'vitest';
import { findAccounts, toBankAccount } from '../accounts.ts';
import { parseMessage } from '../message.ts';
import { isReadable } from '../orders.ts';

const accountsOf = (...segments: string[]) =>
  findAccounts(
    parseMessage(
      Buffer.from(`HNHBK:1:3+000000000000+300+D+1'HIUPA:4:4:4+user+0+0'${segments.join('')}HNHBS:9:1+1'`),
    ),
  );

const account = (kind: string, orders = 'HKSAL:1+HKKAZ:1', number = '4711'): string =>
  `HIUPD:5:6:4+${number}:00:280:12345678+DE12+user+${kind}+EUR+Max++Konto++${orders}'`;

const kinds: [kind: string, type: string, subtype: string | undefined][] = [
  ['1', 'depository', 'checking'],
  ['9', 'depository', 'checking'],
  ['10', 'depository', 'savings'],
  ['19', 'depository', 'savings'],
  ['20', 'depository', undefined],
  ['40', 'loan', undefined],
  ['50', 'credit', 'credit_card'],
  ['60', 'investment', undefined],
  ['70', 'other', undefined],
  ['99', 'other', undefined],
  ['', 'depository', undefined],
];
test.each(kinds)('kind %s is %s %s', (kind, type, subtype) => {
  const [found] = accountsOf(account(kind));
  const { id, number, ...shown } = toBankAccount(found!);
  expect({ id, number }).toEqual({ id: '4711/00', number: 'DE12' });
  expect(shown).toEqual({ name: 'Konto', type, ...(subtype && { subtype }), currency: 'EUR' });
});

const parameters = { versions: { HKKAZ: 7 }, tanOrders: [], storedDays: {}, camtFormats: [] };

test('an account is offered where the bank shows its balance or its transactions', () => {
  const shown = ['HKSAL:1', 'HKKAZ:1', 'DKKKU:1', 'HKWPD:1+HKTAN:1'].map((orders) =>
    isReadable(accountsOf(account('1', orders))[0]!, parameters),
  );
  expect(shown).toEqual([true, true, true, false]);
});

test('an account that is named twice comes once, with the orders of both', () => {
  const [first, ...others] = accountsOf(account('1', 'HKSPA:1'), account('1', '', '4712'), account('1'));
  expect(first).toMatchObject({ number: '4711', orders: ['HKSPA', 'HKSAL', 'HKKAZ'] });
  expect(others).toMatchObject([{ number: '4712', orders: [] }]);
});

test('a bank that does not say which orders an account has is asked', () => {
  const text = `HNHBK:1:3+000000000000+300+D+1'HIUPA:4:4:4+user+0+1'${account('1', '')}HNHBS:9:1+1'`;
  const [found] = findAccounts(parseMessage(Buffer.from(text)));
  expect(isReadable(found!, parameters)).toBe(true);
});
