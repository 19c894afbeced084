// Finds what a command's argument names by id, or throws an OperatorError that repeats the argument.
import type { Application } from '../applications/application.ts';
import { findApplication } from '../applications/store.ts';
import { isExpired, type RetentionContext } from '../connections/connection.ts';
import { type Connection, findConnectionRow } from '../connections/store.ts';
import { OperatorError } from '../errors.ts';
import { isId } from '../ids.ts';
import type { Service } from '../service.ts';
import { findResourceOwner } from '../users/store.ts';

/** Throws OperatorError if there is no such application. */
export const lookupApplication = async ({ db }: Service, id: string): Promise<Application> => {
  const application = isId('app', id) ? await findApplication(db.read, id) : undefined;
  if (application) return application;
  throw new OperatorError(`There is no application ${id}: "applications list" shows all.`);
};

export type ConnectionLookup = {
  connection: Connection;
  application: Application;
  retention: RetentionContext;
};

/** Throws OperatorError if there is no such connection or its retention time has passed. */
export const lookupConnection = async (service: Service, id: string): Promise<ConnectionLookup> => {
  const { db, clock, config } = service;
  const owner = isId('con', id) ? await findResourceOwner(db.read, id) : undefined;
  const connection = owner && (await findConnectionRow(db.read, { endUserId: owner.endUserId, id }));
  const application = connection && (await findApplication(db.read, connection.applicationId));
  const { retentionDays } = config.limits;
  if (application) {
    const { environment } = application;
    const time = { now: clock.now(environment), real: clock.real(), retentionDays };
    if (!isExpired(connection, time)) {
      return { connection, application, retention: { clock, environment, retentionDays } };
    }
  }
  throw new OperatorError(`There is no connection ${id}.`);
};
