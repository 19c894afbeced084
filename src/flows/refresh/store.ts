// A refresh's queries for transactions: staged rows, fingerprints of stored transactions, and publication. Nothing here can unseal a
// transaction.
import { rowsAhead } from '../../domain/codec/block.ts';
import { statusVoid, type TransactionOwner } from '../../domain/codec/transaction.ts';
import type { DbTransaction, Queries } from '../../platform/db/open.ts';
import { insertRows, isPostgres } from '../../platform/db/queries.ts';
import { sql } from '../../platform/db/sql.ts';
import type { StagedTextRow, TransactionBlockRow, TransactionRow } from '../../platform/db/tables.ts';

/** One account within one refresh. */
export type StagedAccount = { endUserId: string; refreshId: string; accountId: string };

/** A transaction within its account. */
export type TransactionKey = { date: number; seq: number };

/** The columns that a row gets from the bank's transaction. */
export type NewContent = TransactionKey &
  Pick<
    TransactionRow,
    'status' | 'block' | 'position' | 'fingerprint' | 'bankIdFingerprint' | 'amountFingerprint'
  >;

export const insertStagedTexts = (db: Queries, row: StagedTextRow): Promise<void> =>
  insertRows(db, 'staged_texts', [row]);

export const findStagedTexts = async (
  db: Queries,
  { endUserId, refreshId, accountId }: StagedAccount,
  ordinal: number,
): Promise<Buffer> => {
  const row = await db('staged_texts').where({ endUserId, refreshId, accountId, ordinal }).first('sealed');
  if (!row) throw new Error('Staged texts are missing.');
  return row.sealed;
};

/** Stores blocks that the sweep deletes after a time unless they are published first. */
export const insertUnpublishedBlocks = async (
  trx: DbTransaction,
  blocks: readonly TransactionBlockRow[],
  deleteAfter: string,
): Promise<void> => {
  await insertRows(trx, 'transaction_blocks', blocks);
  const deletions = blocks.map(({ endUserId, accountShortId, block }) => ({
    ...{ endUserId, accountShortId, block },
    deleteAfter,
  }));
  await insertRows(trx, 'block_deletions', deletions);
};

/** Schedules an account's rows for deletion by the sweep, unless they are published first. */
export const insertRowsAhead = async (
  trx: DbTransaction,
  { endUserId, accountShortId }: TransactionOwner,
  deleteAfter: string,
): Promise<void> => {
  await insertRows(trx, 'block_deletions', [{ endUserId, accountShortId, block: rowsAhead, deleteAfter }]);
};

/** Earlier than any day. */
export const firstDay = -(2 ** 31);

export const afterLastDay = 2 ** 31 - 1;

type StoredAfter = TransactionOwner & TransactionKey & { before: number; limit: number };
type StoredTransaction = Pick<
  TransactionRow,
  | 'date'
  | 'seq'
  | 'status'
  | 'block'
  | 'fingerprint'
  | 'bankIdFingerprint'
  | 'amountFingerprint'
  | 'missingSince'
>;

/** Stored transactions before a day, ordered by date and `seq`, after the one with this date and `seq`. */
export const findStored = sql<StoredAfter, StoredTransaction>(`
  select date, seq, status, block, fingerprint, bank_id_fingerprint as "bankIdFingerprint",
    amount_fingerprint as "amountFingerprint", missing_since as "missingSince"
  from transactions
  where end_user_id = :endUserId and account_short_id = :accountShortId
    and (date, seq) > (:date, :seq) and date < :before
  order by date, seq limit :limit`);

/** A VALUES list of `count` rows with columns of these types, which PostgreSQL does not infer from placeholders. */
const valuesOf = (db: Queries, count: number, types: string): string => {
  const row = types
    .split(' ')
    .map((type) => (isPostgres(db) ? `cast(? as ${type})` : '?'))
    .join(', ');
  return `values ${Array(count).fill(`(${row})`).join(', ')}`;
};

/**
 * The first and last date. A join with a list of keys needs this range, because PostgreSQL's planner underestimates how many
 * transactions an account has, and would read all of them for each list. SQLite reads the list first if it is written as a
 * cross join.
 */
