// Connections as a principal sees them. A connection is active until it is revoked, then readable for 30 days, then expired,
// even if no sweep has deleted it yet.
import type { components } from '../../../generated/api.ts';
import type { Database } from '../../platform/db/open.ts';
import type { ResourceOwnerRow } from '../../platform/db/tables.ts';
import type { Limits } from '../../platform/settings/limits.ts';
import { type Clock, type ClockId, days } from '../../platform/values/clock.ts';
import { Forbidden, NotFound } from '../../platform/values/errors.ts';
import { isId } from '../../platform/values/ids.ts';
import type { PublicKey } from '../../platform/vault/keys.ts';
import type { Keyset } from '../../platform/vault/keyset.ts';
import {
  type SigningKeys,
  type Statement,
  signStatement,
  verifyStatement,
} from '../../platform/vault/sign.ts';
import { findResourceOwner } from '../users/store.ts';
import type { Connection, ReadableConnection } from './store.ts';
import * as store from './store.ts';

type SignedConnection = Pick<
  Connection,
  'id' | 'endUserId' | 'applicationId' | 'institutionId' | 'fingerprintKeyId'
>;

const statementOf = (connection: SignedConnection, { organizationId, environment }: ClockId): Statement => [
  'connection v1',
  connection.id,
  connection.endUserId,
  connection.applicationId,
  connection.institutionId,
  connection.fingerprintKeyId,
  organizationId,
  environment,
];

/** The worker's signature over a new connection and its application's organization and environment. */
export const signConnection = (
  connection: SignedConnection,
  application: ClockId,
  keys: SigningKeys,
): Buffer => signStatement(statementOf(connection, application), keys);

/**
 * Throws InvalidSignature if a signed value of the row, the organization or the environment was changed. Call it before
 * requesting or sending credentials, so that nobody with write access to the database can have them sent to another
 * institution.
 */
export const verifyConnection = (
  connection: SignedConnection & { signature: Uint8Array },
  application: ClockId,
  signingKeys: Keyset<PublicKey>,
): void => verifyStatement(statementOf(connection, application), connection.signature, signingKeys);

/** Re-signed when the `row-signing` secret is rotated. */
export const signed = {
  table: 'connections',
  key: ['endUserId', 'id'],
  column: 'signature',
  madeWith: ['applicationId', 'institutionId', 'fingerprintKeyId'],
  joined: { table: 'applications', by: 'applicationId', columns: ['environment', 'organizationId'] },
  statementOf: (row: SignedConnection & ClockId): Statement => statementOf(row, row),
} as const;

/** Decides when a connection expires. Revoked connections stay readable for `retentionDays`. */
type Retention = { clock: Clock; application: ClockId; limits: Pick<Limits, 'retentionDays'> };

/** An application, and the retention of its connections. */
export type RetentionContext = Retention & { application: { id: string }; limits: Limits };

/** True if a connection can no longer be read. */
export const isExpired = (
  {
    revokedAt,
    deliveryExpiresAt,
    purgeStartedAt,
  }: Pick<Connection, 'revokedAt' | 'deliveryExpiresAt' | 'purgeStartedAt'>,
  { clock, application, limits: { retentionDays } }: Retention,
): boolean => {
  if (purgeStartedAt !== null) return true;
  if (revokedAt && Date.parse(revokedAt) + days(retentionDays) <= clock.now(application).getTime())
    return true;
  return deliveryExpiresAt !== null && deliveryExpiresAt <= clock.real().toISOString();
};

/** True if a connection was revoked or no longer exists. */
export const isRevoked = async ({ read }: Database, id: string): Promise<boolean> => {
  const owner = await findResourceOwner(read, id);
  const connection = owner && (await store.findConnectionRow(read, { endUserId: owner.endUserId, id }));
  return !connection || connection.revokedAt !== null;
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

/** The status in the API, which shows an undelivered connection as active. */
const publicStatus = (connection: ReadableConnection): components['schemas']['Connection']['status'] => {
  const state = connectionState(connection);
  return state === 'pending' ? 'active' : state;
};

/** The connection as the API returns it. */
export const connectionToJson = (
  connection: ReadableConnection,
  institution: { id: string; name: string },
): components['schemas']['Connection'] => ({
  id: connection.id,
  institution,
  status: publicStatus(connection),
  createdAt: connection.createdAt,
  refreshedAt: connection.refreshedAt,
  ...laggingAccounts(connection),
  ...(connection.consentExpiresAt && { consentExpiresAt: connection.consentExpiresAt }),
  ...(connection.duplicateOf && { duplicateOf: connection.duplicateOf }),
  ...(connection.revokedAt && { revokedAt: connection.revokedAt }),
});

const laggingAccounts = (connection: ReadableConnection): { laggingAccountIds?: string[] } => {
  const laggingAccountIds = decodeLaggingAccountIds(connection);
  return laggingAccountIds.length > 0 ? { laggingAccountIds } : {};
};

/** The accounts for which the bank did not respond during the last refresh. */
export const decodeLaggingAccountIds = ({
  laggingAccountIds,
}: Pick<ReadableConnection, 'laggingAccountIds'>): string[] =>
  (laggingAccountIds ?? '').split(' ').filter((id) => isId('acc', id));

/** The owner of a connection, even a deleted one; undefined for an unknown id. */
export const findConnectionOwner = async (db: Database, id: string): Promise<ResourceOwnerRow | undefined> =>
  isId('con', id) ? findResourceOwner(db.read, id) : undefined;

/** Finds a connection of the application. Throws NotFound, or Forbidden for another application's. */
export const findConnection = async (
  db: Database,
  retention: RetentionContext,
  id: string,
  searchedOwner = findConnectionOwner(db, id),
): Promise<Connection> => {
  const applicationId = retention.application.id;
  const owner = await searchedOwner;
  if (!owner) throw new NotFound('connection');
  if (owner.applicationId !== applicationId) throw new Forbidden();
  const connection = await store.findConnectionRow(db.read, { endUserId: owner.endUserId, id });
  if (!connection || isExpired(connection, retention)) throw new NotFound('connection');
  // Anyone with write access to the database could have changed the owner.
  if (connection.applicationId !== applicationId) throw new Forbidden();
  return connection;
};
