// Maps an account in a SimpleFIN response (section "Account" of the protocol) to the contract's account.
import {
  type Balance,
  type BankAccount,
  cutText,
  lengthMax,
  toDecimal,
} from '@bank-connection/connector-kit';
import { type Fields, toSeconds, toText } from './fields.ts';

/** An account as the server sent it. */
export type AnsweredAccount = {
  /** The id in the service. */
  id: string;
  /** The id at the server. */
  serverId: string;
  /** The end user's connection at the server, in version 2 of the protocol. */
  connectionId: string | undefined;
  /** The names of its bank, best first. */
  bankNames: string[];
  fields: Fields;
};

const currencies = new Set(Intl.supportedValuesOf('currency'));

/** Undefined for server-defined currencies, which are URLs: the service supports only ISO 4217. */
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
 * The protocol has no account numbers, but servers end the name with the last four digits, as in `Savings (4821)`. With the
 * bank's name, they identify an account whose id has changed.
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
 * The time of the server's last data about the account, or now if there is none. A future time counts as now; otherwise, no newer
 * balance could be stored until then.
 */
export const updatedAt = (fields: Fields, now: Date): Date => {
  const milliseconds = 1000 * (toSeconds(fields['balance-date']) ?? Number.NaN);
  return milliseconds <= now.getTime() ? new Date(milliseconds) : now;
};
