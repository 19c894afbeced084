// The queries of a refresh: staged transactions, fingerprints of the stored ones, and the statements that publish.
// Nothing here can unseal a transaction.
import type { DbTransaction, Queries } from '../db/open.ts';
import { insertRows, preparedQuery } from '../db/preparedQuery.ts';
import type { StagedTransactionRow, TransactionRow } from '../db/tables.ts';
import type { ExistingTransaction, IncomingTransaction, MatchResult } from '../transactions/matching.ts';

export type StagedRow = StagedTransactionRow;

/** One account within one refresh. */
export type StagedAccount = { endUserId: string; refreshId: string; accountId: string };

const stagedRows = (db: Queries, { endUserId, refreshId, accountId }: StagedAccount) =>
  db('staged_transactions').where({ endUserId, refreshId, accountId });

const existingRows = (db: Queries, { endUserId, accountId }: { endUserId: string; accountId: string }) =>
  db('transactions').where({ endUserId, accountId });

export const insertStaged = (db: Queries, rows: readonly StagedRow[]): Promise<void> =>
  insertRows(db, 'staged_transactions', rows);

/** The packed bytes of the batch row with this ordinal. */
export const findBatch = async (
  db: Queries,
  stagedAccount: StagedAccount,
  ordinal: number,
): Promise<Buffer> => {
  const row = await stagedRows(db, stagedAccount).where({ ordinal, matchResult: 'batch' }).first('sealed');
  if (!row) throw new Error('A staged batch is missing.');
  return row.sealed;
};

const incomingColumns = [
  'ordinal',
  'date',
  'status',
  'transactionFingerprint',
  'bankIdFingerprint',
  'amountFingerprint',
] as const;
const existingColumns = [
  'id',
  'seq',
  'date',
  'status',
  'transactionFingerprint',
  'bankIdFingerprint',
  'pendingFingerprint',
] as const;

type IncomingRow = Pick<StagedTransactionRow, (typeof incomingColumns)[number]>;
type ExistingRow = Pick<TransactionRow, (typeof existingColumns)[number]>;

const hex = (bytes: Buffer | null): string | null => bytes?.toString('hex') ?? null;
const rowToIncoming = (row: IncomingRow): IncomingTransaction => ({
  ordinal: row.ordinal,
  date: row.date,
  status: row.status,
  transactionFingerprint: row.transactionFingerprint.toString('hex'),
  bankIdFingerprint: hex(row.bankIdFingerprint),
  amountFingerprint: row.amountFingerprint.toString('hex'),
});
const rowToExisting = (row: ExistingRow): ExistingTransaction => ({
  id: row.id,
  seq: row.seq,
  date: row.date,
  status: row.status,
  transactionFingerprint: row.transactionFingerprint.toString('hex'),
  bankIdFingerprint: hex(row.bankIdFingerprint),
  pendingFingerprint: hex(row.pendingFingerprint),
});

/** Staged transactions by date, from `date` on. */
export const findStagedFrom = async (
  db: Queries,
  stagedAccount: StagedAccount,
  date: string,
  limit: number,
): Promise<IncomingTransaction[]> => {
  const rows = await stagedRows(db, stagedAccount)
    .where('ordinal', '>=', 0)
    .where('date', '>=', date)
    .orderBy([{ column: 'date' }, { column: 'ordinal' }])
    .limit(limit)
    .select(...incomingColumns);
  return rows.map(rowToIncoming);
};

const existingFrom = preparedQuery(
  'transactions',
  existingColumns,
  (
    query,
    { endUserId, accountId, date }: { endUserId: string; accountId: string; date: string; limit: number },
  ) =>
    query
      .where({ endUserId, accountId })
      .where('date', '>=', date)
      .orderBy([{ column: 'date' }, { column: 'seq' }]),
);

/** Stored transactions by date, from `date` on. */
export const findExistingFrom = async (
  db: Queries,
  { endUserId, accountId }: { endUserId: string; accountId: string },
  date: string,
  limit: number,
): Promise<ExistingTransaction[]> =>
  (await existingFrom(db, { endUserId, accountId, date, limit })).map(rowToExisting);

