import { publicConnection } from '../../connections/connection.ts';
import { findConnection } from '../../connections/find.ts';
import type { Operation } from './operation.ts';

export const getConnection: Operation<'getConnection'> = async ({ path, application, lifetime }, { db }) => {
  const connection = await findConnection(db, application.id, path.connectionId, lifetime);
  return { connection: publicConnection(connection) };
};
