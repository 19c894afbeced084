// The queries of a refresh: what waits to be published, fingerprints of the stored transactions, and the statements that publish.
// Nothing here can unseal a transaction.
import { setImmediate } from 'node:timers/promises';
import { inChunks } from '../chunks.ts';
import type { TransactionOwner } from '../codec/transaction.ts';
import { statusVoid } from '../codec/transaction.ts';
import type { DbTransaction, Queries } from '../db/open.ts';
import { insertRows, isPostgres, preparedQuery } from '../db/queries.ts';
import type { AccountRow, StagedTextRow, TransactionBlockRow, TransactionRow } from '../db/tables.ts';

/** One account within one refresh. */
export type StagedAccount = { endUserId: string; refreshId: string; accountId: string };

/** A transaction within its account. */
export type TransactionKey = { date: number; seq: number };

/** What a row gets from the transaction that the bank sent. */
export type NewContent = TransactionKey &
  Pick<
    TransactionRow,
    'status' | 'block' | 'position' | 'fingerprint' | 'bankIdFingerprint' | 'pendingFingerprint'
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

/** Stores blocks that the sweep deletes after a time, unless they are published before. */
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

/** Before every day. */
export const firstDay = -(2 ** 31);

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
  await inBatches(
    keys.toSorted((left, right) => left.date - right.date),
    async (batch) => {
      const found = await db.raw<{ seq: number; id: Buffer }[]>(
        `with keys (date, seq) as (values ${repeat(toValues(db, ['integer', 'integer']), batch.length)})
         select transactions.seq, id from keys cross join transactions
         where end_user_id = ? and account_short_id = ? and transactions.date between ? and ?
           and transactions.date = keys.date and transactions.seq = keys.seq`,
        [
          ...batch.flatMap(({ date, seq }) => [date, seq]),
          ...[endUserId, accountShortId, ...dateRange(batch)],
        ],
      );
      for (const { seq, id } of found) ids.set(seq, id);
    },
  );
  return ids;
};

/**
 * The first and the last date. A join with a list of keys needs it, because PostgreSQL's planner underestimates how many
 * transactions an account has, and would read all of them for each list. SQLite reads the list first where it is written
 * as a cross join.
 */
const dateRange = (keys: readonly TransactionKey[]): [number, number] => {
  const dates = keys.map(({ date }) => date);
  return [Math.min(...dates), Math.max(...dates)];
};

const rowsPerStatement = 200;
const blocksPerStatement = 50;

/** Runs `change` for a few items at a time, and other tasks of the process in between. */
const inBatches = async <Item>(
  items: Iterable<Item>,
  change: (batch: Item[]) => Promise<unknown>,
  size = rowsPerStatement,
): Promise<void> => {
  for (const batch of inChunks(items, size)) {
    await change(batch);
    await setImmediate();
  }
};

/** The account that is published. `refreshTime` is in milliseconds since 1970. */
export type Publication = TransactionOwner & { refreshTime: number };

export const insertBlocks = (
  trx: DbTransaction,
  { endUserId }: Publication,
  blocks: readonly TransactionBlockRow[],
): Promise<void> =>
  inBatches(
    blocks,
    (batch) =>
      insertRows(
        trx,
        'transaction_blocks',
        batch.map((block) => ({ ...block, endUserId })),
      ),
    blocksPerStatement,
  );

/**
 * Keeps blocks that were stored before; those of another end user are copied. Returns false if the sweep has deleted one.
 */
export const keepStoredBlocks = async (
  trx: DbTransaction,
  { endUserId, accountShortId }: Publication,
  storedFor: string,
  blocks: readonly number[],
): Promise<boolean> => {
  let kept = 0;
  await inBatches(blocks, async (batch) => {
    if (storedFor === endUserId) {
      const deletions = trx('block_deletions').where({ endUserId, accountShortId }).whereIn('block', batch);
      kept += await deletions.delete();
      return;
    }
    const copied = await trx.raw<unknown[]>(
      `insert into transaction_blocks (end_user_id, account_short_id, block, data_key_id, transaction_count, sealed)
       select cast(? as text), account_short_id, block, data_key_id, transaction_count, sealed from transaction_blocks
       where end_user_id = ? and account_short_id = ? and block in (${repeat('?', batch.length)})
       returning block`,
      [endUserId, storedFor, accountShortId, ...batch],
    );
    kept += copied.length;
  });
  return kept === blocks.length;
};

export const insertTransactions = (
  trx: DbTransaction,
  { endUserId, accountShortId, refreshTime }: Publication,
  transactions: Iterable<NewContent & { id: Buffer }>,
): Promise<void> =>
  inBatches(transactions, (batch) =>
    insertRows(
      trx,
      'transactions',
      batch.map((transaction) => ({ endUserId, accountShortId, refreshTime, ...transaction })),
    ),
  );

/** A list of transactions with values for each: its columns after the keys, and what is set from them. */
type UpdateList<Item> = {
  columns: readonly { name: string; type: ValueType }[];
  keyOf(item: Item): TransactionKey;
  valuesOf(item: Item): readonly (number | Buffer | null)[];
  /** Refers to the columns as `listed.NAME`, and to `bindings` as `?`. */
  set: string;
  bindings: readonly number[];
};

