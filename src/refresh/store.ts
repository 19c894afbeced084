// The questions a refresh asks: what is staged, what is held, and the statements that publish. What is held is
// seen as fingerprints; nothing here can open a record.
import { insertRows } from '../db/insertRows.ts';
import type { Queries, DbTransaction } from '../db/open.ts';
import { preparedQuery } from '../db/preparedQuery.ts';
import type { IncomingTransaction, ExistingTransaction, MatchResult } from '../transactions/matching.ts';

export type StagedRow = {
  endUserId: string;
  refreshId: string;
  accountId: string;
  ordinal: number;
  /** A `batch` is a row that holds many new entries in its `sealed`; see newEntries.ts. */
  matchResult: MatchResult | 'missing' | 'batch' | null;
  transactionId: string;
  date: string;
  status: string;
  sealed: Buffer;
  transactionFingerprint: Buffer;
  bankIdFingerprint: Buffer | null;
  amountFingerprint: Buffer;
  createdAt: string;
};

/** One account within one refresh. */
export type StagedAccount = { endUserId: string; refreshId: string; accountId: string };

const stagedRows = (db: Queries, of: StagedAccount) =>
  db('staged_transactions').where({
    end_user_id: of.endUserId,
    refresh_id: of.refreshId,
    account_id: of.accountId,
  });

const existingRows = (db: Queries, of: { endUserId: string; accountId: string }) =>
  db('transactions').where({ end_user_id: of.endUserId, account_id: of.accountId });

export const insertStaged = async (db: Queries, rows: readonly StagedRow[]): Promise<void> => {
  await insertRows(
    db,
    'staged_transactions',
    rows.map((row) => ({
      end_user_id: row.endUserId,
      refresh_id: row.refreshId,
      account_id: row.accountId,
      ordinal: row.ordinal,
      match_result: row.matchResult,
      transaction_id: row.transactionId,
      date: row.date,
      status: row.status,
      sealed: row.sealed,
      transaction_fingerprint: row.transactionFingerprint,
      bank_id_fingerprint: row.bankIdFingerprint,
      amount_fingerprint: row.amountFingerprint,
      created_at: row.createdAt,
    })),
  );
};

/** The bytes of the batch that begins with entry `n`. */
export const findBatch = async (db: Queries, of: StagedAccount, n: number): Promise<Buffer> => {
  const row = await stagedRows(db, of).where({ ordinal: n, match_result: 'batch' }).first('sealed');
  if (!row) throw new Error('A staged batch is not there.');
  return row.sealed;
};

type IncomingRow = Omit<
  IncomingTransaction,
  'transactionFingerprint' | 'bankIdFingerprint' | 'amountFingerprint'
> & {
  transactionFingerprint: Buffer;
  bankIdFingerprint: Buffer | null;
  amountFingerprint: Buffer;
};
type ExistingRow = Omit<
  ExistingTransaction,
  'transactionFingerprint' | 'bankIdFingerprint' | 'pendingFingerprint'
> & {
  transactionFingerprint: Buffer;
  bankIdFingerprint: Buffer | null;
  pendingFingerprint: Buffer | null;
};

const incomingColumns = {
  ordinal: 'ordinal',
  date: 'date',
  status: 'status',
  transactionFingerprint: 'transaction_fingerprint',
  bankIdFingerprint: 'bank_id_fingerprint',
  amountFingerprint: 'amount_fingerprint',
};
const existingColumns = {
  id: 'id',
  seq: 'seq',
  date: 'date',
  status: 'status',
  transactionFingerprint: 'transaction_fingerprint',
  bankIdFingerprint: 'bank_id_fingerprint',
  pendingFingerprint: 'pending_fingerprint',
};

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

/** The bank's entries by date, from one date on. */
export const findStagedFrom = async (
  db: Queries,
  of: StagedAccount,
  date: string,
  limit: number,
): Promise<IncomingTransaction[]> => {
  const rows: IncomingRow[] = await stagedRows(db, of)
    .where('ordinal', '>=', 0)
    .where('date', '>=', date)
    .orderBy([{ column: 'date' }, { column: 'ordinal' }])
    .limit(limit)
    .select(incomingColumns);
  return rows.map(rowToIncoming);
};

