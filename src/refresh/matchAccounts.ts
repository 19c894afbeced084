// Matches a connection's stored accounts with those that the bank lists.
import type { BankAccount } from '../../connectors/kit/contract.ts';
import { type AccountFingerprints, accountFingerprints } from '../merge/fingerprints.ts';
import type { MatchedAccount } from './fetchAccounts.ts';
import type { StoredAccountRow } from './queries.ts';

/**
 * `rows` are the stored accounts of the connection. First by the bank's id; an account is matched by its number and currency,
 * if it has a number, only when its id is no longer listed. Stored accounts that the bank does not list are left out, and so
 * are listed ones that are not stored, because the end user has not shared them.
 */
export const matchAccounts = (
  connection: { connectionId: string; fingerprintKey: Buffer },
  rows: readonly StoredAccountRow[],
  bankAccounts: readonly BankAccount[],
): MatchedAccount[] => {
  const unmatched = new Map(bankAccounts.map((one) => [one, accountFingerprints(one, connection)]));
  const matches = new Map<string, BankAccount>();
  const matchBy = (name: keyof AccountFingerprints, mayMatch: (account: BankAccount) => boolean): void => {
    for (const existing of rows.filter(({ id }) => !matches.has(id))) {
      const isSame = ([account, fingerprints]: [BankAccount, AccountFingerprints]): boolean =>
        mayMatch(account) && fingerprints[name].equals(existing[name]);
      const found = [...unmatched].find(isSame)?.[0];
      if (!found) continue;
      unmatched.delete(found);
      matches.set(existing.id, found);
    }
  };
  matchBy('bankIdFingerprint', () => true);
  // Two accounts without a number are not the same account.
  matchBy('numberFingerprint', ({ number }) => number !== '');
  return rows.flatMap((existing) => {
    const incoming = matches.get(existing.id);
    return incoming ? [{ incoming, existing }] : [];
  });
};
