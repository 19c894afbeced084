// Queries for the versions of the secrets, and for the processes that have loaded them.
import type { Database, DbTransaction, Queries } from '../../platform/db/open.ts';
import type { ProcessRow, ServiceSecretRow } from '../../platform/db/tables.ts';

// The number is arbitrary and used by no other lock.
const advisoryLockId = 20240102;

/**
 * Ensures that only one process starts or changes the versions at a time: a starting process is listed before the next change,
 * or sees its result. SQLite needs no lock, because it has one writer.
 */
export const lockSecrets = async (trx: DbTransaction, dialect: Database['dialect']): Promise<void> => {
  if (dialect === 'postgres') await trx.raw('select pg_advisory_xact_lock(?)', [advisoryLockId]);
};

/** All versions, oldest first. */
export const findVersions = async (db: Queries): Promise<ServiceSecretRow[]> =>
  db('service_secrets').orderBy(['name', 'ordinal']).select('*');

export const insertVersion = async (trx: DbTransaction, version: ServiceSecretRow): Promise<void> => {
  await trx('service_secrets').insert(version);
};

type VersionKey = Pick<ServiceSecretRow, 'name' | 'ordinal'>;

export const setVersionState = async (
  trx: DbTransaction,
  { name, ordinal }: VersionKey,
  change: Pick<ServiceSecretRow, 'state' | 'changedAt'>,
): Promise<void> => {
  await trx('service_secrets').where({ name, ordinal }).update(change);
};

export const deleteVersion = async (trx: DbTransaction, { name, ordinal }: VersionKey): Promise<void> => {
  await trx('service_secrets').where({ name, ordinal }).delete();
};

export const saveProcess = async (db: Queries, row: ProcessRow): Promise<void> => {
  const { id: _, ...change } = row;
  await db('processes').insert(row).onConflict('id').merge(change);
};

export const deleteProcess = async (db: Queries, id: string): Promise<void> => {
  await db('processes').where({ id }).delete();
};

/** Deletes the processes that were last seen before `seenBefore` (ISO 8601). */
export const deleteEndedProcesses = async (db: Queries, seenBefore: string): Promise<void> => {
  await db('processes').where('seenAt', '<', seenBefore).delete();
};

export const findProcesses = async (db: Queries): Promise<ProcessRow[]> =>
  db('processes').orderBy(['host', 'startedAt', 'id']).select('*');
