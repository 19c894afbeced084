// The history of one account. A bank returns all of it only in the first minutes after the consent, later about 90 days.
import {
  type BankTransaction,
  BankUnreachable,
  fromDayNumber,
  type History,
  throwIfAborted,
  toDayNumber,
  toIsoDate,
} from '@bank-connection/connector-kit';
import { type AccountReader, readPages } from './pages.ts';
import { ProviderRefusal } from './refusals.ts';
import type { Row } from './transaction.ts';
import { toTransactions, withOwnIds } from './transactions.ts';

export type HistoryRequest = AccountReader & {
  /** ISO 4217 */
  currency: string;
  /** YYYY-MM-DD; if undefined, the whole history is read. */
  since: string | undefined;
  /** True if the bank currently returns more than the last 90 days. */
  isLongest: boolean;
  now: Date;
};

/** Today and the 89 days before it: banks count days inclusively. */
const historyDays = 90;

/**
 * Starts reading the history. Banks prepare the longest history in advance, so it may lack the newest days, which are requested
 * again. The longest history is read completely first, because its oldest transaction determines `completeFrom`.
 */
export const startHistory = async (request: HistoryRequest): Promise<History> => {
  const { since, isLongest, now } = request;
  const today = toIsoDate(now);
  const earliest = fromDayNumber(toDayNumber(today) - historyDays + 1);
  const longest = isLongest ? await readLongest(request) : [];
  const lastPosted = longest.findLast(({ status }) => status === 'posted')?.date ?? '';
  const asked = since === undefined ? later(lastPosted, earliest) : since;
  const { from, pages } = await openPeriod(request, { from: asked < today ? asked : today, earliest });
  const first = later(since ?? '', from);
  const older = longest.filter(({ date }) => date !== '' && date < first);
  return {
    completeFrom: older[0]?.date ?? first,
    completeTo: today,
    chunks: chunksOf(request, { older, first, pages }),
  };
};

const later = (one: string, other: string): string => (one > other ? one : other);

const readLongest = async (request: HistoryRequest): Promise<BankTransaction[]> => {
  const rows: Row[] = [];
  for await (const page of readPages(request, { strategy: 'longest' })) rows.push(...page);
  const transactions = toTransactions(rows, request.currency);
  return transactions.toSorted((left, right) => left.date.localeCompare(right.date));
};

type Period = { from: string; pages: AsyncIterable<Row[]> };

/** The pages from a given day on, or from the earliest day that the bank allows. Fetches the first page to find that day. */
const openPeriod = async (
  request: HistoryRequest,
  { from, earliest }: { from: string; earliest: string },
): Promise<Period> => {
  try {
    return await openPages(request, from);
  } catch (error) {
    const given = findGivenPeriod(error, earliest);
    if (given === undefined || given <= from) throw error;
    return openPages(request, given);
  }
};

const openPages = async (request: HistoryRequest, from: string): Promise<Period> => {
  const pages = readPages(request, { date_from: from });
  const first = await pages.next();
  return { from, pages: withFirst(first.value ?? [], pages) };
};

async function* withFirst(first: Row[], others: AsyncIterable<Row[]>): AsyncGenerator<Row[]> {
  yield first;
  yield* others;
}

/**
 * The first day to request after a refusal that may be about the period: banks return the correct day, no details, a response of
 * their own, or an unknown error. Undefined for any other error.
 */
const findGivenPeriod = (error: unknown, earliest: string): string | undefined => {
  const refusal = error instanceof BankUnreachable ? error.cause : undefined;
  if (!(refusal instanceof ProviderRefusal)) return undefined;
  const { status, code, dateFrom } = refusal;
  if (code === 'WRONG_TRANSACTIONS_PERIOD') return dateFrom ?? earliest;
  const isUnclear = (status === 422 && code === undefined) || (status === 400 && code === 'ASPSP_ERROR');
  return isUnclear ? earliest : undefined;
};

/** The maximum number of transactions in a chunk. */
const chunkMax = 1000;

/** Yields an empty chunk for each page, because the order within a day is known only after the last one. */
async function* chunksOf(
  { currency, signal }: HistoryRequest,
  { older, first, pages }: { older: BankTransaction[]; first: string; pages: AsyncIterable<Row[]> },
): AsyncGenerator<BankTransaction[]> {
  const rows: Row[] = [];
  for await (const page of pages) {
    rows.push(...page);
    yield [];
  }
  const newer = toTransactions(rows, currency).filter(({ date }) => date === '' || date >= first);
  const all = withOwnIds([...older, ...newer]);
  for (let start = 0; start < all.length; start += chunkMax) {
    throwIfAborted(signal);
    yield all.slice(start, start + chunkMax);
  }
  throwIfAborted(signal);
}
