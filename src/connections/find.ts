// Which connection a caller may see. Who asks for a thing that is not there gets NotFound; who asks for a
// thing of somebody else gets Forbidden, without learning whose it is.
import type { Clock, Environment } from '../clock.ts';
import type { Database } from '../db/open.ts';
import { Forbidden, NotFound } from '../errors.ts';
import { isId } from '../ids.ts';
import { findOwner } from '../users/store.ts';
import type { Reader } from '../vault/reader.ts';
import { type Connection, isGone } from './connection.ts';
import { findConnectionRow, findConnectionRows } from './store.ts';

/** What deciding about time needs: the clock, whose time it is, and how long revoked data stays. */
export type Lifetime = { clock: Clock; environment: Environment; retentionDays: number };

const timeOf = ({ clock, environment, retentionDays }: Lifetime) => ({
  now: clock.now(environment),
  real: clock.real(),
  retentionDays,
});

/** A connection of this application, by id. */
export const findConnection = async (
  db: Database,
  applicationId: string,
  id: string,
  lifetime: Lifetime,
): Promise<Connection> => {
  const owner = isId('con', id) ? await findOwner(db.read, id) : undefined;
  if (!owner) throw new NotFound('connection');
  if (owner.applicationId !== applicationId) throw new Forbidden();
  const connection = await findConnectionRow(db.read, { endUserId: owner.endUserId, id });
  if (!connection || isGone(connection, timeOf(lifetime))) throw new NotFound('connection');
  return connection;
};

/** A connection that this reader's token covers, by id. */
export const findReadableConnection = async (
  db: Database,
  reader: Reader,
  id: string,
  lifetime: Lifetime,
): Promise<Connection> => {
  const connection = await findConnection(db, reader.applicationId, id, lifetime);
  if (connection.endUserId !== reader.endUserId) throw new Forbidden();
  return connection;
};

/** The connections of an end user that are still there, oldest first. */
export const findLiveConnections = async (
  db: Database,
  endUserId: string,
  lifetime: Lifetime,
): Promise<Connection[]> => {
  const time = timeOf(lifetime);
  const connections = await findConnectionRows(db.read, endUserId);
  return connections.filter((connection) => !isGone(connection, time));
};
