// Sealed row <-> Transaction. What is sealed is the very text that is sent: the three fields that only the
// user may read, as JSON without braces, so that reading needs no parsing and money stays decimal text.
import type { BankTransaction } from '../connectors/connector.ts';
import { isDecimal } from '../json.ts';
import { unseal, seal } from '../vault/seal.ts';

export type TransactionStatus = 'pending' | 'posted' | 'void';

/** What a page needs of a stored transaction. */
export type TransactionRow = {
  id: string;
  date: string;
  seq: number;
  refreshCursor: string;
  status: TransactionStatus;
  sealed: Buffer;
  dataKeyId: string;
};

/** Seals the private part of an entry to its place; a pending entry posts under the same id. */
export const sealTransaction = (
  entry: Pick<BankTransaction, 'amount' | 'description' | 'reference'>,
  place: { accountId: string; id: string },
  key: Buffer,
): Buffer => {
  if (!isDecimal(entry.amount)) throw new Error('An amount must be decimal text.');
  const { description, reference } = entry;
  const texts = JSON.stringify({ description, reference });
  const text = `"amount":${entry.amount},${texts.slice(1, -1)}`;
  return seal(text, key, ['transaction', place.accountId, place.id]);
};

/** Moves a sealed entry to another place and key without looking into it. */
export const resealTransaction = (
  sealed: Buffer,
  key: Buffer,
  from: { accountId: string; id: string },
  to: { accountId: string; id: string },
): Buffer =>
  seal(unseal(sealed, key, ['transaction', from.accountId, from.id]), key, [
    'transaction',
    to.accountId,
    to.id,
  ]);

/** The transaction as the contract shows it, as JSON text. Throws Corrupt where the seal is broken. */
export const transactionToJson = (
  row: TransactionRow,
  accountId: string,
  keyOf: (id: string) => Buffer,
): string => {
  const { id, date, status, refreshCursor } = row;
  const fields = unseal(row.sealed, keyOf(row.dataKeyId), ['transaction', accountId, id]);
  return `{"id":"${id}","accountId":"${accountId}","date":"${date}","status":"${status}","transactionRefresh":"${refreshCursor}",${fields}}`;
};
