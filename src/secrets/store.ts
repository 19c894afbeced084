// Queries for the ids of the secrets that the database was created with.
import type { Database, DbTransaction } from '../db/open.ts';

// The number is arbitrary and used by no other lock.
const advisoryLockId = 20240102;

/** Lets one process at a time load or create secrets. SQLite needs no lock, because it has one writer. */
export const lockSecrets = async (trx: DbTransaction, dialect: Database['dialect']): Promise<void> => {
  if (dialect === 'postgres') await trx.raw('select pg_advisory_xact_lock(?)', [advisoryLockId]);
};

export const findSecretIds = async (trx: DbTransaction): Promise<Map<string, string>> => {
  const rows = await trx('service_secrets').select('name', 'keyId');
  return new Map(rows.map((row) => [row.name, row.keyId]));
};

export const insertSecretId = async (
  trx: DbTransaction,
  secret: { name: string; id: string; now: Date },
): Promise<void> => {
  await trx('service_secrets').insert({
    name: secret.name,
    keyId: secret.id,
    createdAt: secret.now.toISOString(),
  });
};
