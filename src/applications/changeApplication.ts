// Changing what an application is called and what it allows.
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

/** Throws OperatorError for what is no origin, and Conflict where signed users are required without a secret. */
export const changeApplication = async (
  db: Queries,
  application: Application,
  { change, now }: { change: ApplicationChange; now: Date },
): Promise<Application> => {
  const since = (wanted: boolean | undefined, before: string | null): string | null => {
    if (wanted === undefined) return before;
    return wanted ? (before ?? now.toISOString()) : null;
  };
  const changed: Application = {
    ...application,
    name: change.name?.trim() ?? application.name,
    origins: change.origins ? [...new Set(change.origins.map(checkOrigin))] : application.origins,
    nativeAllowedAt: since(change.nativeAllowed, application.nativeAllowedAt),
    identityRequiredAt: since(change.identityRequired, application.identityRequiredAt),
  };
  if (changed.identityRequiredAt && !changed.identitySecretAt)
    throw new Conflict('Make a secret for signing users first.');
  await updateApplication(db, changed);
  return changed;
};

/** Gives an application a new secret for signing users; the one before is of no use from now on. */
export const rotateIdentitySecret = async (
  db: Queries,
  application: Application,
  now: Date,
): Promise<Application> => {
  const changed = { ...application, identitySecretAt: now.toISOString() };
  await updateApplication(db, changed);
  return changed;
};
