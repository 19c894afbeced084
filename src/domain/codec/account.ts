// Seals and unseals accounts: details and balance are one sealed record.
import type { Balance, BankAccount } from '../../../connectors/kit/contract.ts';
import type { components } from '../../../generated/api.ts';
import type { AccountRow } from '../../platform/db/tables.ts';
import { formatRefreshCursor } from '../../platform/values/ids.ts';
import { decimal, type WithDecimals } from '../../platform/values/json.ts';
import { paddedLength, sealBytes, unseal } from '../../platform/vault/seal.ts';

/** The columns that an account in the API is built from. */
export type PublicAccountRow = Pick<
  AccountRow,
  'id' | 'connectionId' | 'sealed' | 'lastRefreshTime' | 'replacedBy' | 'historyFrom' | 'deselectedAt'
>;

export type AccountDetails = Pick<BankAccount, 'name' | 'type' | 'subtype' | 'currency'> & {
  lastFour: string;
};

/** Empty if the number does not end in four digits, for example because it is masked. */
const lastFourOf = (number: string): string =>
  /\d{4}$/.exec(number.replace(/[\s\p{Cf}\p{Pd}./]/gu, ''))?.[0] ?? '';

/** The stored details of a bank's account. They include only the last four digits of its number. */
export const accountDetails = (account: BankAccount): AccountDetails => ({
  name: account.name,
  type: account.type,
  ...(account.subtype && { subtype: account.subtype }),
  currency: account.currency,
  lastFour: lastFourOf(account.number),
});

/** Seals details and balance, bound to the account. Padded so that the length hides the balance's number of digits. */
export const sealAccount = (
  account: BankAccount,
  balance: Balance | undefined,
  { accountId, key }: { accountId: string; key: Buffer },
): Buffer => {
  const json = JSON.stringify({ ...accountDetails(account), balance });
  // Trailing spaces are valid JSON.
  const padded = Buffer.alloc(paddedLength(Buffer.byteLength(json)), ' ');
  padded.write(json);
  return sealBytes(padded, key, ['account', accountId]);
};

/** The account as the API returns it. Throws CorruptData if unsealing fails. */
export const unsealAccount = (
  row: PublicAccountRow,
  key: Buffer,
): WithDecimals<components['schemas']['Account']> => {
  const { balance, ...details }: AccountDetails & { balance?: Balance } = JSON.parse(
    unseal(row.sealed, key, ['account', row.id]),
  );
  return {
    id: row.id,
    connectionId: row.connectionId,
    type: details.type,
    ...(details.subtype && { subtype: details.subtype }),
    name: details.name,
    lastFour: details.lastFour,
    currency: details.currency,
    balance: balance ? toPublicBalance(balance) : {},
    lastTransactionRefresh: formatRefreshCursor(row.lastRefreshTime),
    ...(row.replacedBy && { replacedBy: row.replacedBy }),
    ...(row.historyFrom && { historyFrom: row.historyFrom }),
    ...(row.deselectedAt && { deselectedAt: row.deselectedAt }),
  };
};

const toPublicBalance = ({
  current,
  available,
  limit,
  asOf,
}: Balance): WithDecimals<components['schemas']['Balance']> => ({
  current: decimal(current),
  ...(available !== undefined && { available: decimal(available) }),
  ...(limit !== undefined && { limit: decimal(limit) }),
  asOf,
});
