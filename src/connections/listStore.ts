// An application's connections as the dashboard lists them, page by page, and how many there are. Each order is the
// order of an index (migration 0013), so that a page of 100,000 connections comes as quickly as one of ten.
import type { Queries } from '../db/open.ts';
import type { Connection, ConnectionState } from './connection.ts';

/** Everything of a connection but its sealed credentials. */
export type ListedConnection = Omit<Connection, 'credentials' | 'refreshedFullyAt' | 'purgeStartedAt'> & {
  externalUserId: string | null;
};

const listedColumns = {
  id: 'id',
  endUserId: 'end_user_id',
  applicationId: 'application_id',
  externalUserId: 'external_user_id',
  institutionId: 'institution_id',
  institutionName: 'institution_name',
  createdAt: 'created_at',
  revokedAt: 'revoked_at',
  deliveryExpiresAt: 'delivery_expires_at',
  reconnectReason: 'reconnect_reason',
  refreshedAt: 'refreshed_at',
};

/** What is there at all: `real` is real time, and what was revoked before `revokedAfter` is gone. */
export type Visibility = { real: string; revokedAfter: string };

export type ConnectionFilter = {
  /** One connection, and whose it is: found by the key of its table. */
  key?: { endUserId: string; id: string };
  /** External user ids that begin with this text. */
  externalUserId?: string;
  institutionId?: string;
  state?: ConnectionState;
  refreshedBefore?: string;
};

/** What a list is in the order of. */
export type ConnectionSort = 'age' | 'user' | 'refresh';

const sorts = {
  age: { column: 'created_at', direction: 'desc', beyond: '<' },
  user: { column: 'external_user_id', direction: 'asc', beyond: '>' },
  refresh: { column: 'refreshed_at', direction: 'asc', beyond: '>' },
} as const;

export type ConnectionPosition = { value: string; id: string };

export type ConnectionPageRequest = {
  applicationId: string;
  visibility: Visibility;
  filter: ConnectionFilter;
  sort: ConnectionSort;
  after?: ConnectionPosition;
  limit: number;
};

/** One page in the given order. */
export const findListedConnections = async (
  db: Queries,
  page: ConnectionPageRequest,
): Promise<ListedConnection[]> => {
  const { column, direction, beyond } = sorts[page.sort];
  const query = visibleConnections(db, page.applicationId, page.visibility)
    .orderBy([
      { column, order: direction },
      { column: 'id', order: direction },
    ])
    .limit(page.limit)
    .select(listedColumns);
  applyFilter(query, page.filter);
  if (page.after) {
    query.whereRaw(`(${column}, id) ${beyond} (?, ?)`, [page.after.value, page.after.id]);
  }
  return query;
};

const visibleConnections = (db: Queries, applicationId: string, alive: Visibility) =>
  db('connections')
    .where({ application_id: applicationId })
    .whereNull('purge_started_at')
    .where((kept) => kept.whereNull('revoked_at').orWhere('revoked_at', '>', alive.revokedAfter))
    .where((kept) => kept.whereNull('delivery_expires_at').orWhere('delivery_expires_at', '>', alive.real));

type ConnectionQuery = ReturnType<typeof visibleConnections>;

const applyFilter = (query: ConnectionQuery, filter: ConnectionFilter): void => {
  const { key, externalUserId, institutionId, state, refreshedBefore } = filter;
  if (key !== undefined) query.where({ end_user_id: key.endUserId, id: key.id });
  if (externalUserId !== undefined) {
    query.where('external_user_id', '>=', externalUserId);
    const end = prefixUpperBound(externalUserId);
    if (end !== undefined) query.where('external_user_id', '<', end);
  }
  if (institutionId !== undefined) query.where({ institution_id: institutionId });
  if (refreshedBefore !== undefined) query.where('refreshed_at', '<', refreshedBefore);
  if (state !== undefined) filterByState(query, state);
};

/** The same rules as connectionState in connection.ts. */
const filterByState = (query: ConnectionQuery, state: ConnectionState): void => {
  if (state === 'revoked') {
    query.whereNotNull('revoked_at');
    return;
  }
  query.whereNull('revoked_at');
  if (state === 'pending') {
    query.whereNotNull('delivery_expires_at');
    return;
  }
  query.whereNull('delivery_expires_at');
  if (state === 'needs_reconnect') query.whereNotNull('reconnect_reason');
  else query.whereNull('reconnect_reason');
};

/** The least text that is greater than every text with this beginning, byte by byte; undefined where there is none. */
const prefixUpperBound = (beginning: string): string | undefined => {
  const points = [...beginning].map((character) => character.codePointAt(0)!);
  while (points.length > 0) {
    const last = points.pop()!;
    if (last >= 0x10ffff) continue;
    // Surrogates are no characters of their own.
    points.push(last === 0xd7ff ? 0xe000 : last + 1);
    return String.fromCodePoint(...points);
  }
  return undefined;
};

/** How many connections an application has, by state: one walk through an index that has all it takes. */
export const countByState = async (
  db: Queries,
  applicationId: string,
  alive: Visibility,
): Promise<Record<ConnectionState, number>> => {
  const kept = `purge_started_at is null and (revoked_at is null or revoked_at > ?)
    and (delivery_expires_at is null or delivery_expires_at > ?)`;
  const count = (state: string, name: ConnectionState) =>
    db.raw(`count(case when ${kept} and ${state} then 1 end) as ??`, [alive.revokedAfter, alive.real, name]);
  const pending = 'revoked_at is null and delivery_expires_at is not null';
  const running = 'revoked_at is null and delivery_expires_at is null';
  const row: Record<ConnectionState, number | string> = await db('connections')
    .where({ application_id: applicationId })
    .first(
      count('revoked_at is not null', 'revoked'),
      count(pending, 'pending'),
      count(`${running} and reconnect_reason is not null`, 'needs_reconnect'),
      count(`${running} and reconnect_reason is null`, 'active'),
    );
  return {
    revoked: Number(row.revoked),
    pending: Number(row.pending),
    needs_reconnect: Number(row.needs_reconnect),
    active: Number(row.active),
  };
};
