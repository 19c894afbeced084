// The dashboard's list of connections: filters, the order that goes with them, and the cursor from page to page.
import { addMilliseconds, days } from '../clock.ts';
import type { Queries } from '../db/open.ts';
import { NotFound, ValidationError } from '../errors.ts';
import { isId } from '../ids.ts';
import { findResourceOwner } from '../users/store.ts';
import type { RetentionContext } from './access.ts';
import {
  type ConnectionFilter,
  type ConnectionPosition,
  type ConnectionSort,
  findListedConnections,
  type ListedConnection,
  type Visibility,
} from './listStore.ts';

export type ConnectionListRequest = ConnectionFilter & {
  /** A connection's id, or the beginning of an external user id. */
  search?: string;
  cursor?: string;
  limit: number;
};

export type ConnectionPage = { connections: ListedConnection[]; nextCursor?: string };

/** What is still there for an application, at its time. */
export const visibilityAt = ({ clock, environment, retentionDays }: RetentionContext): Visibility => ({
  real: clock.real().toISOString(),
  revokedAfter: addMilliseconds(clock.now(environment), -days(retentionDays)).toISOString(),
});

/** One page of an application's connections. Throws BadInput for a cursor that is none of this list. */
export const listConnections = async (
  db: Queries,
  applicationId: string,
  request: ConnectionListRequest,
  lifetime: RetentionContext,
): Promise<ConnectionPage> => {
  const { search, cursor, limit, ...given } = request;
  const found = search === undefined ? {} : await parseSearch(db, search);
  if (!found) return { connections: [] };
  const filter = { ...given, ...found };
  const order = toConnectionSort(filter);
  const page = { applicationId, visibility: visibilityAt(lifetime), filter, sort: order };
  const position = cursor === undefined ? undefined : decodeListCursor(cursor, order);
  const rows = await findListedConnections(db, { ...page, after: position, limit: limit + 1 });
  const connections = rows.slice(0, limit);
  const last = rows.length > limit ? connections.at(-1) : undefined;
  return { connections, ...(last && { nextCursor: encodeListCursor(last, order) }) };
};

/** Undefined where a connection is asked for that nobody has. */
const parseSearch = async (db: Queries, search: string): Promise<ConnectionFilter | undefined> => {
  const text = search.trim();
  if (!isId('con', text)) return { externalUserId: text };
  const owner = await findResourceOwner(db, text);
  return owner && { key: { endUserId: owner.endUserId, id: text } };
};

/** One connection of an application, as it is listed; NotFound for those of others too. */
export const findListedConnection = async (
  db: Queries,
  applicationId: string,
  id: string,
  lifetime: RetentionContext,
): Promise<ListedConnection> => {
  const owner = isId('con', id) ? await findResourceOwner(db, id) : undefined;
  const key = owner && { endUserId: owner.endUserId, id };
  const page = {
    applicationId,
    visibility: visibilityAt(lifetime),
    filter: { key },
    sort: 'age',
    limit: 1,
  } as const;
  const [connection] = key ? await findListedConnections(db, page) : [];
  if (!connection) throw new NotFound('connection');
  return connection;
};

const toConnectionSort = ({ externalUserId, refreshedBefore }: ConnectionFilter): ConnectionSort => {
  if (externalUserId !== undefined) return 'user';
  return refreshedBefore === undefined ? 'age' : 'refresh';
};

const sortValue = (connection: ListedConnection, order: ConnectionSort): string => {
  if (order === 'age') return connection.createdAt;
  return (order === 'user' ? connection.externalUserId : connection.refreshedAt) ?? '';
};

// A cursor only says where to go on in what its reader may see anyway, so it needs no seal.
const encodeListCursor = (last: ListedConnection, order: ConnectionSort): string =>
  Buffer.from(JSON.stringify([order, sortValue(last, order), last.id])).toString('base64url');

const decodeListCursor = (text: string, order: ConnectionSort): ConnectionPosition => {
  try {
    const [forOrder, value, id] = JSON.parse(Buffer.from(text, 'base64url').toString());
    if (forOrder === order && typeof value === 'string' && typeof id === 'string') return { value, id };
  } catch {
    // What cannot be read is refused like what belongs to another list.
  }
  throw new ValidationError('invalid_cursor', [
    { path: '/query/cursor', message: 'does not belong to this list' },
  ]);
};
