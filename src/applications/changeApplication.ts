// Changes the name, the settings and the logo of an application, and rotates its identity secret.
import { type Actor, recordAuditEvent } from '../audit/store.ts';
import type { Database, Queries } from '../db/open.ts';
import { Conflict } from '../errors.ts';
import { type Logo, logoPath } from '../logos/logo.ts';
import type { Keyset } from '../vault/keyset.ts';
import { type Application, checkOrigin, checkReturnAddress } from './application.ts';
import { deriveIdentitySecret } from './identityVerification.ts';
import { updateApplication, updateIdentitySecret, updateLogo } from './store.ts';

export type ApplicationChange = {
  name?: string;
  origins?: string[];
  nativeAllowed?: boolean;
  returnAddresses?: string[];
  identityRequired?: boolean;
  /** #rrggbb; null for the usual one. */
  color?: string | null;
};

/**
 * Throws OperatorError for an invalid origin or return address, and Conflict if signatures are required without an identity
 * secret.
 */
export const changeApplication = async (
  db: Queries,
  application: Application,
  { change, now }: { change: ApplicationChange; now: Date },
): Promise<Application> => {
  const since = (isEnabled: boolean | undefined, enabledAt: string | null): string | null => {
    if (isEnabled === undefined) return enabledAt;
    return isEnabled ? (enabledAt ?? now.toISOString()) : null;
  };
  const changed: Application = {
    ...application,
    name: change.name?.trim() ?? application.name,
    origins: change.origins ? [...new Set(change.origins.map(checkOrigin))] : application.origins,
    returnAddresses: change.returnAddresses
      ? [...new Set(change.returnAddresses.map(checkReturnAddress))]
      : application.returnAddresses,
    nativeAllowedAt: since(change.nativeAllowed, application.nativeAllowedAt),
    identityRequiredAt: since(change.identityRequired, application.identityRequiredAt),
    color: change.color === undefined ? application.color : (change.color?.toLowerCase() ?? null),
  };
  if (changed.identityRequiredAt && !changed.identitySecretAt)
    throw new Conflict('Create an identity secret first.');
  await updateApplication(db, changed);
  return changed;
};

/** Replaces the logo of an application, or removes it, with the audit event. Without a change there is none. */
export const changeLogo = async (
  db: Database,
  { application, logo, now, actor }: { application: Application; logo?: Logo; now: Date; actor: Actor },
): Promise<Application> => {
  const { id, organizationId, logoHash: before } = application;
  const logoHash = logo?.hash ?? null;
  if (logoHash === before) return application;
  const textOf = (hash: string | null): string => (hash === null ? '' : logoPath(hash));
  await db.transaction(async (trx) => {
    await updateLogo(trx, id, logo);
    await recordAuditEvent(trx, {
      ...{ organizationId, now, actor, subject: id },
      action: 'application_logo_changed',
      details: { before: textOf(before), after: textOf(logoHash) },
    });
  });
  return { ...application, logoHash };
};

/**
 * Gives an application a new identity secret, with its audit event, and returns it. Signatures with the previous one are
 * refused from now on.
 */
export const createIdentitySecret = async (
  db: Database,
  serviceSecrets: Keyset<Buffer>,
  { application, now, actor }: { application: Application; now: Date; actor: Actor },
): Promise<{ application: Application; secret: string }> =>
  serviceSecrets.withCurrent(async ({ id: identityServiceSecretId }) => {
    const changed = { ...application, identitySecretAt: now.toISOString(), identityServiceSecretId };
    await db.transaction(async (trx) => {
      await updateIdentitySecret(trx, changed);
      await recordAuditEvent(trx, {
        ...{ organizationId: application.organizationId, now, actor },
        action: 'identity_secret_created',
        subject: application.id,
      });
    });
    return { application: changed, secret: deriveIdentitySecret(serviceSecrets, changed)! };
  });
