// Matches a bank's accounts with stored ones.
import type { BankAccount } from '../../../connectors/kit/contract.ts';
import { type AccountFingerprints, accountFingerprints } from '../merge/fingerprints.ts';
import type { RefreshedConnection, StoredAccountRow } from './accountStore.ts';

/** A listed account, and its stored row unless it is new. `replaced` is the account that it continues in another currency. */
export type MatchedAccount = {
  incoming: BankAccount;
  existing?: StoredAccountRow;
  replaced?: StoredAccountRow;
  /** Only for an account that is added to a connection: its position in the list. */
  position?: number;
};

export type AccountMatch = {
  /** The stored accounts that the bank lists. */
  known: MatchedAccount[];
  /** The known accounts that the end user shares. */
  matched: MatchedAccount[];
  /** Listed accounts that the end user does not share, including deselected ones. */
  unshared: BankAccount[];
  /** Shared accounts that the bank does not list. */
  unlisted: StoredAccountRow[];
};

/**
 * Matches a connection's stored accounts with those that the bank lists: by the bank's id and currency, then by number, if
 * there is one, and currency. A stored account whose id is listed only in another currency is replaced by that account, so that
 * no amount changes its meaning.
 */
export const matchAccounts = (
  connection: { connectionId: string; fingerprintKey: Buffer },
  rows: readonly StoredAccountRow[],
  bankAccounts: readonly BankAccount[],
): AccountMatch => {
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
  const known = rows.flatMap((row) => {
    const match = matches.get(row.id);
    if (!match?.existing?.replacedBy) return match ?? [];
    // The bank returned to the previous currency, so the account in the other currency ends unless it is also listed.
    const { bankIdFingerprint } = row;
    const isEnding = (other: StoredAccountRow): boolean =>
      !matches.has(other.id) && !other.replacedBy && other.bankIdFingerprint.equals(bankIdFingerprint);
    return { ...match, replaced: rows.find(isEnding) };
  });
  const isShared = ({ existing, replaced }: MatchedAccount): boolean =>
    (existing ?? replaced)!.deselectedAt === null;
  const deselected = known.filter((match) => !isShared(match));
  const listed = new Set(known.flatMap(({ existing, replaced }) => [existing, replaced]));
  return {
    ...{ known, matched: known.filter(isShared) },
    unshared: [...unmatched.keys(), ...deselected.map(({ incoming }) => incoming)],
    unlisted: rows.filter((row) => !listed.has(row) && !row.replacedBy && row.deselectedAt === null),
  };
};

/** The ids of accounts that the bank listed in the last refresh but not now, for example a replaced card. */
export const findMissing = ({ refreshedAt }: RefreshedConnection, { unlisted }: AccountMatch): string[] =>
  unlisted.filter(({ lastSeenAt }) => lastSeenAt === refreshedAt).map(({ id }) => id);
