// Queries for organizations, applications and API keys.

import type { Database, DbTransaction, Queries } from '../../platform/db/open.ts';
import { countRows } from '../../platform/db/queries.ts';
import type { ApiKeyRow, ApplicationRow } from '../../platform/db/tables.ts';
import type { Company } from '../../platform/values/company.ts';
import type { Application, Organization } from './application.ts';

const apiKeyColumns = [
  'id',
  'name',
  'applicationId',
  'createdAt',
  'signingSecretId',
  'expiresAt',
  'revokedAt',
] as const;

export type ApiKey = Pick<ApiKeyRow, (typeof apiKeyColumns)[number]>;

// Arbitrary, but not used by any other lock.
const advisoryLockId = 20240103;

/** Ensures that only one process creates the initial objects. SQLite needs no lock, because it has a single writer. */
export const lockFirstStart = async (trx: DbTransaction, dialect: Database['dialect']): Promise<void> => {
  if (dialect === 'postgres') await trx.raw('select pg_advisory_xact_lock(?)', [advisoryLockId]);
};

export const insertOrganization = async (db: Queries, organization: Organization): Promise<void> => {
  await db('organizations').insert(organization);
};

export const findOrganizations = async (db: Queries): Promise<Organization[]> =>
  db('organizations').select('id', 'name', 'createdAt').orderBy('createdAt');

export const findOrganizationName = async (db: Queries, id: string): Promise<string | undefined> =>
  (await db('organizations').where({ id }).first('name'))?.name;

export const insertApplication = async (db: Queries, application: Application): Promise<void> => {
  const { origins, returnAddresses } = application;
  await db('applications').insert({
    ...application,
    origins: JSON.stringify(origins),
    returnAddresses: JSON.stringify(returnAddresses),
  });
};

export const hasAnyApplication = async (db: Queries): Promise<boolean> =>
  (await db('applications').first('id')) !== undefined;

const toApplication = (row: ApplicationRow): Application => ({
  ...row,
  origins: JSON.parse(row.origins),
  returnAddresses: JSON.parse(row.returnAddresses),
});

export const findApplication = async (db: Queries, id: string): Promise<Application | undefined> => {
  const row = await db('applications').where({ id }).first('*');
  return row && toApplication(row);
};

/** The application unless it is archived. */
export const findActiveApplication = async (db: Queries, id: string): Promise<Application | undefined> => {
  const application = await findApplication(db, id);
  return application?.archivedAt ? undefined : application;
};

export const findApplications = async (db: Queries): Promise<Application[]> => {
  const rows = await db('applications').orderBy('createdAt').select('*');
  return rows.map(toApplication);
};

/** The application, locked until the transaction ends, so that concurrent changes run one after another. */
export const lockApplication = async (trx: DbTransaction, id: string): Promise<Application> =>
  toApplication((await trx('applications').where({ id }).forUpdate().first('*'))!);

export type ApplicationColumns = Partial<
  Pick<
    Application,
    | 'name'
    | 'origins'
    | 'returnAddresses'
    | 'nativeAllowedAt'
    | 'identitySecretAt'
    | 'identityServiceSecretId'
    | 'identityRequiredAt'
    | 'color'
    | 'requestsPerMinute'
  >
>;

/** Updates only these columns, because others may change concurrently. */
export const updateApplication = async (
  db: Queries,
  id: string,
  { origins, returnAddresses, ...columns }: ApplicationColumns,
): Promise<void> => {
  await db('applications')
    .where({ id })
    .update({
      ...columns,
      ...(origins && { origins: JSON.stringify(origins) }),
      ...(returnAddresses && { returnAddresses: JSON.stringify(returnAddresses) }),
    });
};

/** Stores when the first link session of an application was opened, unless a time is already stored. */
export const recordFirstLinkSession = async (db: Queries, id: string, at: string): Promise<void> => {
  await db('applications').where({ id }).whereNull('firstLinkSessionAt').update({ firstLinkSessionAt: at });
};

/** Archives an application, or restores it (null). Returns false if nothing changed. */
export const updateArchivedAt = async (
  db: Queries,
  id: string,
  archivedAt: string | null,
): Promise<boolean> => {
  const query = db('applications').where({ id });
  if (archivedAt === null) query.whereNotNull('archivedAt');
  else query.whereNull('archivedAt');
  return (await query.update({ archivedAt })) === 1;
};

/** Replaces or removes the logo of a locked application. */
export const updateLogo = async (
  trx: DbTransaction,
  applicationId: string,
  logo: { hash: string; bytes: Buffer } | undefined,
): Promise<void> => {
  await trx('applications')
    .where({ id: applicationId })
    .update({ logoHash: logo?.hash ?? null });
  await trx('application_logos').where({ applicationId }).delete();
  if (logo) await trx('application_logos').insert({ applicationId, bytes: logo.bytes });
};

