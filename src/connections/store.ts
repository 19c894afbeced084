// The questions asked about connections. Each names the end user: the tables are distributed by it.
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

/** In no order, and only what is shown: this is asked with nearly every request, and sorting one row costs 25 µs. */
export const findConnectionRows = preparedQuery<{ endUserId: string }, ReadableConnection>((db, value) =>
  db('connections').where({ end_user_id: value.endUserId }).select({
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

/** Of an application, of whoever has this external user id, or both: oldest first, after one of them. */
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

/** How many connections wait for their user to reconnect, by the reason. */
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
  connection: Omit<Connection, 'purgeStartedAt'> & { externalUserId: string | null; sessionId?: string },
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
    link_session_id: connection.sessionId,
  });
};

/** The linking session that a connection came from. */
export const findLinkSessionId = async (db: Queries, key: Key): Promise<string | undefined> => {
  const row = await db('connections').where(where(key)).first('link_session_id');
  return row?.link_session_id ?? undefined;
};

/** Revokes once and forgets the bank credentials; false, and nothing changed, where it was revoked before. */
export const markConnectionRevoked = async (db: Queries, key: Key, now: Date): Promise<boolean> => {
  const marked = await db('connections')
    .where(where(key))
    .whereNull('revoked_at')
    .update({ revoked_at: now.toISOString(), credentials: null, reconnect_reason: null });
  return marked === 1;
};

/** The result has reached the page: the connection stays. False where it is being deleted already. */
export const markConnectionDelivered = async (db: Queries, key: Key): Promise<boolean> => {
  const marked = await db('connections')
    .where(where(key))
    .whereNull('purge_started_at')
    .update({ delivery_expires_at: null });
  return marked === 1;
};

/** Gives a connection up now: its result was never delivered and never will be. */
export const discardConnection = async (db: Queries, key: Key, now: Date): Promise<void> => {
  await db('connections')
    .where(where(key))
    .whereNotNull('delivery_expires_at')
    .update({ delivery_expires_at: now.toISOString(), credentials: null });
};

/** What a refresh leaves behind on its connection; false where the connection was revoked or went meanwhile. */
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

/** Puts other sealed credentials in place of a connection's. */
export const replaceCredentials = async (
  db: Queries,
  { endUserId, id }: Key,
  credentials: Buffer,
): Promise<void> => {
  await db('connections').where(where({ endUserId, id })).whereNull('revoked_at').update({ credentials });
};

/** Refreshing has stopped until the user reconnects. */
export const markNeedsReconnect = async (db: Queries, key: Key, reason: string): Promise<void> => {
  await db('connections').where(where(key)).update({ reconnect_reason: reason });
};

/** Withdraws whatever is due for a connection, also from a process that is just doing it. */
export const deleteConnectionJobs = async (db: Queries, connectionId: string): Promise<void> => {
  await db('jobs').where({ connection_id: connectionId }).delete();
};
