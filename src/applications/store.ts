// The questions asked about organizations, applications and API keys.
import type { Environment } from '../clock.ts';
import type { Queries } from '../db/open.ts';
import type { Application, Organization } from './application.ts';

export type ApiKey = {
  id: string;
  applicationId: string;
  name: string;
  createdAt: string;
  expiresAt: string | null;
  revokedAt: string | null;
};

type ApplicationRow = {
  id: string;
  organization_id: string;
  name: string;
  environment: Environment;
  origins: string;
  created_at: string;
};

export const insertOrganization = async (db: Queries, organization: Organization): Promise<void> => {
  await db('organizations').insert({
    id: organization.id,
    name: organization.name,
    created_at: organization.createdAt,
  });
};

export const findOrganizations = async (db: Queries): Promise<Organization[]> =>
  db('organizations').select('id', 'name', { createdAt: 'created_at' }).orderBy('created_at');

export const insertApplication = async (db: Queries, application: Application): Promise<void> => {
  await db('applications').insert({
    id: application.id,
    organization_id: application.organizationId,
    name: application.name,
    environment: application.environment,
    origins: JSON.stringify(application.origins),
    created_at: application.createdAt,
  });
};

const toApplication = (row: ApplicationRow): Application => ({
  id: row.id,
  organizationId: row.organization_id,
  name: row.name,
  environment: row.environment,
  origins: JSON.parse(row.origins),
  createdAt: row.created_at,
});

export const findApplication = async (db: Queries, id: string): Promise<Application | undefined> => {
  const row: ApplicationRow | undefined = await db('applications').where({ id }).first();
  return row && toApplication(row);
};

export const findApplications = async (db: Queries): Promise<Application[]> => {
  const rows: ApplicationRow[] = await db('applications').orderBy('created_at');
  return rows.map(toApplication);
};

export const updateOrigins = async (db: Queries, id: string, origins: string[]): Promise<void> => {
  await db('applications')
    .where({ id })
    .update({ origins: JSON.stringify(origins) });
};

export const insertApiKey = async (db: Queries, key: Omit<ApiKey, 'revokedAt'>): Promise<void> => {
  await db('api_keys').insert({
    id: key.id,
    application_id: key.applicationId,
    name: key.name,
    created_at: key.createdAt,
    expires_at: key.expiresAt,
  });
};

const apiKeyColumns = {
  id: 'id',
  name: 'name',
  applicationId: 'application_id',
  createdAt: 'created_at',
  expiresAt: 'expires_at',
  revokedAt: 'revoked_at',
};

export const findApiKey = async (db: Queries, id: string): Promise<ApiKey | undefined> =>
  db('api_keys').where({ id }).first('id', 'name', {
    applicationId: 'application_id',
    createdAt: 'created_at',
    expiresAt: 'expires_at',
    revokedAt: 'revoked_at',
  });

/** An application's keys, the revoked ones too, oldest first. */
export const findApiKeysOf = async (db: Queries, applicationId: string): Promise<ApiKey[]> =>
  db('api_keys')
    .where({ application_id: applicationId })
    .orderBy([{ column: 'created_at' }, { column: 'id' }])
    .select(apiKeyColumns);

/** The keys of this name that were not revoked, the newest first. */
export const findApiKeysNamed = async (db: Queries, name: string): Promise<ApiKey[]> =>
  db('api_keys').where({ name }).whereNull('revoked_at').orderBy('created_at', 'desc').select(apiKeyColumns);

/** Marks a key revoked, once; false where there is no such key. Revoking again keeps the first time. */
export const markApiKeyRevoked = async (db: Queries, id: string, now: Date): Promise<boolean> => {
  const changed = await db('api_keys')
    .where({ id })
    .update({ revoked_at: db.raw('coalesce(revoked_at, ?)', [now.toISOString()]) });
  return changed > 0;
};
