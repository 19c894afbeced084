// Finds the object that an argument or option identifies, or throws an OperatorError that repeats the argument.
import type { Application, Organization } from '../../domain/applications/application.ts';
import { findApplication, findOrganizations } from '../../domain/applications/store.ts';
import { byOperator } from '../../domain/audit/by.ts';
import { isExpired, type RetentionContext } from '../../domain/connections/connection.ts';
import { type Connection, findConnectionRow } from '../../domain/connections/store.ts';
import { findResourceOwner } from '../../domain/users/store.ts';
import { OperatorError } from '../../platform/values/errors.ts';
import { isId } from '../../platform/values/ids.ts';
import type { Service } from '../../service.ts';

export const noOrganization =
  'There are no organizations yet: create one with "organizations create --name".';

/**
 * The organization from the option --organization, by id or name; without the option, the only one. Throws OperatorError if there
 * is none, or more than one.
 */
export const lookupOrganization = async ({ db }: Service, idOrName?: string): Promise<Organization> => {
  const organizations = await findOrganizations(db.read);
  const byId = organizations.filter(({ id }) => id === idOrName);
  const candidates = byId.length > 0 ? byId : organizations.filter(({ name }) => name === (idOrName ?? name));
  const [organization] = candidates;
  if (organization && candidates.length === 1) return organization;
  if (organizations.length === 0) throw new OperatorError(noOrganization);
  const list = organizations.map(({ id, name }) => `${id} (${name})`).join(', ');
  if (idOrName === undefined)
    throw new OperatorError(`--organization is required because there are several organizations: ${list}.`);
  const problem = organization ? 'Several organizations match' : 'There is no organization';
  throw new OperatorError(`${problem} ${idOrName}: choose one of ${list}.`);
};

/** The option that `lookupOrganization` reads. */
export const organizationOption = [
  '--organization <organization>',
  'the organization (org_… or its name); required if there are several',
] as const;

/** Throws OperatorError if there is no such application. */
export const lookupApplication = async ({ db }: Service, id: string): Promise<Application> => {
  const application = isId('app', id) ? await findApplication(db.read, id) : undefined;
  if (application) return application;
  throw new OperatorError(`There is no application ${id}: "applications list" shows all applications.`);
};

export type ConnectionLookup = {
  connection: Connection;
  application: Application;
  retention: RetentionContext;
};

/** Throws OperatorError if there is no such connection, or if its retention period has passed. */
export const lookupConnection = async (service: Service, id: string): Promise<ConnectionLookup> => {
  const { db, clock, config } = service;
  const owner = isId('con', id) ? await findResourceOwner(db.read, id) : undefined;
  const connection = owner && (await findConnectionRow(db.read, { endUserId: owner.endUserId, id }));
  const application = connection && (await findApplication(db.read, connection.applicationId));
  if (application) {
    const retention = { clock, application, limits: config.limits };
    if (!isExpired(connection, retention)) return { connection, application, retention };
  }
  throw new OperatorError(`There is no connection ${id}.`);
};

/** A connection, and an operator's request to change how it is refreshed. Throws like `lookupConnection`. */
export const lookupRefreshable = async (service: Service, id: string) => {
  const { clock, config } = service;
  const { connection, application } = await lookupConnection(service, id);
  const { environment, organizationId } = application;
  return {
    connection: { ...connection, environment, organizationId },
    request: {
      by: byOperator(organizationId, clock.real()),
      at: clock.now(application),
      eventsMax: config.limits.connectionEventsMax,
    },
  };
};
