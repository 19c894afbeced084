// The SQL of the sandbox's tables: its key-value store, the loaded logins and transactions, and its clock.
import type { DbTransaction, Queries } from '../../../db/open.ts';

/** A single value has position 0; the values of a list have positions from 1. */
export type KeyValueRow = { keyFingerprint: Buffer; position: number; sealed: Buffer };

export const findValue = async (db: Queries, keyFingerprint: Buffer): Promise<Buffer | undefined> => {
  const row = await db('sandbox_kv').where({ key_fingerprint: keyFingerprint, position: 0 }).first('sealed');
  return row?.sealed;
};

export const putValue = async (db: Queries, keyFingerprint: Buffer, sealed: Buffer): Promise<void> => {
  await db('sandbox_kv')
    .insert({ key_fingerprint: keyFingerprint, position: 0, sealed })
    .onConflict(['key_fingerprint', 'position'])
    .merge(['sealed']);
};

export const countValues = async (db: Queries, keyFingerprint: Buffer): Promise<number> => {
  const row = await db('sandbox_kv')
    .where({ key_fingerprint: keyFingerprint })
    .max({ last: 'position' })
    .first();
  return Number(row?.last ?? 0);
};

/** False where the position is taken already. */
export const insertValue = async (db: Queries, row: KeyValueRow): Promise<boolean> => {
  const inserted = await db('sandbox_kv')
    .insert({ key_fingerprint: row.keyFingerprint, position: row.position, sealed: row.sealed })
    .onConflict(['key_fingerprint', 'position'])
    .ignore()
    .returning('position');
  return inserted.length > 0;
};

/** A list's first `count` values, or all of them. */
export const findValues = async (db: Queries, keyFingerprint: Buffer, count?: number): Promise<Buffer[]> => {
  const query = db('sandbox_kv').where({ key_fingerprint: keyFingerprint }).where('position', '>', 0);
  if (count !== undefined) query.where('position', '<=', count);
  return query.orderBy('position').pluck('sealed');
};

export type LoadedTransactionRow = {
  loadId: number;
  position: number;
  loginFingerprint: Buffer;
  accountFingerprint: Buffer;
  date: string;
  transactionFingerprint: Buffer | null;
  sealed: Buffer;
};

export const insertLoad = async (db: Queries, startedAt: Date): Promise<number> => {
  const [row] = await db('sandbox_loads').insert({ started_at: startedAt.toISOString() }).returning('id');
  return row.id;
};

export const insertLoadedTransactions = async (db: Queries, rows: LoadedTransactionRow[]): Promise<void> => {
  await db('sandbox_transactions').insert(
    rows.map((row) => ({
      load_id: row.loadId,
      position: row.position,
      login_fingerprint: row.loginFingerprint,
      account_fingerprint: row.accountFingerprint,
      date: row.date,
      transaction_fingerprint: row.transactionFingerprint,
      sealed: row.sealed,
    })),
  );
};

/** Which of these fingerprints a load already has. */
export const findTransactionFingerprints = async (
  db: Queries,
  loadId: number,
  fingerprints: Buffer[],
): Promise<Buffer[]> =>
  db('sandbox_transactions')
    .where({ load_id: loadId })
    .whereIn('transaction_fingerprint', fingerprints)
    .pluck('transaction_fingerprint');

/** Makes its logins use this load, and counts its logins and accounts. */
export const publishLoad = async (
  trx: DbTransaction,
  loadId: number,
  finishedAt: Date,
): Promise<{ logins: number; accounts: number }> => {
  const loaded = trx('sandbox_transactions').where({ load_id: loadId });
  await trx('sandbox_logins')
    .whereIn('login_fingerprint', loaded.clone().select('login_fingerprint'))
    .delete();
  await trx
    .from(trx.raw('?? (??, ??)', ['sandbox_logins', 'login_fingerprint', 'load_id']))
    .insert(loaded.clone().distinct('login_fingerprint', 'load_id'));
  await trx('sandbox_loads').where({ id: loadId }).update({ finished_at: finishedAt.toISOString() });
  const logins = await trx('sandbox_logins').where({ load_id: loadId }).count({ count: '*' }).first();
  const accounts = await trx
    .from(loaded.clone().distinct('login_fingerprint', 'account_fingerprint').as('loaded_accounts'))
    .count({ count: '*' })
    .first();
  return { logins: Number(logins?.count), accounts: Number(accounts?.count) };
};

/** The load that a login uses. */
export const findLoadOfLogin = async (db: Queries, loginFingerprint: Buffer): Promise<number | undefined> => {
  const row = await db('sandbox_logins').where({ login_fingerprint: loginFingerprint }).first('load_id');
  return row?.load_id;
};

