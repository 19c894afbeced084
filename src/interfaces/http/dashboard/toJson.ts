// The JSON of applications, API keys and connections in the management API.
import { logoPath } from '../../../../connectors/kit/logo.ts';
import type { components } from '../../../../generated/management.ts';
import type { Application } from '../../../domain/applications/application.ts';
import type { ListedApiKey } from '../../../domain/applications/store.ts';
import { connectionState } from '../../../domain/connections/connection.ts';
import type { ListedConnection } from '../../../domain/connections/listStore.ts';
import { institutionOf } from '../../../domain/institutions/registry.ts';
import type { Limits } from '../../../platform/settings/limits.ts';
import type { DashboardNeeds } from '../needs.ts';

type Schemas = components['schemas'];

export const applicationToJson = (application: Application): Schemas['Application'] => ({
  id: application.id,
  organizationId: application.organizationId,
  name: application.name,
  ...(application.logoHash && { logo: logoPath(application.logoHash) }),
  ...(application.color && { color: application.color }),
  environment: application.environment,
  origins: application.origins,
  nativeAllowed: application.nativeAllowedAt !== null,
  returnAddresses: application.returnAddresses,
  identity: {
    secretCreatedAt: application.identitySecretAt,
    required: application.identityRequiredAt !== null,
  },
  createdAt: application.createdAt,
  archivedAt: application.archivedAt,
});

export const rateLimitToJson = (
  { requestsPerMinute }: Application,
  { apiRequestsPerMinute }: Limits,
): Schemas['RateLimit'] => ({ requestsPerMinute, operatorRequestsPerMinute: apiRequestsPerMinute });

/** The state of an API key or an organization token. */
export const stateOfKey = (
  { expiresAt, revokedAt }: Pick<ListedApiKey, 'expiresAt' | 'revokedAt'>,
  now: Date,
): Schemas['ApiKey']['state'] => {
  const expired = expiresAt !== null && Date.parse(expiresAt) <= now.getTime();
  return revokedAt ? 'revoked' : expired ? 'expired' : 'active';
};

export const apiKeyToJson = (key: ListedApiKey, now: Date): Schemas['ApiKey'] => {
  const { id, name, createdAt, createdBy, expiresAt, revokedAt, lastUsedAt } = key;
  return { id, name, state: stateOfKey(key, now), createdAt, createdBy, expiresAt, revokedAt, lastUsedAt };
};

export const connectionToJson = (
  { registry }: DashboardNeeds,
  { environment }: Pick<Application, 'environment'>,
  connection: ListedConnection,
): Schemas['Connection'] => ({
  id: connection.id,
  externalUserId: connection.externalUserId,
  institution: institutionOf(registry, environment, connection),
  state: connectionState(connection),
  reconnectReason: connection.reconnectReason as Schemas['Connection']['reconnectReason'],
  createdAt: connection.createdAt,
  refreshedAt: connection.refreshedAt,
  consentExpiresAt: connection.consentExpiresAt,
  duplicateOf: connection.duplicateOf,
  revokedAt: connection.revokedAt,
});
