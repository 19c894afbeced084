// The SQL of the sandbox's tables: its keys, its key-value store, the loaded logins and transactions, and its clocks.
import type { Tables } from 'knex/types/tables.js';
import type { DbTransaction, Queries } from '../../db/open.ts';
import type { SandboxTransactionRow } from '../../db/tables.ts';

/** The sealed key of an organization's data. */
export const findSandboxKey = async (db: Queries, organizationId: string): Promise<Buffer | undefined> => {
  const row = await db('sandbox_keys').where({ organizationId }).first('sealed');
  return row?.sealed;
};

type SandboxKeyRow = Tables['sandbox_keys'];

/** Stores the key of an organization, unless it has one. */
export const insertSandboxKey = async (db: Queries, row: SandboxKeyRow): Promise<void> => {
  await db('sandbox_keys').insert(row).onConflict('organizationId').ignore();
};

/** The keys of all organizations, by organization, after one of them. */
export const findSandboxKeys = (
  db: Queries,
  after: SandboxKeyRow | undefined,
  limit: number,
): Promise<SandboxKeyRow[]> =>
  db('sandbox_keys')
    .where('organizationId', '>', after?.organizationId ?? '')
    .orderBy('organizationId')
    .limit(limit)
    .select('organizationId', 'sealed');

/** Replaces a sealed key, unless it has changed. */
export const replaceSandboxKey = async (
  trx: DbTransaction,
  { organizationId, sealed }: SandboxKeyRow,
  replacement: Buffer,
): Promise<void> => {
  await trx('sandbox_keys').where({ organizationId, sealed }).update({ sealed: replacement });
};

export const findValue = async (db: Queries, keyFingerprint: Buffer): Promise<Buffer | undefined> => {
  const row = await db('sandbox_kv').where({ keyFingerprint, position: 0 }).first('sealed');
  return row?.sealed;
};

export const putValue = async (db: Queries, keyFingerprint: Buffer, sealed: Buffer): Promise<void> => {
  await db('sandbox_kv')
    .insert({ keyFingerprint, position: 0, sealed })
    .onConflict(['keyFingerprint', 'position'])
    .merge(['sealed']);
};

export const countValues = async (db: Queries, keyFingerprint: Buffer): Promise<number> => {
  const row = await db('sandbox_kv').where({ keyFingerprint }).max({ last: 'position' }).first();
  return Number(row?.last ?? 0);
};

/** False where the position is taken already. */
export const insertValue = async (db: Queries, row: Tables['sandbox_kv']): Promise<boolean> => {
  const inserted = await db('sandbox_kv')
    .insert(row)
    .onConflict(['keyFingerprint', 'position'])
    .ignore()
    .returning('position');
  return inserted.length > 0;
};

/** A list's first `count` values, or all of them. */
export const findValues = async (db: Queries, keyFingerprint: Buffer, count?: number): Promise<Buffer[]> => {
  const query = db('sandbox_kv').where({ keyFingerprint }).where('position', '>', 0);
  if (count !== undefined) query.where('position', '<=', count);
  return query.orderBy('position').pluck('sealed');
};

export const insertLoad = async (db: Queries, organizationId: string, startedAt: Date): Promise<number> => {
  const load = { organizationId, startedAt: startedAt.toISOString() };
  const [row] = await db('sandbox_loads').insert(load).returning('id');
  return row!.id;
};

export const insertLoadedTransactions = async (db: Queries, rows: SandboxTransactionRow[]): Promise<void> => {
  await db('sandbox_transactions').insert(rows);
};

/** Which of these fingerprints a load already has. */
export const findTransactionFingerprints = async (
  db: Queries,
  loadId: number,
  fingerprints: Buffer[],
): Promise<Buffer[]> => {
  const rows = db('sandbox_transactions').where({ loadId }).whereIn('transactionFingerprint', fingerprints);
  return (await rows.pluck('transactionFingerprint')) as Buffer[];
};

