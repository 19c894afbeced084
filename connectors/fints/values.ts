// Amounts and days in FinTS format (FinTS 3.0, Formals, data elements "wrt" and "dat").
import { BankUnreachable, toDecimal, toIsoDay } from '@bank-connection/connector-kit';

/** Decimal text from `1234,5` and a credit or debit mark. Throws BankUnreachable('incomplete') for any other text. */
export const toAmount = (text = '', mark = 'C'): string => {
  const amount = /^\d+(,\d*)?$/.test(text) ? toDecimal(text.replace(',', '.')) : undefined;
  if (amount === undefined || (mark !== 'C' && mark !== 'D')) throw new BankUnreachable('incomplete');
  return mark === 'D' && /[1-9]/.test(amount) ? `-${amount}` : amount;
};

/** YYYY-MM-DD from YYYYMMDD. Throws BankUnreachable('incomplete') for any other text. */
export const toDay = (text = ''): string => {
  const day = toIsoDay(text.replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3'));
  if (day === undefined) throw new BankUnreachable('incomplete');
  return day;
};

/** Midnight of a day, as lib-fints requires it. */
export const toMidnight = (day: string): Date => new Date(`${day}T00:00:00Z`);
