// On PostgreSQL, reads a page, newest first, with everything it needs in one statement. It is sent together with the credential
// queries, because another round trip costs more than the page itself. The page is dropped if the credentials are rejected.
import type { PublicTransactionRow } from '../../domain/codec/transaction.ts';
import type { Database } from '../../platform/db/open.ts';
import { isPostgres } from '../../platform/db/queries.ts';
import { sql } from '../../platform/db/sql.ts';
import { isId } from '../../platform/values/ids.ts';
import type { Keyset } from '../../platform/vault/keyset.ts';
import { blockColumns, joinDataKeys, onPostgres, type StoredBlock } from './blocks.ts';
import { decodePageCursor, scopeOf, type TransactionListQuery } from './cursor.ts';
import { lastInteger, newestFirst, numbersOf, selectRows, toDays, toRows } from './transactionRows.ts';

/** A page's rows and their blocks. */
export type PageAhead = {
  refreshedUpTo: number;
  rows: PublicTransactionRow[];
  blocks: readonly StoredBlock[];
};

type Values = {
  endUserId: string;
  accountId: string;
  firstDay: number;
  date: number;
  seq: number;
  /** Null for the newest refresh. */
  refreshedUpTo: number | null;
  limit: number;
};
/** One row per block, or a single row without a block. The first contains the page's rows. */
type Part = { refreshedUpTo: number; numbers: string | null } & (StoredBlock | { block: null });

// `offset 0` keeps the planner, which does not know how few are listed, from reading all the account's blocks.
const selectPage = sql<Values, Part>(
  '',
  `
  with account as materialized (
    select short_id, coalesce(cast(:refreshedUpTo as bigint), last_refresh_time) as refreshed_up_to
    from accounts where end_user_id = :endUserId and id = :accountId),
  page as materialized (
    ${selectRows} where end_user_id = :endUserId and account_short_id = (select short_id from account)
      and date >= :firstDay and (date, seq) < (:date, :seq)
      and refresh_time <= (select refreshed_up_to from account)
    order by ${newestFirst} limit :limit)
  select refreshed_up_to as "refreshedUpTo", found.*,
    case when row_number() over () = 1 then (select ${numbersOf(newestFirst)} from page) end as numbers
  from account
  left join (select distinct block from page) as listed on true
  left join lateral (
    select ${blockColumns(onPostgres)} from transaction_blocks ${joinDataKeys}
    where transaction_blocks.end_user_id = :endUserId and account_short_id = (select short_id from account)
      and transaction_blocks.block = listed.block
    offset 0) as found on true`,
);

/** Undefined on SQLite, for a list without a limit, and for a list of changes. Throws ValidationError (cursor). */
export const readAhead = async (
  db: Database,
  { endUserId, accountId }: { endUserId: string; accountId: string },
  query: TransactionListQuery,
  cursorKeys: Keyset<Buffer>,
): Promise<PageAhead | undefined> => {
  const { limit, cursor, refreshedSince, date } = query;
  const isPage = limit !== undefined && refreshedSince === undefined && isId('acc', accountId);
  if (!isPage || !isPostgres(db.read)) return undefined;
  const { firstDay, lastDay } = toDays(date);
  const { refreshedUpTo, after } =
    cursor === undefined
      ? { refreshedUpTo: null, after: { date: lastDay, seq: lastInteger } }
      : decodePageCursor(cursor, scopeOf(accountId, query), cursorKeys);
  const values = { endUserId, accountId, firstDay, date: after.date, seq: after.seq, refreshedUpTo };
  const parts = await selectPage(db.read, { ...values, limit: limit + 1 });
  const [first] = parts;
  if (!first) return undefined;
  const blocks = parts.filter((part): part is Part & StoredBlock => part.block !== null);
  return { refreshedUpTo: first.refreshedUpTo, rows: toRows(first.numbers), blocks };
};
