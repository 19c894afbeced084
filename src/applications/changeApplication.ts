// Changes the name, the settings and the logo of an application, and rotates its identity secret.
import { type Logo, logoPath } from '../../connectors/kit/logo.ts';
import { type Actor, recordAuditEvent } from '../audit/store.ts';
import type { Database, Queries } from '../db/open.ts';
import { Conflict } from '../errors.ts';
import type { Keyset } from '../vault/keyset.ts';
import { type Application, checkOrigin, checkReturnAddress } from './application.ts';
import { deriveIdentitySecret } from './identityVerification.ts';
import { type ApplicationColumns, lockApplication, updateApplication, updateLogo } from './store.ts';

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
  await updateApplication(db, application.id, columns);
  return changed;
};

/** Replaces the logo of an application, or removes it, with the audit event. Without a change there is none. */
export const changeLogo = async (
  db: Database,
  { application, logo, now, actor }: { application: Application; logo?: Logo; now: Date; actor: Actor },
): Promise<Application> => {
  const { id, organizationId } = application;
  const logoHash = logo?.hash ?? null;
  const textOf = (hash: string | null): string => (hash === null ? '' : logoPath(hash));
  return db.transaction(async (trx) => {
    const locked = await lockApplication(trx, id);
    const before = locked.logoHash;
    if (logoHash === before) return locked;
    await updateLogo(trx, id, logo);
    await recordAuditEvent(trx, {
      ...{ organizationId, now, actor, subject: id },
      action: 'application_logo_changed',
      details: { before: textOf(before), after: textOf(logoHash) },
    });
    return { ...locked, logoHash };
  });
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
    const columns = { identitySecretAt: now.toISOString(), identityServiceSecretId };
    await db.transaction(async (trx) => {
      await updateApplication(trx, application.id, columns);
      await recordAuditEvent(trx, {
        ...{ organizationId: application.organizationId, now, actor },
        action: 'identity_secret_created',
        subject: application.id,
      });
    });
    const changed = { ...application, ...columns };
    return { application: changed, secret: deriveIdentitySecret(serviceSecrets, changed)! };
  });
