// A connection is active until it is revoked, then readable for 30 days, then expired, even if no sweep has deleted
// it yet.
import type { components } from '../../generated/api.ts';
import { days } from '../clock.ts';
import type { ConnectionRow } from '../db/tables.ts';

export type Connection = Omit<ConnectionRow, 'externalUserId' | 'linkSessionId'>;

/** The columns that readers see, and those that decide whether the connection is expired. */
export type ReadableConnection = Pick<
  Connection,
  | 'id'
  | 'endUserId'
  | 'institutionId'
  | 'institutionName'
  | 'createdAt'
  | 'revokedAt'
  | 'deliveryExpiresAt'
  | 'purgeStartedAt'
>;

/** Whether a connection can no longer be read. `now` is the application's time, `real` is real time. */
export const isExpired = (
  connection: Pick<Connection, 'revokedAt' | 'deliveryExpiresAt' | 'purgeStartedAt'>,
  time: { now: Date; real: Date; retentionDays: number },
): boolean => {
  const { revokedAt, deliveryExpiresAt, purgeStartedAt } = connection;
  if (purgeStartedAt !== null) return true;
  if (revokedAt && Date.parse(revokedAt) + days(time.retentionDays) <= time.now.getTime()) return true;
  return deliveryExpiresAt !== null && deliveryExpiresAt <= time.real.toISOString();
};

export type ConnectionState = 'pending' | 'active' | 'needs_reconnect' | 'revoked';

/** The state of a connection. `pending`: linked, but its result has not been delivered to the page yet. */
export const connectionState = (
  connection: Pick<Connection, 'revokedAt' | 'deliveryExpiresAt' | 'reconnectReason'>,
): ConnectionState => {
  if (connection.revokedAt) return 'revoked';
  if (connection.deliveryExpiresAt) return 'pending';
  return connection.reconnectReason ? 'needs_reconnect' : 'active';
};

/** The connection of the public contract. */
export const connectionToJson = (connection: ReadableConnection): components['schemas']['Connection'] => ({
  id: connection.id,
  institution: { id: connection.institutionId, name: connection.institutionName },
  createdAt: connection.createdAt,
  ...(connection.revokedAt && { revokedAt: connection.revokedAt }),
});
