import { connectionToJson } from '../../connections/connection.ts';
import type { Operation } from './operation.ts';

export const listConnections: Operation<'listConnections'> = async ({ access }) => ({
  connections: access.connections.map(connectionToJson),
});
