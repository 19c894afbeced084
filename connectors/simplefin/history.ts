// Creates an account's history from the responses to all requests of a read.
import {
  type BankTransaction,
  type CallContext,
  fromDayNumber,
  type History,
  throwIfAborted,
  toDayNumber,
  toIsoDate,
} from '@bank-connection/connector-kit';
import { updatedAt } from './account.ts';
import { type Answer, findReadAccount } from './answerErrors.ts';
import type { Fields } from './fields.ts';
import { postedAt, toBankTransaction, transactionFields } from './transactions.ts';
import { type HistoryWindow, windowDays } from './windows.ts';

/** The server's response for a window. */
export type WindowAnswer = { window: HistoryWindow; answer: Answer };

/** The responses for all windows, newest first, and the order in which the server lists transactions. */
export type ServerAnswers = { answers: WindowAnswer[]; isNewestFirst: boolean };

/** Throws the responses' errors about the account, and BankUnreachable('incomplete') for an invalid transaction. */
export const makeHistory = (
  { answers, isNewestFirst }: ServerAnswers,
  { accountId, since }: { accountId: string; since: string | undefined },
  context: CallContext,
): History => {
  const parts = answers.map(({ window, answer }): Part => {
    const { fields } = findReadAccount(answer, accountId);
    const isCut = answer.errors.some(({ about }) => about === 'server');
    return { window, isCut, fields };
  });
  const read = readParts(parts, since, context.now);
  const oldestFirst = isNewestFirst ? read.map((part) => part.toReversed()) : read;
  const transactions = oldestFirst.toReversed().flat().toSorted(byDate);
  const completeFrom = findCompleteFrom(parts, read);
  const completeTo = findCompleteTo(parts[0]!, context.now);
  return {
    ...(completeFrom !== undefined && completeTo !== undefined && { completeFrom, completeTo }),
    count: transactions.length,
    chunks: chunksOf(transactions, context),
  };
};

/**
 * True if a server lists the newest transactions first, or if its order is unknown. All accounts count, because the transactions
 * of one may all have the same time. Pending transactions do not count: they may be before or after all others.
 */
export const listsNewestFirst = (answers: readonly WindowAnswer[]): boolean => {
  let steps = 0;
  for (const { fields } of answers.flatMap(({ answer }) => answer.accounts)) {
    const times = transactionFields(fields).flatMap((transaction) => postedAt(transaction) ?? []);
    for (let index = 1; index < times.length; index++) steps += Math.sign(times[index]! - times[index - 1]!);
  }
  return steps <= 0;
};

/** One account's part of a response. `isCut`: the server may have omitted days of the window. */
type Part = { window: HistoryWindow; isCut: boolean; fields: Fields };

/**
 * The transactions of each part. A transaction whose day changes between two requests is in both responses, and some banks return
 * their newest transactions for every window. So each one is used once, by id and amount; without an id, only in its own window.
 */
const readParts = (parts: readonly Part[], since: string | undefined, now: Date): BankTransaction[][] => {
  const seen = new Set<string>();
  const isNew = ({ id, date, amount }: BankTransaction, window: HistoryWindow): boolean => {
    if (id === undefined) return isWithin(date, window);
    const before = seen.size;
    // With the amount, because some ids are positions in a response.
    return seen.add(`${amount} ${id}`).size > before;
  };
  return parts.map(({ window, fields }) =>
    withOwnIds(transactionFields(fields).map((transaction) => toBankTransaction(transaction, now)))
      .filter(({ date }) => since === undefined || date >= since)
      .filter((transaction) => isNew(transaction, window)),
  );
};

/**
 * The transactions of one response. While a transaction posts, servers may list it twice; the posted one is used. Other ids that
 * occur twice, such as 0 for all transactions, are dropped.
 */
const withOwnIds = (transactions: readonly BankTransaction[]): BankTransaction[] => {
  const byId = Map.groupBy(transactions, ({ id }) => id);
  return transactions.flatMap((transaction) => {
    const { id, ...unnamed } = transaction;
    const [first, second, third] = byId.get(id)!;
    if (id === undefined || !second) return [transaction];
    if (third || first!.status === second.status) return [unnamed];
    return transaction.status === 'posted' ? [transaction] : [];
  });
};

const isWithin = (date: string, { first, end = Infinity }: HistoryWindow): boolean => {
  const day = toDayNumber(date);
  return day >= first && day < end;
};

const byDate = (left: BankTransaction, right: BankTransaction): number =>
  left.date < right.date ? -1 : Number(left.date > right.date);

/**
 * The first day from which all transactions are known. Servers have everything in the newest window. They do not report how long
 * they keep older data, so older windows count as complete from the account's oldest transaction on. After a general error, days
 * may be missing: then nothing before the response's oldest transaction is known to be complete.
 */
const findCompleteFrom = (
  parts: readonly Part[],
  read: readonly (readonly BankTransaction[])[],
): string | undefined => {
  let completeFrom: string | undefined;
  for (const [index, { window, isCut }] of parts.entries()) {
    const dates = read[index]!.map(({ date }) => date).filter((date) => isWithin(date, window));
    if (window.end === undefined && !isCut) dates.push(fromDayNumber(window.first));
    for (const date of dates) if (completeFrom === undefined || date < completeFrom) completeFrom = date;
    if (isCut) return completeFrom;
  }
  return completeFrom;
};

/**
 * The day of the server's last data about the account. Undefined if one request cannot reach back to it, because each refresh
 * would otherwise read all days since.
 */
const findCompleteTo = ({ fields }: Part, now: Date): string | undefined => {
  const day = toIsoDate(updatedAt(fields, now));
  return toDayNumber(day) < toDayNumber(toIsoDate(now)) - windowDays ? undefined : day;
};

/** The maximum number of transactions in a chunk. */
const chunkMax = 1000;

async function* chunksOf(
  transactions: readonly BankTransaction[],
  { signal }: CallContext,
): AsyncGenerator<BankTransaction[]> {
  for (let start = 0; start < transactions.length; start += chunkMax) {
    throwIfAborted(signal);
    yield transactions.slice(start, start + chunkMax);
  }
  throwIfAborted(signal);
}
