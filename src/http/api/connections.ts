// The operations on connections.
import { connectionToJson, findConnection } from '../../connections/connection.ts';
import { revokeConnection as revoke } from '../../connections/revokeConnection.ts';
import type { Operation } from './operation.ts';

export const listConnections: Operation<'listConnections'> = async ({ access }) => ({
  connections: access.connections.map(connectionToJson),
});

export const getConnection: Operation<'getConnection'> = async ({ path, application, retention }, { db }) => {
  const connection = await findConnection(db, application.id, path.connectionId, retention);
  return { connection: connectionToJson(connection) };
};

export const revokeConnection: Operation<'revokeConnection'> = async (
  { path, application, retention },
  { db, config },
) => {
  const eventsMax = config.limits.connectionEventsMax;
  await revoke(db, application.id, path.connectionId, retention, { requestedBy: 'api', eventsMax });
};
