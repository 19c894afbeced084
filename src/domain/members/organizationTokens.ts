// Programs use organization tokens for the management API. The database stores a keyed hash, never a token. The hash covers the
// organization, role, scopes and expiry, so that a row with changed values is rejected.
import type { components } from '../../../generated/management.ts';
import type { Database } from '../../platform/db/open.ts';
import { seconds } from '../../platform/values/clock.ts';
import { InvalidOrganizationToken, NotFound } from '../../platform/values/errors.ts';
import { makeId } from '../../platform/values/ids.ts';
import { constantTimeEqual, fingerprint, makeSecret } from '../../platform/vault/keys.ts';
import type { Keyset } from '../../platform/vault/keyset.ts';
import { encodeSecretToken, parseSecretToken } from '../../platform/vault/scopedToken.ts';
import type { AuditContext } from '../audit/by.ts';
import { audited } from '../audit/store.ts';
import type { Role } from './member.ts';
import type { OrganizationToken } from './organizationTokenStore.ts';
import * as store from './organizationTokenStore.ts';

export type TokenScope = components['schemas']['TokenScope'];

/** `keys` are derived from the secret that signs API keys. */
export type OrganizationTokenDeps = { db: Database; keys: Keyset<Buffer> };

const form = { purpose: 'organization token v1', prefix: 'ogt_' };

type Covered = Pick<OrganizationToken, 'id' | 'organizationId' | 'role' | 'scopes' | 'expiresAt'>;

const hashToken = (
  key: Buffer,
  secret: Buffer,
  { id, organizationId, role, scopes, expiresAt }: Covered,
): Buffer =>
  fingerprint(key, form.purpose, id, [
    ...[organizationId, role, scopes, expiresAt],
    secret.toString('base64url'),
  ]);

export type NewOrganizationToken = { name: string; role: Role; scopes: TokenScope[]; expiresAt: Date };

/** Creates a token and records the audit event. The secret, which is the token itself, is not stored. */
export const createOrganizationToken = (
  { db, keys }: OrganizationTokenDeps,
  request: NewOrganizationToken,
  by: AuditContext,
): Promise<{ token: OrganizationToken; secret: string }> =>
  keys.withCurrent(async ({ id: signingSecretId, key }) => {
    const secret = makeSecret();
    const { name, role } = request;
    const [scopes, expiresAt] = [request.scopes.join(' '), request.expiresAt.toISOString()];
    const covered = { id: makeId('tok'), organizationId: by.organizationId, role, scopes, expiresAt };
    const token: OrganizationToken = {
      ...{ ...covered, name, signingSecretId, hash: hashToken(key, secret, covered) },
      ...{ createdAt: by.now.toISOString(), createdBy: by.actor.email!, revokedAt: null, lastUsedAt: null },
    };
    await audited(db, by, async (trx) => {
      await store.insertOrganizationToken(trx, token);
      const details = { name, role, scopes, expiresAt };
      return { action: 'organization_token_created', subject: token.id, details };
    });
    return { token, secret: encodeSecretToken(form, { id: token.id.slice('tok_'.length), secret }) };
  });

/** Finds the row of a valid token and stores its use, to the minute. Throws InvalidOrganizationToken for every failure. */
export const authenticateOrganizationToken = async (
  { db, keys }: OrganizationTokenDeps,
  text: string,
  now: Date,
): Promise<OrganizationToken> => {
  const parsed = parseSecretToken(form, text);
  const token = parsed && (await store.findOrganizationToken(db.read, `tok_${parsed.id}`));
  const key = token && keys.find(token.signingSecretId);
  if (!key || !constantTimeEqual(hashToken(key, parsed.secret, token), token.hash))
    throw new InvalidOrganizationToken();
  if (token.revokedAt || token.expiresAt <= now.toISOString()) throw new InvalidOrganizationToken();
  if (token.lastUsedAt === null || now.getTime() - Date.parse(token.lastUsedAt) >= seconds(60))
    await store.touchOrganizationToken(db.write, token.id, now);
  return token;
};

/** Revokes an organization's token and records the audit event. Revoking it again changes nothing. Throws NotFound. */
export const revokeOrganizationToken = (
  { db }: Pick<OrganizationTokenDeps, 'db'>,
  id: string,
  by: AuditContext,
): Promise<void> =>
  audited(db, by, async (trx) => {
    const token = await store.findOrganizationToken(trx, id);
    if (token?.organizationId !== by.organizationId) throw new NotFound('token');
    if (!(await store.markOrganizationTokenRevoked(trx, id, by.now))) return undefined;
    return { action: 'organization_token_revoked', subject: id, details: { name: token.name } };
  });
