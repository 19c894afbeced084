// The rows of a bank as transactions.
import {
  type BankTransaction,
  BankUnreachable,
  cutText,
  lengthMax,
  toDecimal,
} from '@bank-connection/connector-kit';
import type { Schemas } from './schemas.ts';

export type Row = Schemas['Transaction'];

/**
 * Of the other statuses, cancelled and rejected rows are no payments, scheduled ones none yet, and of OTHR nothing is known. A row on
 * hold is money that the bank reserves, which others call pending.
 */
const statuses: Partial<Record<Row['status'], BankTransaction['status']>> = {
  BOOK: 'posted',
  PDNG: 'pending',
  HOLD: 'pending',
};

/** Undefined for a row that is no payment. Throws BankUnreachable('incomplete') for an amount in another currency than the account. */
export const toBankTransaction = (row: Row, accountCurrency: string): BankTransaction | undefined => {
  const status = statuses[row.status];
  if (!status) return undefined;
  if (row.transaction_amount.currency !== accountCurrency) throw new BankUnreachable('incomplete');
  const id = idOf(row);
  const date = row.booking_date ?? row.value_date ?? row.transaction_date ?? '';
  return {
    ...(id !== undefined && { id }),
    date,
    amount: amountOf(row),
    description: cutText(describe(row), lengthMax.description),
    reference: cutText(referenceOf(row), lengthMax.reference),
    // What has no day yet is not posted on one.
    status: date === '' ? 'pending' : status,
  };
};

/** Zeros, a number of at most five digits, or a day with a position in it, such as 2026-11-24.0. */
const positionPattern = /^(0*|\d{1,5}|\d{4}-?\d\d-?\d\d[-._/]\d{1,5})$/;

/**
 * The entry reference, if it may be one: some banks send the same for all rows, or positions, by which a payment would get the content
 * of another. `transaction_id` is for the request of details, and neither unique nor the same again.
 */
const idOf = ({ entry_reference: reference }: Row): string | undefined =>
  reference && !positionPattern.test(reference.trim()) && reference.length <= lengthMax.id
    ? reference
    : undefined;

/** Banks send debits with and without a sign. The indicator decides. */
const amountOf = ({ transaction_amount: { amount }, credit_debit_indicator: indicator }: Row): string => {
  const decimal = toDecimal(amount.replace(/^[+-]/, ''));
  if (decimal === undefined) throw new BankUnreachable('incomplete');
  return indicator === 'DBIT' && /[1-9]/.test(decimal) ? `-${decimal}` : decimal;
};

const collapse = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** The other party and the remittance, else what the bank calls the transaction. */
const describe = (row: Row): string => {
  const remittance = (row.remittance_information ?? []).map(withoutPrefix).join(' ');
  return (
    collapse(`${nameOf(row)} ${remittance}`) ||
    collapse(row.note ?? '') ||
    collapse(row.bank_transaction_code?.description ?? '') ||
    referenceOf(row)
  );
};

/** Some banks leave the name empty, and write it into the first line of the address. */
const nameOf = ({ credit_debit_indicator: indicator, creditor, debtor }: Row): string => {
  const party = indicator === 'CRDT' ? debtor : creditor;
  return party?.name?.trim() || (party?.postal_address?.address_line?.[0] ?? '');
};

/** Some banks write the names of the fields before their values, one of which is the remittance. */
const withoutPrefix = (line: string): string =>
  line
    .replace(/^.*remittanceinformation:/i, '')
    .replace(/^(mandatereference|creditorid|endtoendid|purpose):/i, '');

const referenceOf = ({ reference_number: reference }: Row): string => {
  const text = collapse(reference ?? '');
  return /^not ?provided$/i.test(text) ? '' : text;
};
