// Finds the rows of a transaction list, page by page.
import type { PublicTransactionRow, TransactionOwner } from '../../domain/codec/transaction.ts';
import { isPostgres, type Queries } from '../../platform/db/queries.ts';
import { sql } from '../../platform/db/sql.ts';
import { toDayNumber } from '../../platform/values/clock.ts';
import type { DateFilter, TransactionPosition } from './cursor.ts';

/** The first and last day of a list, inclusive, in days since 1970. */
export type Days = { firstDay: number; lastDay: number };

/** The filters of a list. Refreshes are times in milliseconds. */
export type TransactionFilter = TransactionOwner &
  Days & {
    /** Only transactions from a later refresh. */
    refreshedSince: number | undefined;
    /** Only transactions from this refresh or an earlier one. */
    refreshedUpTo: number;
  };

export const lastInteger = 2 ** 31 - 1;
/** All values that the column can have. */
export const allDays: Days = { firstDay: -(2 ** 31), lastDay: lastInteger };

export const toDays = ({ gte, gt, lte, lt }: DateFilter = {}): Days => {
  let { firstDay, lastDay } = allDays;
  if (gte !== undefined) firstDay = toDayNumber(gte);
  if (gt !== undefined) firstDay = Math.max(firstDay, toDayNumber(gt) + 1);
  if (lte !== undefined) lastDay = toDayNumber(lte);
  if (lt !== undefined) lastDay = Math.min(lastDay, toDayNumber(lt) - 1);
  return { firstDay, lastDay };
};

export const selectRows = `select date, seq, refresh_time as "refreshTime", status, block, position from transactions`;
const ofAccount = 'end_user_id = :endUserId and account_short_id = :accountShortId';
export const newestFirst = 'date desc, seq desc';

/** PostgreSQL's expression for the rows of a table as one string, in this order. */
export const numbersOf = (order: string): string =>
  `string_agg(concat_ws(',', date, seq, "refreshTime", status, block, position), ',' order by ${order})`;

/** The page begins after a position. */
type Values = TransactionFilter & TransactionPosition & { limit: number };

/** PostgreSQL sends the rows as one string of numbers, because reading each number of each row costs more than finding it. */
const pageStatement = (indexOnSqlite: string, where: string, order: string) => {
  const text = (index: string) => `
    ${selectRows} ${index} where ${ofAccount} and ${where} order by ${order} limit :limit`;
  const findRows = sql<Values, PublicTransactionRow & { numbers: string | null }>(
    text(indexOnSqlite),
    `select ${numbersOf(order)} as numbers from (${text('')}) as page`,
  );
  return async (db: Queries, values: Values): Promise<PublicTransactionRow[]> => {
    const rows = await findRows(db, values);
    return isPostgres(db) ? toRows(rows[0]!.numbers) : rows;
  };
};

/** Parses the string from `numbersOf`; null means no rows. */
export const toRows = (text: string | null): PublicTransactionRow[] => {
  const numbers: number[] = JSON.parse(`[${text ?? ''}]`);
  const rows: PublicTransactionRow[] = [];
  for (let at = 0; at < numbers.length; at += 6) {
    rows.push({
      date: numbers[at]!,
      seq: numbers[at + 1]!,
      refreshTime: numbers[at + 2]!,
      status: numbers[at + 3]!,
      block: numbers[at + 4]!,
      position: numbers[at + 5]!,
    });
  }
  return rows;
};

// Each page begins at or before the last day.
const selectByDate = pageStatement(
  '',
  'date >= :firstDay and (date, seq) < (:date, :seq) and refresh_time <= :refreshedUpTo',
  newestFirst,
);

/** The condition of the index by refresh. */
const byRefresh = 'refresh_time > 0';

// The coalesce keeps planners from using the primary key, whose rows need sorting: with plain conditions, they expect few rows.
// Given two lower bounds, SQLite enters the index at the first.
const selectOfLaterRefreshes = pageStatement(
  '',
  `refresh_time > :refreshTime and refresh_time <= :refreshedUpTo and ${byRefresh}
     and coalesce(date >= :firstDay and date <= :lastDay, false)`,
  `"refreshTime", ${newestFirst}`,
);

// Without statistics, SQLite would use the primary key and read all older rows for a page deep in the account.
const selectRemainingOfRefresh = pageStatement(
  'indexed by transactions_by_refresh',
  `${byRefresh} and refresh_time = :refreshTime and date >= :firstDay and (date, seq) < (:date, :seq)`,
  newestFirst,
);

/**
 * Newest date first; with `refreshedSince`, oldest refresh first. That takes two statements, because one keyset condition over
 * a mixed order would read a whole refresh again for every page.
 */
export const findNextRows = async (
  db: Queries,
  filter: TransactionFilter,
  after: TransactionPosition | undefined,
  limit: number,
): Promise<PublicTransactionRow[]> => {
  const { refreshedSince, lastDay } = filter;
  const start = after ?? { refreshTime: refreshedSince ?? 0, date: lastDay, seq: lastInteger };
  const values = { ...filter, ...start, limit };
  if (refreshedSince === undefined) return selectByDate(db, values);
  if (!after) return selectOfLaterRefreshes(db, values);
  // The rows of later refreshes may be wasted, but reading them is cheaper than another round trip.
  const found = await Promise.all([selectRemainingOfRefresh(db, values), selectOfLaterRefreshes(db, values)]);
  return found.flat().slice(0, limit);
};
