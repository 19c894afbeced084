// Seals and unseals accounts. Details and balance are two sealed records, because the balance changes with every
// refresh and the details almost never.
import type { components } from '../../generated/api.ts';
import type { BankAccount } from '../connectors/connector.ts';
import type { AccountRow } from '../db/tables.ts';
import { formatRefreshCursor } from '../ids.ts';
import { decimal, type WithDecimals } from '../json.ts';
import { seal, unseal } from '../vault/seal.ts';

/** The columns from which the public account is made. */
export type PublicAccountRow = Pick<
  AccountRow,
  | 'id'
  | 'endUserId'
  | 'connectionId'
  | 'detailsSealed'
  | 'detailsKeyId'
  | 'balanceSealed'
  | 'balanceKeyId'
  | 'lastRefreshTime'
>;

export type AccountDetails = Pick<BankAccount, 'name' | 'type' | 'currency'> & { lastFour: string };
type Balance = BankAccount['balance'];

/** The details of a bank's account that are stored. Of its number these are the last four characters only. */
export const accountDetails = (account: BankAccount): AccountDetails => ({
  name: account.name,
  type: account.type,
  currency: account.currency,
  lastFour: account.number.slice(-4),
});

export const sealDetails = (details: AccountDetails, accountId: string, key: Buffer): Buffer =>
  seal(JSON.stringify(details), key, ['account', accountId]);

export const sealBalance = (balance: Balance, accountId: string, key: Buffer): Buffer =>
  seal(JSON.stringify(balance), key, ['balance', accountId]);

/** The account of the public contract. `getKey` returns a data key by id. Throws CorruptData if unsealing fails. */
export const unsealAccount = (
  row: PublicAccountRow,
  getKey: (id: string) => Buffer,
): WithDecimals<components['schemas']['Account']> => {
  const details: AccountDetails = JSON.parse(
    unseal(row.detailsSealed, getKey(row.detailsKeyId), ['account', row.id]),
  );
  const balance: Balance = JSON.parse(
    unseal(row.balanceSealed, getKey(row.balanceKeyId), ['balance', row.id]),
  );
  return {
    id: row.id,
    connectionId: row.connectionId,
    type: details.type,
    name: details.name,
    lastFour: details.lastFour,
    currency: details.currency,
    balance: {
      current: decimal(balance.current),
      ...(balance.available !== undefined && { available: decimal(balance.available) }),
      ...(balance.limit !== undefined && { limit: decimal(balance.limit) }),
    },
    lastTransactionRefresh: formatRefreshCursor(row.lastRefreshTime),
  };
};
