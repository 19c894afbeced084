// The transactions of one account in a SimpleFIN response (section "Transaction" of the protocol).
import {
  type BankTransaction,
  BankUnreachable,
  cutText,
  lengthMax,
  toDecimal,
  toIsoDate,
} from '@bank-connection/connector-kit';
import { type Fields, toFields, toList, toSeconds, toText } from './fields.ts';

/** The transactions of an account in the server's format; empty if it leaves them out. */
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

/** Some servers leave `pending` out, and mark a transaction as not posted by `posted: 0`; others leave `posted` out. */
const isPending = ({ pending, posted, transacted_at: transacted }: Fields): boolean =>
  typeof pending === 'boolean' ? pending : toSeconds(posted ?? transacted) === undefined;

const dateOf = (fields: Fields, now: Date): string => {
  const [posted, transacted] = [toSeconds(fields.posted), toSeconds(fields.transacted_at)];
  const seconds =
    (isPending(fields) ? (transacted ?? posted) : (posted ?? transacted)) ?? now.getTime() / 1000;
  if (Number.isNaN(seconds)) throw new BankUnreachable('incomplete');
  return toIsoDate(new Date(seconds * 1000));
};

/** The time of posting, in seconds since 1970; undefined for a pending one. */
export const postedAt = (fields: Fields): number | undefined => {
  const seconds = toSeconds(fields.posted);
  return isPending(fields) || Number.isNaN(seconds) ? undefined : seconds;
};
