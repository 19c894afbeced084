// Entries as they arrive from the bank, sealed under the data key that this refresh has in memory only: if it
// dies, what is staged is bytes that nobody can open. Kept apart from what is read until one publication.

import type { BankEntry } from '../banks/bank.ts';
import { makeId } from '../ids.ts';
import { canonicalDecimal } from '../json.ts';
import { sealEntry } from '../transactions/transaction.ts';
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
export type EntryPrints = Pick<StagedRow, 'entryPrint' | 'bankIdPrint' | 'amountPrint'>;

export const printsOf = (entry: BankEntry, place: StagingPlace): EntryPrints => {
  const print = (purpose: string, parts: string[]): Buffer =>
    fingerprint(place.fingerprintKey, purpose, place.accountId, parts);
  // A bank may say 1.5 today and 1.50 tomorrow, and mean the same.
  const amount = canonicalDecimal(entry.amount);
  return {
    entryPrint: print('entry', [entry.date, amount, place.currency, entry.description, entry.reference]),
    bankIdPrint: entry.id === undefined ? null : print('bank id', [entry.id]),
    amountPrint: print('amount', [amount, place.currency]),
  };
};

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
  sealed: sealEntry(entry, { accountId: place.accountId, id: as.id }, place.dataKey),
  ...prints,
  createdAt: place.createdAt,
});

/** One entry, sealed under a new transaction id; `n` counts the entries of its account in this refresh. */
export const stageEntry = (entry: BankEntry, n: number, place: StagingPlace): StagedRow =>
  sealStaged(entry, printsOf(entry, place), place, { n, id: makeId('txn'), verdict: null });
