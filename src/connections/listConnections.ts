// Lists the connections of an application for the dashboard. The filters decide the sort order; a cursor leads to the
// next page.
import { addMilliseconds, days } from '../clock.ts';
import type { Queries } from '../db/open.ts';
import { NotFound } from '../errors.ts';
import { isId } from '../ids.ts';
import { decodeListCursor, encodeListCursor, invalidListCursor, toListPage } from '../listPage.ts';
import { isPlainText } from '../text.ts';
import { findResourceOwner } from '../users/store.ts';
import type { RetentionContext } from './connection.ts';
import {
  type ConnectionFilter,
  type ConnectionPosition,
  type ConnectionSort,
  findListedConnections,
  type ListedConnection,
  type Visibility,
} from './listStore.ts';

export type ConnectionListRequest = ConnectionFilter & {
  /** A connection id, or a prefix of an external user id. */
  search?: string;
  cursor?: string;
  limit: number;
};

export type ConnectionPage = { connections: ListedConnection[]; nextCursor?: string };

/** Which connections of an application are not expired now. */
export const toVisibility = ({ clock, application, retentionDays }: RetentionContext): Visibility => ({
  real: clock.real().toISOString(),
  revokedAfter: addMilliseconds(clock.now(application), -days(retentionDays)).toISOString(),
});

/** One page of an application's connections. Throws ValidationError for a cursor of another list. */
export const listConnections = async (
  db: Queries,
  applicationId: string,
  request: ConnectionListRequest,
  retention: RetentionContext,
): Promise<ConnectionPage> => {
  const { search, cursor, limit, ...requestFilter } = request;
  const searchFilter = search === undefined ? {} : await parseSearch(db, search);
  if (!searchFilter) return { connections: [] };
  const filter = { ...requestFilter, ...searchFilter };
  const sort = toConnectionSort(filter);
  const list = { applicationId, visibility: toVisibility(retention), filter, sort };
  const after = cursor === undefined ? undefined : decodePosition(cursor, sort);
  const rows = await findListedConnections(db, { ...list, after, limit: limit + 1 });
  const { page, next } = toListPage(rows, limit, (last) => encodePosition(last, sort));
  return { connections: page, ...next };
};

/** The filter of a search text; undefined if it is the id of no connection. */
const parseSearch = async (db: Queries, search: string): Promise<ConnectionFilter | undefined> => {
  const text = search.trim();
  if (!isId('con', text)) return { externalUserId: text };
  const owner = await findResourceOwner(db, text);
  return owner && { key: { endUserId: owner.endUserId, id: text } };
};

/** One connection of an application, as listed. Throws NotFound, also for connections of other applications. */
export const findListedConnection = async (
  db: Queries,
  applicationId: string,
  id: string,
  retention: RetentionContext,
): Promise<ListedConnection> => {
  const owner = isId('con', id) ? await findResourceOwner(db, id) : undefined;
  const key = owner && { endUserId: owner.endUserId, id };
  const page = {
    applicationId,
    visibility: toVisibility(retention),
    filter: { key },
    sort: 'createdAt',
    limit: 1,
  } as const;
  const [connection] = key ? await findListedConnections(db, page) : [];
  if (!connection) throw new NotFound('connection');
  return connection;
};

const toConnectionSort = ({ externalUserId, refreshedBefore }: ConnectionFilter): ConnectionSort => {
  if (externalUserId !== undefined) return 'externalUserId';
  return refreshedBefore === undefined ? 'createdAt' : 'refreshedAt';
};

const encodePosition = (last: ListedConnection, sort: ConnectionSort): string =>
  encodeListCursor(JSON.stringify([sort, last[sort] ?? '', last.id]));

const decodePosition = (text: string, sort: ConnectionSort): ConnectionPosition => {
  try {
    const [cursorSort, value, id] = JSON.parse(decodeListCursor(text));
    const isPosition = typeof value === 'string' && isPlainText(value) && isId('con', id);
    if (cursorSort === sort && isPosition) return { value, id };
  } catch {
    // A malformed cursor is refused like a cursor of another list.
  }
  throw invalidListCursor();
};
