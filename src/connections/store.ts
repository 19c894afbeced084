// Queries for connections. Most name the end user, because the table is distributed by it.
import type { Environment } from '../clock.ts';
import type { Queries } from '../db/open.ts';
import { preparedQuery } from '../db/preparedQuery.ts';
import type { Connection, ReadableConnection } from './connection.ts';

const connectionColumns = {
  id: 'id',
  endUserId: 'end_user_id',
  applicationId: 'application_id',
  institutionId: 'institution_id',
  institutionName: 'institution_name',
  createdAt: 'created_at',
  revokedAt: 'revoked_at',
  deliveryExpiresAt: 'delivery_expires_at',
  reconnectReason: 'reconnect_reason',
  credentials: 'credentials',
  refreshedAt: 'refreshed_at',
  refreshedFullyAt: 'refreshed_fully_at',
  purgeStartedAt: 'purge_started_at',
};

type Key = { endUserId: string; id: string };
const where = ({ endUserId, id }: Key) => ({ end_user_id: endUserId, id });

const connectionByKey = preparedQuery<Key, Connection>((db, { endUserId, id }) =>
  db('connections').where({ end_user_id: endUserId, id }).select(connectionColumns),
);

export const findConnectionRow = async (db: Queries, key: Key): Promise<Connection | undefined> =>
  (await connectionByKey(db, { endUserId: key.endUserId, id: key.id }))[0];

const {
  id,
  endUserId,
  institutionId,
  institutionName,
  createdAt,
  revokedAt,
  deliveryExpiresAt,
  purgeStartedAt,
} = connectionColumns;

/** The connections of an end user, unsorted: nearly every request runs this query, and sorting one row costs 25 µs. */
export const findConnectionRows = preparedQuery<{ endUserId: string }, ReadableConnection>((db, user) =>
  db('connections').where({ end_user_id: user.endUserId }).select({
    id,
    endUserId,
    institutionId,
    institutionName,
    createdAt,
    revokedAt,
    deliveryExpiresAt,
    purgeStartedAt,
  }),
);

export type ConnectionWithUser = Connection & { externalUserId: string | null; environment: Environment };

/** One page of connections, oldest first, filtered by application, by external user id, or both. */
export const findConnectionsPage = async (
  db: Queries,
  page: {
    applicationId?: string;
    externalUserId?: string;
    after?: Pick<Connection, 'createdAt' | 'id'>;
    limit: number;
  },
): Promise<ConnectionWithUser[]> => {
  const columns = Object.entries(connectionColumns).map(([name, column]) => [name, `connections.${column}`]);
  const query = db('connections')
    .join('end_users', 'end_users.end_user_id', 'connections.end_user_id')
    .join('applications', 'applications.id', 'connections.application_id')
    .orderBy([{ column: 'connections.created_at' }, { column: 'connections.id' }])
    .limit(page.limit)
    .select({
      ...Object.fromEntries(columns),
      externalUserId: 'end_users.external_user_id',
      environment: 'applications.environment',
    });
  if (page.applicationId) query.where('connections.application_id', page.applicationId);
  if (page.externalUserId !== undefined) query.where('end_users.external_user_id', page.externalUserId);
  if (page.after) {
    const { createdAt, id } = page.after;
    query.whereRaw('(connections.created_at, connections.id) > (?, ?)', [createdAt, id]);
  }
  return query;
};

/** The number of connections whose end user must reconnect, by reason. */
export const countNeedsReconnect = async (db: Queries): Promise<Record<string, number>> => {
  const rows: { reason: string; count: number | string }[] = await db('connections')
    .whereNotNull('reconnect_reason')
    .whereNull('revoked_at')
    .whereNull('purge_started_at')
    .groupBy('reconnect_reason')
    .orderBy('reconnect_reason')
    .select({ reason: 'reconnect_reason' })
    .count({ count: '*' });
  return Object.fromEntries(rows.map(({ reason, count }) => [reason, Number(count)]));
};

export const insertConnection = async (
  db: Queries,
  connection: Omit<Connection, 'purgeStartedAt'> & { externalUserId: string | null; linkSessionId?: string },
): Promise<void> => {
  await db('connections').insert({
    end_user_id: connection.endUserId,
    id: connection.id,
    application_id: connection.applicationId,
    institution_id: connection.institutionId,
    institution_name: connection.institutionName,
    created_at: connection.createdAt,
    revoked_at: connection.revokedAt,
    delivery_expires_at: connection.deliveryExpiresAt,
    reconnect_reason: connection.reconnectReason,
    credentials: connection.credentials,
    refreshed_at: connection.refreshedAt,
    refreshed_fully_at: connection.refreshedFullyAt,
    external_user_id: connection.externalUserId,
    link_session_id: connection.linkSessionId,
  });
};

/** The id of the link session that created a connection. */
export const findLinkSessionId = async (db: Queries, key: Key): Promise<string | undefined> => {
  const row = await db('connections').where(where(key)).first('link_session_id');
  return row?.link_session_id ?? undefined;
};

/** Marks a connection revoked and deletes its credentials. False, and nothing changed, if it was revoked before. */
export const markConnectionRevoked = async (db: Queries, key: Key, now: Date): Promise<boolean> => {
  const marked = await db('connections')
    .where(where(key))
    .whereNull('revoked_at')
    .update({ revoked_at: now.toISOString(), credentials: null, reconnect_reason: null });
  return marked === 1;
};

/** Marks the result of a link delivered, which keeps the connection. False if it is being deleted already. */
export const markConnectionDelivered = async (db: Queries, key: Key): Promise<boolean> => {
  const marked = await db('connections')
    .where(where(key))
    .whereNull('purge_started_at')
    .update({ delivery_expires_at: null });
  return marked === 1;
};

/** Lets a connection whose result was not delivered expire now, and deletes its credentials. */
export const discardConnection = async (db: Queries, key: Key, now: Date): Promise<void> => {
  await db('connections')
    .where(where(key))
    .whereNotNull('delivery_expires_at')
    .update({ delivery_expires_at: now.toISOString(), credentials: null });
};

/** Stores the result of a refresh. False if the connection was revoked or is being deleted. */
export const markConnectionRefreshed = async (
  db: Queries,
  key: Key,
  change: { now: Date; full: boolean; credentials: Buffer },
): Promise<boolean> => {
  const changed = await db('connections')
    .where(where(key))
    .whereNull('revoked_at')
    .whereNull('purge_started_at')
    .update({
      refreshed_at: change.now.toISOString(),
      ...(change.full && { refreshed_fully_at: change.now.toISOString() }),
      credentials: change.credentials,
      reconnect_reason: null,
    });
  return changed === 1;
};

/** Replaces the sealed credentials of a connection that is not revoked. */
export const replaceCredentials = async (
  db: Queries,
  { endUserId, id }: Key,
  credentials: Buffer,
): Promise<void> => {
  await db('connections').where(where({ endUserId, id })).whereNull('revoked_at').update({ credentials });
};

/** Stores why refreshes stop until the end user reconnects. */
export const markNeedsReconnect = async (db: Queries, key: Key, reason: string): Promise<void> => {
  await db('connections').where(where(key)).update({ reconnect_reason: reason });
};

/** Deletes the job of a connection. A worker that is running it loses its lease. */
export const deleteConnectionJobs = async (db: Queries, connectionId: string): Promise<void> => {
  await db('jobs').where({ connection_id: connectionId }).delete();
};