const updateListed = <Item>(
  trx: DbTransaction,
  { endUserId, accountShortId }: TransactionOwner,
  items: Iterable<Item>,
  { columns, keyOf, valuesOf, set, bindings }: UpdateList<Item>,
): Promise<void> => {
  const names = ['key_date', 'key_seq', ...columns.map(({ name }) => name)].join(', ');
  const row = toValues(trx, ['integer', 'integer', ...columns.map(({ type }) => type)]);
  return inBatches(items, async (batch) => {
    const keys = batch.map(keyOf);
    await trx.raw(
      `with listed (${names}) as (values ${repeat(row, batch.length)})
       update transactions set ${set} from listed
       where end_user_id = ? and account_short_id = ? and transactions.date between ? and ?
         and transactions.date = key_date and transactions.seq = key_seq`,
      [
        ...batch.flatMap((item, index) => [keys[index]!.date, keys[index]!.seq, ...valuesOf(item)]),
        ...bindings,
        ...[endUserId, accountShortId, ...dateRange(keys)],
      ] as Buffer[],
    );
  });
};

/** Replaces everything of these transactions but their `seq` and id. */
export const updateChanged = (
  trx: DbTransaction,
  publication: Publication,
  changes: Iterable<{ existing: TransactionKey; content: NewContent }>,
): Promise<void> =>
  updateListed(trx, publication, changes, {
    columns: [
      { name: 'date', type: 'integer' },
      { name: 'status', type: 'integer' },
      { name: 'block', type: 'bigint' },
      { name: 'position', type: 'integer' },
      { name: 'fingerprint', type: 'bytes' },
      { name: 'bank_id', type: 'bytes' },
      { name: 'pending', type: 'bytes' },
    ],
    keyOf: ({ existing }) => existing,
    valuesOf: ({ content }) => [
      ...[content.date, content.status, content.block, content.position],
      ...[content.fingerprint, content.bankIdFingerprint, content.pendingFingerprint],
    ],
    set: `date = listed.date, status = listed.status, refresh_time = ?, block = listed.block,
      position = listed.position, fingerprint = listed.fingerprint, bank_id_fingerprint = listed.bank_id,
      pending_fingerprint = listed.pending`,
    bindings: [publication.refreshTime],
  });

/** A transaction to which the bank has given another id. */
export type NewBankId = TransactionKey & Pick<TransactionRow, 'bankIdFingerprint'>;

/** Readers see no change. */
export const updateBankIds = (
  trx: DbTransaction,
  publication: Publication,
  renumbered: Iterable<NewBankId>,
): Promise<void> =>
  updateListed(trx, publication, renumbered, {
    columns: [{ name: 'bank_id', type: 'bytes' }],
    keyOf: (key) => key,
    valuesOf: ({ bankIdFingerprint }) => [bankIdFingerprint],
    set: 'bank_id_fingerprint = listed.bank_id',
    bindings: [],
  });

export const updateVoided = (
  trx: DbTransaction,
  publication: Publication,
  voided: Iterable<TransactionKey>,
): Promise<void> =>
  updateListed(trx, publication, voided, {
    columns: [],
    keyOf: (key) => key,
    valuesOf: () => [],
    set: `status = ${statusVoid}, refresh_time = ?, pending_fingerprint = null`,
    bindings: [publication.refreshTime],
  });

/**
 * Counts that fewer transactions refer to blocks: `counts` is how many, by block. Those to which none refers any more are
 * deleted after a time.
 */
export const reduceTransactionCounts = async (
  trx: DbTransaction,
  { endUserId, accountShortId }: Publication,
  counts: ReadonlyMap<number, number>,
  deleteAfter: string,
): Promise<void> => {
  await inBatches(counts, async (batch) => {
    const reduced = await trx.raw<{ block: number; transaction_count: number }[]>(
      `with changes (block, moved) as (values ${repeat(toValues(trx, ['bigint', 'integer']), batch.length)})
       update transaction_blocks set transaction_count = transaction_count - moved from changes
       where end_user_id = ? and account_short_id = ? and transaction_blocks.block = changes.block
       returning transaction_blocks.block, transaction_count`,
      [...batch.flat(), endUserId, accountShortId],
    );
    const unused = reduced.filter((row) => row.transaction_count === 0);
    const deletions = unused.map(({ block }) => ({ endUserId, accountShortId, block, deleteAfter }));
    await insertRows(trx, 'block_deletions', deletions);
  });
};

/** Deletes at most `limit` rows of staged texts of a refresh. Returns whether some may be left. */
export const deleteStaged = async (
  db: Queries,
  { endUserId, refreshId }: { endUserId: string; refreshId: string },
  limit: number,
): Promise<boolean> => {
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
  return found.length === limit;
};

/** What a refresh needs of a stored account. */
export type StoredAccountRow = Omit<AccountRow, 'sealed' | 'keySealed' | 'keyWrapped' | 'readAt'>;

/** The accounts of a connection, in the order in which the bank listed them. */
export const findAccountRows = preparedQuery(
  'accounts',
  [
    'id',
    'endUserId',
    'connectionId',
    'lastRefreshTime',
    'position',
    'bankIdFingerprint',
    'numberFingerprint',
    'shortId',
    'nextSeq',
    'balanceAsOf',
    'lastSeenAt',
    'readTo',
  ],
  (query, { endUserId, connectionId }: { endUserId: string; connectionId: string }) =>
    query.where({ endUserId, connectionId }).orderBy('position'),
);

export const insertAccount = async (db: Queries, row: AccountRow): Promise<void> => {
  await db('accounts').insert(row);
};

export const updateAccount = async (
  db: Queries,
  { endUserId, id }: { endUserId: string; id: string },
  change: Partial<AccountRow>,
): Promise<void> => {
  await db('accounts').where({ endUserId, id }).update(change);
};
