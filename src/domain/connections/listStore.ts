// Queries for the connections of an application: pages and counts. Each sort order has an index, so paging through 100,000
// connections is as fast as through ten.
import type { Queries } from '../../platform/db/open.ts';
import { takeAfter } from '../../platform/db/queries.ts';
import { prefixUpperBound } from '../../platform/values/text.ts';
import type { ConnectionState } from './connection.ts';
import type { Connection } from './store.ts';

/** The columns of a listed connection, without its sealed credentials. */
export type ListedConnection = Omit<Connection, 'credentials' | 'refreshedFullyAt' | 'purgeStartedAt'> & {
  externalUserId: string | null;
};

const listedColumns = [
  'id',
  'endUserId',
  'applicationId',
  'externalUserId',
  'institutionId',
  'institutionName',
  'createdAt',
  'revokedAt',
  'deliveryExpiresAt',
  'reconnectReason',
  'consentExpiresAt',
  'refreshedAt',
  'laggingAccountIds',
  'withdrawnTransactions',
  'doubtedReadings',
  'duplicateOf',
] as const;

/** The connections of an application that are not expired at `real` (real time) and not revoked before `revokedAfter`. */
export type Visibility = { applicationId: string; real: string; revokedAfter: string };

export type ConnectionFilter = {
  /** One connection, by primary key. */
  key?: { endUserId: string; id: string };
  /** A prefix of external user ids. */
  externalUserId?: string;
  institutionId?: string;
  state?: ConnectionState;
  refreshedBefore?: string;
  consentExpiresBefore?: string;
};

export type ConnectionSort = 'createdAt' | 'externalUserId' | 'refreshedAt' | 'consentExpiresAt';

const orders = {
  createdAt: 'desc',
  externalUserId: 'asc',
  refreshedAt: 'asc',
  consentExpiresAt: 'asc',
} as const;

export type ConnectionPosition = { value: string; id: string };

export type ConnectionPageRequest = {
  visibility: Visibility;
  filter: ConnectionFilter;
  sort: ConnectionSort;
  after?: ConnectionPosition;
  limit: number;
};

export const findListedConnections = async (
  db: Queries,
  { visibility, filter, sort, after, limit }: ConnectionPageRequest,
): Promise<ListedConnection[]> => {
  const query = visibleConnections(db, visibility);
  applyFilter(query, filter);
  const range = { after: after && [after.value, after.id], limit };
  return takeAfter(query, [sort, 'id'], range, orders[sort]).select(...listedColumns);
};

const visibleConnections = (db: Queries, { applicationId, real, revokedAfter }: Visibility) =>
  db('connections')
    .where({ applicationId })
    .whereNull('purgeStartedAt')
    .where((query) => query.whereNull('revokedAt').orWhere('revokedAt', '>', revokedAfter))
    .where((query) => query.whereNull('deliveryExpiresAt').orWhere('deliveryExpiresAt', '>', real));

type ConnectionQuery = ReturnType<typeof visibleConnections>;

const applyFilter = (query: ConnectionQuery, filter: ConnectionFilter): void => {
  const { key, externalUserId, institutionId, state, refreshedBefore, consentExpiresBefore } = filter;
  if (key !== undefined) query.where({ endUserId: key.endUserId, id: key.id });
  if (externalUserId !== undefined) {
    query.where('externalUserId', '>=', externalUserId);
    const end = prefixUpperBound(externalUserId);
    if (end !== undefined) query.where('externalUserId', '<', end);
  }
  if (institutionId !== undefined) query.where({ institutionId });
  if (refreshedBefore !== undefined) query.where('refreshedAt', '<', refreshedBefore);
  if (consentExpiresBefore !== undefined) query.where('consentExpiresAt', '<', consentExpiresBefore);
  if (state !== undefined) filterByState(query, state);
};

/** The same conditions as connectionState in connection.ts. */
const filterByState = (query: ConnectionQuery, state: ConnectionState): void => {
  if (state === 'revoked') {
    query.whereNotNull('revokedAt');
    return;
  }
  query.whereNull('revokedAt');
  if (state === 'pending') {
    query.whereNotNull('deliveryExpiresAt');
    return;
  }
  query.whereNull('deliveryExpiresAt');
  if (state === 'needs_reconnect') query.whereNotNull('reconnectReason');
  else query.whereNull('reconnectReason');
};

/** The number of connections of an application by state, read from one covering index. */
export const countByState = async (
  db: Queries,
  { applicationId, real, revokedAfter }: Visibility,
): Promise<Record<ConnectionState, number>> => {
  const isVisible = `purge_started_at is null and (revoked_at is null or revoked_at > ?)
    and (delivery_expires_at is null or delivery_expires_at > ?)`;
  const count = (condition: string, name: string) =>
    db.raw(`count(case when ${isVisible} and ${condition} then 1 end) as ??`, [revokedAfter, real, name]);
  const pending = 'revoked_at is null and delivery_expires_at is not null';
  const delivered = 'revoked_at is null and delivery_expires_at is null';
  const row: Record<'revoked' | 'pending' | 'needsReconnect' | 'active', number | string> = await db(
    'connections',
  )
    .where({ applicationId })
    .first(
      count('revoked_at is not null', 'revoked'),
      count(pending, 'pending'),
      count(`${delivered} and reconnect_reason is not null`, 'needs_reconnect'),
      count(`${delivered} and reconnect_reason is null`, 'active'),
    );
  return {
    revoked: Number(row.revoked),
    pending: Number(row.pending),
    needs_reconnect: Number(row.needsReconnect),
    active: Number(row.active),
  };
};
