// Amounts and days as FinTS writes them (FinTS 3.0, Formals, data elements "wrt" and "dat").
import { BankUnreachable, toDecimal } from '@bank-connection/connector-kit';

/** Decimal text from `1234,5` and a mark of credit or debit. Throws BankUnreachable('incomplete') for other texts. */
export const toAmount = (text = '', mark = 'C'): string => {
  const amount = /^\d+(,\d*)?$/.test(text) ? toDecimal(text.replace(',', '.')) : undefined;
  if (amount === undefined || (mark !== 'C' && mark !== 'D')) throw new BankUnreachable('incomplete');
  return mark === 'D' && /[1-9]/.test(amount) ? `-${amount}` : amount;
};

/** YYYY-MM-DD from YYYYMMDD. Throws BankUnreachable('incomplete') for other texts. */
export const toDay = (text = ''): string => {
  if (!/^\d{8}$/.test(text)) throw new BankUnreachable('incomplete');
  return `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}`;
};

/** The midnight of a day, as lib-fints wants it. */
export const toMidnight = (day: string): Date => new Date(`${day}T00:00:00Z`);
