// A sealed transaction contains the JSON text that responses send.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CorruptData } from '../../src/errors.ts';
import {
  type PublicTransactionRow,
  resealTransaction,
  sealTransaction,
  transactionToJson,
} from '../../src/transactions/transaction.ts';
import { makeDataKey } from '../../src/vault/seal.ts';

const key = makeDataKey();
const refreshCursor = 'txr_01HQ3Z8F6V9K2M4N7P0R5S8T1W';
const ids = { accountId: 'acc_1', id: 'txn_1' };
const rowOf = (sealed: Buffer, id = ids.id): PublicTransactionRow => ({
  ...{ id, date: '2024-01-02', seq: 1, refreshCursor, status: 'posted', sealed, dataKeyId: 'k' },
});
const toText = (sealed: Buffer, row = rowOf(sealed), accountId = ids.accountId) =>
  transactionToJson(row, accountId, () => key);

test('any text is returned unchanged', () => {
  const text = fc.string({ unit: 'binary', maxLength: 200 });
  fc.assert(
    fc.property(text, text, (description, reference) => {
      const json = toText(sealTransaction({ amount: '-1.50', description, reference }, ids, key));
      expect(JSON.parse(json)).toEqual({
        ...{ id: 'txn_1', accountId: 'acc_1', date: '2024-01-02', status: 'posted' },
        ...{ transactionRefresh: refreshCursor, amount: -1.5, description, reference },
      });
    }),
  );
});

test('an amount is returned digit for digit', () => {
  for (const amount of [
    '0',
    '-0.00',
    '1.50',
    '20.000',
    '12345678901234567890.123456789',
    '-0.000000000000001',
  ]) {
    const sealed = sealTransaction({ amount, description: '', reference: '' }, ids, key);
    expect(toText(sealed)).toContain(`"amount":${amount},"description"`);
  }
});

test('an amount that is not a decimal number is refused, because responses contain it unchanged', () => {
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
    const transaction = { amount, description: '', reference: '' };
    expect(() => sealTransaction(transaction, ids, key)).toThrow('decimal');
  }
});

test('a record can be unsealed for its account and id only, and for others after resealing', () => {
  const sealed = sealTransaction({ amount: '1', description: 'd', reference: 'r' }, ids, key);
  expect(() => toText(sealed, rowOf(sealed, 'txn_2'))).toThrow(CorruptData);
  expect(() => toText(sealed, rowOf(sealed), 'acc_2')).toThrow(CorruptData);
  const resealed = resealTransaction(sealed, key, ids, { accountId: 'acc_2', id: 'txn_2' });
  expect(JSON.parse(toText(resealed, rowOf(resealed, 'txn_2'), 'acc_2'))).toMatchObject({
    amount: 1,
    description: 'd',
  });
  expect(() => resealTransaction(sealed, key, { ...ids, id: 'txn_2' }, ids)).toThrow(CorruptData);
});
