// The operations on connections.
import { connectionToJson, findConnection } from '../../connections/connection.ts';
import { revokeConnection as revoke } from '../../connections/revokeConnection.ts';
import { institutionOf } from '../../institutions/registry.ts';
import type { Operation } from './operation.ts';

export const listConnections: Operation<'listConnections'> = async (
  { access, application },
  { registry },
) => ({
  connections: access.connections.map((connection) =>
    connectionToJson(connection, institutionOf(registry, application.environment, connection)),
  ),
});

export const getConnection: Operation<'getConnection'> = async (
  { path, application, retention, connectionOwner },
  { db, registry },
) => {
  const connection = await findConnection(db, application.id, path.connectionId, retention, connectionOwner);
  const institution = institutionOf(registry, application.environment, connection);
  return { connection: connectionToJson(connection, institution) };
};

export const revokeConnection: Operation<'revokeConnection'> = async (
  { path, application, retention, connectionOwner },
  { db, config },
) => {
  await revoke(db, application.id, path.connectionId, retention, {
    requestedBy: 'api',
    eventsMax: config.limits.connectionEventsMax,
    connectionOwner,
  });
};
