// Creates organizations, and creates, changes, archives and restores applications.
import { type Logo, logoPath } from '../../../connectors/kit/logo.ts';
import type { Database, Queries } from '../../platform/db/open.ts';
import type { Limits } from '../../platform/settings/limits.ts';
import type { Environment } from '../../platform/values/clock.ts';
import { Conflict, ValidationError } from '../../platform/values/errors.ts';
import { makeId } from '../../platform/values/ids.ts';
import type { Keyset } from '../../platform/vault/keyset.ts';
import type { ActorAt, AuditContext } from '../audit/by.ts';
import { audited, recordAudit } from '../audit/store.ts';
import { type Application, checkOrigin, checkReturnAddress, type Organization } from './application.ts';
import { deriveIdentitySecret } from './identityVerification.ts';
import type { ApplicationColumns } from './store.ts';
import * as store from './store.ts';

export type ApplicationChange = {
  name?: string;
  origins?: string[];
  nativeAllowed?: boolean;
  returnAddresses?: string[];
  identityRequired?: boolean;
  /** #rrggbb; null for the default color. */
  color?: string | null;
};

/**
 * Throws OperatorError for an invalid origin or return address, and Conflict if the application requires signatures but has no
 * identity secret.
 */
export const changeApplication = async (
  db: Queries,
  application: Application,
  { change, now }: { change: ApplicationChange; now: Date },
): Promise<Application> => {
  const { name, origins, returnAddresses, nativeAllowed, identityRequired, color } = change;
  const since = (isEnabled: boolean, enabledAt: string | null): string | null =>
    isEnabled ? (enabledAt ?? now.toISOString()) : null;
  const columns: ApplicationColumns = {
    ...(name !== undefined && { name: name.trim() }),
    ...(origins && { origins: [...new Set(origins.map(checkOrigin))] }),
    ...(returnAddresses && { returnAddresses: [...new Set(returnAddresses.map(checkReturnAddress))] }),
    ...(nativeAllowed !== undefined && {
      nativeAllowedAt: since(nativeAllowed, application.nativeAllowedAt),
    }),
    ...(identityRequired !== undefined && {
      identityRequiredAt: since(identityRequired, application.identityRequiredAt),
    }),
    ...(color !== undefined && { color: color?.toLowerCase() ?? null }),
  };
  const changed = { ...application, ...columns };
  if (changed.identityRequiredAt && !changed.identitySecretAt)
    throw new Conflict('Create an identity secret first.');
  await store.updateApplication(db, application.id, columns);
  return changed;
};

/** Replaces or removes an application's logo and records the audit event. Does nothing if the logo is unchanged. */
export const changeLogo = async (
  db: Database,
  { id }: Application,
  logo: Logo | undefined,
  by: AuditContext,
): Promise<Application> => {
  const logoHash = logo?.hash ?? null;
  const textOf = (hash: string | null): string => (hash === null ? '' : logoPath(hash));
  return db.transaction(async (trx) => {
    const locked = await store.lockApplication(trx, id);
    const before = locked.logoHash;
    if (logoHash === before) return locked;
    await store.updateLogo(trx, id, logo);
    const details = { before: textOf(before), after: textOf(logoHash) };
    await recordAudit(trx, by, { action: 'application_logo_changed', subject: id, details });
    return { ...locked, logoHash };
  });
};

/**
 * Creates and returns a new identity secret, and records the audit event. Signatures made with the previous secret are rejected
 * from then on.
 */
export const createIdentitySecret = async (
  db: Database,
  serviceSecrets: Keyset<Buffer>,
  application: Application,
  by: AuditContext,
): Promise<{ application: Application; secret: string }> =>
  serviceSecrets.withCurrent(async ({ id: identityServiceSecretId }) => {
    const columns = { identitySecretAt: by.now.toISOString(), identityServiceSecretId };
    await audited(db, by, async (trx) => {
      await store.updateApplication(trx, application.id, columns);
      return { action: 'identity_secret_created', subject: application.id };
    });
    const changed = { ...application, ...columns };
    return { application: changed, secret: deriveIdentitySecret(serviceSecrets, changed)! };
  });

