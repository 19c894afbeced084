// The merge of an ordinary refresh: what the bank shows and what we hold of the same days fit into memory, so
// nothing is staged but what is new or changed, and a refresh that finds nothing writes nothing. What does not
// fit goes through the staging table (mergeAccount.ts); both let transactions/merge.ts decide.
import {
  type BankSide,
  type HeldSide,
  judge,
  type Pair,
  pairByBankId,
  pairPending,
  pairWhole,
} from '../transactions/merge.ts';

export type Few = {
  bank: readonly BankSide[];
  /** All that we hold from the start of the window on. */
  held: readonly HeldSide[];
  /** From this date (YYYY-MM-DD) on, what the bank did not show is gone. */
  completeFrom: string;
  /** An entry from before this date is no longer found by the bank's id, or as a pending one. */
  windowStart: string;
  windowDays: number;
};

export type FewVerdicts = {
  added: BankSide[];
  changed: Pair[];
  renumbered: Pair[];
  missing: HeldSide[];
};

/** Decides about all of them. Pure. */
export const mergeFew = ({ bank, held, completeFrom, windowStart, windowDays }: Few): FewVerdicts => {
  const pairs: Pair[] = [];
  const bankLeft = new Set(bank);
  const heldLeft = new Set(held);
  const note = (found: readonly Pair[]): void => {
    for (const pair of found) {
      pairs.push(pair);
      bankLeft.delete(pair.bank);
      heldLeft.delete(pair.held);
    }
  };
  const withinWindow = (): HeldSide[] => [...heldLeft].filter((entry) => entry.date >= windowStart);
  note(pairWhole(bank, held));
  note(pairByBankId([...bankLeft], withinWindow()));
  const pending = withinWindow().filter((entry) => entry.status === 'pending');
  note(pairPending([...bankLeft], pending, windowDays));
  return {
    added: [...bankLeft],
    changed: pairs.filter((pair) => judge(pair) === 'changed'),
    renumbered: pairs.filter((pair) => judge(pair) === 'renumbered'),
    missing: [...heldLeft].filter((entry) => entry.status !== 'void' && entry.date >= completeFrom),
  };
};
