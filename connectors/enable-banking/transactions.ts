// The rows of an account as its transactions, in their order, each once, and with ids that are theirs alone.
import type { BankTransaction } from '@bank-connection/connector-kit';
import { type Row, toBankTransaction } from './transaction.ts';

/**
 * The transactions of rows in the order of a bank, the oldest first, as within a day the oldest must be. Posted ones tell which end is
 * the oldest: banks list pending ones before or after all others.
 */
export const toTransactions = (rows: readonly Row[], currency: string): BankTransaction[] => {
  const sent = withoutCopies(rows).flatMap((row) => toBankTransaction(row, currency) ?? []);
  const posted = sent.filter(({ status }) => status === 'posted');
  const isOldestFirst = posted.length > 0 && posted[0]!.date < posted.at(-1)!.date;
  return isOldestFirst ? sent : sent.toReversed();
};

/**
 * The rows without those that repeat the one before under another reference. Two payments that are equal leave different balances;
 * where a payment between them restores the balance, they are not next to each other.
 */
const withoutCopies = (rows: readonly Row[]): Row[] =>
  rows.filter((row, index) => {
    const before = rows[index - 1];
    return !before || !row.balance_after_transaction || contentOf(row) !== contentOf(before);
  });

const contentOf = ({ entry_reference: _, transaction_id: __, ...content }: Row): string =>
  JSON.stringify(content);

/**
 * The transactions without ids that occur twice, which are none. While a payment posts, banks may list it twice with one id: the posted
 * one is kept.
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
