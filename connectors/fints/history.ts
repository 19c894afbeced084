// Reads one account's transactions: all pages of the days that the bank shows without another TAN.
import {
  BankRefused,
  type BankTransaction,
  BankUnreachable,
  type CallContext,
  fromDayNumber,
  type History,
  throwIfAborted,
  toDayNumber,
  toIsoDate,
} from '@bank-connection/connector-kit';
import type { FintsAccount } from './accounts.ts';
import type { StatementOrder } from './cardOrders.ts';
import { isPartial, wantsTan } from './codes.ts';
import { bytesOf, type Days, type FirstPage } from './firstPage.ts';
import { type BankResponse, parametersOf } from './message.ts';
import { ignoreFailedOrder, type OrderDialog, sendOrder } from './orders.ts';
import { findStatementOrder } from './statementOrders.ts';
import { readPages } from './statementPages.ts';

/** `isApproved` means that the end user approved the dialog with a TAN. */
export type OpenDialog = OrderDialog & { isApproved: boolean };

/** `bytesMax` limits the pages of one account, which are all in memory. `first` is a page that was read before. */
export type HistoryRequest = { since: string | undefined; bytesMax: number; first: FirstPage | undefined };

/** Older transactions need a TAN (PSD2, Commission Delegated Regulation 2018/389, article 10: 90 days). */
export const unapprovedDays = 89;
/** Used if the bank does not report how long it keeps transactions. */
const storedDaysDefault = 365;
const pagesMax = 1000;
const chunkTransactionsMax = 1000;

/** Throws BankRefused('user_action_required') if the bank wants a TAN. */
export const readHistory = async (
  open: OpenDialog,
  account: FintsAccount,
  { since, bytesMax, first }: HistoryRequest,
  context: CallContext,
): Promise<History> => {
  const order = findStatementOrder(account, open.parameters);
  if (!order) return { chunks: toChunks([]) };
  const request = { since, now: context.now, isAttended: false };
  const { range, page } = first ?? (await orderFirstPage(open, order, request));
  if (wantsTan(page)) throw new BankRefused('user_action_required');
  const days = isPartial(page) ? {} : { completeFrom: range.from, completeTo: range.to };
  return { ...days, chunks: readChunks(open, order, { range, page, bytesMax }, context) };
};

type FirstRequest = { since: string | undefined; now: Date; isAttended: boolean };

/**
 * Requests the longest range that the bank allows: for days older than 89 days, it may refuse or want a TAN. The page may be a TAN
 * request instead, which covers the whole range if the end user is present.
 */
export const orderFirstPage = async (
  open: OpenDialog,
  order: StatementOrder,
  { since, now, isAttended }: FirstRequest,
): Promise<FirstPage> => {
  const storedDays = order.storedDays ?? storedDaysDefault;
  const shorter = toRange(Math.min(storedDays, unapprovedDays), since, now);
  const longer = toRange(storedDays, since, now);
  if ((isAttended || open.isApproved) && longer.from < shorter.from) {
    const page = await sendOrder(open, order.make(longer)).catch(ignoreFailedOrder);
    if (page && (isAttended || !wantsTan(page))) return { range: longer, page };
  }
  return { range: shorter, page: await sendOrder(open, order.make(shorter)) };
};

const toRange = (days: number, since: string | undefined, now: Date): Days => {
  const to = toIsoDate(now);
  const earliest = fromDayNumber(toDayNumber(to) - days);
  return { from: since !== undefined && since > earliest ? since : earliest, to };
};

/**
 * The transactions in chunks, after all pages have been read. Each page yields an empty chunk, because the time for each chunk is
 * limited.
 */
async function* readChunks(
  open: OpenDialog,
  order: StatementOrder,
  { range, page, bytesMax }: FirstPage & { bytesMax: number },
  { signal }: CallContext,
): AsyncGenerator<BankTransaction[]> {
  const pages = [page];
  const marks = new Set<string>();
  let bytes = bytesOf(page);
  for (;;) {
    throwIfAborted(signal);
    const continuationMark = findContinuationMark(pages.at(-1)!, marks);
    if (continuationMark === undefined) break;
    marks.add(continuationMark);
    if (pages.length === pagesMax || bytes > bytesMax) throw new BankUnreachable('incomplete');
    const next = await sendOrder(open, order.make({ ...range, continuationMark }));
    if (wantsTan(next)) throw new BankRefused('user_action_required');
    // The range of complete days was already returned.
    if (isPartial(next)) throw new BankUnreachable('incomplete');
    pages.push(next);
    bytes += bytesOf(next);
    yield [];
  }
  const transactions = (await readPages(order, pages)).filter(({ date }) => date >= range.from);
  yield* toChunks(transactions);
}

/**
 * The continuation mark for the next page; undefined after the last page. Throws BankUnreachable('incomplete') if there are more
 * pages but no mark, or a mark in `used`, which would return the same pages again.
 */
const findContinuationMark = (page: BankResponse, used: ReadonlySet<string>): string | undefined => {
  const parameters = parametersOf(page, '3040');
  if (!parameters) return undefined;
  const [mark] = parameters;
  if (!mark || used.has(mark)) throw new BankUnreachable('incomplete');
  return mark;
};

async function* toChunks(transactions: BankTransaction[]): AsyncGenerator<BankTransaction[]> {
  for (let start = 0; start < transactions.length; start += chunkTransactionsMax) {
    yield transactions.slice(start, start + chunkTransactionsMax);
  }
}
