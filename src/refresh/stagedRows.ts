// Entries as they arrive from the bank, sealed under the data key that this refresh has in memory only: if it
// dies, what is staged is bytes that nobody can open. Kept apart from what is read until one publication.

import type { BankTransaction } from '../connectors/connector.ts';
import { makeId } from '../ids.ts';
import { canonicalDecimal } from '../json.ts';
import { sealTransaction } from '../transactions/transaction.ts';
import { fingerprint } from '../vault/fingerprint.ts';
import type { StagedRow } from './store.ts';

/** Where an entry is staged, and with which keys. */
export type StagingTarget = {
  endUserId: string;
  refreshId: string;
  accountId: string;
  currency: string;
  dataKey: Buffer;
  fingerprintKey: Buffer;
  createdAt: string;
};

/** What an entry is recognised by. */
export type TransactionFingerprints = Pick<
  StagedRow,
  'transactionFingerprint' | 'bankIdFingerprint' | 'amountFingerprint'
>;

export const fingerprintsOf = (entry: BankTransaction, place: StagingTarget): TransactionFingerprints => {
  // A bank may say 1.5 today and 1.50 tomorrow, and mean the same.
  const amount = canonicalDecimal(entry.amount);
  return {
    ...identityFingerprints(entry, amount, place),
    amountFingerprint: amountFingerprint(amount, place),
  };
};

const fingerprintFor = (place: StagingTarget, purpose: string, parts: string[]): Buffer =>
  fingerprint(place.fingerprintKey, purpose, place.accountId, parts);

const identityFingerprints = (entry: BankTransaction, amount: string, place: StagingTarget) => ({
  transactionFingerprint: fingerprintFor(place, 'entry', [
    entry.date,
    amount,
    place.currency,
    entry.description,
    entry.reference,
  ]),
  bankIdFingerprint: entry.id === undefined ? null : fingerprintFor(place, 'bank id', [entry.id]),
});

const amountFingerprint = (amount: string, place: StagingTarget): Buffer =>
  fingerprintFor(place, 'amount', [amount, place.currency]);

const emptyFingerprint = Buffer.alloc(0);

/** One entry with its prints, sealed as a transaction with this id; `n` counts the entries of its account. */
export const toStagedRow = (
  entry: BankTransaction,
  prints: TransactionFingerprints,
  place: StagingTarget,
  as: { n: number; id: string; verdict: StagedRow['matchResult'] },
): StagedRow => ({
  endUserId: place.endUserId,
  refreshId: place.refreshId,
  accountId: place.accountId,
  ordinal: as.n,
  matchResult: as.verdict,
  transactionId: as.id,
  date: entry.date,
  status: entry.status,
  sealed: sealTransaction(entry, { accountId: place.accountId, id: as.id }, place.dataKey),
  ...prints,
  createdAt: place.createdAt,
});

/** One entry that is known to be new: its amount is compared with nothing but later ones, while it is pending. */
export const toNewStagedRow = (entry: BankTransaction, n: number, place: StagingTarget): StagedRow => {
  const amount = canonicalDecimal(entry.amount);
  const prints = {
    ...identityFingerprints(entry, amount, place),
    amountFingerprint: entry.status === 'pending' ? amountFingerprint(amount, place) : emptyFingerprint,
  };
  return toStagedRow(entry, prints, place, { n, id: makeId('txn'), verdict: null });
};