export const createOrganization = async (db: Database, name: string, by: ActorAt): Promise<Organization> => {
  const id = makeId('org');
  const organization = { id, name: name.trim(), createdAt: by.now.toISOString() };
  await audited(db, { ...by, organizationId: id }, async (trx) => {
    await store.insertOrganization(trx, organization);
    return { action: 'organization_created', details: { name: organization.name } };
  });
  return organization;
};

/** Throws OperatorError for an invalid origin. */
export const createApplication = async (
  db: Database,
  { name, environment, origins }: { name: string; environment: Environment; origins: string[] },
  by: AuditContext,
): Promise<Application> => {
  const application = {
    id: makeId('app'),
    organizationId: by.organizationId,
    name: name.trim(),
    environment,
    origins: origins.map(checkOrigin),
    returnAddresses: [],
    createdAt: by.now.toISOString(),
    nativeAllowedAt: null,
    identitySecretAt: null,
    identityServiceSecretId: null,
    identityRequiredAt: null,
    logoHash: null,
    color: null,
    archivedAt: null,
    firstLinkSessionAt: null,
    requestsPerMinute: null,
  };
  await audited(db, by, async (trx) => {
    await store.insertApplication(trx, application);
    const details = { name: application.name, environment, origins: application.origins.join(' ') };
    return { action: 'application_created', subject: application.id, details };
  });
  return application;
};

/**
 * Archives an application and records the audit event. Its data is kept, but nothing is linked, read, refreshed or delivered.
 * Archiving it again changes nothing.
 */
export const archiveApplication = async (
  db: Database,
  application: Application,
  by: AuditContext,
): Promise<Application> =>
  application.archivedAt ? application : setArchivedAt(db, application, by.now.toISOString(), by);

/** Restores an archived application and records the audit event. Restoring it again changes nothing. */
export const restoreApplication = (
  db: Database,
  application: Application,
  by: AuditContext,
): Promise<Application> => setArchivedAt(db, application, null, by);

const setArchivedAt = async (
  db: Database,
  application: Application,
  archivedAt: string | null,
  by: AuditContext,
): Promise<Application> => {
  const { id } = application;
  const action = archivedAt === null ? 'application_restored' : 'application_archived';
  await audited(db, by, async (trx) =>
    (await store.updateArchivedAt(trx, id, archivedAt)) ? { action, subject: id } : undefined,
  );
  return { ...application, archivedAt };
};

/**
 * Sets an application's limit, or removes it (null), and records the audit event. Throws ValidationError above the operator's
 * limit.
 */
export const setRequestsPerMinute = async (
  db: Database,
  { apiRequestsPerMinute }: Limits,
  { id, requestsPerMinute }: Pick<Application, 'id' | 'requestsPerMinute'>,
  by: AuditContext,
): Promise<Application> => {
  const textOf = (limit: number | null): string => (limit === null ? '' : String(limit));
  return db.transaction(async (trx) => {
    const locked = await store.lockApplication(trx, id);
    const before = locked.requestsPerMinute;
    if (requestsPerMinute === before) return locked;
    if (requestsPerMinute !== null && requestsPerMinute > apiRequestsPerMinute) {
      const message = `must be at most ${apiRequestsPerMinute}, the operator's limit`;
      throw new ValidationError('invalid_request', [{ path: '/body/requestsPerMinute', message }]);
    }
    await store.updateApplication(trx, id, { requestsPerMinute });
    const details = { before: textOf(before), after: textOf(requestsPerMinute) };
    await recordAudit(trx, by, { action: 'rate_limit_changed', subject: id, details });
    return { ...locked, requestsPerMinute };
  });
};
