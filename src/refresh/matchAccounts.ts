// Matches a connection's stored accounts with those that the bank lists.
import { findAccountRows, type StoredAccountRow } from '../accounts/store.ts';
import type { BankAccount } from '../connectors/connector.ts';
import type { Database } from '../db/open.ts';
import type { MatchedAccount } from './fetchAccounts.ts';
import { accountIdFingerprint, accountNumberFingerprint } from './fingerprints.ts';

type MatchDeps = { db: Database; fingerprintKey: Buffer };

/**
 * First by the bank's id; an account is matched by its number only when its id is no longer listed. Stored accounts that
 * the bank does not list are left out.
 */
export const matchAccounts = async (
  { db, fingerprintKey }: MatchDeps,
  connection: { endUserId: string; id: string },
  bankAccounts: readonly BankAccount[],
): Promise<MatchedAccount[]> => {
  const owner = { endUserId: connection.endUserId, connectionId: connection.id };
  const rows = await findAccountRows(db.read, owner);
  const unmatched = new Set(bankAccounts);
  const matches = new Map<string, BankAccount>();
  const match = (existing: StoredAccountRow, isSame: (account: BankAccount) => boolean): void => {
    const found = [...unmatched].find(isSame);
    if (!found) return;
    unmatched.delete(found);
    matches.set(existing.id, found);
  };
  const scope = { connectionId: connection.id, fingerprintKey };
  const byId = new Map(bankAccounts.map((account) => [account, accountIdFingerprint(account.id, scope)]));
  for (const existing of rows) {
    match(existing, (account) => byId.get(account)!.equals(existing.bankIdFingerprint));
  }
  const numbers = makeNumberFingerprints(scope);
  for (const existing of rows.filter(({ id }) => !matches.has(id))) {
    const byNumber = await numbers.of(unmatched, existing.slowFingerprintParameters);
    match(existing, (account) => byNumber.get(account)!.equals(existing.numberFingerprint));
  }
  return rows.flatMap((existing) => {
    const incoming = matches.get(existing.id);
    return incoming ? [{ incoming, existing }] : [];
  });
};

/** Computes each slow fingerprint once: accounts with the same memory and passes share it. */
const makeNumberFingerprints = (scope: Parameters<typeof accountNumberFingerprint>[1]) => {
  const known = new Map<string, Promise<Buffer>>();
  return {
    of: async (accounts: Iterable<BankAccount>, parameters: Buffer): Promise<Map<BankAccount, Buffer>> => {
      const computed = [...accounts].map(async (account): Promise<[BankAccount, Buffer]> => {
        const key = `${parameters.readUInt16BE()} ${account.number}`;
        const fingerprint = known.get(key) ?? accountNumberFingerprint(account.number, scope, parameters);
        known.set(key, fingerprint);
        return [account, await fingerprint];
      });
      return new Map(await Promise.all(computed));
    },
  };
};
