// Encrypts loaded transactions: the database has fingerprints of login, account and id to find a row by, and all else
// in one sealed text.
import type { BankTransaction } from '../../../connectors/kit/contract.ts';
import type { LoadedAccount } from '../../../connectors/sandbox/storage.ts';
import type { SandboxTransactionRow } from '../../db/tables.ts';
import { fingerprint } from '../../vault/keys.ts';
import { type AssociatedData, seal, unseal } from '../../vault/seal.ts';
import type { LoadedRow } from './csvRows.ts';
import type { SandboxKeys } from './sandboxKeys.ts';
import type { SealedTransaction } from './store.ts';

export const loginFingerprint = ({ fingerprints, organizationId }: SandboxKeys, login: string): Buffer =>
  fingerprint(fingerprints, 'login', organizationId, [login]);

export const accountFingerprint = (
  { fingerprints, organizationId }: SandboxKeys,
  login: string,
  account: string,
): Buffer => fingerprint(fingerprints, 'account', organizationId, [login, account]);

const associatedDataOf = (
  { organizationId }: SandboxKeys,
  loadId: number,
  position: number,
): AssociatedData => ['sandbox transaction', organizationId, String(loadId), String(position)];

export const sealRow = (keys: SandboxKeys, loadId: number, row: LoadedRow): SandboxTransactionRow => {
  const { login, account, transaction } = row;
  const text = JSON.stringify([
    account,
    row.currency,
    row.balance,
    transaction,
    row.amount,
    row.description,
    row.reference,
  ]);
  return {
    loadId,
    position: row.line,
    loginFingerprint: loginFingerprint(keys, login),
    accountFingerprint: accountFingerprint(keys, login, account),
    date: row.date,
    transactionFingerprint:
      transaction === ''
        ? null
        : fingerprint(keys.fingerprints, 'transaction', keys.organizationId, [login, account, transaction]),
    sealed: seal(text, keys.sealing, associatedDataOf(keys, loadId, row.line)),
  };
};

/** The transaction, and its account with the balance after it. */
export const unsealRow = (
  keys: SandboxKeys,
  loadId: number,
  row: SealedTransaction,
): { account: LoadedAccount; transaction: BankTransaction } => {
  const text = unseal(row.sealed, keys.sealing, associatedDataOf(keys, loadId, row.position));
  const [account, currency, balance, id, amount, description, reference] = JSON.parse(text);
  return {
    account: { account, currency, balance },
    transaction: { ...(id ? { id } : {}), date: row.date, amount, description, reference, status: 'posted' },
  };
};
