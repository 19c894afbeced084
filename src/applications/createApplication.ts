// Creates organizations and applications, each with its audit event.
import { type Actor, recordAuditEvent } from '../audit/store.ts';
import type { Environment } from '../clock.ts';
import type { Database } from '../db/open.ts';
import { OperatorError } from '../errors.ts';
import { makeId } from '../ids.ts';
import { isPlainText } from '../text.ts';
import { type Application, checkOrigin, type Organization } from './application.ts';
import { insertApplication, insertOrganization } from './store.ts';

export const createOrganization = async (
  db: Database,
  request: { name: string; now: Date; actor: Actor },
): Promise<Organization> => {
  const organization = {
    id: makeId('org'),
    name: checkName(request.name),
    createdAt: request.now.toISOString(),
  };
  const { now, actor } = request;
  await db.transaction(async (trx) => {
    await insertOrganization(trx, organization);
    const { id: organizationId, name } = organization;
    const event = { organizationId, now, actor, action: 'organization_created', details: { name } } as const;
    await recordAuditEvent(trx, event);
  });
  return organization;
};

/** Throws OperatorError for a name or origin that is not valid. */
export const createApplication = async (
  db: Database,
  request: {
    organizationId: string;
    name: string;
    environment: Environment;
    origins: string[];
    now: Date;
    actor: Actor;
  },
): Promise<Application> => {
  const { organizationId, environment, now, actor } = request;
  const application = {
    id: makeId('app'),
    organizationId,
    name: checkName(request.name),
    environment,
    origins: request.origins.map(checkOrigin),
    returnAddresses: [],
    createdAt: now.toISOString(),
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
  await db.transaction(async (trx) => {
    await insertApplication(trx, application);
    await recordAuditEvent(trx, {
      ...{ organizationId: application.organizationId, now, actor },
      action: 'application_created',
      subject: application.id,
      details: { name: application.name, environment, origins: application.origins.join(' ') },
    });
  });
  return application;
};

const checkName = (name: string): string => {
  if (name.trim() !== '' && name.length <= 100 && isPlainText(name)) return name.trim();
  throw new OperatorError('The name must be 1 to 100 characters long, without control characters.');
};