/** Unmatched staged transactions that have an id of the bank, by ordinal. */
export const findUnmatchedWithBankId = async (
  db: Queries,
  stagedAccount: StagedAccount,
  afterOrdinal: number,
  limit: number,
): Promise<IncomingTransaction[]> => {
  const rows = await stagedRows(db, stagedAccount)
    .where('ordinal', '>', afterOrdinal)
    .where('ordinal', '>=', 0)
    .whereNull('matchResult')
    .whereNotNull('bankIdFingerprint')
    .orderBy('ordinal')
    .limit(limit)
    .select(...incomingColumns);
  return rows.map(rowToIncoming);
};

/** Unmatched stored transactions with these ids of the bank, from the date `from` on. */
export const findExistingByBankId = async (
  db: Queries,
  stagedAccount: StagedAccount,
  from: string,
  bankIdFingerprints: readonly string[],
): Promise<ExistingTransaction[]> => {
  const rows = await existingRows(db, stagedAccount)
    .where('date', '>=', from)
    .whereIn(
      'bankIdFingerprint',
      bankIdFingerprints.map((fingerprint) => Buffer.from(fingerprint, 'hex')),
    )
    .whereNotExists(matchedWithExisting(db, stagedAccount))
    .select(...existingColumns);
  return rows.map(rowToExisting);
};

const matchedWithExisting = (db: Queries, stagedAccount: StagedAccount) =>
  db('staged_transactions')
    .where({ endUserId: stagedAccount.endUserId, refreshId: stagedAccount.refreshId })
    .whereRaw('staged_transactions.transaction_id = transactions.id')
    .whereIn('matchResult', ['unchanged', 'renumbered', 'changed'])
    .select(db.raw('1'));

/** Unmatched pending stored transactions after a date and sequence number, in this order. */
export const findExistingPending = async (
  db: Queries,
  stagedAccount: StagedAccount,
  after: { date: string; seq: number },
  limit: number,
): Promise<ExistingTransaction[]> => {
  const rows = await existingRows(db, stagedAccount)
    .where('status', 'pending')
    .whereRaw('(date, seq) > (?, ?)', [after.date, after.seq])
    .whereNotExists(matchedWithExisting(db, stagedAccount))
    .orderBy([{ column: 'date' }, { column: 'seq' }])
    .limit(limit)
    .select(...existingColumns);
  return rows.map(rowToExisting);
};

/** Unmatched staged transactions between two dates (both included) with one of these amounts. */
export const findUnmatchedByAmount = async (
  db: Queries,
  stagedAccount: StagedAccount,
  range: { from: string; to: string; amountFingerprints: readonly string[] },
  limit: number,
): Promise<IncomingTransaction[]> => {
  const rows = await stagedRows(db, stagedAccount)
    .where('ordinal', '>=', 0)
    .whereNull('matchResult')
    .whereBetween('date', [range.from, range.to])
    .whereIn(
      'amountFingerprint',
      range.amountFingerprints.map((fingerprint) => Buffer.from(fingerprint, 'hex')),
    )
    .orderBy([{ column: 'date' }, { column: 'ordinal' }])
    .limit(limit)
    .select(...incomingColumns);
  return rows.map(rowToIncoming);
};

/** The sealed bytes of staged transactions and the ids that they are sealed under, by ordinal. */
export const findStagedSeals = async (
  db: Queries,
  stagedAccount: StagedAccount,
  ordinals: readonly number[],
): Promise<Map<number, { transactionId: string; sealed: Buffer }>> => {
  const rows = await stagedRows(db, stagedAccount)
    .whereIn('ordinal', ordinals)
    .select('ordinal', 'transactionId', 'sealed');
  return new Map(rows.map((row) => [row.ordinal, row]));
};

