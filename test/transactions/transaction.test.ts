// What is sealed of an entry is the very text that is sent.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CorruptData } from '../../src/errors.ts';
import {
  transactionToJson,
  resealTransaction,
  sealTransaction,
  type TransactionRow,
} from '../../src/transactions/transaction.ts';
import { makeDataKey } from '../../src/vault/seal.ts';

const key = makeDataKey();
const place = { accountId: 'acc_1', id: 'txn_1' };
const rowOf = (sealed: Buffer, id = place.id): TransactionRow => ({
  ...{ id, date: '2024-01-02', seq: 1, refreshCursor: 'txr_1', status: 'posted', sealed, dataKeyId: 'k' },
});
const toText = (sealed: Buffer, row = rowOf(sealed), accountId = place.accountId) =>
  transactionToJson(row, accountId, () => key);

test('any text comes back as JSON that says the same', () => {
  const text = fc.string({ unit: 'binary', maxLength: 200 });
  fc.assert(
    fc.property(text, text, (description, reference) => {
      const printed = toText(sealTransaction({ amount: '-1.50', description, reference }, place, key));
      expect(JSON.parse(printed)).toEqual({
        ...{ id: 'txn_1', accountId: 'acc_1', date: '2024-01-02', status: 'posted' },
        ...{ transactionRefresh: 'txr_1', amount: -1.5, description, reference },
      });
    }),
  );
});

test('an amount is printed digit for digit', () => {
  for (const amount of [
    '0',
    '-0.00',
    '1.50',
    '20.000',
    '12345678901234567890.123456789',
    '-0.000000000000001',
  ]) {
    const sealed = sealTransaction({ amount, description: '', reference: '' }, place, key);
    expect(toText(sealed)).toContain(`"amount":${amount},"description"`);
  }
});

test('what is no decimal number is never sealed, because it would be sent as it is', () => {
  for (const amount of [
    '',
    '1e5',
    '.5',
    '5.',
    '+1',
    '01',
    '1,5',
    'NaN',
    '1}',
    '1,"status":"void"',
    ' 1',
    '--1',
    '0x1',
  ]) {
    const entry = { amount, description: '', reference: '' };
    expect(() => sealTransaction(entry, place, key)).toThrow('decimal');
  }
});

test('a record opens in its place only, and in another one after it was moved there', () => {
  const sealed = sealTransaction({ amount: '1', description: 'd', reference: 'r' }, place, key);
  expect(() => toText(sealed, rowOf(sealed, 'txn_2'))).toThrow(CorruptData);
  expect(() => toText(sealed, rowOf(sealed), 'acc_2')).toThrow(CorruptData);
  const moved = resealTransaction(sealed, key, place, { accountId: 'acc_2', id: 'txn_2' });
  expect(JSON.parse(toText(moved, rowOf(moved, 'txn_2'), 'acc_2'))).toMatchObject({
    amount: 1,
    description: 'd',
  });
  expect(() => resealTransaction(sealed, key, { ...place, id: 'txn_2' }, place)).toThrow(CorruptData);
});
