// The queries of a refresh: staged blocks, fingerprints of the stored transactions, and the statements that publish.
// Nothing here can unseal a transaction.
import { setImmediate } from 'node:timers/promises';
import { inChunks } from '../chunks.ts';
import { isPostgres } from '../db/clients.ts';
import type { DbTransaction, Queries } from '../db/open.ts';
import { insertRows, preparedQuery } from '../db/preparedQuery.ts';
import type { StagedBlockRow, TransactionRow } from '../db/tables.ts';
import type { TransactionOwner } from '../transactions/store.ts';
import { statusVoid } from '../transactions/transaction.ts';

/** One account within one refresh. */
export type StagedAccount = { endUserId: string; refreshId: string; accountId: string };

/** A transaction within its account. */
export type TransactionKey = { date: number; seq: number };

/** What a row gets from the transaction that the bank sent; `block` is counted from 0 within the refresh. */
export type NewContent = Pick<
  TransactionRow,
  | 'date'
  | 'seq'
  | 'status'
  | 'block'
  | 'position'
  | 'fingerprint'
  | 'bankIdFingerprint'
  | 'pendingFingerprint'
>;

/** A sealed block; `block` is counted from 0 within the refresh and account. */
export type NewBlock = { block: number; sealed: Buffer; transactionCount: number };

export const insertStagedBlock = (db: Queries, row: StagedBlockRow): Promise<void> =>
  insertRows(db, 'staged_blocks', [row]);

export const findStagedBlock = async (
  db: Queries,
  { endUserId, refreshId, accountId }: StagedAccount,
  block: { kind: StagedBlockRow['kind']; ordinal: number },
): Promise<Buffer> => {
  const row = await db('staged_blocks')
    .where({ endUserId, refreshId, accountId, ...block })
    .first('sealed');
  if (!row) throw new Error('A staged block is missing.');
  return row.sealed;
};

const existingColumns = [
  'date',
  'seq',
  'status',
  'block',
  'fingerprint',
  'bankIdFingerprint',
  'pendingFingerprint',
] as const;

type ExistingQuery = TransactionOwner & { after: TransactionKey; before: number | undefined; limit: number };
type ExistingValues = TransactionOwner & TransactionKey & { before: number; limit: number };

const existingTransactions = preparedQuery(
  'transactions',
  existingColumns,
  (query, { endUserId, accountShortId, date, seq, before }: ExistingValues) =>
    query
      .where({ endUserId, accountShortId })
      .whereRaw('(date, seq) > (?, ?)', [date, seq])
      .where('date', '<', before)
      .orderBy([{ column: 'date' }, { column: 'seq' }]),
);

const afterLastDay = 2 ** 31 - 1;

/** Stored transactions by date and `seq`, after a transaction and before a day. */
export const findExisting = (
  db: Queries,
  { endUserId, accountShortId, after, before = afterLastDay, limit }: ExistingQuery,
): Promise<Pick<TransactionRow, (typeof existingColumns)[number]>[]> =>
  existingTransactions(db, { endUserId, accountShortId, ...after, before, limit });

type ValueType = 'integer' | 'bigint' | 'bytes';

/** Rows for a VALUES list. PostgreSQL does not infer the types of its placeholders. */
const toValues = (db: Queries, types: readonly ValueType[]): string => {
  const placeholders = types.map((type) =>
    isPostgres(db) ? `cast(? as ${type === 'bytes' ? 'bytea' : type})` : '?',
  );
  return `(${placeholders.join(', ')})`;
};

const repeat = (text: string, count: number): string => Array(count).fill(text).join(', ');

/** The ids (16 bytes) of transactions, by `seq`. */
export const findIds = async (
  db: Queries,
  { endUserId, accountShortId }: TransactionOwner,
  keys: readonly TransactionKey[],
): Promise<Map<number, Buffer>> => {
  const ids = new Map<number, Buffer>();
  await inBatches(keys, async (batch) => {
    const found = await rawRows<{ seq: number; id: Buffer }>(
      db,
      `with keys (date, seq) as (values ${repeat(toValues(db, ['integer', 'integer']), batch.length)})
       select transactions.seq, id from keys join transactions
       on end_user_id = ? and account_short_id = ? and transactions.date = keys.date and transactions.seq = keys.seq`,
      [...batch.flatMap(({ date, seq }) => [date, seq]), endUserId, accountShortId],
    );
    for (const { seq, id } of found) ids.set(seq, id);
  });
  return ids;
};