type ExistingFrom = { endUserId: string; accountId: string; date: string; limit: number };

const existingFrom = preparedQuery<ExistingFrom, ExistingRow>((db, { endUserId, accountId, date }) =>
  db('transactions')
    .where({ end_user_id: endUserId, account_id: accountId })
    .where('date', '>=', date)
    .orderBy([{ column: 'date' }, { column: 'seq' }])
    .select(existingColumns),
);

/** The entries that we hold, by date, from one date on. */
export const findExistingFrom = async (
  db: Queries,
  { endUserId, accountId }: { endUserId: string; accountId: string },
  date: string,
  limit: number,
): Promise<ExistingTransaction[]> =>
  (await existingFrom(db, { endUserId, accountId, date, limit })).map(rowToExisting);

/** The bank's entries that nobody has paired and that have an id of the bank's, in their order. */
export const findUnmatchedWithBankId = async (
  db: Queries,
  of: StagedAccount,
  afterN: number,
  limit: number,
): Promise<IncomingTransaction[]> => {
  const rows: IncomingRow[] = await stagedRows(db, of)
    .where('ordinal', '>', afterN)
    .where('ordinal', '>=', 0)
    .whereNull('match_result')
    .whereNotNull('bank_id_fingerprint')
    .orderBy('ordinal')
    .limit(limit)
    .select(incomingColumns);
  return rows.map(rowToIncoming);
};

/** Of these bank ids, the entries that we hold, from a date on, and that nothing here is paired with yet. */
export const findExistingByBankId = async (
  db: Queries,
  of: StagedAccount,
  from: string,
  bankIdFingerprints: readonly string[],
): Promise<ExistingTransaction[]> => {
  const rows: ExistingRow[] = await existingRows(db, of)
    .where('date', '>=', from)
    .whereIn(
      'bank_id_fingerprint',
      bankIdFingerprints.map((print) => Buffer.from(print, 'hex')),
    )
    .whereNotExists(matchedWithExisting(db, of))
    .select(existingColumns);
  return rows.map(rowToExisting);
};

const matchedWithExisting = (db: Queries, of: StagedAccount) =>
  db('staged_transactions')
    .where({ end_user_id: of.endUserId, refresh_id: of.refreshId })
    .whereRaw('staged_transactions.transaction_id = transactions.id')
    .whereIn('match_result', ['unchanged', 'renumbered', 'changed'])
    .select(db.raw('1'));

/** Pending entries that we hold, from one date on, that nothing in this refresh is paired with yet. */
export const findExistingPending = async (
  db: Queries,
  of: StagedAccount,
  after: { date: string; seq: number },
  limit: number,
): Promise<ExistingTransaction[]> => {
  const rows: ExistingRow[] = await existingRows(db, of)
    .where('status', 'pending')
    .whereRaw('(date, seq) > (?, ?)', [after.date, after.seq])
    .whereNotExists(matchedWithExisting(db, of))
    .orderBy([{ column: 'date' }, { column: 'seq' }])
    .limit(limit)
    .select(existingColumns);
  return rows.map(rowToExisting);
};

/** The bank's entries between two dates that nobody has paired and that are over one of these amounts. */
export const findUnmatchedByAmount = async (
  db: Queries,
  of: StagedAccount,
  range: { from: string; to: string; amountFingerprints: readonly string[] },
  limit: number,
): Promise<IncomingTransaction[]> => {
  const rows: IncomingRow[] = await stagedRows(db, of)
    .where('ordinal', '>=', 0)
    .whereNull('match_result')
    .whereBetween('date', [range.from, range.to])
    .whereIn(
      'amount_fingerprint',
      range.amountFingerprints.map((print) => Buffer.from(print, 'hex')),
    )
    .orderBy([{ column: 'date' }, { column: 'ordinal' }])
    .limit(limit)
    .select(incomingColumns);
  return rows.map(rowToIncoming);
};

