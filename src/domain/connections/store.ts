// Queries for connections and their events. Most include the end user, because the tables are distributed by end user.
import type { Knex } from 'knex';
import type { Queries } from '../../platform/db/open.ts';
import { countByValue, countRows, takeAfter, toSnakeCase } from '../../platform/db/queries.ts';
import { sql } from '../../platform/db/sql.ts';
import type { ConnectionEventRow, ConnectionRow } from '../../platform/db/tables.ts';
import type { ClockId } from '../../platform/values/clock.ts';
import { makeSortableId } from '../../platform/values/ids.ts';

export type Connection = Omit<
  ConnectionRow,
  'externalUserId' | 'linkSessionId' | 'consentDueAt' | 'offeredFingerprints'
>;

/** The columns that readers need, and those that decide whether the connection is expired. */
export type ReadableConnection = Pick<
  Connection,
  | 'id'
  | 'endUserId'
  | 'institutionId'
  | 'institutionName'
  | 'createdAt'
  | 'refreshedAt'
  | 'revokedAt'
  | 'deliveryExpiresAt'
  | 'reconnectReason'
  | 'laggingAccountIds'
  | 'duplicateOf'
  | 'consentExpiresAt'
  | 'purgeStartedAt'
>;

const connectionColumns = [
  'id',
  'endUserId',
  'applicationId',
  'institutionId',
  'institutionName',
  'createdAt',
  'revokedAt',
  'deliveryExpiresAt',
  'signature',
  'reconnectReason',
  'consentExpiresAt',
  'credentials',
  'fingerprintKey',
  'fingerprintKeyId',
  'refreshedAt',
  'refreshedFullyAt',
  'laggingAccountIds',
  'withdrawnTransactions',
  'doubtedReadings',
  'duplicateOf',
  'purgeStartedAt',
] as const;

type Key = { endUserId: string; id: string };
const where = ({ endUserId, id }: Key): Key => ({ endUserId, id });

const selectConnection = sql<Key, Connection>(`
  select ${connectionColumns.map((column) => `${toSnakeCase(column)} as "${column}"`).join(', ')}
  from connections where end_user_id = :endUserId and id = :id`);

export const findConnectionRow = async (db: Queries, key: Key): Promise<Connection | undefined> =>
  (await selectConnection(db, key))[0];

/** An end user's connections that are not revoked, expired or being deleted, oldest first. */
export const findActiveConnections = async (
  db: Queries,
  endUserId: string,
  now: Date,
): Promise<Pick<ConnectionRow, 'id' | 'deliveryExpiresAt' | 'linkSessionId'>[]> =>
  db('connections')
    .where({ endUserId, revokedAt: null, purgeStartedAt: null })
    .where(isKeptAt(now))
    .orderBy('createdAt')
    .select('id', 'deliveryExpiresAt', 'linkSessionId');

/** Delivered, or still deliverable. */
const isKeptAt = (now: Date) => (kept: Knex.QueryBuilder) =>
  kept.whereNull('deliveryExpiresAt').orWhere('deliveryExpiresAt', '>', now.toISOString());

export type ConnectionWithUser = Connection & { externalUserId: string | null } & ClockId;

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
  const query = db('connections')
    .join('end_users', 'end_users.endUserId', 'connections.endUserId')
    .join('applications', 'applications.id', 'connections.applicationId')
    .select<ConnectionWithUser[]>(
      ...connectionColumns.map((column) => `connections.${column}`),
      'end_users.externalUserId',
      'applications.organizationId',
      'applications.environment',
    );
  if (page.applicationId !== undefined) query.where('connections.applicationId', page.applicationId);
  if (page.externalUserId !== undefined) query.where('end_users.externalUserId', page.externalUserId);
  const after = page.after && [page.after.createdAt, page.after.id];
  return takeAfter(query, ['connections.createdAt', 'connections.id'], { after, limit: page.limit });
};

/** The number of connections whose end user must reconnect, by reason. */
export const countNeedsReconnect = (db: Queries): Promise<Record<string, number>> =>
  countByValue(
    db('connections').whereNotNull('reconnectReason').whereNull('revokedAt').whereNull('purgeStartedAt'),
    'reconnectReason',
  );

/** The number of connections whose last refresh could not read every account. */
export const countLagging = (db: Queries): Promise<number> =>
  countRows(
    db('connections').whereNotNull('laggingAccountIds').whereNull('revokedAt').whereNull('purgeStartedAt'),
  );

/** The numbers of posted transactions that banks withdrew and of responses that omitted too much, in all connections. */
export const sumAbsences = async (
  db: Queries,
): Promise<Pick<Connection, 'withdrawnTransactions' | 'doubtedReadings'>> => {
  const [sums] = await db('connections')
    .whereRaw('withdrawn_transactions + doubted_readings > 0')
    .sum({ withdrawnTransactions: 'withdrawnTransactions', doubtedReadings: 'doubtedReadings' });
  const { withdrawnTransactions, doubtedReadings } = sums!;
  return { withdrawnTransactions: Number(withdrawnTransactions), doubtedReadings: Number(doubtedReadings) };
};

export const insertConnection = async (
  db: Queries,
  connection: Omit<ConnectionRow, 'linkSessionId' | 'purgeStartedAt'> & { linkSessionId?: string },
): Promise<void> => {
  await db('connections').insert(connection);
};

/** The sealed columns, which are cleared when a connection ends. */
export const withoutSealed = { credentials: null, fingerprintKey: null };

