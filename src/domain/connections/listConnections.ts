// Lists an application's connections for the dashboard. The filters decide the sort order, and a cursor leads to the next page.
// Also finds connections by id prefix in all applications of an organization; each lookup is an index range scan.

import type { Queries } from '../../platform/db/open.ts';
import { addMilliseconds, days } from '../../platform/values/clock.ts';
import { NotFound } from '../../platform/values/errors.ts';
import { base62Length, isId } from '../../platform/values/ids.ts';
import {
  decodeListCursor,
  encodeListCursor,
  type ListPage,
  readListPage,
} from '../../platform/values/listPage.ts';
import { isPlainText } from '../../platform/values/text.ts';
import { findResourceOwner, findResourceOwnersByPrefix } from '../users/store.ts';
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
  limit?: number;
};

/** Excludes the application's expired connections. */
export const toVisibility = ({
  clock,
  application,
  limits: { retentionDays },
}: RetentionContext): Visibility => ({
  applicationId: application.id,
  real: clock.real().toISOString(),
  revokedAfter: addMilliseconds(clock.now(application), -days(retentionDays)).toISOString(),
});

/** One page of the application's connections. Throws ValidationError for a cursor from another list. */
export const listConnections = async (
  db: Queries,
  retention: RetentionContext,
  request: ConnectionListRequest,
): Promise<ListPage<ListedConnection>> => {
  const { search, cursor, limit, ...requestFilter } = request;
  const searchFilter = search === undefined ? {} : await parseSearch(db, search);
  if (!searchFilter) return { rows: [] };
  const filter = { ...requestFilter, ...searchFilter };
  const sort = toConnectionSort(filter);
  const list = { visibility: toVisibility(retention), filter, sort };
  return readListPage({ cursor, limit }, cursorsOf(sort), (page) =>
    findListedConnections(db, { ...list, ...page }),
  );
};

/** The filter for a search text; undefined if the text is an id that no connection has. */
const parseSearch = async (db: Queries, search: string): Promise<ConnectionFilter | undefined> => {
  const text = search.trim();
  if (!isId('con', text)) return { externalUserId: text };
  const owner = await findResourceOwner(db, text);
  return owner && { key: { endUserId: owner.endUserId, id: text } };
};

/** One connection of the application, as listed. Throws NotFound, including for connections of other applications. */
export const findListedConnection = async (
  db: Queries,
  retention: RetentionContext,
  id: string,
): Promise<ListedConnection> => {
  const owner = isId('con', id) ? await findResourceOwner(db, id) : undefined;
  const key = owner && { endUserId: owner.endUserId, id };
  const [connection] = key ? await findIn(db, retention, { key }, 1) : [];
  if (!connection) throw new NotFound('connection');
  return connection;
};

const toConnectionSort = ({
  externalUserId,
  refreshedBefore,
  consentExpiresBefore,
}: ConnectionFilter): ConnectionSort => {
  if (externalUserId !== undefined) return 'externalUserId';
  if (consentExpiresBefore !== undefined) return 'consentExpiresAt';
  return refreshedBefore === undefined ? 'createdAt' : 'refreshedAt';
};

const cursorsOf = (sort: ConnectionSort) => ({
  encode: (last: ListedConnection) => encodeListCursor(JSON.stringify([sort, last[sort] ?? '', last.id])),
  decode: (cursor: string): ConnectionPosition | undefined => {
    try {
      const [cursorSort, value, id] = JSON.parse(decodeListCursor(cursor));
      const isPosition = typeof value === 'string' && isPlainText(value) && isId('con', id);
      return cursorSort === sort && isPosition ? { value, id } : undefined;
    } catch {
      // A malformed cursor is treated like one from another list.
      return undefined;
    }
  },
});

export type ConnectionSearch = { text: string; applications: readonly RetentionContext[]; limit: number };

/** `con_` and at least four characters: a shorter prefix matches too many connections. */
const connectionIdPrefix = new RegExp(`^con_[0-9A-Za-z]{4,${base62Length}}$`);
/** All organizations share the index, so at most this many connections with a prefix are checked. */
const candidatesMax = 50;

/**
 * At most `limit` connections whose external user id or connection id starts with `text`, ordered by that id. A connection id
 * needs at least 8 characters.
 */
export const searchConnections = async (
  db: Queries,
  search: ConnectionSearch,
): Promise<ListedConnection[]> => {
  const byId = connectionIdPrefix.test(search.text) ? await searchById(db, search) : [];
  return byId.length > 0 ? byId : searchByExternalUserId(db, search);
};

const searchById = async (
  db: Queries,
  { text, applications, limit }: ConnectionSearch,
): Promise<ListedConnection[]> => {
  const found: ListedConnection[] = [];
  for (const owner of await findResourceOwnersByPrefix(db, text, candidatesMax)) {
    const retention = applications.find(({ application }) => application.id === owner.applicationId);
    if (!retention || found.length === limit) continue;
    found.push(...(await findIn(db, retention, { key: owner }, 1)));
  }
  return found;
};

const searchByExternalUserId = async (
  db: Queries,
  { text, applications, limit }: ConnectionSearch,
): Promise<ListedConnection[]> => {
  const found: ListedConnection[] = [];
  for (const retention of applications) {
    if (found.length === limit) break;
    found.push(...(await findIn(db, retention, { externalUserId: text }, limit - found.length)));
  }
  return found;
};

const findIn = (
  db: Queries,
  retention: RetentionContext,
  filter: ConnectionFilter,
  limit: number,
): Promise<ListedConnection[]> =>
  findListedConnections(db, { visibility: toVisibility(retention), filter, sort: 'externalUserId', limit });