/** Where a staged entry is sealed to, and its bytes. */
export const findStagedSeals = async (
  db: Queries,
  of: StagedAccount,
  ns: readonly number[],
): Promise<Map<number, { transactionId: string; sealed: Buffer }>> => {
  const rows: { n: number; transactionId: string; sealed: Buffer }[] = await stagedRows(db, of)
    .whereIn('ordinal', ns)
    .select({ n: 'ordinal', transactionId: 'transaction_id', sealed: 'sealed' });
  return new Map(rows.map((row) => [row.n, row]));
};

/** Notes which staged entries are ones that we hold. */
export const saveMatchResults = async (
  db: Queries,
  of: StagedAccount,
  pairs: readonly { n: number; heldId: string; verdict: MatchResult }[],
): Promise<void> => {
  if (pairs.length === 0) return;
  const row = '(cast(? as integer), cast(? as text), cast(? as text))';
  await db.raw(
    `with pairs (ordinal, held_id, match_result) as (values ${pairs.map(() => row).join(', ')})
     update staged_transactions set transaction_id = pairs.held_id, match_result = pairs.match_result
     from pairs
     where end_user_id = ? and refresh_id = ? and account_id = ? and staged_transactions.ordinal = pairs.ordinal`,
    [
      ...pairs.flatMap((pair) => [pair.n, pair.heldId, pair.verdict]),
      of.endUserId,
      of.refreshId,
      of.accountId,
    ],
  );
};

/** Puts a staged entry's bytes, sealed to another place, where they were. */
export const replaceStagedSeal = async (
  db: Queries,
  of: StagedAccount,
  n: number,
  sealed: Buffer,
): Promise<void> => {
  await stagedRows(db, of).where({ ordinal: n }).update({ sealed });
};

/** Held entries that the bank no longer shows and that nothing was paired with later become void. */
export const deleteMissing = async (
  db: Queries,
  of: StagedAccount,
  heldIds: readonly string[],
): Promise<void> => {
  if (heldIds.length === 0) return;
  await stagedRows(db, of).where({ match_result: 'missing' }).whereIn('transaction_id', heldIds).delete();
};

export type MergeCounts = { added: number; changed: number; renumbered: number; voided: number };

export const countMatchResults = async (db: Queries, of: StagedAccount): Promise<MergeCounts> => {
  const rows: { verdict: string | null; count: number | string }[] = await stagedRows(db, of)
    .groupBy('match_result')
    .select({ verdict: 'match_result' })
    .count({ count: '*' });
  const count = (verdict: string | null): number =>
    Number(rows.find((row) => row.verdict === verdict)?.count ?? 0);
  return {
    added: count(null),
    changed: count('changed'),
    renumbered: count('renumbered'),
    voided: count('missing'),
  };
};

/** What one account's publication needs to know. `target` may be another end user than the one staged for. */
export type Publication = StagedAccount & {
  targetUserId: string;
  firstSeq: number;
  refreshCursor: string;
  dataKeyId: string;
};

/** Adds entries that waited outside of the staging table's rows. */
export const publishBatch = async (
  trx: DbTransaction,
  of: Publication,
  entries: readonly NewTransactionRow[],
): Promise<void> => {
  await insertRows(
    trx,
    'transactions',
    entries.map((entry) => ({
      end_user_id: of.targetUserId,
      account_id: of.accountId,
      id: entry.transactionId,
      date: entry.date,
      seq: of.firstSeq + entry.ordinal,
      refresh_cursor: of.refreshCursor,
      status: entry.status,
      sealed: entry.sealed,
      data_key_id: of.dataKeyId,
      transaction_fingerprint: entry.transactionFingerprint,
      bank_id_fingerprint: entry.bankIdFingerprint,
      pending_fingerprint: entry.status === 'pending' ? entry.amountFingerprint : null,
    })),
  );
};

type NewTransactionRow = Omit<
  StagedRow,
  'endUserId' | 'refreshId' | 'accountId' | 'matchResult' | 'createdAt'
>;

