// The SQL of the sandbox bank's tables: what it remembers, and the logins that an operator loaded.
import type { DbTransaction, Queries } from '../../../db/open.ts';

/** Position 0 holds a single value, 1 and on the values of a list. */
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

/** False where somebody else has taken this position. */
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

/** Which of these a load holds already. */
export const findTransactionFingerprints = async (
  db: Queries,
  loadId: number,
  prints: Buffer[],
): Promise<Buffer[]> =>
  db('sandbox_transactions')
    .where({ load_id: loadId })
    .whereIn('transaction_fingerprint', prints)
    .pluck('transaction_fingerprint');

/** Makes a load the one that its logins show, and counts what it brought. */
export const publishLoad = async (
  trx: DbTransaction,
  loadId: number,
  finishedAt: Date,
): Promise<{ logins: number; accounts: number }> => {
  const ours = trx('sandbox_transactions').where({ load_id: loadId });
  await trx('sandbox_logins').whereIn('login_fingerprint', ours.clone().select('login_fingerprint')).delete();
  await trx
    .from(trx.raw('?? (??, ??)', ['sandbox_logins', 'login_fingerprint', 'load_id']))
    .insert(ours.clone().distinct('login_fingerprint', 'load_id'));
  await trx('sandbox_loads').where({ id: loadId }).update({ finished_at: finishedAt.toISOString() });
  const logins = await trx('sandbox_logins').where({ load_id: loadId }).count({ count: '*' }).first();
  const accounts = await trx
    .from(ours.clone().distinct('login_fingerprint', 'account_fingerprint').as('held'))
    .count({ count: '*' })
    .first();
  return { logins: Number(logins?.count), accounts: Number(accounts?.count) };
};

/** The load that a login's data come from. */
export const findLoadOfLogin = async (db: Queries, loginFingerprint: Buffer): Promise<number | undefined> => {
  const row = await db('sandbox_logins').where({ login_fingerprint: loginFingerprint }).first('load_id');
  return row?.load_id;
};

type LoadedLoginKey = { loadId: number; loginFingerprint: Buffer };
type LoadedAccountKey = LoadedLoginKey & { accountFingerprint: Buffer };

const transactionsOfLogin = (db: Queries, { loadId, loginFingerprint }: LoadedLoginKey) =>
  db('sandbox_transactions').where({ load_id: loadId, login_fingerprint: loginFingerprint });

/** A login's accounts, in the order in which the file names them first. */
export const findAccountFingerprints = async (db: Queries, owned: LoadedLoginKey): Promise<Buffer[]> =>
  transactionsOfLogin(db, owned)
    .groupBy('account_fingerprint')
    .orderByRaw('min(position)')
    .pluck('account_fingerprint');

export type SealedTransaction = { position: number; date: string; sealed: Buffer };

export const findLastLoadedTransaction = async (
  db: Queries,
  held: LoadedAccountKey,
): Promise<SealedTransaction | undefined> =>
  transactionsOfLogin(db, held)
    .where({ account_fingerprint: held.accountFingerprint })
    .orderBy([
      { column: 'date', order: 'desc' },
      { column: 'position', order: 'desc' },
    ])
    .first('position', 'date', 'sealed');

export const countLoadedTransactions = async (
  db: Queries,
  held: LoadedAccountKey,
  since: string,
): Promise<number> => {
  const row = await transactionsOfLogin(db, held)
    .where({ account_fingerprint: held.accountFingerprint })
    .where('date', '>=', since)
    .count({ count: '*' })
    .first();
  return Number(row?.count);
};

/** The entries that follow a place in the order of date and position. */
export const findLoadedTransactionsAfter = async (
  db: Queries,
  held: LoadedAccountKey,
  after: { date: string; position: number },
  limit: number,
): Promise<SealedTransaction[]> =>
  transactionsOfLogin(db, held)
    .where({ account_fingerprint: held.accountFingerprint })
    .whereRaw('(??, ??) > (?, ?)', ['date', 'position', after.date, after.position])
    .orderBy(['date', 'position'])
    .limit(limit)
    .select('position', 'date', 'sealed');

/** Loads that no longer matter as a whole or in part: finished ones, and those that began too long ago. */
export const findOldLoads = async (db: Queries, except: number, startedBefore: Date): Promise<number[]> =>
  db('sandbox_loads')
    .whereNot({ id: except })
    .where((either) =>
      either.whereNotNull('finished_at').orWhere('started_at', '<', startedBefore.toISOString()),
    )
    .pluck('id');

/** Deletes up to `limit` entries of a load that no login shows; returns how many. */
export const deleteHiddenTransactions = async (
  db: Queries,
  loadId: number,
  limit: number,
): Promise<number> => {
  const hidden = db('sandbox_transactions as entry')
    .where('entry.load_id', loadId)
    .whereNotExists(
      db('sandbox_logins as login')
        .select(db.raw('1'))
        .whereRaw('?? = ??', ['login.login_fingerprint', 'entry.login_fingerprint'])
        .whereRaw('?? = ??', ['login.load_id', 'entry.load_id']),
    )
    .limit(limit)
    .select('entry.position');
  return db('sandbox_transactions').where({ load_id: loadId }).whereIn('position', hidden).delete();
};

export const deleteEmptyLoad = async (db: Queries, loadId: number): Promise<void> => {
  await db('sandbox_loads')
    .where({ id: loadId })
    .whereNotExists(db('sandbox_transactions').where({ load_id: loadId }).select(db.raw('1')))
    .delete();
};

const clockRowId = 1;

/** By how many seconds the sandbox's clock is ahead of real time. */
export const findSandboxOffset = async (db: Queries): Promise<number> => {
  const row = await db('sandbox_clock').where({ id: clockRowId }).first('offset_seconds');
  return row?.offset_seconds ?? 0;
};

/** Adds to the offset, whoever else does so at the same time; returns what it is then. */
export const addSandboxOffset = async (db: Queries, added: number, movedAt: Date): Promise<number> => {
  const [row] = await db('sandbox_clock')
    .insert({ id: clockRowId, offset_seconds: added, changed_at: movedAt.toISOString() })
    .onConflict('id')
    .merge({
      offset_seconds: db.raw('sandbox_clock.offset_seconds + excluded.offset_seconds'),
      changed_at: movedAt.toISOString(),
    })
    .returning('offset_seconds');
  return row.offset_seconds;
};
