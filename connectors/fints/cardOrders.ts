// Requests the transactions and the balance of a credit card with HKKKU (FinTS 3.0, G112, C.12.1) if the bank supports it, else
// with DKKKU, which no FinTS document describes.
import { BankUnreachable } from '@bank-connection/connector-kit';
import type { Segment } from 'lib-fints';
import { type FintsAccount, mayOrder, toOrderAccount } from './accounts.ts';
import type { BankParameters } from './bankParameters.ts';
import { makeOrder, type PlainOrder } from './dialog.ts';
import type { Days } from './firstPage.ts';
import { toMidnight } from './values.ts';

/** A range of days, and the bank's continuation mark for the next page. */
export type StatementRange = Days & { continuationMark?: string };

export type StatementOrder = {
  segId: 'HKCAZ' | 'HKKAZ' | 'HKKKU' | 'DKKKU';
  /** The number of days that the bank keeps transactions; undefined if unknown. */
  storedDays: number | undefined;
  make(range: StatementRange): Segment;
};

/** Undefined if the account is not a card. */
export const findCardOrder = (
  account: FintsAccount,
  parameters: BankParameters,
): StatementOrder | undefined => {
  const { cards } = parameters;
  if (cards && mayOrder(account, 'HKKKU')) {
    const make = (range: StatementRange) => makeHkkku(account, cards, range);
    return { segId: 'HKKKU', storedDays: cards.storedDays, make };
  }
  if (!mayOrder(account, 'DKKKU')) return undefined;
  const make = ({ from, continuationMark }: StatementRange) =>
    makeOrder('DKKKU', 2, {
      account: toOrderAccount(account, parameters),
      ...{ accountNumber: account.number, subAccountId: account.subAccount },
      ...{ from: toMidnight(from), continuationMark },
    });
  return { segId: 'DKKKU', storedDays: undefined, make };
};

const markLengthMax = 35;

/** lib-fints does not support HKKKU. Some banks require the account in addition to the card, as their parameters show. */
const makeHkkku = (
  { number, subAccount = '', bank, iban = '', bic = '' }: FintsAccount,
  { needsAccount }: NonNullable<BankParameters['cards']>,
  { from, to, continuationMark = '' }: StatementRange,
): PlainOrder => {
  if (continuationMark.length > markLengthMax) throw new BankUnreachable('incomplete');
  const account = [iban, bic, number, subAccount, String(bank.country), bank.bankId];
  const [first, last] = [from, to].map((day) => day.replaceAll('-', '')) as [string, string];
  return {
    header: { segId: 'HKKKU', segNr: 0, version: 1 },
    elements: [needsAccount ? account : '', number, subAccount, first, last, '', continuationMark],
  };
};
