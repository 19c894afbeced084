// Maps an account's transactions in a SimpleFIN response (section "Transaction" of the protocol).
import {
  type BankTransaction,
  BankUnreachable,
  cutText,
  lengthMax,
  toDecimal,
  toIsoDate,
} from '@bank-connection/connector-kit';
import { type Fields, toFields, toList, toSeconds, toText } from './fields.ts';

/** An account's transactions as the server sent them; empty if they are absent. */
export const transactionFields = (account: Fields): Fields[] => toList(account.transactions).map(toFields);

/** Throws BankUnreachable('incomplete') for an invalid amount or date. */
export const toBankTransaction = (fields: Fields, now: Date): BankTransaction => {
  const amount = toDecimal(fields.amount);
  if (amount === undefined) throw new BankUnreachable('incomplete');
  const id = toText(fields.id);
  return {
    ...(id !== undefined && { id }),
    date: dateOf(fields, now),
    amount,
    description: cutText(toText(fields.description) ?? toText(fields.payee) ?? '', lengthMax.description),
    reference: cutText(toText(fields.memo) ?? '', lengthMax.reference),
    status: isPending(fields) ? 'pending' : 'posted',
  };
};

/** Some servers omit `pending` and mark unposted transactions with `posted: 0`; others omit `posted`. */
const isPending = ({ pending, posted, transacted_at: transacted }: Fields): boolean =>
  typeof pending === 'boolean' ? pending : toSeconds(posted ?? transacted) === undefined;

const dateOf = (fields: Fields, now: Date): string => {
  const [posted, transacted] = [toSeconds(fields.posted), toSeconds(fields.transacted_at)];
  const seconds =
    (isPending(fields) ? (transacted ?? posted) : (posted ?? transacted)) ?? now.getTime() / 1000;
  if (Number.isNaN(seconds)) throw new BankUnreachable('incomplete');
  return toIsoDate(new Date(seconds * 1000));
};

/** The posting time in seconds since 1970; undefined for a pending transaction. */
export const postedAt = (fields: Fields): number | undefined => {
  const seconds = toSeconds(fields.posted);
  return isPending(fields) || Number.isNaN(seconds) ? undefined : seconds;
};
