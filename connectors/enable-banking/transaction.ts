// Converts a bank's row to a transaction.
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
 * Rows with other statuses are dropped: cancelled and rejected rows are not payments, scheduled rows are not payments yet, and
 * OTHR is undefined. A row on hold is a reserved amount, which other banks call pending.
 */
const statuses: Partial<Record<Row['status'], BankTransaction['status']>> = {
  BOOK: 'posted',
  PDNG: 'pending',
  HOLD: 'pending',
};

/**
 * Undefined if the row is not a payment. Throws BankUnreachable('incomplete') for an amount that is not in the account's
 * currency.
 */
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
    // A row without a date is not posted yet.
    status: date === '' ? 'pending' : status,
  };
};

/** Zeros, a number of at most five digits, or a date with a position, such as 2026-11-24.0. */
const positionPattern = /^(0*|\d{1,5}|\d{4}-?\d\d-?\d\d[-._/]\d{1,5})$/;

/**
 * The entry reference, if it can serve as an id. Some banks send the same one for all rows, or positions; as an id, a position
 * would overwrite one payment with another. `transaction_id` is only for requesting details, and is neither unique nor stable.
 */
const idOf = ({ entry_reference: reference }: Row): string | undefined =>
  reference && !positionPattern.test(reference.trim()) && reference.length <= lengthMax.id
    ? reference
    : undefined;

/** Some banks sign debits, others do not; the indicator decides. */
const amountOf = ({ transaction_amount: { amount }, credit_debit_indicator: indicator }: Row): string => {
  const decimal = toDecimal(amount.replace(/^[+-]/, ''));
  if (decimal === undefined) throw new BankUnreachable('incomplete');
  return indicator === 'DBIT' && /[1-9]/.test(decimal) ? `-${decimal}` : decimal;
};

const collapse = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** The counterparty and the remittance information, else the bank's name for the transaction. */
const describe = (row: Row): string => {
  const remittance = (row.remittance_information ?? []).map(withoutPrefix).join(' ');
  return (
    collapse(`${nameOf(row)} ${remittance}`) ||
    collapse(row.note ?? '') ||
    collapse(row.bank_transaction_code?.description ?? '') ||
    referenceOf(row)
  );
};

/** Some banks leave the name empty and put it in the first line of the address. */
const nameOf = ({ credit_debit_indicator: indicator, creditor, debtor }: Row): string => {
  const party = indicator === 'CRDT' ? debtor : creditor;
  return party?.name?.trim() || (party?.postal_address?.address_line?.[0] ?? '');
};

/** Some banks put field names before the values; one of the fields is the remittance information. */
const withoutPrefix = (line: string): string =>
  line
    .replace(/^.*remittanceinformation:/i, '')
    .replace(/^(mandatereference|creditorid|endtoendid|purpose):/i, '');

const referenceOf = ({ reference_number: reference }: Row): string => {
  const text = collapse(reference ?? '');
  return /^not ?provided$/i.test(text) ? '' : text;
};
