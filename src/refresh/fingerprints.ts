// The fingerprints by which a refresh matches a bank's transactions with stored ones that it cannot read.
import type { BankTransaction } from '../../connectors/kit/contract.ts';
import { CorruptData } from '../errors.ts';
import { canonicalDecimal } from '../json.ts';
import { fingerprintBytes } from '../transactions/fingerprintIndex.ts';
import { fingerprint } from '../vault/keys.ts';
import type { KeyVersion } from '../vault/keyset.ts';
import { slowFingerprint, withScopeAsSalt } from '../vault/slowFingerprint.ts';

/**
 * The versions of the key. `current` stays the same during a job. An account that another version was current for is matched
 * by that one, until a full refresh replaces its fingerprints.
 */
export type FingerprintKeys = {
  current: KeyVersion<Buffer>;
  /** The key of a version; undefined if it is retired. */
  find(id: string): Buffer | undefined;
};

/** The key of a stored version. Throws CorruptData when it is unknown. */
export const findFingerprintKey = ({ find }: FingerprintKeys, id: string): Buffer => {
  const key = find(id);
  if (!key) throw new CorruptData('The version of the fingerprints of an account is unknown.');
  return key;
};

/** The account of a transaction, and the key of the fingerprints. */
export type FingerprintTarget = { accountId: string; currency: string; fingerprintKey: Buffer };

const fingerprintFor = (
  { fingerprintKey, accountId }: FingerprintTarget,
  purpose: string,
  parts: readonly string[],
): Buffer => fingerprint(fingerprintKey, purpose, accountId, parts).subarray(0, fingerprintBytes);

/** Over all parts of a transaction but its status and the bank's id. */
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

/** Over the bank's id; null where it has none. */
export const bankIdFingerprint = ({ id }: BankTransaction, target: FingerprintTarget): Buffer | null =>
  id === undefined ? null : fingerprintFor(target, 'bank id', [id]);

/** Over amount and currency: what the slow fingerprint of a pending transaction is computed from. Never stored. */
export const amountFingerprint = ({ amount }: BankTransaction, target: FingerprintTarget): Buffer =>
  fingerprintFor(target, 'amount', [canonicalDecimal(amount), target.currency]);

type Connection = { connectionId: string; fingerprintKey: Buffer };

/** Over the bank's id of an account. */
export const accountIdFingerprint = (id: string, { connectionId, fingerprintKey }: Connection): Buffer =>
  fingerprint(fingerprintKey, 'bank account id', connectionId, [id]);

/**
 * Slow, over an account number. The salt is that of the connection, so that it is computed once for each account that the
 * bank lists and not for each pair.
 */
export const accountNumberFingerprint = (
  number: string,
  { connectionId, fingerprintKey }: Connection,
  parameters: Buffer,
): Promise<Buffer> =>
  slowFingerprint(
    fingerprint(fingerprintKey, 'account number', connectionId, [number]),
    withScopeAsSalt(parameters, connectionId),
  );