const dateRange = (keys: readonly TransactionKey[]): [number, number] => {
  const dates = keys.map(({ date }) => date);
  return [Math.min(...dates), Math.max(...dates)];
};

/** The ids (16 bytes) of transactions, by `seq`. */
export const findIds = async (
  db: Queries,
  { endUserId, accountShortId }: TransactionOwner,
  keys: readonly TransactionKey[],
): Promise<Map<number, Buffer>> => {
  if (keys.length === 0) return new Map();
  const found = await db.raw<{ seq: number; id: Buffer }[]>(
    `with listed (date, seq) as (${valuesOf(db, keys.length, 'integer integer')})
     select transactions.seq, id from listed cross join transactions
     where end_user_id = ? and account_short_id = ? and transactions.date between ? and ?
       and transactions.date = listed.date and transactions.seq = listed.seq`,
    [...keys.flatMap(({ date, seq }) => [date, seq]), endUserId, accountShortId, ...dateRange(keys)],
  );
  return new Map(found.map(({ seq, id }) => [seq, id]));
};

/** The account being published. `refreshTime` is in milliseconds since 1970. */
export type Publication = TransactionOwner & { refreshTime: number };

/** Inserts new blocks, which may have been created for another end user. */
export const insertBlocks = (
  trx: DbTransaction,
  { endUserId }: Publication,
  blocks: readonly TransactionBlockRow[],
): Promise<void> =>
  insertRows(
    trx,
    'transaction_blocks',
    blocks.map((block) => ({ ...block, endUserId })),
  );

/** Keeps blocks that were stored before, and copies those of another end user. Returns how many still existed. */
export const keepStoredBlocks = async (
  trx: DbTransaction,
  { endUserId, accountShortId }: Publication,
  storedFor: string,
  blocks: readonly number[],
): Promise<number> => {
  if (storedFor === endUserId) {
    return trx('block_deletions').where({ endUserId, accountShortId }).whereIn('block', blocks).delete();
  }
  const copied = await trx.raw<unknown[]>(
    `insert into transaction_blocks (end_user_id, account_short_id, block, data_key_id, transaction_count, sealed)
     select cast(? as text), account_short_id, block, data_key_id, transaction_count, sealed from transaction_blocks
     where end_user_id = ? and account_short_id = ? and block in (${blocks.map(() => '?').join(', ')})
     returning block`,
    [endUserId, storedFor, accountShortId, ...blocks],
  );
  return copied.length;
};

export const insertTransactions = (
  trx: DbTransaction,
  { endUserId, accountShortId, refreshTime }: Publication,
  added: readonly (NewContent & Pick<TransactionRow, 'id'>)[],
): Promise<void> =>
  insertRows(
    trx,
    'transactions',
    added.map((row) => ({ endUserId, accountShortId, refreshTime, missingSince: null, ...row })),
  );

/** Replaces all columns of transactions except their `seq` and id. */
export const updateChanged = async (
  trx: DbTransaction,
  { endUserId, accountShortId, refreshTime }: Publication,
  changed: readonly { key: TransactionKey; content: NewContent }[],
): Promise<void> => {
  const types = 'integer integer integer integer bigint integer bytea bytea bytea';
  await trx.raw(
    `with listed (key_date, key_seq, date, status, block, position, fingerprint, bank_id, amount) as
       (${valuesOf(trx, changed.length, types)})
     update transactions set date = listed.date, status = listed.status, refresh_time = ?, block = listed.block,
       position = listed.position, fingerprint = listed.fingerprint, bank_id_fingerprint = listed.bank_id,
       amount_fingerprint = listed.amount, missing_since = null
     from listed
     where end_user_id = ? and account_short_id = ? and transactions.date between ? and ?
       and transactions.date = key_date and transactions.seq = key_seq`,
    [
      ...changed.flatMap(({ key, content }) => [
        ...[key.date, key.seq, content.date, content.status, content.block, content.position],
        ...[content.fingerprint, content.bankIdFingerprint, content.amountFingerprint],
      ]),
      ...[refreshTime, endUserId, accountShortId, ...dateRange(changed.map(({ key }) => key))],
    ] as Buffer[],
  );
};