type LoadedLoginKey = { loadId: number; loginFingerprint: Buffer };
type LoadedAccountKey = LoadedLoginKey & { accountFingerprint: Buffer };

const transactionsOfLogin = (db: Queries, { loadId, loginFingerprint }: LoadedLoginKey) =>
  db('sandbox_transactions').where({ load_id: loadId, login_fingerprint: loginFingerprint });

/** A login's accounts, in the order of their first row in the file. */
export const findAccountFingerprints = async (db: Queries, login: LoadedLoginKey): Promise<Buffer[]> =>
  transactionsOfLogin(db, login)
    .groupBy('account_fingerprint')
    .orderByRaw('min(position)')
    .pluck('account_fingerprint');

export type SealedTransaction = { position: number; date: string; sealed: Buffer };

export const findLastLoadedTransaction = async (
  db: Queries,
  account: LoadedAccountKey,
): Promise<SealedTransaction | undefined> =>
  transactionsOfLogin(db, account)
    .where({ account_fingerprint: account.accountFingerprint })
    .orderBy([
      { column: 'date', order: 'desc' },
      { column: 'position', order: 'desc' },
    ])
    .first('position', 'date', 'sealed');

export const countLoadedTransactions = async (
  db: Queries,
  account: LoadedAccountKey,
  since: string,
): Promise<number> => {
  const row = await transactionsOfLogin(db, account)
    .where({ account_fingerprint: account.accountFingerprint })
    .where('date', '>=', since)
    .count({ count: '*' })
    .first();
  return Number(row?.count);
};

/** The transactions after this one, ordered by date and position. */
export const findLoadedTransactionsAfter = async (
  db: Queries,
  account: LoadedAccountKey,
  after: { date: string; position: number },
  limit: number,
): Promise<SealedTransaction[]> =>
  transactionsOfLogin(db, account)
    .where({ account_fingerprint: account.accountFingerprint })
    .whereRaw('(??, ??) > (?, ?)', ['date', 'position', after.date, after.position])
    .orderBy(['date', 'position'])
    .limit(limit)
    .select('position', 'date', 'sealed');

/** Loads that may have rows to delete: finished ones, and unfinished ones that started before `startedBefore`. */
export const findOldLoads = async (db: Queries, except: number, startedBefore: Date): Promise<number[]> =>
  db('sandbox_loads')
    .whereNot({ id: except })
    .where((either) =>
      either.whereNotNull('finished_at').orWhere('started_at', '<', startedBefore.toISOString()),
    )
    .pluck('id');

/** Deletes up to `limit` transactions of a load whose login does not use it; returns how many. */
export const deleteHiddenTransactions = async (
  db: Queries,
  loadId: number,
  limit: number,
): Promise<number> => {
  const hidden = db('sandbox_transactions as loaded')
    .where('loaded.load_id', loadId)
    .whereNotExists(
      db('sandbox_logins as login')
        .select(db.raw('1'))
        .whereRaw('?? = ??', ['login.login_fingerprint', 'loaded.login_fingerprint'])
        .whereRaw('?? = ??', ['login.load_id', 'loaded.load_id']),
    )
    .limit(limit)
    .select('loaded.position');
  return db('sandbox_transactions').where({ load_id: loadId }).whereIn('position', hidden).delete();
};

export const deleteEmptyLoad = async (db: Queries, loadId: number): Promise<void> => {
  await db('sandbox_loads')
    .where({ id: loadId })
    .whereNotExists(db('sandbox_transactions').where({ load_id: loadId }).select(db.raw('1')))
    .delete();
};

const clockRowId = 1;

/** How many seconds the sandbox clock is ahead of real time. */
export const findSandboxOffset = async (db: Queries): Promise<number> => {
  const row = await db('sandbox_clock').where({ id: clockRowId }).first('offset_seconds');
  return row?.offset_seconds ?? 0;
};

/** Adds to the offset atomically and returns the new one. */
export const addSandboxOffset = async (db: Queries, added: number, changedAt: Date): Promise<number> => {
  const [row] = await db('sandbox_clock')
    .insert({ id: clockRowId, offset_seconds: added, changed_at: changedAt.toISOString() })
    .onConflict('id')
    .merge({
      offset_seconds: db.raw('sandbox_clock.offset_seconds + excluded.offset_seconds'),
      changed_at: changedAt.toISOString(),
    })
    .returning('offset_seconds');
  return row.offset_seconds;
};
