// The dashboard's list of connections: filters, the order that goes with them, and the cursor from page to page.
import { after, days } from '../clock.ts';
import type { Queries } from '../db/open.ts';
import { BadInput, NotFound } from '../errors.ts';
import { isId } from '../ids.ts';
import { findOwner } from '../users/store.ts';
import type { Lifetime } from './find.ts';
import {
  type Alive,
  type ConnectionFilter,
  findListedConnections,
  type ListedConnection,
  type Order,
  type Position,
} from './listStore.ts';

export type ListRequest = ConnectionFilter & {
  /** A connection's id, or the beginning of an external user id. */
  search?: string;
  cursor?: string;
  limit: number;
};

export type ConnectionPage = { connections: ListedConnection[]; nextCursor?: string };

/** What is still there for an application, at its time. */
export const aliveAt = ({ clock, environment, retentionDays }: Lifetime): Alive => ({
  real: clock.real().toISOString(),
  revokedAfter: after(clock.now(environment), -days(retentionDays)).toISOString(),
});

/** One page of an application's connections. Throws BadInput for a cursor that is none of this list. */
export const listConnections = async (
  db: Queries,
  applicationId: string,
  request: ListRequest,
  lifetime: Lifetime,
): Promise<ConnectionPage> => {
  const { search, cursor, limit, ...given } = request;
  const found = search === undefined ? {} : await readSearch(db, search);
  if (!found) return { connections: [] };
  const filter = { ...given, ...found };
  const order = orderOf(filter);
  const page = { applicationId, alive: aliveAt(lifetime), filter, order };
  const position = cursor === undefined ? undefined : readCursor(cursor, order);
  const rows = await findListedConnections(db, { ...page, after: position, limit: limit + 1 });
  const connections = rows.slice(0, limit);
  const last = rows.length > limit ? connections.at(-1) : undefined;
  return { connections, ...(last && { nextCursor: printCursor(last, order) }) };
};

/** Undefined where a connection is asked for that nobody has. */
const readSearch = async (db: Queries, search: string): Promise<ConnectionFilter | undefined> => {
  const text = search.trim();
  if (!isId('con', text)) return { externalUserId: text };
  const owner = await findOwner(db, text);
  return owner && { key: { endUserId: owner.endUserId, id: text } };
};

/** One connection of an application, as it is listed; NotFound for those of others too. */
export const findListedConnection = async (
  db: Queries,
  applicationId: string,
  id: string,
  lifetime: Lifetime,
): Promise<ListedConnection> => {
  const owner = isId('con', id) ? await findOwner(db, id) : undefined;
  const key = owner && { endUserId: owner.endUserId, id };
  const page = { applicationId, alive: aliveAt(lifetime), filter: { key }, order: 'age', limit: 1 } as const;
  const [connection] = key ? await findListedConnections(db, page) : [];
  if (!connection) throw new NotFound('connection');
  return connection;
};

const orderOf = ({ externalUserId, refreshedBefore }: ConnectionFilter): Order => {
  if (externalUserId !== undefined) return 'user';
  return refreshedBefore === undefined ? 'age' : 'refresh';
};

const positionValue = (connection: ListedConnection, order: Order): string => {
  if (order === 'age') return connection.createdAt;
  return (order === 'user' ? connection.externalUserId : connection.refreshedAt) ?? '';
};

// A cursor only says where to go on in what its reader may see anyway, so it needs no seal.
const printCursor = (last: ListedConnection, order: Order): string =>
  Buffer.from(JSON.stringify([order, positionValue(last, order), last.id])).toString('base64url');

const readCursor = (text: string, order: Order): Position => {
  try {
    const [forOrder, value, id] = JSON.parse(Buffer.from(text, 'base64url').toString());
    if (forOrder === order && typeof value === 'string' && typeof id === 'string') return { value, id };
  } catch {
    // What cannot be read is refused like what belongs to another list.
  }
  throw new BadInput('invalid_cursor', [{ path: '/query/cursor', message: 'does not belong to this list' }]);
};