/** Stores new ids that the bank gave to transactions. Readers see no change. */
export const updateBankIds = async (
  trx: DbTransaction,
  { endUserId, accountShortId }: Publication,
  renumbered: readonly (TransactionKey & Pick<TransactionRow, 'bankIdFingerprint'>)[],
): Promise<void> => {
  await trx.raw(
    `with listed (key_date, key_seq, bank_id) as
       (${valuesOf(trx, renumbered.length, 'integer integer bytea')})
     update transactions set bank_id_fingerprint = listed.bank_id from listed
     where end_user_id = ? and account_short_id = ? and transactions.date between ? and ?
       and transactions.date = key_date and transactions.seq = key_seq`,
    [
      ...renumbered.flatMap(({ date, seq, bankIdFingerprint }) => [date, seq, bankIdFingerprint]),
      ...[endUserId, accountShortId, ...dateRange(renumbered)],
    ] as Buffer[],
  );
};

/** Sets when the bank began to omit transactions, in minutes since 1970, or null. Readers see no change. */
export const updateMissingSince = async (
  trx: DbTransaction,
  { endUserId, accountShortId }: Publication,
  keys: readonly TransactionKey[],
  missingSince: number | null,
): Promise<void> => {
  await trx.raw(
    `with listed (key_date, key_seq) as (${valuesOf(trx, keys.length, 'integer integer')})
     update transactions set missing_since = cast(? as integer) from listed
     where end_user_id = ? and account_short_id = ? and transactions.date between ? and ?
       and transactions.date = key_date and transactions.seq = key_seq`,
    [
      ...keys.flatMap(({ date, seq }) => [date, seq]),
      ...[missingSince, endUserId, accountShortId, ...dateRange(keys)],
    ],
  );
};

export const updateVoided = async (
  trx: DbTransaction,
  { endUserId, accountShortId, refreshTime }: Publication,
  voided: readonly TransactionKey[],
): Promise<void> => {
  await trx.raw(
    `with listed (key_date, key_seq) as (${valuesOf(trx, voided.length, 'integer integer')})
     update transactions set status = ${statusVoid}, refresh_time = ?, missing_since = null from listed
     where end_user_id = ? and account_short_id = ? and transactions.date between ? and ?
       and transactions.date = key_date and transactions.seq = key_seq`,
    [
      ...voided.flatMap(({ date, seq }) => [date, seq]),
      ...[refreshTime, endUserId, accountShortId, ...dateRange(voided)],
    ],
  );
};

/** Reduces the number of transactions that refer to blocks. Blocks without references are deleted later. */
export const reduceTransactionCounts = async (
  trx: DbTransaction,
  { endUserId, accountShortId }: Publication,
  counts: readonly [block: number, moved: number][],
  deleteAfter: string,
): Promise<void> => {
  const reduced = await trx.raw<{ block: number; transaction_count: number }[]>(
    `with listed (block, moved) as (${valuesOf(trx, counts.length, 'bigint integer')})
     update transaction_blocks set transaction_count = transaction_count - moved from listed
     where end_user_id = ? and account_short_id = ? and transaction_blocks.block = listed.block
     returning transaction_blocks.block, transaction_count`,
    [...counts.flat(), endUserId, accountShortId],
  );
  const unused = reduced.filter((row) => row.transaction_count === 0);
  const deletions = unused.map(({ block }) => ({ endUserId, accountShortId, block, deleteAfter }));
  await insertRows(trx, 'block_deletions', deletions);
};

/** Deletes at most `limit` rows of a refresh's staged texts. Returns the number deleted. */
export const deleteStaged = async (
  db: Queries,
  { endUserId, refreshId }: { endUserId: string; refreshId: string },
  limit: number,
): Promise<number> => {
  const found: Pick<StagedTextRow, 'accountId' | 'ordinal'>[] = await db('staged_texts')
    .where({ endUserId, refreshId })
    .orderBy([{ column: 'accountId' }, { column: 'ordinal' }])
    .limit(limit)
    .select('accountId', 'ordinal');
  for (const [accountId, rows] of Map.groupBy(found, (row) => row.accountId)) {
    await db('staged_texts')
      .where({ endUserId, refreshId, accountId })
      .whereBetween('ordinal', [rows[0]!.ordinal, rows.at(-1)!.ordinal])
      .delete();
  }
  return found.length;
};
