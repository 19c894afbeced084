// Parses the balance of an account (FinTS 3.0, segment HISAL), or of a credit card (HIKKU or DIKKU, which also contain its
// transactions).
import { type Balance, toIsoDate } from '@bank-connection/connector-kit';
import { type BankResponse, elementsOf, partsOf, segmentsOf } from './message.ts';
import { toAmount, toDay, toMidnight } from './values.ts';

/** Undefined if the response has no balance. Throws BankUnreachable('incomplete') for an invalid amount. */
export const findBalance = (response: BankResponse, now: Date): Balance | undefined => {
  const [segment] = segmentsOf(response, 'HISAL');
  if (!segment) return undefined;
  const [, , , booked, , limit, available] = elementsOf(segment);
  return {
    ...toBalance(booked, now),
    ...(available && { available: toAmount(partsOf(available)[0]) }),
    ...(limit && { limit: toAmount(partsOf(limit)[0]) }),
  };
};

export const findCardBalance = (response: BankResponse, now: Date): Balance | undefined => {
  const [segment] = segmentsOf(response, 'HIKKU', 'DIKKU');
  return segment && toBalance(elementsOf(segment)[2], now);
};

/**
 * The bank sends a day without a time zone, so the time of day is ignored, and a future day counts as today. A balance without a
 * day counts as current.
 */
const toBalance = (element: string | undefined, now: Date): Balance => {
  const [mark, amount, , date] = partsOf(element);
  const current = toAmount(amount, mark);
  if (!date) return { current, asOf: now.toISOString() };
  const [day, today] = [toDay(date), toIsoDate(now)];
  return { current, asOf: toMidnight(day < today ? day : today).toISOString() };
};
