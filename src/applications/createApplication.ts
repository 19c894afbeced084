// Creates organizations and applications, each with its audit event.
import { type Actor, recordAuditEvent } from '../audit/store.ts';
import type { Environment } from '../clock.ts';
import type { Database } from '../db/open.ts';
import { OperatorError } from '../errors.ts';
import { makeId } from '../ids.ts';
import { isPlainText } from '../text.ts';
import { type Application, checkOrigin, type Organization } from './application.ts';
import { findOrganizations, insertApplication, insertOrganization } from './store.ts';

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

/** `organizationId` can be omitted if there is only one organization. Throws OperatorError. */
export const createApplication = async (
  db: Database,
  request: {
    organizationId?: string;
    name: string;
    environment: Environment;
    origins: string[];
    now: Date;
    actor: Actor;
  },
): Promise<Application> => {
  const organizations = await findOrganizations(db.read);
  const { organizationId } = request;
  const candidates = organizations.filter(({ id }) => id === (organizationId ?? id));
  const [organization] = candidates;
  if (!organization || candidates.length > 1)
    throw new OperatorError(organizationHint(organizationId, organizations));
  const { environment, now, actor } = request;
  const application = {
    id: makeId('app'),
    organizationId: organization.id,
    name: checkName(request.name),
    environment,
    origins: request.origins.map(checkOrigin),
    createdAt: now.toISOString(),
    nativeAllowedAt: null,
    identitySecretAt: null,
    identityRequiredAt: null,
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

const organizationHint = (organizationId: string | undefined, organizations: Organization[]): string => {
  if (organizations.length === 0)
    return 'There is no organization yet: create one with "organizations create --name".';
  const list = organizations.map(({ id, name }) => `${id} (${name})`).join(', ');
  if (organizationId !== undefined)
    return `There is no organization ${organizationId}: choose one of ${list}.`;
  return `Say which organization with --organization: ${list}.`;
};