const rawRows = async <Row>(db: Queries, sql: string, bindings: (string | number)[]): Promise<Row[]> => {
  const result: unknown = await db.raw(sql, bindings);
  return (Array.isArray(result) ? result : (result as { rows: Row[] }).rows) as Row[];
};

const rowsPerStatement = 200;

/** Runs `change` for a few items at a time, and other tasks of the process in between. */
const inBatches = async <Item>(
  items: Iterable<Item>,
  change: (batch: Item[]) => Promise<unknown>,
): Promise<void> => {
  for (const batch of inChunks(items, rowsPerStatement)) {
    await change(batch);
    await setImmediate();
  }
};

/** The account that is published. `refreshTime` is in milliseconds since 1970. */
export type Publication = TransactionOwner & {
  /** Where its staged blocks are; differs from the owner when a first link joins another end user. */
  staged: StagedAccount;
  refreshTime: number;
  dataKeyId: string;
  /** The number of its first new block. */
  firstBlock: number;
};

export const insertBlocks = (
  trx: DbTransaction,
  { endUserId, accountShortId, dataKeyId, firstBlock }: Publication,
  blocks: readonly NewBlock[],
): Promise<void> =>
  insertRows(
    trx,
    'transaction_blocks',
    blocks.map(({ block, sealed, transactionCount }) => ({
      ...{ endUserId, accountShortId, block: firstBlock + block, dataKeyId, sealed, transactionCount },
      unusedSince: null,
    })),
  );

/** Inserts the staged blocks of a range of ordinals. */
export const insertStagedNewBlocks = async (
  trx: DbTransaction,
  { endUserId, accountShortId, dataKeyId, firstBlock, staged }: Publication,
  range: { from: number; to: number },
): Promise<void> => {
  await trx.raw(
    `insert into transaction_blocks (end_user_id, account_short_id, block, data_key_id, sealed, transaction_count)
     select cast(? as text), cast(? as integer), cast(? as integer) + ordinal, cast(? as text), sealed, transaction_count
     from staged_blocks
     where end_user_id = ? and refresh_id = ? and account_id = ? and kind = 'new' and ordinal >= ? and ordinal < ?`,
    [
      ...[endUserId, accountShortId, firstBlock, dataKeyId],
      ...[staged.endUserId, staged.refreshId, staged.accountId, range.from, range.to],
    ],
  );
};

export const insertTransactions = (
  trx: DbTransaction,
  { endUserId, accountShortId, refreshTime, firstBlock }: Publication,
  transactions: readonly (NewContent & { id: Buffer })[],
): Promise<void> =>
  insertRows(
    trx,
    'transactions',
    transactions.map((transaction) => ({
      ...{ endUserId, accountShortId, refreshTime },
      ...transaction,
      block: firstBlock + transaction.block,
    })),
  );

/** Replaces everything of these transactions but their `seq` and id. */
export const updateChanged = async (
  trx: DbTransaction,
  { endUserId, accountShortId, refreshTime, firstBlock }: Publication,
  changes: Iterable<{ existing: TransactionKey; content: NewContent }>,
): Promise<void> => {
  const row = toValues(trx, [
    ...(['integer', 'integer', 'integer', 'integer', 'integer', 'integer'] as const),
    ...(['bytes', 'bytes', 'bytes'] as const),
  ]);
  await inBatches(changes, async (batch) => {
    await trx.raw(
      `with changes (old_date, seq, date, status, block, position, fingerprint, bank_id, pending) as
         (values ${repeat(row, batch.length)})
       update transactions set date = changes.date, status = changes.status, refresh_time = ?, block = changes.block,
         position = changes.position, fingerprint = changes.fingerprint, bank_id_fingerprint = changes.bank_id,
         pending_fingerprint = changes.pending
       from changes
       where end_user_id = ? and account_short_id = ? and transactions.date = old_date and transactions.seq = changes.seq`,
      [
        ...batch.flatMap(({ existing, content }) => [
          ...[existing.date, existing.seq, content.date, content.status],
          ...[firstBlock + content.block, content.position],
          ...[content.fingerprint, content.bankIdFingerprint, content.pendingFingerprint],
        ]),
        ...[refreshTime, endUserId, accountShortId],
      ] as Buffer[],
    );
  });
};