/** Adds what is new between two counts of `n`, so that a large import is many short statements. */
export const publishAdded = async (
  trx: DbTransaction,
  of: Publication,
  range: { from: number; to: number },
): Promise<void> => {
  await trx.raw(
    `insert into transactions (end_user_id, account_id, id, date, seq, refresh_cursor, status, sealed, data_key_id,
       transaction_fingerprint, bank_id_fingerprint, pending_fingerprint)
     select cast(? as text), account_id, transaction_id, date, cast(? as integer) + ordinal, cast(? as text), status, sealed,
       cast(? as text), transaction_fingerprint, bank_id_fingerprint, case when status = 'pending' then amount_fingerprint end
     from staged_transactions
     where end_user_id = ? and refresh_id = ? and account_id = ? and match_result is null and ordinal >= ? and ordinal < ?
     order by ordinal`,
    [
      of.targetUserId,
      of.firstSeq,
      of.refreshCursor,
      of.dataKeyId,
      of.endUserId,
      of.refreshId,
      of.accountId,
      range.from,
      range.to,
    ],
  );
};

// Materialized, so that a planner without statistics goes from the few that changed to their rows, and does not
// look at all staged entries for every transaction.
const changesWith = (verdict: MatchResult | 'missing'): string =>
  `with changes as materialized (
     select transaction_id, date, status, sealed, transaction_fingerprint, bank_id_fingerprint, amount_fingerprint from staged_transactions
     where end_user_id = ? and refresh_id = ? and account_id = ? and match_result = '${verdict}')`;
const stagedAccountBindings = (of: Publication): string[] => [of.endUserId, of.refreshId, of.accountId];
const isChangedRow =
  'transactions.end_user_id = ? and transactions.account_id = ? and transactions.id = transaction_id';

export const publishChanged = async (trx: DbTransaction, of: Publication): Promise<void> => {
  await trx.raw(
    `${changesWith('changed')}
     update transactions set date = changes.date, status = changes.status, sealed = changes.sealed, data_key_id = ?,
       refresh_cursor = ?, transaction_fingerprint = changes.transaction_fingerprint, bank_id_fingerprint = changes.bank_id_fingerprint,
       pending_fingerprint = case when changes.status = 'pending' then changes.amount_fingerprint end
     from changes where ${isChangedRow}`,
    [...stagedAccountBindings(of), of.dataKeyId, of.refreshCursor, of.targetUserId, of.accountId],
  );
};

/** The bank's new ids for entries that are otherwise the same: no change that a reader would see. */
export const publishRenumbered = async (trx: DbTransaction, of: Publication): Promise<void> => {
  await trx.raw(
    `${changesWith('renumbered')}
     update transactions set bank_id_fingerprint = changes.bank_id_fingerprint from changes where ${isChangedRow}`,
    [...stagedAccountBindings(of), of.targetUserId, of.accountId],
  );
};

export const publishVoided = async (trx: DbTransaction, of: Publication): Promise<void> => {
  await trx.raw(
    `${changesWith('missing')}
     update transactions set status = 'void', refresh_cursor = ?, pending_fingerprint = null from changes where ${isChangedRow}`,
    [...stagedAccountBindings(of), of.refreshCursor, of.targetUserId, of.accountId],
  );
};

/**
 * Deletes staged rows of a refresh, up to so many and so many bytes, and at least one; false where none is left.
 */
export const deleteStaged = async (
  db: Queries,
  of: { endUserId: string; refreshId: string },
  step: { rows: number; bytes: number },
): Promise<boolean> => {
  const found: { accountId: string; n: number; bytes: number }[] = await db('staged_transactions')
    .where({ end_user_id: of.endUserId, refresh_id: of.refreshId })
    .orderBy([{ column: 'account_id' }, { column: 'ordinal' }])
    .limit(step.rows)
    .select({ accountId: 'account_id', n: 'ordinal', bytes: db.raw('length(sealed)') });
  let room = step.bytes;
  const rows = found.filter(({ bytes }, at) => {
    const fits = at === 0 || (room > 0 && bytes <= room);
    room = fits ? room - bytes : 0;
    return fits;
  });
  for (const [accountId, group] of Map.groupBy(rows, (row) => row.accountId)) {
    await stagedRows(db, { ...of, accountId })
      .whereBetween('ordinal', [group[0]!.n, group.at(-1)!.n])
      .delete();
  }
  return rows.length < found.length || found.length === step.rows;
};
