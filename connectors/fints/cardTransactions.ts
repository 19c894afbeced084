// Parses card transactions: segment HIKKU (FinTS 3.0, G112, C.12.1), or DIKKU, which no FinTS document describes. A transaction
// consists of: card, receipt day, booking day, an unused field, value date (HIKKU only); amount, currency and mark in the
// original currency; rate; booked amount, currency and mark; lines of text. HIKKU has eight lines, followed by country and
// merchant; in DIKKU, J or N follows the lines.
import { type BankTransaction, BankUnreachable, cutText, lengthMax } from '@bank-connection/connector-kit';
import { type BankResponse, elementsOf, partsOf, type Segment, segmentsOf, toText } from './message.ts';
import { toAmount, toDay } from './values.ts';

/** The elements before the first transaction: card, account, balance and two unused ones. */
const headLength = 5;
const partsMin = 12;

/** Throws BankUnreachable('incomplete') for an invalid day or amount. */
export const findCardTransactions = (response: BankResponse): BankTransaction[] =>
  segmentsOf(response, 'HIKKU', 'DIKKU').flatMap((segment) =>
    elementsOf(segment)
      .slice(headLength)
      .filter((element) => /[^:]/.test(element))
      .map((element) => toTransaction(segment, partsOf(element).map(toText))),
  );

const toTransaction = ({ id }: Segment, sent: string[]): BankTransaction => {
  if (sent.length < partsMin) throw new BankUnreachable('incomplete');
  const isHikku = id === 'HIKKU';
  const parts = isHikku ? sent.toSpliced(4, 1) : sent;
  const [, receiptDate, bookingDate, , , , , , amount, , mark, ...rest] = parts;
  const lines = isHikku ? toHikkuLines(rest) : toDikkuLines(rest);
  return {
    date: toDay(bookingDate || receiptDate),
    amount: toAmount(withoutPoints(amount), mark),
    description: cutText(lines.join(' ').replace(/\s+/g, ' ').trim(), lengthMax.description),
    reference: '',
    status: 'posted',
  };
};

const toHikkuLines = (rest: string[]): string[] => {
  const [lines, merchant = ''] = [rest.slice(0, 8), rest[9]];
  return lines.some((line) => line.trim() !== '') ? lines : [merchant];
};

const toDikkuLines = (rest: string[]): string[] => {
  const end = rest.findIndex((text) => text === 'J' || text === 'N');
  return end === -1 ? rest : rest.slice(0, end);
};

/** Some banks group the digits of card amounts: `1.234,50`. */
const withoutPoints = (amount = ''): string =>
  /^\d{1,3}(\.\d{3})+(,\d*)?$/.test(amount) ? amount.replaceAll('.', '') : amount;
