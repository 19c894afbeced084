// Reads accounts, continuing from pages that were read before.
import {
  BankRefused,
  type BankTransaction,
  BankUnreachable,
  type CallContext,
  type Reading,
  throwIfAborted,
} from '@bank-connection/connector-kit';
import { accountIdOf, type FintsAccount, toBankAccount } from './accounts.ts';
import type { FintsDeps } from './dialog.ts';
import type { FirstPage } from './firstPage.ts';
import { readHistory } from './history.ts';
import { hasCode } from './message.ts';
import { type OpenReading, reopen, resume } from './resume.ts';
import { type Access, encodeState } from './state.ts';

type ReadRequest = { accountIds?: readonly string[]; since?: string };

/** Starts reading. Throws BankRefused('user_action_required') if the bank wants a TAN for a new dialog. */
export const startReading = async (
  deps: FintsDeps,
  access: Access,
  { accountIds, since }: ReadRequest,
  context: CallContext,
): Promise<Reading> => {
  throwIfAborted(context.signal);
  const reading = (await resume(deps, access, context)) ?? (await reopen(deps, access, context));
  const accounts = reading.accounts.filter((account) => accountIds?.includes(accountIdOf(account)) ?? true);
  if (accountIds && accounts.length !== accountIds.length) throw new BankUnreachable('incomplete');
  const needsUser = (account: FintsAccount) => isUnanswered(reading, accountIdOf(account));
  if (accounts.length > 0 && accounts.every(needsUser)) throw new BankRefused('user_action_required');
  let hasFailed = false;
  const failWith =
    (accountId: string) =>
    (error: unknown): never => {
      hasFailed = true;
      throw noteQuestion(reading, accountId, error);
    };
  return {
    accounts: accounts.map(toBankAccount),
    history: async (accountId) => {
      throwIfAborted(context.signal);
      const account = accounts.find((one) => accountIdOf(one) === accountId);
      if (!account) throw new BankUnreachable('incomplete');
      const fail = failWith(accountId);
      if (needsUser(account)) return fail(new BankUnreachable('incomplete'));
      const first = since === undefined ? findFirstPage(reading, accountId) : undefined;
      const request = { since, bytesMax: deps.answerBytesMax, first };
      const history = await readHistory(reading.open, account, request, context).catch(fail);
      return { ...history, chunks: catchFailures(history.chunks, fail) };
    },
    end: async () => {
      throwIfAborted(context.signal);
      if (!hasFailed) await reading.open.dialog.end();
      const after = accessAfter(reading, hasFailed);
      return { access: encodeState('access', after), deviceToken: encodeState('device', after.device) };
    },
  };
};

/** The first page from an earlier read. If more pages follow, it is valid only in the same dialog. */
export const findFirstPage = (
  { open, access }: Pick<OpenReading, 'open' | 'access'>,
  accountId: string,
): FirstPage | undefined => {
  const first = access.firstAnswers?.[accountId]?.first;
  if (!first || !hasCode(first.page, '3040')) return first;
  return first.page.dialogId === open.dialog.state().id ? first : undefined;
};

/** True if the bank would ask about this account again, because no usable page followed the first question. */
const isUnanswered = (reading: OpenReading, accountId: string): boolean =>
  reading.access.firstAnswers?.[accountId]?.isAsked === true && !findFirstPage(reading, accountId);

/**
 * The error to throw for an account. If the bank wants a TAN during a refresh, later refreshes fail before sending anything.
 * During an import, the user has already answered all questions, so the account lags, and the next attempt skips it.
 */
const noteQuestion = (reading: OpenReading, accountId: string, error: unknown): unknown => {
  const isQuestion = error instanceof BankRefused && error.reason === 'user_action_required';
  if (!isQuestion) return error;
  const { access } = reading;
  if (!access.firstAnswers) {
    reading.access = { ...access, device: { ...access.device, asksForStatements: true } };
    return error;
  }
  const firstAnswers = { ...access.firstAnswers, [accountId]: { isAsked: true } };
  reading.access = { ...access, firstAnswers };
  return new BankUnreachable('incomplete');
};

async function* catchFailures(
  chunks: AsyncIterable<BankTransaction[]>,
  failWith: (error: unknown) => never,
): AsyncGenerator<BankTransaction[]> {
  try {
    yield* chunks;
  } catch (error) {
    failWith(error);
  }
}

/** After a failure, the next attempt continues in the dialog that the end user approved. */
const accessAfter = ({ open, access, accounts }: OpenReading, hasFailed: boolean): Access => {
  const { dialog: _, ...rest } = access;
  const { dialog, isApproved } = open;
  return {
    ...{ ...rest, accounts },
    ...(hasFailed && isApproved && { dialog: { ...dialog.state(), isApproved, isAttended: true } }),
  };
};
