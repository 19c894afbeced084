// Which stored account each account is that a bank lists.
import type { BankAccount } from '../../../connectors/kit/contract.ts';
import { type AccountFingerprints, accountFingerprints } from '../merge/fingerprints.ts';
import type { RefreshedConnection, StoredAccountRow } from './queries.ts';

/** A listed account, and our row of it unless it is new. `replaced` is the account that it continues in another currency. */
export type MatchedAccount = {
  incoming: BankAccount;
  existing?: StoredAccountRow;
  replaced?: StoredAccountRow;
};

/**
 * Matches the stored accounts of a connection with those that the bank lists: by the bank's id and the currency, then by the
 * number, if there is one, and the currency. A stored account whose id is listed in another currency only is replaced by that
 * account, so that no amount changes its meaning. Stored accounts that the bank does not list are left out, and so are listed
 * ones that are not stored, because the end user has not shared them.
 */
export const matchAccounts = (
  connection: { connectionId: string; fingerprintKey: Buffer },
  rows: readonly StoredAccountRow[],
  bankAccounts: readonly BankAccount[],
): MatchedAccount[] => {
  const unmatched = new Map(bankAccounts.map((one) => [one, accountFingerprints(one, connection)]));
  const matches = new Map<string, MatchedAccount>();
  const matchBy = (
    name: keyof AccountFingerprints,
    mayMatch: (account: BankAccount, row: StoredAccountRow) => boolean,
    role: 'existing' | 'replaced' = 'existing',
  ): void => {
    for (const row of rows.filter(({ id }) => !matches.has(id))) {
      const isSame = ([account, fingerprints]: [BankAccount, AccountFingerprints]): boolean =>
        mayMatch(account, row) && fingerprints[name].equals(row[name]);
      const incoming = [...unmatched].find(isSame)?.[0];
      if (!incoming) continue;
      unmatched.delete(incoming);
      matches.set(row.id, { incoming, [role]: row });
    }
  };
  matchBy('currencyFingerprint', () => true);
  // Two accounts without a number are not the same account.
  matchBy('numberFingerprint', ({ number }) => number !== '');
  matchBy('bankIdFingerprint', (_, { replacedBy }) => !replacedBy, 'replaced');
  return rows.flatMap((row) => {
    const match = matches.get(row.id);
    if (!match?.existing?.replacedBy) return match ?? [];
    // The bank has returned to the currency before: the account of the other one ends, unless it is listed, too.
    const { bankIdFingerprint } = row;
    const isEnding = (other: StoredAccountRow): boolean =>
      !matches.has(other.id) && !other.replacedBy && other.bankIdFingerprint.equals(bankIdFingerprint);
    return { ...match, replaced: rows.find(isEnding) };
  });
};

/** The ids of the accounts that the bank listed at the last refresh and no longer lists: a card that was replaced, for example. */
export const findMissing = (
  { refreshedAt }: RefreshedConnection,
  rows: readonly StoredAccountRow[],
  matched: readonly MatchedAccount[],
): string[] => {
  const matchedIds = new Set(matched.flatMap(({ existing, replaced }) => [existing?.id, replaced?.id]));
  return rows
    .filter(({ id, lastSeenAt }) => lastSeenAt === refreshedAt && !matchedIds.has(id))
    .map(({ id }) => id);
};
