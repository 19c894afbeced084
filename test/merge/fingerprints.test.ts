// The fingerprints that transactions are matched by.
import { expect, test } from 'vitest';
import type { BankTransaction } from '../../connectors/kit/contract.ts';
import { contentFingerprint } from '../../src/flows/merge/fingerprints.ts';

const target = { accountId: 'acc_1', currency: 'EUR', fingerprintKey: Buffer.alloc(32) };
const transaction: BankTransaction = {
  ...{
    id: '1',
    date: '2024-01-01',
    amount: '1.5',
    description: 'Coffee',
    reference: 'R 1',
    status: 'posted',
  },
};

test('each field of a transaction except its id and its status is part of its fingerprint', () => {
  const changes: Record<Exclude<keyof BankTransaction, 'id' | 'status'>, string> = {
    ...{ date: '2024-01-02', amount: '1.51', description: 'Tea', reference: 'R 2' },
  };
  const before = contentFingerprint(transaction, target);
  for (const [name, value] of Object.entries(changes))
    expect(contentFingerprint({ ...transaction, [name]: value }, target), name).not.toEqual(before);
  const posted = { ...transaction, id: '2', status: 'pending' as const };
  expect(contentFingerprint(posted, target)).toEqual(before);
});
