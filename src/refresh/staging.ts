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

/** One entry, sealed under a new transaction id; `n` counts the entries of its account in this refresh. */
export const stageEntry = (entry: BankEntry, n: number, place: StagingPlace): StagedRow => {
  const id = makeId('txn');
  const print = (purpose: string, parts: string[]): Buffer =>
    fingerprint(place.fingerprintKey, purpose, place.accountId, parts);
  // A bank may say 1.5 today and 1.50 tomorrow, and mean the same.
  const amount = canonicalDecimal(entry.amount);
  return {
    endUserId: place.endUserId,
    refreshId: place.refreshId,
    accountId: place.accountId,
    n,
    verdict: null,
    transactionId: id,
    date: entry.date,
    status: entry.status,
    sealed: sealEntry(entry, { accountId: place.accountId, id }, place.dataKey),
    entryPrint: print('entry', [entry.date, amount, place.currency, entry.description, entry.reference]),
    bankIdPrint: entry.id === undefined ? null : print('bank id', [entry.id]),
    amountPrint: print('amount', [amount, place.currency]),
    createdAt: place.createdAt,
  };
};