/** Makes its logins use this load, and counts its logins and accounts. */
export const publishLoad = async (
  trx: DbTransaction,
  loadId: number,
  finishedAt: Date,
): Promise<{ logins: number; accounts: number }> => {
  const loaded = trx('sandbox_transactions').where({ loadId });
  await trx('sandbox_logins').whereIn('loginFingerprint', loaded.clone().select('loginFingerprint')).delete();
  await trx
    .from(trx.raw('?? (??, ??)', ['sandbox_logins', 'loginFingerprint', 'loadId']))
    .insert(loaded.clone().distinct('loginFingerprint', 'loadId'));
  await trx('sandbox_loads').where({ id: loadId }).update({ finishedAt: finishedAt.toISOString() });
  const logins = await trx('sandbox_logins').where({ loadId }).count({ count: '*' }).first();
  const accounts = await trx
    .from(loaded.clone().distinct('loginFingerprint', 'accountFingerprint').as('loaded_accounts'))
    .count({ count: '*' })
    .first();
  return { logins: Number(logins?.count), accounts: Number(accounts?.count) };
};

/** Locks an organization's loads until the transaction ends, so that two of them cannot both fill the room that is left. */
export const lockLoads = async (trx: DbTransaction, organizationId: string): Promise<void> => {
  await trx('sandbox_keys').where({ organizationId }).forUpdate().first('organizationId');
};

/** The number of an organization's transactions that its logins use, without those of one load. */
export const countOtherTransactions = async (
  db: Queries,
  { organizationId, loadId }: { organizationId: string; loadId: number },
): Promise<number> => {
  const row = await db('sandbox_loads as load')
    .join('sandbox_logins as login', 'login.loadId', 'load.id')
    .join('sandbox_transactions as loaded', (on) =>
      on.on('loaded.loadId', 'login.loadId').andOn('loaded.loginFingerprint', 'login.loginFingerprint'),
    )
    .where('load.organizationId', organizationId)
    .whereNot('load.id', loadId)
    .count({ count: '*' })
    .first();
  return Number(row?.count);
};

/** The load that a login uses. */
export const findLoadOfLogin = async (db: Queries, loginFingerprint: Buffer): Promise<number | undefined> => {
  const row = await db('sandbox_logins').where({ loginFingerprint }).first('loadId');
  return row?.loadId;
};

type LoadedLoginKey = { loadId: number; loginFingerprint: Buffer };
type LoadedAccountKey = LoadedLoginKey & { accountFingerprint: Buffer };

const transactionsOfLogin = (db: Queries, { loadId, loginFingerprint }: LoadedLoginKey) =>
  db('sandbox_transactions').where({ loadId, loginFingerprint });

/** A login's accounts, in the order of their first row in the file. */
export const findAccountFingerprints = async (db: Queries, login: LoadedLoginKey): Promise<Buffer[]> =>
  transactionsOfLogin(db, login)
    .groupBy('accountFingerprint')
    .orderByRaw('min(position)')
    .pluck('accountFingerprint');

export type SealedTransaction = { position: number; date: string; sealed: Buffer };

export const findLastLoadedTransaction = async (
  db: Queries,
  account: LoadedAccountKey,
): Promise<SealedTransaction | undefined> =>
  transactionsOfLogin(db, account)
    .where({ accountFingerprint: account.accountFingerprint })
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
    .where({ accountFingerprint: account.accountFingerprint })
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
    .where({ accountFingerprint: account.accountFingerprint })
    .whereRaw('(??, ??) > (?, ?)', ['date', 'position', after.date, after.position])
    .orderBy(['date', 'position'])
    .limit(limit)
    .select('position', 'date', 'sealed');

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

/** Deletes up to `limit` transactions of a load whose login does not use it; returns how many. */
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

/** How many seconds the sandbox clocks that were advanced are ahead of real time. */
export const findSandboxOffsets = async (
  db: Queries,
): Promise<{ organizationId: string; offsetSeconds: number }[]> =>
  db('sandbox_clocks').select('organizationId', 'offsetSeconds');

/** How many seconds an organization's sandbox clock is ahead of real time. */
export const findSandboxOffset = async (db: Queries, organizationId: string): Promise<number> => {
  const row = await db('sandbox_clocks').where({ organizationId }).first('offsetSeconds');
  return row?.offsetSeconds ?? 0;
};

/** Adds to the offset of an organization's clock atomically and returns the new one. */
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