/** Stores the bank's new ids of transactions that are otherwise unchanged. Readers see no change. */
export const updateRenumbered = async (
  trx: DbTransaction,
  { endUserId, accountShortId }: Publication,
  renumbered: Iterable<TransactionKey & { bankIdFingerprint: Buffer | null }>,
): Promise<void> => {
  await inBatches(renumbered, async (batch) => {
    await trx.raw(
      `with changes (date, seq, bank_id) as
         (values ${repeat(toValues(trx, ['integer', 'integer', 'bytes']), batch.length)})
       update transactions set bank_id_fingerprint = bank_id from changes
       where end_user_id = ? and account_short_id = ? and transactions.date = changes.date
         and transactions.seq = changes.seq`,
      [
        ...batch.flatMap(({ date, seq, bankIdFingerprint }) => [date, seq, bankIdFingerprint]),
        ...[endUserId, accountShortId],
      ] as Buffer[],
    );
  });
};

export const updateVoided = async (
  trx: DbTransaction,
  { endUserId, accountShortId, refreshTime }: Publication,
  voided: Iterable<TransactionKey>,
): Promise<void> => {
  await inBatches(voided, async (batch) => {
    await trx.raw(
      `with changes (date, seq) as (values ${repeat(toValues(trx, ['integer', 'integer']), batch.length)})
       update transactions set status = ${statusVoid}, refresh_time = ?, pending_fingerprint = null from changes
       where end_user_id = ? and account_short_id = ? and transactions.date = changes.date
         and transactions.seq = changes.seq`,
      [...batch.flatMap(({ date, seq }) => [date, seq]), refreshTime, endUserId, accountShortId],
    );
  });
};

/** Counts the transactions that refer to blocks: `counts` is how many fewer, by block. */
export const reduceTransactionCounts = async (
  trx: DbTransaction,
  { endUserId, accountShortId }: Publication,
  counts: ReadonlyMap<number, number>,
  now: string,
): Promise<void> => {
  await inBatches(counts, async (batch) => {
    await trx.raw(
      `with changes (block, moved) as (values ${repeat(toValues(trx, ['integer', 'integer']), batch.length)})
       update transaction_blocks set transaction_count = transaction_count - moved,
         unused_since = case when transaction_count = moved then ? end
       from changes
       where end_user_id = ? and account_short_id = ? and transaction_blocks.block = changes.block`,
      [...batch.flat(), now, endUserId, accountShortId],
    );
  });
};

/** Deletes at most `limit` staged blocks of a refresh. Returns whether some may be left. */
export const deleteStaged = async (
  db: Queries,
  { endUserId, refreshId }: { endUserId: string; refreshId: string },
  limit: number,
): Promise<boolean> => {
  const ofRefresh = { endUserId, refreshId };
  const found: Pick<StagedBlockRow, 'accountId' | 'kind' | 'ordinal'>[] = await db('staged_blocks')
    .where(ofRefresh)
    .orderBy([{ column: 'accountId' }, { column: 'kind' }, { column: 'ordinal' }])
    .limit(limit)
    .select('accountId', 'kind', 'ordinal');
  for (const [accountId, ofAccount] of Map.groupBy(found, (row) => row.accountId)) {
    for (const [kind, rows] of Map.groupBy(ofAccount, (row) => row.kind)) {
      await db('staged_blocks')
        .where({ ...ofRefresh, accountId, kind })
        .whereBetween('ordinal', [rows[0]!.ordinal, rows.at(-1)!.ordinal])
        .delete();
    }
  }
  return found.length === limit;
};
