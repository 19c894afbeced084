// Which connection a caller may see. Who asks for a thing that is not there gets NotFound; who asks for a
// thing of somebody else gets Forbidden, without learning whose it is.
import type { Clock, Environment } from '../clock.ts';
import type { Database } from '../db/open.ts';
import { Forbidden, NotFound } from '../errors.ts';
import { isId } from '../ids.ts';
import { findResourceOwner } from '../users/store.ts';
import type { Reader } from '../vault/reader.ts';
import { type Connection, isExpired, type ReadableConnection } from './connection.ts';
import { findConnectionRow, findConnectionRows } from './store.ts';

/** What deciding about time needs: the clock, whose time it is, and how long revoked data stays. */
export type RetentionContext = { clock: Clock; environment: Environment; retentionDays: number };

const toRetentionTime = ({ clock, environment, retentionDays }: RetentionContext) => ({
  now: clock.now(environment),
  real: clock.real(),
  retentionDays,
});

/** A connection of this application, by id. */
export const findConnection = async (
  db: Database,
  applicationId: string,
  id: string,
  lifetime: RetentionContext,
): Promise<Connection> => {
  const owner = isId('con', id) ? await findResourceOwner(db.read, id) : undefined;
  if (!owner) throw new NotFound('connection');
  if (owner.applicationId !== applicationId) throw new Forbidden();
  const connection = await findConnectionRow(db.read, { endUserId: owner.endUserId, id });
  if (!connection || isExpired(connection, toRetentionTime(lifetime))) throw new NotFound('connection');
  return connection;
};

/** What a scoped token gives access to: its Reader, and the connections that were there when it was shown. */
export type Access = { reader: Reader; connections: ReadableConnection[]; retention: RetentionContext };

/** Opens the access of a Reader; Forbidden where nothing of its user is left. */
export const openAccess = async (
  db: Database,
  reader: Reader,
  retention: RetentionContext,
): Promise<Access> => {
  const time = toRetentionTime(retention);
  const rows = await findConnectionRows(db.read, { endUserId: reader.endUserId });
  const connections = rows.filter((connection) => !isExpired(connection, time)).sort(oldestFirst);
  if (connections.length === 0) throw new Forbidden();
  return { reader, connections, retention };
};

const oldestFirst = (left: ReadableConnection, right: ReadableConnection): number =>
  compare(left.createdAt, right.createdAt) || compare(left.id, right.id);
const compare = (left: string, right: string): number => (left < right ? -1 : Number(left > right));

/** A connection that an access covers, by id. */
export const findReadableConnection = async (
  db: Database,
  access: Access,
  id: string,
): Promise<ReadableConnection> => {
  const connection = access.connections.find((one) => one.id === id);
  return connection ?? throwNotFoundOrForbidden(db, access.reader, 'connection', id);
};

/** Forbidden for what belongs to somebody else, NotFound for what is not there or no longer. */
export const throwNotFoundOrForbidden = async (
  db: Database,
  reader: Reader,
  kind: 'connection' | 'account',
  id: string,
): Promise<never> => {
  const owner = isId(kind === 'connection' ? 'con' : 'acc', id)
    ? await findResourceOwner(db.read, id)
    : undefined;
  const isForeign =
    owner && (owner.applicationId !== reader.applicationId || owner.endUserId !== reader.endUserId);
  throw isForeign ? new Forbidden() : new NotFound(kind);
};
