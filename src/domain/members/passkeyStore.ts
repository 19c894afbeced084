// Queries for passkeys, and for organizations that require them.
import type { Queries } from '../../platform/db/open.ts';
import type { PasskeyRow } from '../../platform/db/tables.ts';

/** True if one of the member's organizations requires passkeys. */
export const isPasskeyRequired = async (db: Queries, memberId: string): Promise<boolean> =>
  (await db('memberships')
    .join('organizations', 'organizations.id', 'memberships.organizationId')
    .where({ memberId })
    .whereNotNull('organizations.passkeysRequiredAt')
    .first('organizations.id')) !== undefined;

/** Requires passkeys in an organization, or stops requiring them (null). Returns false if nothing changed. */
export const updatePasskeysRequiredAt = async (
  db: Queries,
  id: string,
  passkeysRequiredAt: string | null,
): Promise<boolean> => {
  const query = db('organizations').where({ id });
  if (passkeysRequiredAt === null) query.whereNotNull('passkeysRequiredAt');
  else query.whereNull('passkeysRequiredAt');
  return (await query.update({ passkeysRequiredAt })) === 1;
};

export type Passkey = PasskeyRow;

/** Stores a passkey. Returns false if its credential is already stored. */
export const insertPasskey = async (db: Queries, passkey: Passkey): Promise<boolean> => {
  const inserted = await db('passkeys').insert(passkey).onConflict('credentialId').ignore().returning('id');
  return inserted.length === 1;
};

export const findPasskeys = async (db: Queries, memberId: string): Promise<Passkey[]> =>
  db('passkeys').where({ memberId }).orderBy(['createdAt', 'id']).select('*');

export const findPasskey = async (db: Queries, credentialId: string): Promise<Passkey | undefined> => {
  const row = await db('passkeys').where({ credentialId }).first('*');
  // PostgreSQL returns large integers as text.
  return row && { ...row, counter: Number(row.counter) };
};

/** Stores a use with its new counter. Returns false if another use changed the counter meanwhile. */
export const markPasskeyUsed = async (
  db: Queries,
  passkey: Passkey,
  use: { counter: number; now: Date },
): Promise<boolean> => {
  const changed = await db('passkeys')
    .where({ id: passkey.id, counter: passkey.counter })
    .update({ counter: use.counter, lastUsedAt: use.now.toISOString() });
  return changed === 1;
};

export const deletePasskeys = async (
  db: Queries,
  filter: { memberId: string; id?: string },
): Promise<number> => {
  const query = db('passkeys').where({ memberId: filter.memberId });
  if (filter.id !== undefined) query.where({ id: filter.id });
  return query.delete();
};
