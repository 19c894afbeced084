// A connection: active until it is revoked, readable for 30 days after that, then gone, whether or not the
// sweep has deleted it yet.
import type { components } from '../../generated/api.ts';
import { days } from '../clock.ts';

export type Connection = {
  id: string;
  endUserId: string;
  applicationId: string;
  institutionId: string;
  institutionName: string;
  createdAt: string;
  revokedAt: string | null;
  /** Set until the widget has delivered the result: when the connection is given up (real time). */
  deliveryExpiresAt: string | null;
  /** Why refreshing stopped until the user reconnects. */
  reconnectReason: string | null;
  credentials: Buffer | null;
  refreshedAt: string | null;
  refreshedFullyAt: string | null;
  /** Since when its data is being deleted: gone for every process, whatever its clock says. */
  purgeStartedAt: string | null;
};

/** What a reader is shown of a connection, and what decides whether it still is. */
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

/** `now` is the application's time, `real` the real one; `retentionDays` after revocation nothing is left. */
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

/** The state in one word. Pending is linked, but not delivered to the widget's page yet. */
export const connectionState = (
  connection: Pick<Connection, 'revokedAt' | 'deliveryExpiresAt' | 'reconnectReason'>,
): ConnectionState => {
  if (connection.revokedAt) return 'revoked';
  if (connection.deliveryExpiresAt) return 'pending';
  return connection.reconnectReason ? 'needs_reconnect' : 'active';
};

/** The connection as the contract shows it. */
export const connectionToJson = (connection: ReadableConnection): components['schemas']['Connection'] => ({
  id: connection.id,
  institution: { id: connection.institutionId, name: connection.institutionName },
  createdAt: connection.createdAt,
  ...(connection.revokedAt && { revokedAt: connection.revokedAt }),
});
