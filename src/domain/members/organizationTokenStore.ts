// Queries for organization tokens.
import type { Queries } from '../../platform/db/open.ts';
import { countRows } from '../../platform/db/queries.ts';
import type { OrganizationTokenRow } from '../../platform/db/tables.ts';

export type OrganizationToken = OrganizationTokenRow;

export const insertOrganizationToken = async (db: Queries, token: OrganizationToken): Promise<void> => {
  await db('organization_tokens').insert(token);
};

export const findOrganizationToken = async (
  db: Queries,
  id: string,
): Promise<OrganizationToken | undefined> => db('organization_tokens').where({ id }).first('*');

/** All tokens of an organization, including revoked and expired ones, newest first. */
export const findOrganizationTokens = async (
  db: Queries,
  organizationId: string,
): Promise<OrganizationToken[]> =>
  db('organization_tokens')
    .where({ organizationId })
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .select('*');

export const touchOrganizationToken = async (db: Queries, id: string, now: Date): Promise<void> => {
  await db('organization_tokens').where({ id }).update({ lastUsedAt: now.toISOString() });
};

/** Marks a token as revoked. Returns false, and keeps the first time, if it was already revoked. */
export const markOrganizationTokenRevoked = async (db: Queries, id: string, now: Date): Promise<boolean> => {
  const active = db('organization_tokens').where({ id, revokedAt: null });
  return (await active.update({ revokedAt: now.toISOString() })) === 1;
};

/** The number of valid tokens whose hash needs this version of the service secret. */
export const countOrganizationTokensBySecret = (
  db: Queries,
  signingSecretId: string,
  now: Date,
): Promise<number> => {
  const unexpired = db('organization_tokens').where('expiresAt', '>', now.toISOString());
  return countRows(unexpired.where({ signingSecretId }).whereNull('revokedAt'));
};
