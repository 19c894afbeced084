// Queries for organizations, applications and API keys.
import type { Environment } from '../clock.ts';
import type { Database, DbTransaction, Queries } from '../db/open.ts';
import { preparedQuery } from '../db/preparedQuery.ts';
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
  native_allowed_at: string | null;
  identity_secret_at: string | null;
  identity_required_at: string | null;
};

// The number is arbitrary and used by no other lock.
const advisoryLockId = 20240103;

/** Lets one process at a time create the demo application. SQLite needs no lock, because it has one writer. */
export const lockFirstStart = async (trx: DbTransaction, dialect: Database['dialect']): Promise<void> => {
  if (dialect === 'postgres') await trx.raw('select pg_advisory_xact_lock(?)', [advisoryLockId]);
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
  nativeAllowedAt: row.native_allowed_at,
  identitySecretAt: row.identity_secret_at,
  identityRequiredAt: row.identity_required_at,
});

const applicationById = preparedQuery<{ id: string }, ApplicationRow>((db, { id }) =>
  db('applications').where({ id }).select('*'),
);

export const findApplication = async (db: Queries, id: string): Promise<Application | undefined> => {
  const [row] = await applicationById(db, { id });
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

export const updateApplication = async (db: Queries, application: Application): Promise<void> => {
  await db('applications')
    .where({ id: application.id })
    .update({
      name: application.name,
      origins: JSON.stringify(application.origins),
      native_allowed_at: application.nativeAllowedAt,
      identity_secret_at: application.identitySecretAt,
      identity_required_at: application.identityRequiredAt,
    });
};

export const findApplicationsByOrganization = async (
  db: Queries,
  organizationId: string,
): Promise<Application[]> => {
  const rows: ApplicationRow[] = await db('applications')
    .where({ organization_id: organizationId })
    .orderBy(['created_at', 'id']);
  return rows.map(toApplication);
};

export const renameOrganization = async (db: Queries, id: string, name: string): Promise<void> => {
  await db('organizations').where({ id }).update({ name });
};

/** `createdBy` is the email of the member who made it. */
export const insertApiKey = async (
  db: Queries,
  key: Omit<ApiKey, 'revokedAt'> & { createdBy?: string },
): Promise<void> => {
  await db('api_keys').insert({
    id: key.id,
    application_id: key.applicationId,
    name: key.name,
    created_at: key.createdAt,
    expires_at: key.expiresAt,
    created_by: key.createdBy,
  });
};

export type ListedApiKey = ApiKey & { createdBy: string | null; lastUsedAt: string | null };

/** All API keys of an application with their creator and last use, newest first. */
export const findListedApiKeys = async (db: Queries, applicationId: string): Promise<ListedApiKey[]> =>
  db('api_keys')
    .where({ application_id: applicationId })
    .orderBy([
      { column: 'created_at', order: 'desc' },
      { column: 'id', order: 'desc' },
    ])
    .select({ ...apiKeyColumns, createdBy: 'created_by', lastUsedAt: 'last_used_at' });

/** Stores when an API key was used, unless a later use is stored already. */
export const recordApiKeyUse = async (db: Queries, id: string, at: string): Promise<void> => {
  await db('api_keys')
    .where({ id })
    .where((earlier) => earlier.whereNull('last_used_at').orWhere('last_used_at', '<', at))
    .update({ last_used_at: at });
};

const apiKeyColumns = {
  id: 'id',
  name: 'name',
  applicationId: 'application_id',
  createdAt: 'created_at',
  expiresAt: 'expires_at',
  revokedAt: 'revoked_at',
};

const apiKeyById = preparedQuery<{ id: string }, ApiKey>((db, { id }) =>
  db('api_keys').where({ id }).select(apiKeyColumns),
);

export const findApiKey = async (db: Queries, id: string): Promise<ApiKey | undefined> =>
  (await apiKeyById(db, { id }))[0];

/** All API keys of an application, revoked ones included, oldest first. */
export const findApiKeysByApplication = async (db: Queries, applicationId: string): Promise<ApiKey[]> =>
  db('api_keys')
    .where({ application_id: applicationId })
    .orderBy([{ column: 'created_at' }, { column: 'id' }])
    .select(apiKeyColumns);

/** The API keys with this name that are not revoked, newest first. */
export const findApiKeysByName = async (db: Queries, name: string): Promise<ApiKey[]> =>
  db('api_keys').where({ name }).whereNull('revoked_at').orderBy('created_at', 'desc').select(apiKeyColumns);

/** Marks an API key revoked. Revoking again keeps the first time. False if there is no such key. */
export const markApiKeyRevoked = async (db: Queries, id: string, now: Date): Promise<boolean> => {
  const changed = await db('api_keys')
    .where({ id })
    .update({ revoked_at: db.raw('coalesce(revoked_at, ?)', [now.toISOString()]) });
  return changed > 0;
};
