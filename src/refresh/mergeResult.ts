// What a merge has decided, as the rows that publishing changes. Rows are made one by one, because they may be many.

import { statusPending, statusVoid } from '../codec/transaction.ts';
import { classifyMatch, type Matches, type MatchResult } from '../merge/matching.ts';
import type { IncomingColumns } from '../merge/transactionColumns.ts';
import type { ExistingTransactions } from './existingTransactions.ts';
import type { NewBankId, NewContent, TransactionKey } from './store.ts';

export type MergeCounts = { added: number; changed: number; voided: number };

export type MergeResult = {
  counts: MergeCounts;
  added(): Generator<NewContent & { id: Buffer }>;
  /** `existing` is the row, and the block where its text was. */
  changed(): Generator<{ existing: TransactionKey & { block: number }; content: NewContent }>;
  /** Rows where only the bank's id has changed. */
  renumbered(): Generator<NewBankId>;
  /** Rows that the bank no longer lists. */
  voided(): Generator<TransactionKey>;
};

/** The first and the last of some days, as numbers since 1970. */
export type DayRange = { from: number; to: number };

/** On the days of `complete`, a stored transaction that the bank did not send is void. */
export const makeMergeResult = (
  incoming: IncomingColumns,
  existing: ExistingTransactions,
  matches: Matches,
  complete: DayRange | undefined,
): MergeResult => {
  const { columns } = existing;
  const contentOf = (position: number): NewContent => {
    const status = incoming.statuses.get(position);
    return {
      date: incoming.dates.get(position),
      seq: incoming.seqs.get(position),
      status,
      block: incoming.blocks.get(position),
      position: incoming.positionsInBlock.get(position),
      fingerprint: incoming.fingerprints.get(position)!,
      bankIdFingerprint: incoming.bankIds.get(position),
      pendingFingerprint: status === statusPending ? incoming.amounts.get(position) : null,
    };
  };
  const addedPositions = function* (): Generator<number> {
    for (let position = 0; position < incoming.count; position++) {
      if (matches.existingOf(position) === undefined) yield position;
    }
  };
  // In the order of the stored transactions, so that each statement that changes rows reads neighbours.
  const matchesOf = function* (result: MatchResult): Generator<[position: number, other: number]> {
    for (let other = 0; other < columns.count; other++) {
      const position = matches.incomingOf(other);
      if (position === undefined) continue;
      if (classifyMatch({ incoming, existing: columns }, position, other) === result) yield [position, other];
    }
  };
  const missingPositions = function* (): Generator<number> {
    if (!complete) return;
    for (let position = 0; position < columns.count; position++) {
      const isVoid = columns.statuses.get(position) === statusVoid;
      if (isVoid || matches.isExistingMatched(position)) continue;
      const date = columns.dates.get(position);
      if (date >= complete.from && date <= complete.to) yield position;
    }
  };
  return {
    counts: {
      added: count(addedPositions()),
      changed: count(matchesOf('changed')),
      voided: count(missingPositions()),
    },
    *added() {
      for (const position of addedPositions())
        yield { ...contentOf(position), id: incoming.ids.get(position) };
    },
    *changed() {
      for (const [position, other] of matchesOf('changed')) {
        const block = columns.blocks.get(other);
        yield { existing: { ...existing.keyOf(other), block }, content: contentOf(position) };
      }
    },
    *renumbered() {
      for (const [position, other] of matchesOf('renumbered')) {
        yield { ...existing.keyOf(other), bankIdFingerprint: incoming.bankIds.get(position) };
      }
    },
    *voided() {
      for (const position of missingPositions()) yield existing.keyOf(position);
    },
  };
};

const count = (items: Iterable<unknown>): number => {
  let total = 0;
  for (const _ of items) total += 1;
  return total;
};