/** The logo with this hash, from any application; undefined if none has it. */
export const findLogo = async (db: Queries, logoHash: string): Promise<Buffer | undefined> => {
  const row = await db('application_logos')
    .join('applications', 'applications.id', 'application_logos.applicationId')
    .where({ logoHash })
    .first('bytes');
  return row?.bytes;
};

/** The number of applications whose identity secret is derived from this version of the service secret. */
export const countApplicationsByIdentitySecret = (
  db: Queries,
  identityServiceSecretId: string,
): Promise<number> => countRows(db('applications').where({ identityServiceSecretId }));

export const findApplicationsByOrganization = async (
  db: Queries,
  organizationId: string,
): Promise<Application[]> => {
  const rows = await db('applications').where({ organizationId }).orderBy(['createdAt', 'id']).select('*');
  return rows.map(toApplication);
};

/** Returns false if the organization already has that name. */
export const renameOrganization = async (db: Queries, id: string, name: string): Promise<boolean> =>
  (await db('organizations').where({ id }).whereNot({ name }).update({ name })) === 1;

/** The company that end users see in the consent; undefined if the organization has not set its name. */
export const findCompany = async (db: Queries, organizationId: string): Promise<Company | undefined> => {
  const row = await db('organizations')
    .where({ id: organizationId })
    .first('companyName', 'companyPrivacyUrl', 'companyTermsUrl');
  if (!row?.companyName) return undefined;
  return {
    name: row.companyName,
    ...(row.companyPrivacyUrl && { privacyUrl: row.companyPrivacyUrl }),
    ...(row.companyTermsUrl && { termsUrl: row.companyTermsUrl }),
  };
};

/** Replaces or removes an organization's company. */
export const updateCompany = async (
  db: Queries,
  organizationId: string,
  company: Company | undefined,
): Promise<void> => {
  await db('organizations')
    .where({ id: organizationId })
    .update({
      companyName: company?.name ?? null,
      companyPrivacyUrl: company?.privacyUrl ?? null,
      companyTermsUrl: company?.termsUrl ?? null,
    });
};

/** `createdBy` is the creator's email. */
export const insertApiKey = async (
  db: Queries,
  key: Omit<ApiKey, 'revokedAt'> & { createdBy?: string },
): Promise<void> => {
  await db('api_keys').insert(key);
};

export type ListedApiKey = Omit<ApiKeyRow, 'signingSecretId'>;

/** All API keys of an application with their creator and last use, newest first. */
export const findListedApiKeys = async (db: Queries, applicationId: string): Promise<ListedApiKey[]> =>
  db('api_keys').where({ applicationId }).orderBy('createdAt', 'desc').orderBy('id', 'desc').select('*');

/** Stores when an API key was used, unless a later use is already stored. */
export const recordApiKeyUse = async (db: Queries, id: string, at: string): Promise<void> => {
  await db('api_keys')
    .where({ id })
    .where((earlier) => earlier.whereNull('lastUsedAt').orWhere('lastUsedAt', '<', at))
    .update({ lastUsedAt: at });
};

export const findApiKey = async (db: Queries, id: string): Promise<ApiKey | undefined> =>
  db('api_keys')
    .where({ id })
    .first(...apiKeyColumns);

/** All API keys of an application, including revoked ones, oldest first. */
export const findApiKeysByApplication = async (db: Queries, applicationId: string): Promise<ApiKey[]> =>
  db('api_keys')
    .where({ applicationId })
    .orderBy(['createdAt', 'id'])
    .select(...apiKeyColumns);

/** The number of API keys signed with this version of the service secret that are neither revoked nor expired. */
export const countApiKeysBySecret = (db: Queries, signingSecretId: string, now: Date): Promise<number> => {
  const valid = db('api_keys')
    .where({ signingSecretId })
    .whereNull('revokedAt')
    .where((unexpired) => unexpired.whereNull('expiresAt').orWhere('expiresAt', '>', now.toISOString()));
  return countRows(valid);
};

/** Marks an API key as the demo's. */
export const insertDemoApiKey = async (db: Queries, id: string): Promise<void> => {
  await db('demo_api_key').insert({ id });
};

/** The demo's API key, even if revoked; undefined if none was created. */
export const findDemoApiKey = async (db: Queries): Promise<ApiKey | undefined> =>
  db('api_keys')
    .whereIn('id', db('demo_api_key').select('id'))
    .first(...apiKeyColumns);

/** Marks an API key as revoked. Returns false if it is unknown or already revoked. */
export const markApiKeyRevoked = async (db: Queries, id: string, now: Date): Promise<boolean> => {
  const active = db('api_keys').where({ id, revokedAt: null });
  return (await active.update({ revokedAt: now.toISOString() })) === 1;
};
