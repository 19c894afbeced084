// Which secrets this database was made with.
import type { Database, DbTransaction } from '../db/open.ts';

// Any number that nobody else uses in this database.
const advisoryLockId = 20240102;

/** Until the transaction ends nobody else looks for or makes secrets. SQLite's one writer is lock enough. */
export const lockSecrets = async (trx: DbTransaction, dialect: Database['dialect']): Promise<void> => {
  if (dialect === 'postgres') await trx.raw('select pg_advisory_xact_lock(?)', [advisoryLockId]);
};

export const findSecretIds = async (trx: DbTransaction): Promise<Map<string, string>> => {
  const rows: { name: string; key_id: string }[] = await trx('service_secrets').select('name', 'key_id');
  return new Map(rows.map((row) => [row.name, row.key_id]));
};

export const insertSecretId = async (
  trx: DbTransaction,
  secret: { name: string; id: string; now: Date },
): Promise<void> => {
  await trx('service_secrets').insert({
    name: secret.name,
    key_id: secret.id,
    created_at: secret.now.toISOString(),
  });
};
