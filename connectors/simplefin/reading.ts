// Reads a SimpleFIN server: one request for all accounts, and more for transactions older than 90 days.
import {
  BankUnreachable,
  type CallContext,
  type Reading,
  throwIfAborted,
} from '@bank-connection/connector-kit';
import { type AnsweredAccount, toBankAccount } from './account.ts';
import { decodeAnswer, possibleServerIds } from './answer.ts';
import { findReadAccount, throwServerError, withUnanswered } from './answerErrors.ts';
import { listsNewestFirst, makeHistory, type ServerAnswers, type WindowAnswer } from './history.ts';
import { readBody, requestAccounts, type SimplefinDeps } from './server.ts';
import { type StoredAccess, withKnown } from './storedAccess.ts';
import { transactionFields } from './transactions.ts';
import { emptyWindowsMax, type HistoryWindow, windowParameters, windowsBack } from './windows.ts';

const byId = (left: AnsweredAccount, right: AnsweredAccount): number => (left.id < right.id ? -1 : 1);

type ReadRequest = { accountIds?: readonly string[]; since?: string };

/**
 * Reads the newest window, which includes all accounts. Older windows are read with the first history, so that each of the two
 * calls has its own time limit.
 */
export const startReading = async (
  deps: SimplefinDeps,
  stored: StoredAccess,
  { accountIds, since }: ReadRequest,
  context: CallContext,
): Promise<Reading> => {
  const { server, known: knownBefore } = stored;
  const account = accountIds?.flatMap(possibleServerIds);
  const readWindow = async (window: HistoryWindow): Promise<WindowAnswer> => {
    const parameters = { ...windowParameters(window), ...(account && { account }) };
    const answer = decodeAnswer(readBody(await requestAccounts(deps, server, parameters, context)));
    throwServerError(answer);
    return { window, answer: withUnanswered(answer, accountIds ? undefined : knownBefore) };
  };
  const [newestWindow, ...olderWindows] = windowsBack(context.now, since);
  const newest = await readWindow(newestWindow!);
  const answered = newest.answer.accounts.filter(({ id }) => accountIds?.includes(id) ?? true);
  const accounts = answered.flatMap((one) => toBankAccount(one, context.now) ?? []);
  if (accountIds && accounts.length !== accountIds.length) throw new BankUnreachable('incomplete');
  // The service requests the histories of shared accounts only.
  const shared = new Set(knownBefore.map(({ id }) => id));
  const emptyMax = since === undefined ? emptyWindowsMax : Infinity;
  let all: Promise<ServerAnswers> | undefined;
  return {
    accounts,
    history: async (accountId) => {
      throwIfAborted(context.signal);
      shared.add(accountId);
      findReadAccount(newest.answer, accountId);
      all ??= readOlder(newest, { windows: olderWindows, emptyMax, readWindow });
      return makeHistory(await all, { accountId, since }, context);
    },
    end: async () => {
      const known = answered.filter(({ id }) => shared.has(id)).toSorted(byId);
      const access = withKnown(stored, known);
      return access === stored.text ? {} : { access, deviceToken: access };
    },
  };
};

type OlderWindows = {
  windows: readonly HistoryWindow[];
  /** After this many consecutive windows without transactions, the bank is assumed to have no older ones. */
  emptyMax: number;
  readWindow(window: HistoryWindow): Promise<WindowAnswer>;
};

const readOlder = async (
  newest: WindowAnswer,
  { windows, emptyMax, readWindow }: OlderWindows,
): Promise<ServerAnswers> => {
  const answers = [newest];
  const seen = new Set<string>();
  let empty = hasNew(newest, seen) ? 0 : 1;
  for (const window of windows) {
    if (empty === emptyMax) break;
    const older = await readWindow(window);
    answers.push(older);
    empty = hasNew(older, seen) ? 0 : empty + 1;
  }
  return { answers, isNewestFirst: listsNewestFirst(answers) };
};

/** True if a window has transactions that newer windows, in `seen`, do not have. Ids alone cannot show this: all may be equal. */
const hasNew = ({ answer }: WindowAnswer, seen: Set<string>): boolean => {
  const before = seen.size;
  for (const { id: accountId, fields } of answer.accounts) {
    for (const { id, posted, transacted_at: transacted, amount } of transactionFields(fields))
      seen.add(JSON.stringify([accountId, id, posted, transacted, amount]));
  }
  return seen.size > before;
};
