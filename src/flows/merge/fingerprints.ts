// A refresh uses fingerprints (keyed hashes) to match a bank's transactions with stored ones that it cannot read. Each
// connection has its own random key, sealed to the worker.
import type { BankAccount, BankTransaction } from '../../../connectors/kit/contract.ts';
import type { Connection } from '../../domain/connections/store.ts';
import type { AccountRow } from '../../platform/db/tables.ts';
import { CorruptData, FingerprintKeyLost } from '../../platform/values/errors.ts';
import { canonicalDecimal } from '../../platform/values/json.ts';
import { fingerprint, type KeyPair, keyId, type PublicKey } from '../../platform/vault/keys.ts';
import type { Keyset } from '../../platform/vault/keyset.ts';
import { sealForWorker } from '../../platform/vault/seal.ts';
import { unsealForWorker } from '../../platform/vault/workerBoxes.ts';
import { fingerprintBytes } from './rows.ts';

/** The columns for a new connection. Its signature covers the key id, so that nobody can plant a key that they know. */
export const sealFingerprintKey = (
  key: Buffer,
  connectionId: string,
  worker: PublicKey,
): Pick<Connection, 'fingerprintKey' | 'fingerprintKeyId'> => ({
  fingerprintKey: sealForWorker(key.toString('base64url'), ['fingerprintKey', connectionId], worker),
  fingerprintKeyId: keyId(key),
});

/** Opens the key of a connection whose signature was verified. Throws FingerprintKeyLost. */
export const openFingerprintKey = (
  { id, fingerprintKey, fingerprintKeyId }: Pick<Connection, 'id' | 'fingerprintKey' | 'fingerprintKeyId'>,
  workerKeys: Keyset<KeyPair>,
): Buffer => {
  const key = fingerprintKey && tryOpen(fingerprintKey, id, workerKeys);
  if (!key || keyId(key) !== fingerprintKeyId) throw new FingerprintKeyLost();
  return key;
};

const tryOpen = (sealed: Buffer, connectionId: string, workerKeys: Keyset<KeyPair>): Buffer | undefined => {
  try {
    return Buffer.from(
      unsealForWorker<string>(sealed, ['fingerprintKey', connectionId], workerKeys),
      'base64url',
    );
  } catch (error) {
    if (error instanceof CorruptData) return undefined;
    throw error;
  }
};

export type AccountFingerprints = Pick<
  AccountRow,
  'bankIdFingerprint' | 'numberFingerprint' | 'currencyFingerprint'
>;

/** Fingerprints of an account's bank id, of its number and currency, and of its bank id and currency. */
export const accountFingerprints = (
  { id, number, currency }: Pick<BankAccount, 'id' | 'number' | 'currency'>,
  { connectionId, fingerprintKey }: { connectionId: string; fingerprintKey: Buffer },
): AccountFingerprints => ({
  bankIdFingerprint: fingerprint(fingerprintKey, 'bank account id', connectionId, [id]),
  numberFingerprint: fingerprint(fingerprintKey, 'account number', connectionId, [number, currency]),
  currencyFingerprint: fingerprint(fingerprintKey, 'account currency', connectionId, [id, currency]),
});

/** A transaction's account, and its connection's key. */
export type FingerprintTarget = { accountId: string; currency: string; fingerprintKey: Buffer };

const fingerprintFor = (
  { fingerprintKey, accountId }: FingerprintTarget,
  purpose: string,
  parts: readonly string[],
): Buffer => fingerprint(fingerprintKey, purpose, accountId, parts).subarray(0, fingerprintBytes);

/** The fingerprint of all parts of a transaction except its status and the bank's id. */
export const contentFingerprint = (
  { date, amount, description, reference }: BankTransaction,
  target: FingerprintTarget,
): Buffer =>
  // A bank may send 1.5 today and 1.50 tomorrow for the same amount.
  fingerprintFor(target, 'transaction', [
    date,
    canonicalDecimal(amount),
    target.currency,
    description,
    reference,
  ]);

/** The fingerprint of the bank's id; null without one. */
export const bankIdFingerprint = ({ id }: BankTransaction, target: FingerprintTarget): Buffer | null =>
  id === undefined ? null : fingerprintFor(target, 'bank id', [id]);

/** The fingerprint of amount and currency, which a pending transaction keeps when it is posted. */
export const amountFingerprint = ({ amount }: BankTransaction, target: FingerprintTarget): Buffer =>
  fingerprintFor(target, 'amount', [canonicalDecimal(amount), target.currency]);
