// An account that continues another one in a new currency: its first day, and the transactions that move to it, so that each
// counts once.
import type { History } from '../../../connectors/kit/contract.ts';
import { addMilliseconds, days, toIsoDate } from '../../platform/values/clock.ts';
import type { QueueDeps } from './jobs.ts';
import { type MergedAccount, mergeAccount, type RequestedHistory } from './mergeAccount.ts';
import type { StoredAccountRow } from './queries.ts';
import type { MergeDeps, StagingTarget } from './staging.ts';

/**
 * The first day of the account, or undefined if the other one was never read. It overlaps like any refresh, because banks
 * backdate transactions. If the bank doesn't say which days are complete, nothing can be voided: it begins after the other.
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

/** The part of a history that belongs to an account with this first day. */
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