/** Stores which staged transactions match which stored ones. */
export const saveMatchResults = async (
  db: Queries,
  stagedAccount: StagedAccount,
  matches: readonly { ordinal: number; existingId: string; matchResult: MatchResult }[],
): Promise<void> => {
  if (matches.length === 0) return;
  const row = '(cast(? as integer), cast(? as text), cast(? as text))';
  await db.raw(
    `with matches (ordinal, existing_id, match_result) as (values ${matches.map(() => row).join(', ')})
     update staged_transactions set transaction_id = matches.existing_id, match_result = matches.match_result
     from matches
     where end_user_id = ? and refresh_id = ? and account_id = ? and staged_transactions.ordinal = matches.ordinal`,
    [
      ...matches.flatMap((match) => [match.ordinal, match.existingId, match.matchResult]),
      ...stagedAccountBindings(stagedAccount),
    ],
  );
};

/** Replaces the sealed bytes of a staged transaction. */
export const replaceStagedSeal = async (
  db: Queries,
  stagedAccount: StagedAccount,
  ordinal: number,
  sealed: Buffer,
): Promise<void> => {
  await stagedRows(db, stagedAccount).where({ ordinal }).update({ sealed });
};

/** Deletes the `missing` rows of stored transactions that were matched after all. */
export const deleteMissing = async (
  db: Queries,
  stagedAccount: StagedAccount,
  existingIds: readonly string[],
): Promise<void> => {
  if (existingIds.length === 0) return;
  await stagedRows(db, stagedAccount)
    .where({ matchResult: 'missing' })
    .whereIn('transactionId', existingIds)
    .delete();
};

export type MergeCounts = { added: number; changed: number; renumbered: number; voided: number };

export const countMatchResults = async (db: Queries, stagedAccount: StagedAccount): Promise<MergeCounts> => {
  const rows: { matchResult: string | null; count: number | string }[] = await stagedRows(db, stagedAccount)
    .groupBy('matchResult')
    .select('matchResult')
    .count({ count: '*' });
  const count = (matchResult: string | null): number =>
    Number(rows.find((row) => row.matchResult === matchResult)?.count ?? 0);
  return {
    added: count(null),
    changed: count('changed'),
    renumbered: count('renumbered'),
    voided: count('missing'),
  };
};

/** What publishing one account needs. `targetUserId` differs from `endUserId` when a first link joins an end user. */
export type Publication = StagedAccount & {
  targetUserId: string;
  firstSeq: number;
  refreshCursor: string;
  dataKeyId: string;
};

/** Inserts new transactions that were not staged as rows of their own. */
export const publishBatch = async (
  trx: DbTransaction,
  publication: Publication,
  transactions: readonly NewTransactionRow[],
): Promise<void> => {
  await insertRows(
    trx,
    'transactions',
    transactions.map((transaction) => ({
      endUserId: publication.targetUserId,
      accountId: publication.accountId,
      id: transaction.transactionId,
      date: transaction.date,
      seq: publication.firstSeq + transaction.ordinal,
      refreshCursor: publication.refreshCursor,
      status: transaction.status,
      sealed: transaction.sealed,
      dataKeyId: publication.dataKeyId,
      transactionFingerprint: transaction.transactionFingerprint,
      bankIdFingerprint: transaction.bankIdFingerprint,
      pendingFingerprint: transaction.status === 'pending' ? transaction.amountFingerprint : null,
    })),
  );
};

type NewTransactionRow = Omit<
  StagedRow,
  'endUserId' | 'refreshId' | 'accountId' | 'matchResult' | 'createdAt'
>;

/** Inserts the new staged transactions of a range of ordinals, so that a large import is many short statements. */
export const publishAdded = async (
  trx: DbTransaction,
  publication: Publication,
  range: { from: number; to: number },
): Promise<void> => {
  await trx.raw(
    `insert into transactions (end_user_id, account_id, id, date, seq, refresh_cursor, status, sealed, data_key_id,
       transaction_fingerprint, bank_id_fingerprint, pending_fingerprint)
     select cast(? as text), account_id, transaction_id, date, cast(? as integer) + ordinal, cast(? as text), status,
       sealed, cast(? as text), transaction_fingerprint, bank_id_fingerprint,
       case when status = 'pending' then amount_fingerprint end
     from staged_transactions
     where end_user_id = ? and refresh_id = ? and account_id = ? and match_result is null
       and ordinal >= ? and ordinal < ?
     order by ordinal`,
    [
      publication.targetUserId,
      publication.firstSeq,
      publication.refreshCursor,
      publication.dataKeyId,
      ...stagedAccountBindings(publication),
      range.from,
      range.to,
    ],
  );
};

