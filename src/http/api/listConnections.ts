import { publicConnection } from '../../connections/connection.ts';
import { findLiveConnections } from '../../connections/find.ts';
import type { Operation } from './operation.ts';

export const listConnections: Operation<'listConnections'> = async ({ reader, lifetime }, { db }) => {
  const connections = await findLiveConnections(db, reader.endUserId, lifetime);
  return { connections: connections.map(publicConnection) };
};
