// Queries for the sandbox's key-value store, its loaded logins and transactions, and its clocks.
import type { Tables } from 'knex/types/tables.js';
import type { DbTransaction, Queries } from '../../../platform/db/open.ts';
import { countRows, takeAfter } from '../../../platform/db/queries.ts';
import type { SandboxTransactionRow } from '../../../platform/db/tables.ts';

/**
 * Locks an organization's sandbox until the transaction ends: two processes with different versions of the secret must not both
 * add a row for the same name, and two loads must not both use the remaining quota.
 */
export const lockSandbox = async (trx: DbTransaction, organizationId: string): Promise<void> => {
  await trx('organizations').where({ id: organizationId }).forNoKeyUpdate().first('id');
};

/** A row found by the fingerprint of a name; `sealed` contains the name. */
export type NamedRow = { organizationId: string; fingerprint: Buffer; sealed: Buffer };
/** A row of any of the tables below. */
export type SealedRow = Pick<NamedRow, 'organizationId' | 'sealed'> & Partial<ValueRow & LoginRow>;
type ValueRow = Tables['sandbox_kv'];
type LoginRow = Tables['sandbox_logins'];

/** The columns sealed with the sandbox secret. */
export const sealed = [
  { table: 'sandbox_kv', key: ['fingerprint', 'position'], column: 'sealed', madeWith: ['organizationId'] },
  { table: 'sandbox_logins', key: ['fingerprint'], column: 'sealed', madeWith: ['organizationId'] },
  {
    table: 'sandbox_transactions',
    key: ['loadId', 'position'],
    column: 'sealed',
    joined: { table: 'sandbox_loads', by: 'loadId', columns: ['organizationId'] },
  },
] as const;

/** The values of a key, which may have any of these fingerprints, in a range of positions. */
export const findValues = async (
  db: Queries,
  fingerprints: Buffer[],
  positions: [first: number, last: number],
): Promise<ValueRow[]> =>
  db('sandbox_kv')
    .whereIn('fingerprint', fingerprints)
    .whereBetween('position', positions)
    .orderBy('position')
    .select('*');

export const findLastPosition = async (trx: DbTransaction, fingerprints: Buffer[]): Promise<number> => {
  const values = trx('sandbox_kv').whereIn('fingerprint', fingerprints);
  const row = await values.max({ last: 'position' }).first();
  return Number(row?.last ?? 0);
};

/** Stores the value of a key, which may have any of these fingerprints. */
export const putValue = async (trx: DbTransaction, fingerprints: Buffer[], row: ValueRow): Promise<void> => {
  const { position } = row;
  await trx('sandbox_kv').whereIn('fingerprint', fingerprints).where({ position }).delete();
  await trx('sandbox_kv').insert(row);
};

export const insertLoad = async (db: Queries, organizationId: string, startedAt: Date): Promise<number> => {
  const load = { organizationId, startedAt: startedAt.toISOString() };
  const [row] = await db('sandbox_loads').insert(load).returning('id');
  return row!.id;
};

/** Inserts rows except transactions that their account already has. Returns the positions of the inserted rows. */
export const insertLoadedTransactions = async (
  db: Queries,
  rows: SandboxTransactionRow[],
): Promise<number[]> => {
  const query = db('sandbox_transactions').insert(rows).onConflict(['loadId', 'transactionFingerprint']);
  return (await query.ignore().returning('position')).map(({ position }) => position);
};

/** One transaction per login of a load, ordered by the load's fingerprint of the login. */
export const findTransactionOfEachLogin = (
  db: Queries,
  loadId: number,
  after: Buffer,
  limit: number,
): Promise<SandboxTransactionRow[]> => {
  const first = db('sandbox_transactions')
    .where({ loadId })
    .where('loginFingerprint', '>', after)
    .groupBy('loginFingerprint')
    .orderBy('loginFingerprint')
    .limit(limit)
    .min('position');
  return db('sandbox_transactions')
    .where({ loadId })
    .whereIn('position', first)
    .orderBy('loginFingerprint')
    .select('*');
};

/** Stores logins, which may have any of these fingerprints. */
export const putLogins = async (
  trx: DbTransaction,
  fingerprints: Buffer[],
  rows: LoginRow[],
): Promise<void> => {
  await trx('sandbox_logins').whereIn('fingerprint', fingerprints).delete();
  await trx('sandbox_logins').insert(rows);
};

/** Marks a load as finished and counts its accounts. */
export const finishLoad = async (trx: DbTransaction, loadId: number, finishedAt: Date): Promise<number> => {
  await trx('sandbox_loads').where({ id: loadId }).update({ finishedAt: finishedAt.toISOString() });
  const accounts = trx('sandbox_transactions').where({ loadId }).distinct('accountFingerprint');
  return countRows(trx.from(accounts.as('accounts')));
};

/** The number of transactions that an organization's logins use, excluding one load. */
export const countOtherTransactions = (
  db: Queries,
  { organizationId, loadId }: { organizationId: string; loadId: number },
): Promise<number> => {
  const used = db('sandbox_logins as login').join('sandbox_transactions as loaded', (on) =>
    on.on('loaded.loadId', 'login.loadId').andOn('loaded.loginFingerprint', 'login.loginFingerprint'),
  );
  return countRows(used.where('login.organizationId', organizationId).whereNot('login.loadId', loadId));
};

