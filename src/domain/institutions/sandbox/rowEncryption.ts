// Encrypts the sandbox's rows with the service's sandbox secret. All text is sealed, and rows are found by fingerprint. A new
// version of the secret cannot re-create a fingerprint without its text, so a row found by name contains the sealed name.
// Fingerprints of loaded transactions use a key that only their load knows.
import type { BankTransaction } from '../../../../connectors/kit/contract.ts';
import type { LoadedAccount } from '../../../../connectors/sandbox/storage.ts';
import type { SandboxTransactionRow } from '../../../platform/db/tables.ts';
import { CorruptData } from '../../../platform/values/errors.ts';
import { deriveKey, fingerprint } from '../../../platform/vault/keys.ts';
import type { Keyset } from '../../../platform/vault/keyset.ts';
import { type AssociatedData, seal, unseal } from '../../../platform/vault/seal.ts';
import type { LoadedRow } from './csvRows.ts';
import type { NamedRow, SealedRow } from './store.ts';

export type SandboxKeys = { sealing: Buffer; fingerprints: Buffer };
export type SandboxKeyset = Keyset<SandboxKeys>;

/** The keys of one version of the sandbox secret. */
export const deriveSandboxKeys = (secret: Buffer): SandboxKeys => ({
  sealing: deriveKey(secret, 'sandbox sealing v1'),
  fingerprints: deriveKey(secret, 'sandbox fingerprints v1'),
});

const boundTo = (row: Omit<SealedRow, 'sealed'>): AssociatedData =>
  row.fingerprint
    ? ['sandbox name', row.organizationId, row.fingerprint.toString('hex')]
    : ['sandbox transaction', row.organizationId, String(row.loadId), String(row.position)];

const unsealRow = (keys: SandboxKeyset, row: SealedRow): { text: string; isCurrent: boolean } => {
  for (const [index, { sealing }] of keys.all().entries()) {
    try {
      return { text: unseal(row.sealed, sealing, boundTo(row)), isCurrent: index === 0 };
    } catch (error) {
      if (!(error instanceof CorruptData)) throw error;
    }
  }
  throw new CorruptData('No version of the sandbox secret can unseal a row.');
};

const nameFingerprint = ({ fingerprints }: SandboxKeys, organizationId: string, name: string): Buffer =>
  fingerprint(fingerprints, 'name', organizationId, [name]);

/** The fingerprints of a row's name, `login LOGIN` or `value KEY`, with every version of the secret. */
export const nameFingerprints = (keys: SandboxKeyset, organizationId: string, name: string): Buffer[] =>
  keys.all().map((version) => nameFingerprint(version, organizationId, name));

export const sealNamed = (keys: SandboxKeys, organizationId: string, name: string, value = ''): NamedRow => {
  const row = { organizationId, fingerprint: nameFingerprint(keys, organizationId, name) };
  return { ...row, sealed: seal(JSON.stringify([name, value]), keys.sealing, boundTo(row)) };
};

/** The value of a name. Throws CorruptData if no version can unseal it. */
export const unsealNamed = (keys: SandboxKeyset, row: NamedRow): string =>
  JSON.parse(unsealRow(keys, row).text)[1];

/** A load in progress. Its key is random and never stored. */
export type Load = { organizationId: string; loadId: number; key: Buffer };

export const sealTransaction = (keys: SandboxKeys, load: Load, row: LoadedRow): SandboxTransactionRow => {
  const { organizationId, loadId, key } = load;
  const { line: position, login, account, date, transaction, currency, balance } = row;
  const details = [balance, transaction, row.amount, row.description, row.reference];
  const text = JSON.stringify([login, account, currency, ...details]);
  return {
    ...{ loadId, position, date },
    loginFingerprint: fingerprint(key, 'login', organizationId, [login]),
    accountFingerprint: fingerprint(key, 'account', organizationId, [login, account]),
    transactionFingerprint: transaction
      ? fingerprint(key, 'transaction', organizationId, [login, account, transaction])
      : null,
    sealed: seal(text, keys.sealing, boundTo({ organizationId, loadId, position })),
  };
};

/** The transaction, its login, and its account with the balance after the transaction. */
export const unsealTransaction = (
  keys: SandboxKeyset,
  row: SealedRow & { date: string },
): { login: string; account: LoadedAccount; transaction: BankTransaction } => {
  const parts = JSON.parse(unsealRow(keys, row).text);
  const [login, account, currency, balance, id, amount, description, reference] = parts;
  return {
    login,
    account: { account, currency, balance },
    transaction: { ...(id ? { id } : {}), date: row.date, amount, description, reference, status: 'posted' },
  };
};

/**
 * The columns to replace, re-encrypted with the current version; undefined if the row is current. Throws CorruptData if no
 * version can unseal the row.
 */
export const resealRow = (keys: SandboxKeyset, row: SealedRow): Partial<NamedRow> | undefined => {
  const { text, isCurrent } = unsealRow(keys, row);
  if (isCurrent) return undefined;
  if (!row.fingerprint) return { sealed: seal(text, keys.current().sealing, boundTo(row)) };
  const [name, value] = JSON.parse(text);
  return sealNamed(keys.current(), row.organizationId, name, value);
};
