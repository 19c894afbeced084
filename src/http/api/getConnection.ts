import { connectionToJson } from '../../connections/connection.ts';
import { findConnection } from '../../connections/access.ts';
import type { Operation } from './operation.ts';

export const getConnection: Operation<'getConnection'> = async ({ path, application, retention }, { db }) => {
  const connection = await findConnection(db, application.id, path.connectionId, retention);
  return { connection: connectionToJson(connection) };
};
