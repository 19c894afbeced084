// Entries as they arrive from the bank, sealed under the data key that this refresh has in memory only: if it
// dies, what is staged is bytes that nobody can open. Kept apart from what is read until one publication.

import type { BankEntry } from '../banks/bank.ts';
import { makeId } from '../ids.ts';
import { canonicalDecimal } from '../json.ts';
import { sealTransaction } from '../transactions/transaction.ts';
import { fingerprint } from '../vault/fingerprint.ts';
import type { StagedRow } from './store.ts';

/** Where an entry is staged, and with which keys. */
export type StagingPlace = {
  endUserId: string;
  refreshId: string;
  accountId: string;
  currency: string;
  dataKey: Buffer;
  fingerprintKey: Buffer;
  createdAt: string;
};

/** What an entry is recognised by. */
export type EntryPrints = Pick<
  StagedRow,
  'transactionFingerprint' | 'bankIdFingerprint' | 'amountFingerprint'
>;

export const printsOf = (entry: BankEntry, place: StagingPlace): EntryPrints => {
  // A bank may say 1.5 today and 1.50 tomorrow, and mean the same.
  const amount = canonicalDecimal(entry.amount);
  return { ...identityOf(entry, amount, place), amountFingerprint: amountFingerprint(amount, place) };
};

const print = (place: StagingPlace, purpose: string, parts: string[]): Buffer =>
  fingerprint(place.fingerprintKey, purpose, place.accountId, parts);

const identityOf = (entry: BankEntry, amount: string, place: StagingPlace) => ({
  transactionFingerprint: print(place, 'entry', [
    entry.date,
    amount,
    place.currency,
    entry.description,
    entry.reference,
  ]),
  bankIdFingerprint: entry.id === undefined ? null : print(place, 'bank id', [entry.id]),
});

const amountFingerprint = (amount: string, place: StagingPlace): Buffer =>
  print(place, 'amount', [amount, place.currency]);

const noPrint = Buffer.alloc(0);

/** One entry with its prints, sealed as a transaction with this id; `n` counts the entries of its account. */
export const sealStaged = (
  entry: BankEntry,
  prints: EntryPrints,
  place: StagingPlace,
  as: { n: number; id: string; verdict: StagedRow['verdict'] },
): StagedRow => ({
  endUserId: place.endUserId,
  refreshId: place.refreshId,
  accountId: place.accountId,
  n: as.n,
  verdict: as.verdict,
  transactionId: as.id,
  date: entry.date,
  status: entry.status,
  sealed: sealTransaction(entry, { accountId: place.accountId, id: as.id }, place.dataKey),
  ...prints,
  createdAt: place.createdAt,
});

/** One entry that is known to be new: its amount is compared with nothing but later ones, while it is pending. */
export const stageNew = (entry: BankEntry, n: number, place: StagingPlace): StagedRow => {
  const amount = canonicalDecimal(entry.amount);
  const prints = {
    ...identityOf(entry, amount, place),
    amountFingerprint: entry.status === 'pending' ? amountFingerprint(amount, place) : noPrint,
  };
  return sealStaged(entry, prints, place, { n, id: makeId('txn'), verdict: null });
};
