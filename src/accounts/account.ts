// Sealed row <-> Account. What the bank says about an account is sealed in two records, because its balance
// changes with every refresh and the rest almost never.
import type { components } from '../../generated/api.ts';
import type { BankAccount } from '../connectors/connector.ts';
import { decimal, type WithDecimals } from '../json.ts';
import { unseal, seal } from '../vault/seal.ts';

export type AccountRow = {
  id: string;
  endUserId: string;
  connectionId: string;
  position: number;
  bankIdFingerprint: Buffer;
  numberFingerprint: Buffer;
  detailsSealed: Buffer;
  detailsKeyId: string;
  detailsFingerprint: Buffer;
  balanceSealed: Buffer;
  balanceKeyId: string;
  balanceFingerprint: Buffer;
  lastRefreshCursor: string;
  nextSeq: number;
  lastSeenAt: string;
};

/** What showing an account takes of its row. */
export type PublicAccountRow = Pick<
  AccountRow,
  | 'id'
  | 'endUserId'
  | 'connectionId'
  | 'detailsSealed'
  | 'detailsKeyId'
  | 'balanceSealed'
  | 'balanceKeyId'
  | 'lastRefreshCursor'
>;

export type AccountDetails = Pick<BankAccount, 'name' | 'type' | 'currency'> & { lastFour: string };
type Balance = BankAccount['balance'];

/** What is shown of a bank's account. The number itself is kept nowhere, only its last four characters. */
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

/** The account as the contract shows it. `keyOf` gives the data key of an id; throws Corrupt where a seal is broken. */
export const unsealAccount = (
  row: PublicAccountRow,
  keyOf: (id: string) => Buffer,
): WithDecimals<components['schemas']['Account']> => {
  const details: AccountDetails = JSON.parse(
    unseal(row.detailsSealed, keyOf(row.detailsKeyId), ['account', row.id]),
  );
  const balance: Balance = JSON.parse(
    unseal(row.balanceSealed, keyOf(row.balanceKeyId), ['balance', row.id]),
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
    lastTransactionRefresh: row.lastRefreshCursor,
  };
};
