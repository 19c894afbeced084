// For an account that continues another one in a new currency, finds its first day and the transactions that move to it, so
// that each counts once.
import type { History } from '../../../connectors/kit/contract.ts';
import { addMilliseconds, days, toIsoDate } from '../../platform/values/clock.ts';
import type { StoredAccountRow } from './accountStore.ts';
import type { QueueDeps } from './jobs.ts';
import { type MergedAccount, mergeAccount, type RequestedHistory } from './mergeAccount.ts';
import type { MergeDeps, StagingTarget } from './staging.ts';

/**
 * The new account's first day, or undefined if the old one was never read. Days overlap as in any refresh, because banks
 * backdate transactions. If the bank reports no complete days, nothing can be voided, so the new account starts after the old
 * one.
 */
export const startOfSuccessor = (
  { readTo }: StoredAccountRow,
  { completeFrom }: History,
  { limits }: QueueDeps,
): string | undefined => {
  if (readTo === null) return undefined;
  const shift = days(completeFrom === undefined ? 1 : -limits.overlapDays);
  return toIsoDate(addMilliseconds(new Date(readTo), shift));
};

/** The part of a history from an account's first day on. */
export const fromStart = (history: RequestedHistory, startsOn?: string | null): RequestedHistory => {
  if (!startsOn) return history;
  const { completeFrom } = history;
  return {
    ...history,
    startsOn,
    completeFrom: completeFrom && completeFrom < startsOn ? startsOn : completeFrom,
  };
};

/** Voids the transactions of a replaced account on the days that its successor's history covers. */
export const voidReplaced = (
  deps: MergeDeps,
  history: RequestedHistory,
  successor: StagingTarget,
  replaced: StoredAccountRow,
): Promise<MergedAccount> => {
  const target = { ...successor, accountId: replaced.id, accountShortId: replaced.shortId };
  return mergeAccount(deps, { ...history, chunks: noChunks(), isMoved: true }, target, replaced);
};

async function* noChunks(): AsyncGenerator<never> {}
