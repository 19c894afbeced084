// Seals and unseals transactions. The sealed text is the JSON that a response contains: amount, description and
// reference, without braces. So reading needs no parsing, and amounts stay decimal text.
import type { BankTransaction } from '../connectors/connector.ts';
import type { TransactionRow } from '../db/tables.ts';
import { CorruptData } from '../errors.ts';
import { isDecimal } from '../json.ts';
import { seal, unseal } from '../vault/seal.ts';

/** The columns from which the public transaction is made. */
export type PublicTransactionRow = Pick<
  TransactionRow,
  'id' | 'date' | 'seq' | 'refreshCursor' | 'status' | 'sealed' | 'dataKeyId'
>;

/** Seals the private fields of a transaction, bound to its account and id. It keeps its id when it posts. */
export const sealTransaction = (
  transaction: Pick<BankTransaction, 'amount' | 'description' | 'reference'>,
  ids: { accountId: string; id: string },
  key: Buffer,
): Buffer => {
  const { amount, description, reference } = transaction;
  if (!isDecimal(amount)) throw new Error('An amount must be decimal text.');
  const texts = JSON.stringify({ description, reference });
  const text = `"amount":${amount},${texts.slice(1, -1)}`;
  return seal(text, key, ['transaction', ids.accountId, ids.id]);
};

/** Seals a sealed transaction again, bound to another account and id, under the same key. */
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

// The plain columns are printed into the JSON as they are, and whoever writes to the database could put JSON there. The
// ids need no check, because the record is sealed to them. The patterns add 3 % to reading a transaction.
const datePattern = /^\d{4}-\d\d-\d\d$/;
const statusPattern = /^(?:pending|posted|void)$/;
const refreshCursorPattern = /^txr_\w{26}$/;

/**
 * The transaction of the public contract, as JSON text. Throws CorruptData if it cannot be unsealed, or if a plain
 * column does not have the form in which it was written.
 */
export const transactionToJson = (
  row: PublicTransactionRow,
  accountId: string,
  getKey: (id: string) => Buffer,
): string => {
  const { id, date, status, refreshCursor } = row;
  if (!datePattern.test(date) || !statusPattern.test(status) || !refreshCursorPattern.test(refreshCursor)) {
    throw new CorruptData('A plain column of a transaction does not have its form.');
  }
  const fields = unseal(row.sealed, getKey(row.dataKeyId), ['transaction', accountId, id]);
  return `{"id":"${id}","accountId":"${accountId}","date":"${date}","status":"${status}","transactionRefresh":"${refreshCursor}",${fields}}`;
};
