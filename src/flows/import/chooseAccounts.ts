// Decides which of a connection's accounts are shared after the end user changes the selection.
import type { BankAccount } from '../../../connectors/kit/contract.ts';
import type { AccountsToFetch } from '../refresh/fetchAccounts.ts';
import type { AccountMatch } from '../refresh/matchAccounts.ts';
import type { StoredAccountRow } from '../refresh/queries.ts';

/** Adds newly selected accounts, and deselects shared accounts that are no longer selected. */
export const chooseAccounts = (
  rows: readonly StoredAccountRow[],
  { known, matched, unlisted }: AccountMatch,
  listed: readonly BankAccount[],
  accountIds: readonly string[],
): AccountsToFetch & { deselectedIds: string[] } => {
  const isChosen = ({ id }: BankAccount): boolean => accountIds.includes(id);
  const first = Math.max(-1, ...rows.map(({ position }) => position)) + 1;
  const added = listed
    .filter((account) => isChosen(account) && !known.some(({ incoming }) => incoming === account))
    .map((incoming, index) => ({ incoming, position: first + index }));
  const leftOut = matched.filter(({ incoming }) => !isChosen(incoming));
  return {
    matched: [...known.filter(({ incoming }) => isChosen(incoming)), ...added],
    unshared: listed.filter((account) => !isChosen(account)),
    unlisted,
    deselectedIds: leftOut.map(({ existing, replaced }) => (existing ?? replaced)!.id),
  };
};
