// Matches a connection's stored accounts with those that the bank lists.
import type { BankAccount } from '../../connectors/kit/contract.ts';
import type { StoredAccountRow } from '../accounts/store.ts';
import type { MatchedAccount } from './fetchAccounts.ts';
import {
  accountIdFingerprint,
  accountNumberFingerprint,
  type FingerprintKeys,
  findFingerprintKey,
} from './fingerprints.ts';

/**
 * `rows` are the stored accounts of the connection. First by the bank's id; an account is matched by its number, if it
 * has one, only when its id is no longer listed. Stored accounts that the bank does not list, or that have lost their
 * fingerprints, are left out. Throws CorruptData when the version of an account's fingerprints is unknown.
 */
export const matchAccounts = async (
  fingerprintKeys: FingerprintKeys,
  connectionId: string,
  rows: readonly StoredAccountRow[],
  bankAccounts: readonly BankAccount[],
): Promise<MatchedAccount[]> => {
  const unmatched = new Set(bankAccounts);
  const matches = new Map<string, BankAccount>();
  const match = (existing: StoredAccountRow, isSame: (account: BankAccount) => boolean): void => {
    const found = [...unmatched].find(isSame);
    if (!found) return;
    unmatched.delete(found);
    matches.set(existing.id, found);
  };
  const stored = rows.filter(({ fingerprintKeyId }) => fingerprintKeyId !== null);
  const makeVersion = (keyId: string) => {
    const fingerprintKey = findFingerprintKey(fingerprintKeys, keyId);
    return makeAccountFingerprints(bankAccounts, { connectionId, fingerprintKey });
  };
  const keyIds = new Set(stored.map(({ fingerprintKeyId }) => fingerprintKeyId!));
  const versions = new Map([...keyIds].map((keyId) => [keyId, makeVersion(keyId)]));
  for (const existing of stored) {
    const { byId } = versions.get(existing.fingerprintKeyId!)!;
    match(existing, (account) => byId.get(account)!.equals(existing.bankIdFingerprint!));
  }
  for (const existing of stored.filter(({ id }) => !matches.has(id))) {
    const { ofNumbers } = versions.get(existing.fingerprintKeyId!)!;
    // Two accounts without a number are not the same account.
    const numbered = [...unmatched].filter(({ number }) => number !== '');
    const byNumber = await ofNumbers(numbered, existing.slowFingerprintParameters);
    match(existing, (account) => byNumber.get(account)?.equals(existing.numberFingerprint!) ?? false);
  }
  return rows.flatMap((existing) => {
    const incoming = matches.get(existing.id);
    return incoming ? [{ incoming, existing }] : [];
  });
};

/** Of one version. Each slow fingerprint is computed once: accounts with the same memory and passes share it. */
const makeAccountFingerprints = (
  bankAccounts: readonly BankAccount[],
  scope: Parameters<typeof accountNumberFingerprint>[1],
) => {
  const known = new Map<string, Promise<Buffer>>();
  return {
    byId: new Map(bankAccounts.map((account) => [account, accountIdFingerprint(account.id, scope)])),
    ofNumbers: async (
      accounts: readonly BankAccount[],
      parameters: Buffer,
    ): Promise<Map<BankAccount, Buffer>> => {
      const computed = accounts.map(async (account): Promise<[BankAccount, Buffer]> => {
        const key = `${parameters.readUInt16BE()} ${account.number}`;
        const fingerprint = known.get(key) ?? accountNumberFingerprint(account.number, scope, parameters);
        known.set(key, fingerprint);
        return [account, await fingerprint];
      });
      return new Map(await Promise.all(computed));
    },
  };
};
