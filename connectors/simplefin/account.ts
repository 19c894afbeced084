// An account of a SimpleFIN answer (section "Account" of the protocol), and what the service makes of it.
import {
  type Balance,
  type BankAccount,
  cutText,
  lengthMax,
  toDecimal,
} from '@bank-connection/connector-kit';
import { type Fields, toSeconds, toText } from './fields.ts';

/** An account as the server describes it. */
export type AnsweredAccount = {
  /** By which the service knows it. */
  id: string;
  /** By which the server knows it. */
  serverId: string;
  /** The end user's connection at the server, in version 2 of the protocol. */
  connectionId: string | undefined;
  /** The names of its bank, the best one first. */
  bankNames: string[];
  fields: Fields;
};

const currencies = new Set(Intl.supportedValuesOf('currency'));

/** Undefined for an account in a currency of the server's own, which is a URL: the service has ISO 4217 only. */
export const toBankAccount = (
  { id, serverId, bankNames: [bankName = ''], fields }: AnsweredAccount,
  now: Date,
): BankAccount | undefined => {
  const currency = toText(fields.currency)?.toUpperCase() ?? '';
  if (!currencies.has(currency)) return undefined;
  const name = toText(fields.name)?.trim() || bankName || serverId;
  const balance = toBalance(fields, now);
  return {
    id,
    name: cutText(name, lengthMax.name),
    type: 'other',
    number: toNumber(name, bankName),
    currency,
    ...(balance && { balance }),
  };
};

const lastDigitsLength = 4;

/**
 * The protocol has no account numbers. Servers end the name with the last four digits, as in `Savings (4821)`; with the
 * bank's name before them an account is recognized if its id changes.
 */
const toNumber = (name: string, bankName: string): string => {
  const [, digits] = /(\d{4})[)\]\s]*$/.exec(name) ?? [];
  if (digits === undefined) return '';
  return `${cutText(bankName, lengthMax.number - lastDigitsLength - 1)} ${digits}`.trim();
};

const toBalance = (fields: Fields, now: Date): Balance | undefined => {
  const current = toDecimal(fields.balance);
  if (current === undefined) return undefined;
  const available = toDecimal(fields['available-balance']);
  const asOf = updatedAt(fields, now).toISOString();
  return { current, ...(available !== undefined && { available }), asOf };
};

/**
 * When the server last heard of the account, or now where it does not say. A moment in the future would keep all balances until
 * then from being shown.
 */
export const updatedAt = (fields: Fields, now: Date): Date => {
  const milliseconds = 1000 * (toSeconds(fields['balance-date']) ?? Number.NaN);
  return milliseconds <= now.getTime() ? new Date(milliseconds) : now;
};
