// Access keys: made, listed, revoked.
import type { components } from '../../../generated/dashboard.ts';
import { createApiKey as create } from '../../applications/apiKeys.ts';
import {
  findApiKey,
  findListedApiKeys,
  type ListedApiKey,
  markApiKeyRevoked,
} from '../../applications/store.ts';
import { recordAuditEvent } from '../../audit/store.ts';
import { NotFound, ValidationError } from '../../errors.ts';
import type { Operation } from './operation.ts';

const apiKeyToJson = (key: ListedApiKey, now: Date): components['schemas']['ApiKey'] => {
  const { id, name, createdAt, createdBy, expiresAt, revokedAt, lastUsedAt } = key;
  const expired = expiresAt !== null && Date.parse(expiresAt) <= now.getTime();
  const state = revokedAt ? 'revoked' : expired ? 'expired' : 'active';
  return { id, name, state, createdAt, createdBy, expiresAt, revokedAt, lastUsedAt };
};

export const listApiKeys: Operation<'listApiKeys'> = async ({ application }, { db, clock }) => {
  const keys = await findListedApiKeys(db.read, application.id);
  return { apiKeys: keys.map((key) => apiKeyToJson(key, clock.real())) };
};

export const createApiKey: Operation<'createApiKey'> = async (
  { body, application, organizationId, actor },
  { db, apiKeySigner, clock },
) => {
  const now = clock.real();
  const name = body.name.trim();
  const expiresAt = readExpiry(body.expiresAt, now);
  const createdBy = actor.email ?? undefined;
  const { keyId, apiKey } = await create(db, apiKeySigner, {
    applicationId: application.id,
    name,
    now,
    expiresAt,
    createdBy,
    inTransaction: (trx, subject) => {
      const details = {
        name,
        application: application.id,
        ...(expiresAt && { expiresAt: expiresAt.toISOString() }),
      };
      return recordAuditEvent(trx, {
        organizationId,
        now,
        action: 'api_key_created',
        actor,
        subject,
        details,
      });
    },
  });
  const key: ListedApiKey = {
    id: keyId,
    applicationId: application.id,
    name,
    createdAt: now.toISOString(),
    createdBy: createdBy ?? null,
    expiresAt: expiresAt?.toISOString() ?? null,
    revokedAt: null,
    lastUsedAt: null,
  };
  return { apiKey: apiKeyToJson(key, now), secret: apiKey };
};

const readExpiry = (text: string | undefined, now: Date): Date | undefined => {
  if (text === undefined) return undefined;
  const end = new Date(text);
  if (end.getTime() > now.getTime()) return end;
  throw new ValidationError('invalid_request', [
    { path: '/body/expiresAt', message: 'must be in the future' },
  ]);
};

export const revokeApiKey: Operation<'revokeApiKey'> = async (
  { path, application, organizationId, actor },
  { db, clock },
) => {
  const now = clock.real();
  await db.transaction(async (trx) => {
    const key = await findApiKey(trx, path.keyId);
    if (key?.applicationId !== application.id) throw new NotFound('api_key');
    if (key.revokedAt) return;
    await markApiKeyRevoked(trx, key.id, now);
    const details = { name: key.name, application: application.id };
    await recordAuditEvent(trx, {
      organizationId,
      now,
      action: 'api_key_revoked',
      actor,
      subject: key.id,
      details,
    });
  });
};