const stagedAccountBindings = ({ endUserId, refreshId, accountId }: StagedAccount): string[] => [
  endUserId,
  refreshId,
  accountId,
];

// Materialized: without statistics, the planner would otherwise scan all staged rows for every transaction.
const updateFromStaged = async (
  trx: DbTransaction,
  publication: Publication,
  matchResult: MatchResult | 'missing',
  change: { set: string; bindings: string[] },
): Promise<void> => {
  await trx.raw(
    `with changes as materialized (
       select transaction_id, date, status, sealed, transaction_fingerprint, bank_id_fingerprint, amount_fingerprint
       from staged_transactions
       where end_user_id = ? and refresh_id = ? and account_id = ? and match_result = '${matchResult}')
     update transactions set ${change.set} from changes
     where transactions.end_user_id = ? and transactions.account_id = ? and transactions.id = transaction_id`,
    [
      ...stagedAccountBindings(publication),
      ...change.bindings,
      publication.targetUserId,
      publication.accountId,
    ],
  );
};

export const publishChanged = (trx: DbTransaction, publication: Publication): Promise<void> =>
  updateFromStaged(trx, publication, 'changed', {
    set: `date = changes.date, status = changes.status, sealed = changes.sealed, data_key_id = ?, refresh_cursor = ?,
       transaction_fingerprint = changes.transaction_fingerprint, bank_id_fingerprint = changes.bank_id_fingerprint,
       pending_fingerprint = case when changes.status = 'pending' then changes.amount_fingerprint end`,
    bindings: [publication.dataKeyId, publication.refreshCursor],
  });

/** Stores the bank's new ids of transactions that are otherwise unchanged. Readers see no change. */
export const publishRenumbered = (trx: DbTransaction, publication: Publication): Promise<void> =>
  updateFromStaged(trx, publication, 'renumbered', {
    set: 'bank_id_fingerprint = changes.bank_id_fingerprint',
    bindings: [],
  });

export const publishVoided = (trx: DbTransaction, publication: Publication): Promise<void> =>
  updateFromStaged(trx, publication, 'missing', {
    set: "status = 'void', refresh_cursor = ?, pending_fingerprint = null",
    bindings: [publication.refreshCursor],
  });

/**
 * Deletes at most `step.rows` staged rows and about `step.bytes` of a refresh, at least one row. Returns whether rows
 * may be left.
 */
export const deleteStaged = async (
  db: Queries,
  refresh: { endUserId: string; refreshId: string },
  step: { rows: number; bytes: number },
): Promise<boolean> => {
  const found: { accountId: string; ordinal: number; bytes: number }[] = await db('staged_transactions')
    .where({ endUserId: refresh.endUserId, refreshId: refresh.refreshId })
    .orderBy([{ column: 'accountId' }, { column: 'ordinal' }])
    .limit(step.rows)
    .select('accountId', 'ordinal', { bytes: db.raw('length(sealed)') });
  let bytesLeft = step.bytes;
  const rows = found.filter(({ bytes }, index) => {
    const fits = index === 0 || (bytesLeft > 0 && bytes <= bytesLeft);
    bytesLeft = fits ? bytesLeft - bytes : 0;
    return fits;
  });
  for (const [accountId, group] of Map.groupBy(rows, (row) => row.accountId)) {
    await stagedRows(db, { ...refresh, accountId })
      .whereBetween('ordinal', [group[0]!.ordinal, group.at(-1)!.ordinal])
      .delete();
  }
  return rows.length < found.length || found.length === step.rows;
};
