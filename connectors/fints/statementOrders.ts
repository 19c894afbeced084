// Requests an account's transactions: as camt.052 (HKCAZ) if the bank supports it, else as MT940 (HKKAZ). Credit cards have
// separate orders.
import { type FintsAccount, mayOrder, toOrderAccount } from './accounts.ts';
import type { BankParameters, OrderId } from './bankParameters.ts';
import { findCardOrder, type StatementOrder, type StatementRange } from './cardOrders.ts';
import { makeOrder } from './dialog.ts';
import { toMidnight } from './values.ts';

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
  return findCardOrder(account, parameters);
};