type LoadedLoginKey = Pick<LoginRow, 'loadId' | 'loginFingerprint'>;
type LoadedAccountKey = LoadedLoginKey & { accountFingerprint: Buffer };

/** The load that a login uses, and the login's fingerprint in it. */
export const findLogin = (db: Queries, fingerprints: Buffer[]): Promise<LoadedLoginKey | undefined> =>
  db('sandbox_logins').whereIn('fingerprint', fingerprints).first('loadId', 'loginFingerprint');

const transactionsOfLogin = (db: Queries, { loadId, loginFingerprint }: LoadedLoginKey) =>
  db('sandbox_transactions').where({ loadId, loginFingerprint });

/** A login's accounts, ordered by their first row in the file. */
export const findAccountFingerprints = async (db: Queries, login: LoadedLoginKey): Promise<Buffer[]> =>
  transactionsOfLogin(db, login)
    .groupBy('accountFingerprint')
    .orderByRaw('min(position)')
    .pluck('accountFingerprint');

export const findLastLoadedTransaction = async (
  db: Queries,
  account: LoadedAccountKey,
): Promise<SandboxTransactionRow | undefined> =>
  transactionsOfLogin(db, account)
    .where({ accountFingerprint: account.accountFingerprint })
    .orderBy([
      { column: 'date', order: 'desc' },
      { column: 'position', order: 'desc' },
    ])
    .first('*');

export const countLoadedTransactions = (
  db: Queries,
  account: LoadedAccountKey,
  since: string,
): Promise<number> => {
  const { accountFingerprint } = account;
  return countRows(transactionsOfLogin(db, account).where({ accountFingerprint }).where('date', '>=', since));
};

/** The transactions after this one, ordered by date and position. */
export const findLoadedTransactionsAfter = async (
  db: Queries,
  account: LoadedAccountKey,
  after: { date: string; position: number },
  limit: number,
): Promise<SandboxTransactionRow[]> => {
  const { accountFingerprint } = account;
  const query = transactionsOfLogin(db, account).where({ accountFingerprint }).select('*');
  return takeAfter(query, ['date', 'position'], { after: [after.date, after.position], limit });
};

/**
 * An organization's loads that may have rows to delete: finished ones, and unfinished ones that started before
 * `startedBefore`.
 */
export const findOldLoads = async (
  db: Queries,
  { organizationId, except, startedBefore }: { organizationId: string; except: number; startedBefore: Date },
): Promise<number[]> =>
  db('sandbox_loads')
    .where({ organizationId })
    .whereNot({ id: except })
    .where((either) =>
      either.whereNotNull('finishedAt').orWhere('startedAt', '<', startedBefore.toISOString()),
    )
    .pluck('id');

/** Deletes up to `limit` of a load's transactions whose login does not use the load. Returns the number deleted. */
export const deleteHiddenTransactions = async (
  db: Queries,
  loadId: number,
  limit: number,
): Promise<number> => {
  const hidden = db('sandbox_transactions as loaded')
    .where('loaded.loadId', loadId)
    .whereNotExists(
      db('sandbox_logins as login')
        .select(db.raw('1'))
        .whereRaw('?? = ??', ['login.loginFingerprint', 'loaded.loginFingerprint'])
        .whereRaw('?? = ??', ['login.loadId', 'loaded.loadId']),
    )
    .limit(limit)
    .select('loaded.position');
  return db('sandbox_transactions').where({ loadId }).whereIn('position', hidden).delete();
};

export const deleteEmptyLoad = async (db: Queries, loadId: number): Promise<void> => {
  await db('sandbox_loads')
    .where({ id: loadId })
    .whereNotExists(db('sandbox_transactions').where({ loadId }).select(db.raw('1')))
    .delete();
};

/** The number of seconds that each advanced sandbox clock is ahead of real time. */
export const findSandboxOffsets = async (
  db: Queries,
): Promise<{ organizationId: string; offsetSeconds: number }[]> =>
  db('sandbox_clocks').select('organizationId', 'offsetSeconds');

/** The number of seconds that an organization's sandbox clock is ahead of real time. */
export const findSandboxOffset = async (db: Queries, organizationId: string): Promise<number> => {
  const row = await db('sandbox_clocks').where({ organizationId }).first('offsetSeconds');
  return row?.offsetSeconds ?? 0;
};

/** Adds atomically to the offset of an organization's clock and returns the new offset. */
export const addSandboxOffset = async (
  db: Queries,
  organizationId: string,
  added: number,
  changedAt: Date,
): Promise<number> => {
  const [row] = await db('sandbox_clocks')
    .insert({ organizationId, offsetSeconds: added, changedAt: changedAt.toISOString() })
    .onConflict('organizationId')
    .merge({
      offsetSeconds: db.raw('sandbox_clocks.offset_seconds + excluded.offset_seconds'),
      changedAt: changedAt.toISOString(),
    })
    .returning('offsetSeconds');
  return row!.offsetSeconds;
};
