// Queries for the consents to revoke at banks.
import type { Queries } from '../../platform/db/open.ts';
import type { ConsentRevocationRow } from '../../platform/db/tables.ts';

export const insertRevocation = async (
  db: Queries,
  row: Omit<ConsentRevocationRow, 'linkSessionId' | 'connectionId'> & { linkSessionId?: string },
): Promise<void> => {
  await db('consent_revocations').insert(row);
};

export const findDueRevocations = (db: Queries, at: string, limit: number): Promise<ConsentRevocationRow[]> =>
  db('consent_revocations').where('dueAt', '<=', at).orderBy('dueAt').limit(limit).select('*');

/** Postpones a revocation. Returns false if another process already did. */
export const postponeRevocation = async (
  db: Queries,
  { id, dueAt }: Pick<ConsentRevocationRow, 'id' | 'dueAt'>,
  until: Date,
): Promise<boolean> =>
  (await db('consent_revocations').where({ id, dueAt }).update({ dueAt: until.toISOString() })) === 1;

/** Stores the connection that resulted from a sign-in. */
export const linkRevocation = async (db: Queries, id: string, connectionId: string): Promise<void> => {
  await db('consent_revocations').where({ id }).update({ connectionId });
};

export const deleteRevocation = async (db: Queries, id: string): Promise<void> => {
  await db('consent_revocations').where({ id }).delete();
};

/** The columns sealed to the worker. */
export const sealedToWorker = [
  { table: 'consent_revocations', key: ['id'], column: 'credentials', kind: 'credentials' },
] as const;