/** Marks a connection as revoked and deletes the data sealed to the worker. Returns false if it was already revoked. */
export const markConnectionRevoked = async (db: Queries, key: Key, now: Date): Promise<boolean> => {
  const marked = await db('connections')
    .where(where(key))
    .whereNull('revokedAt')
    .update({ revokedAt: now.toISOString(), ...withoutSealed, reconnectReason: null });
  return marked === 1;
};

/** Marks the result of a link as delivered, which keeps the connection. Returns false if it is expired or being deleted. */
export const acknowledgeConnection = async (db: Queries, key: Key, now: Date): Promise<boolean> => {
  const marked = await db('connections')
    .where(where(key))
    .whereNull('purgeStartedAt')
    .where(isKeptAt(now))
    .update({ deliveryExpiresAt: null });
  return marked === 1;
};

/** Replaces the sealed credentials and the consent times of a connection that is not revoked. */
export const replaceCredentials = async (
  db: Queries,
  { endUserId, connectionId: id }: Pick<ConnectionEventRow, 'endUserId' | 'connectionId'>,
  credentials: Buffer,
  consent: Partial<Pick<ConnectionRow, 'consentExpiresAt' | 'consentDueAt'>> = {},
): Promise<void> => {
  await db('connections')
    .where({ endUserId, id })
    .whereNull('revokedAt')
    .update({ credentials, ...consent });
};

/** The ids of an organization's Sandbox applications. */
export const sandboxesOf = (db: Queries, organizationId: string) =>
  db('applications').where({ organizationId, environment: 'sandbox' }).select('id');

type DueConsent = Pick<
  Connection,
  'id' | 'endUserId' | 'applicationId' | 'consentExpiresAt' | 'reconnectReason'
>;

/** Connections with a consent notification due at or before a time, in one organization's Sandbox or everywhere. */
export const findConsentsDue = async (
  db: Queries,
  { at, organizationId }: { at: string; organizationId?: string },
  limit: number,
): Promise<DueConsent[]> => {
  const due = db('connections')
    .where('consentDueAt', '<=', at)
    .whereNull('revokedAt')
    .whereNull('purgeStartedAt');
  if (organizationId !== undefined) due.whereIn('applicationId', sandboxesOf(db, organizationId));
  return due
    .orderBy('consentDueAt')
    .limit(limit)
    .select('id', 'endUserId', 'applicationId', 'consentExpiresAt', 'reconnectReason');
};

/** Schedules a consent's next notification after one was due. Returns false if another process already did. */
export const moveConsentDue = async (
  db: Queries,
  key: Key,
  { at, next }: { at: string; next: string | null },
): Promise<boolean> =>
  (await db('connections')
    .where(where(key))
    .where('consentDueAt', '<=', at)
    .update({ consentDueAt: next })) === 1;

/** Stores why refreshes stop until the end user reconnects. */
export const markNeedsReconnect = async (db: Queries, key: Key, reason: string): Promise<void> => {
  await db('connections').where(where(key)).update({ reconnectReason: reason });
};

/** Expires a connection whose result was not delivered, and deletes the data sealed to the worker. */
export const discardConnection = async (db: Queries, key: Key, now: Date): Promise<void> => {
  await db('connections')
    .where(where(key))
    .whereNotNull('deliveryExpiresAt')
    .update({ deliveryExpiresAt: now.toISOString(), ...withoutSealed });
};

/** Encodes ids for one column, separated by spaces; null for an empty list. */
export const encodeIds = (ids: readonly string[]): string | null => (ids.length > 0 ? ids.join(' ') : null);

const sealed = { table: 'connections', key: ['endUserId', 'id'] } as const;

/** The columns sealed to the worker. */
export const sealedToWorker = [
  { ...sealed, column: 'credentials', kind: 'credentials' },
  { ...sealed, column: 'fingerprintKey', kind: 'fingerprintKey' },
] as const;

export type ConnectionEventKind = ConnectionEventRow['kind'];

/** The author of the change. */
export type ConnectionEventActor = NonNullable<ConnectionEventRow['actor']>;

export type ConnectionEvent = Pick<ConnectionEventRow, 'at' | 'kind' | 'reason' | 'actor'>;

type ConnectionRef = { endUserId: string; connectionId: string };

const eventsOf = (db: Queries, { endUserId, connectionId }: ConnectionRef) =>
  db('connection_events').where({ endUserId, connectionId });

/**
 * Writes an event and deletes all but the newest `eventsMax`. `at` is the application's time; `real` determines the order of
 * events.
 */
export const recordConnectionEvent = async (
  trx: Queries,
  { endUserId, connectionId }: ConnectionRef,
  event: { kind: ConnectionEventKind; at: Date; real: Date; reason?: string; actor?: ConnectionEventActor },
  eventsMax: number,
): Promise<void> => {
  const { kind, at, real, reason = null, actor = null } = event;
  const row = { id: makeSortableId(real), at: at.toISOString(), kind, reason, actor };
  const connection = { endUserId, connectionId };
  await trx('connection_events').insert({ ...connection, ...row });
  const newestToDelete = eventsOf(trx, connection)
    .orderBy('id', 'desc')
    .offset(eventsMax)
    .limit(1)
    .select('id');
  await eventsOf(trx, connection).where('id', '<=', newestToDelete).delete();
};

/** The events of a connection, newest first. */
export const findConnectionEvents = async (
  db: Queries,
  connection: ConnectionRef,
): Promise<ConnectionEvent[]> =>
  eventsOf(db, connection).orderBy('id', 'desc').select('at', 'kind', 'reason', 'actor');
