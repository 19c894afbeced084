// API keys: create, list, revoke.
import { createApiKey as create, revokeApiKey as revoke } from '../../applications/apiKeys.ts';
import { findListedApiKeys, type ListedApiKey } from '../../applications/store.ts';
import { ValidationError } from '../../errors.ts';
import type { Operation } from './operation.ts';
import { apiKeyToJson } from './toJson.ts';

export const listApiKeys: Operation<'listApiKeys'> = async ({ application }, { db, clock }) => {
  const keys = await findListedApiKeys(db.read, application.id);
  return { apiKeys: keys.map((key) => apiKeyToJson(key, clock.real())) };
};

export const createApiKey: Operation<'createApiKey'> = async (
  { body, application, actor },
  { db, apiKeySigner, clock },
) => {
  const now = clock.real();
  const name = body.name.trim();
  const expiresAt = readExpiry(body.expiresAt, now);
  const { keyId, apiKey } = await create(db, apiKeySigner, {
    applicationId: application.id,
    ...{ name, now, expiresAt, actor },
  });
  const key: ListedApiKey = {
    id: keyId,
    applicationId: application.id,
    name,
    createdAt: now.toISOString(),
    createdBy: actor.email,
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

export const revokeApiKey: Operation<'revokeApiKey'> = async ({ path, application, actor }, { db, clock }) =>
  revoke(db, { keyId: path.keyId, applicationId: application.id, now: clock.real(), actor });
