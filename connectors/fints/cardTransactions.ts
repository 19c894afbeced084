// The transactions of a credit card (segment DIKKU). No document of FinTS describes it. Of each transaction banks send:
// card, day of the receipt, day of the booking, a field that nobody needs, amount, currency and mark in the foreign
// currency, rate, amount, currency and mark of the booking, and lines of text, which end with J or N.
import { type BankTransaction, BankUnreachable, cutText, lengthMax } from '@bank-connection/connector-kit';
import { type BankResponse, elementsOf, partsOf, segmentsOf, toText } from './message.ts';
import { toAmount, toDay } from './values.ts';

/** The elements before the first transaction: card, account, balance and two that nobody needs. */
const headLength = 5;
const partsMin = 12;

/** Throws BankUnreachable('incomplete') for a day or an amount that is none. */
export const findCardTransactions = (response: BankResponse): BankTransaction[] =>
  segmentsOf(response, 'DIKKU').flatMap((segment) =>
    elementsOf(segment)
      .slice(headLength)
      .filter((element) => element !== '')
      .map(toTransaction),
  );

const toTransaction = (element: string): BankTransaction => {
  const parts = partsOf(element);
  if (parts.length < partsMin) throw new BankUnreachable('incomplete');
  const [, receiptDate, bookingDate, , , , , , amount, , mark, ...rest] = parts.map(toText);
  const end = rest.findIndex((text) => text === 'J' || text === 'N');
  const lines = end === -1 ? rest : rest.slice(0, end);
  return {
    date: toDay(bookingDate || receiptDate),
    amount: toAmount(withoutPoints(amount), mark),
    description: cutText(lines.join(' ').replace(/\s+/g, ' ').trim(), lengthMax.description),
    reference: '',
    status: 'posted',
  };
};

/** Some banks group the digits of amounts here: `1.234,50`. */
const withoutPoints = (amount = ''): string =>
  /^\d{1,3}(\.\d{3})+(,\d*)?$/.test(amount) ? amount.replaceAll('.', '') : amount;
