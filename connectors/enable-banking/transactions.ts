// Converts an account's rows to transactions: ordered, without duplicates, and with unique ids.
import type { BankTransaction } from '@bank-connection/connector-kit';
import { type Row, toBankTransaction } from './transaction.ts';

/**
 * The transactions in the bank's order, oldest first, as the contract requires within a day. Only posted transactions show the
 * bank's order: banks list pending ones before or after all others.
 */
export const toTransactions = (rows: readonly Row[], currency: string): BankTransaction[] => {
  const sent = withoutCopies(rows).flatMap((row) => toBankTransaction(row, currency) ?? []);
  const posted = sent.filter(({ status }) => status === 'posted');
  const isOldestFirst = posted.length > 0 && posted[0]!.date < posted.at(-1)!.date;
  return isOldestFirst ? sent : sent.toReversed();
};

/**
 * Drops rows that repeat the previous one under a different reference. Two equal payments leave different balances; if another
 * payment restores the balance between them, they are not adjacent.
 */
const withoutCopies = (rows: readonly Row[]): Row[] =>
  rows.filter((row, index) => {
    const before = rows[index - 1];
    return !before || !row.balance_after_transaction || contentOf(row) !== contentOf(before);
  });

const contentOf = ({ entry_reference: _, transaction_id: __, ...content }: Row): string =>
  JSON.stringify(content);

/**
 * Drops ids that occur twice, because they identify nothing. While a payment posts, banks may list it twice under one id: then
 * the posted transaction is kept.
 */
export const withOwnIds = (transactions: readonly BankTransaction[]): BankTransaction[] => {
  const byId = Map.groupBy(transactions, ({ id }) => id);
  return transactions.flatMap((transaction) => {
    const { id, ...unnamed } = transaction;
    const [first, second, third] = byId.get(id)!;
    if (id === undefined || !second) return [transaction];
    if (third || first!.status === second.status) return [unnamed];
    return transaction.status === 'posted' ? [transaction] : [];
  });
};
