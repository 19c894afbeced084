// The merge of an ordinary refresh: what the bank shows and what we hold of the same days fit into memory, so
// nothing is staged but what is new or changed, and a refresh that finds nothing writes nothing. What does not
// fit goes through the staging table (mergeAccount.ts); both let transactions/merge.ts decide.
import {
  type IncomingTransaction,
  type ExistingTransaction,
  classifyMatch,
  type TransactionMatch,
  matchByBankId,
  matchPending,
  matchIdentical,
} from '../transactions/matching.ts';

export type InMemoryMerge = {
  incoming: readonly IncomingTransaction[];
  /** All that we hold from the start of the window on. */
  existing: readonly ExistingTransaction[];
  /** From this date (YYYY-MM-DD) on, what the bank did not show is gone. */
  completeFrom: string;
  /** An entry from before this date is no longer found by the bank's id, or as a pending one. */
  windowStart: string;
  windowDays: number;
};

export type InMemoryMergeResult = {
  added: IncomingTransaction[];
  changed: TransactionMatch[];
  renumbered: TransactionMatch[];
  missing: ExistingTransaction[];
};

/** Decides about all of them. Pure. */
export const mergeInMemory = ({
  incoming,
  existing,
  completeFrom,
  windowStart,
  windowDays,
}: InMemoryMerge): InMemoryMergeResult => {
  const pairs: TransactionMatch[] = [];
  const bankLeft = new Set(incoming);
  const heldLeft = new Set(existing);
  const note = (found: readonly TransactionMatch[]): void => {
    for (const pair of found) {
      pairs.push(pair);
      bankLeft.delete(pair.incoming);
      heldLeft.delete(pair.existing);
    }
  };
  const withinWindow = (): ExistingTransaction[] =>
    [...heldLeft].filter((entry) => entry.date >= windowStart);
  note(matchIdentical(incoming, existing));
  note(matchByBankId([...bankLeft], withinWindow()));
  const pending = withinWindow().filter((entry) => entry.status === 'pending');
  note(matchPending([...bankLeft], pending, windowDays));
  return {
    added: [...bankLeft],
    changed: pairs.filter((pair) => classifyMatch(pair) === 'changed'),
    renumbered: pairs.filter((pair) => classifyMatch(pair) === 'renumbered'),
    missing: [...heldLeft].filter((entry) => entry.status !== 'void' && entry.date >= completeFrom),
  };
};
