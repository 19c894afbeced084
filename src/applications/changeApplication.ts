// Changes the name and the settings of an application, and rotates its identity secret.
import type { Queries } from '../db/open.ts';
import { Conflict } from '../errors.ts';
import { type Application, checkOrigin } from './application.ts';
import { updateApplication } from './store.ts';

export type ApplicationChange = {
  name?: string;
  origins?: string[];
  nativeAllowed?: boolean;
  identityRequired?: boolean;
};

/** Throws OperatorError for an invalid origin, and Conflict if signatures are required without an identity secret. */
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
    nativeAllowedAt: since(change.nativeAllowed, application.nativeAllowedAt),
    identityRequiredAt: since(change.identityRequired, application.identityRequiredAt),
  };
  if (changed.identityRequiredAt && !changed.identitySecretAt)
    throw new Conflict('Create an identity secret first.');
  await updateApplication(db, changed);
  return changed;
};

/** Gives an application a new identity secret. Signatures with the previous one are refused from now on. */
export const rotateIdentitySecret = async (
  db: Queries,
  application: Application,
  now: Date,
): Promise<Application> => {
  const changed = { ...application, identitySecretAt: now.toISOString() };
  await updateApplication(db, changed);
  return changed;
};
