// How the transactions of an account are ordered: as camt.052 (HKCAZ) where the bank has it, else as MT940 (HKKAZ), and
// those of a credit card by an order of its own (DKKKU).
import type { Segment } from 'lib-fints';
import { type FintsAccount, mayOrder, toOrderAccount } from './accounts.ts';
import type { BankParameters, OrderId } from './bankParameters.ts';
import { makeOrder } from './dialog.ts';
import { makeCardOrder } from './orders.ts';
import { toMidnight } from './values.ts';

/** Days (YYYY-MM-DD), and where the bank goes on after a page. */
export type StatementRange = { from: string; to: string; continuationMark?: string };

export type StatementOrder = {
  segId: 'HKCAZ' | 'HKKAZ' | 'DKKKU';
  /** How many days the bank keeps; undefined where it does not say. */
  storedDays: number | undefined;
  make(range: StatementRange): Segment;
};

/** Undefined for an account without transactions. */
export const findStatementOrder = (
  account: FintsAccount,
  parameters: BankParameters,
): StatementOrder | undefined => {
  const { versions, storedDays, camtFormats } = parameters;
  const toFields = (id: OrderId, { from, to, continuationMark }: StatementRange) => ({
    ...{ account: toOrderAccount(account, parameters, id), allAccounts: false },
    ...{ from: toMidnight(from), to: toMidnight(to), continuationMark },
  });
  if (versions.HKCAZ !== undefined && camtFormats.length > 0 && mayOrder(account, 'HKCAZ')) {
    const version = versions.HKCAZ;
    return {
      ...{ segId: 'HKCAZ', storedDays: storedDays.HKCAZ },
      make: (range) =>
        makeOrder('HKCAZ', version, { ...toFields('HKCAZ', range), acceptedCamtFormats: camtFormats }),
    };
  }
  if (versions.HKKAZ !== undefined && mayOrder(account, 'HKKAZ')) {
    const version = versions.HKKAZ;
    return {
      ...{ segId: 'HKKAZ', storedDays: storedDays.HKKAZ },
      make: (range) => makeOrder('HKKAZ', version, toFields('HKKAZ', range)),
    };
  }
  if (!mayOrder(account, 'DKKKU')) return undefined;
  return {
    segId: 'DKKKU',
    storedDays: undefined,
    make: (range) => makeCardOrder(account, parameters, range),
  };
};
