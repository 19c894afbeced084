// Tests that the probe reads and explains a bank's parameters in an anonymous dialog.
import { expect, test } from 'vitest';
import { call, makeModule, startBank } from './fixture.ts';
import { said } from './segments.ts';
import type { TestBank } from './testBank.ts';

const probe = async (bank: TestBank, institutionId: string) => {
  const rows = await makeModule(bank).probe!(institutionId, call);
  return rows.map(({ parameter, value, meaning }) => [parameter, value, meaning]);
};

test('a bank is asked in an anonymous dialog, which is ended, and its parameters are explained', async () => {
  const bank = await startBank();
  expect(await probe(bank, 'dkb-camt')).toEqual([
    ['HKSPA', '1, 2', 'IBANs of accounts: version 2 is used'],
    ['HKSAL', '3, 4, 5', 'balances: version 5 is used'],
    ['HKKAZ', '4, 5', 'transactions as MT940: version 5 is used'],
    ['HKCAZ', '1', 'transactions as camt.052: version 1 is used'],
    ['HKTAB', '2, 3, 4', 'names of TAN devices: version 4 is used'],
    ['HKKKU', 'none', 'card transactions: not used'],
    ['National accounts', 'N', 'requests identify accounts by IBAN only'],
    ['Stored days', 'HKKAZ 360, HKCAZ 450', 'read by the first import'],
    [
      'camt formats',
      'urn:iso:std:iso:20022:tech:xsd:camt.052.001.02',
      'camt.052 if offered, otherwise MT940',
    ],
    ['TAN needed', 'none', 'some banks list more than they ask for'],
    ['TAN method 946', 'SecureApp', 'decoupled: approval in an app'],
    ['TAN method 910', 'chipTAN manuell', 'a code'],
    ['TAN method 913', 'chipTAN-QR', 'a code'],
    ['TAN method 920', 'smsTAN', 'a code; the request names the device'],
    ['TAN method 921', 'TAN2go', 'a code; the request names the device'],
    ['TAN method 900', 'iTAN', 'a code'],
    ['Labels of ids', 'USERID, CUSTID', 'user id; customer id if needed'],
  ]);
  expect(bank.received).toMatchObject([
    { orders: ['HKIDN', 'HKVVB'], userId: '', pin: '' },
    { orders: ['HKEND'], userId: '', pin: '' },
  ]);
});

test('orders that a bank does not take are not ordered, and those for which it says J need a TAN', async () => {
  const bank = await startBank();
  expect(await probe(bank, 'consors')).toEqual(
    expect.arrayContaining([
      ['HKKAZ', '7, 6, 5, 4, 3', 'transactions as MT940: version 7 is used'],
      ['HKCAZ', 'none', 'transactions as camt.052: not used'],
      ['National accounts', 'J', 'requests identify accounts by number and IBAN'],
      ['Stored days', 'HKKAZ 90', 'read by the first import'],
      ['camt formats', 'none', 'camt.052 if offered, otherwise MT940'],
      ['TAN needed', 'HKKAZ, HKSAL', 'some banks list more than they ask for'],
      ['Labels of ids', 'none', 'user id; customer id if needed'],
    ]),
  );
});

test('cards and versions that only the bank knows are explained', async () => {
  const bank = await startBank();
  const cards = "HIKKUS:99:1:4+1+1+0+95:N:J:J'HISALS:98:9:4+1+1+0'";
  bank.intercept = ({ orders }) => (orders[0] === 'HKIDN' ? { also: cards } : undefined);
  expect(await probe(bank, 'dkb')).toEqual(
    expect.arrayContaining([
      ['HKSAL', '3, 4, 5, 9', 'balances: version 5 is used'],
      ['HKKKU', '1', 'card transactions: version 1 is used'],
      ['Stored days', 'HKKAZ 360, HKKKU 95', 'read by the first import'],
    ]),
  );
});

test.each([
  ['anonymous dialogs', said.noAnonymousDialog.text, '9400, 9800'],
  ['FINTS_PRODUCT_ID', said.productRefused.text, '9050, 9800, 9010, 9078'],
])('a bank that refuses %s is told with its codes only', async (what, segments, codes) => {
  const bank = await startBank();
  bank.intercept = () => ({ segments });
  await expect(probe(bank, 'dkb')).rejects.toThrow(`the bank refuses ${what} (${codes}).`);
  expect(bank.received).toHaveLength(1);
});
