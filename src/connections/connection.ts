// Connections as a principal sees them. A connection is active until it is revoked, then readable for 30 days, then expired,
// even if no sweep has deleted it yet. Throws NotFound for a resource that does not exist and Forbidden for a resource of
// another application or end user.
import type { components } from '../../generated/api.ts';
import { type Clock, type ClockId, days } from '../clock.ts';
import type { Database } from '../db/open.ts';
import { Forbidden, NotFound } from '../errors.ts';
import { isId } from '../ids.ts';
import { findResourceOwner } from '../users/store.ts';
import type { PublicKey } from '../vault/keys.ts';
import type { Keyset } from '../vault/keyset.ts';
import type { Reader } from '../vault/scopedToken.ts';
import {
  renewSignature,
  type SigningKeys,
  type Statement,
  signStatement,
  verifyStatement,
} from '../vault/sign.ts';
import { type Connection, findConnectionRow, findConnectionRows, type ReadableConnection } from './store.ts';

type SignedConnection = Pick<Connection, 'id' | 'endUserId' | 'applicationId' | 'institutionId'>;

const statementOf = (connection: SignedConnection, { organizationId, environment }: ClockId): Statement => [
  'connection v1',
  connection.id,
  connection.endUserId,
  connection.applicationId,
  connection.institutionId,
  organizationId,
  environment,
];

/** The worker's signature of a new connection, with its application's organization and environment. */
export const signConnection = (
  connection: SignedConnection,
  application: ClockId,
  keys: SigningKeys,
): Buffer => signStatement(statementOf(connection, application), keys);

/**
 * Throws InvalidSignature if a signed value of the row, the organization or the environment was changed. To be called
 * before credentials are asked for or sent: otherwise whoever can write the database could have them sent to another
 * institution.
 */
export const verifyConnection = (
  connection: SignedConnection & { signature: Uint8Array },
  application: ClockId,
  signingKeys: Keyset<PublicKey>,
): void => verifyStatement(statementOf(connection, application), connection.signature, signingKeys);

/** The signature with the current key; undefined if it is that already. Throws InvalidSignature like `verifyConnection`. */
export const renewConnectionSignature = (
  connection: SignedConnection & { signature: Uint8Array },
  application: ClockId,
  signingKeys: Keyset<SigningKeys>,
): Buffer | undefined =>
  renewSignature(statementOf(connection, application), connection.signature, signingKeys);

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
export const connectionToJson = (
  connection: ReadableConnection,
  institution: { id: string; name: string },
): components['schemas']['Connection'] => ({
  id: connection.id,
  institution,
  createdAt: connection.createdAt,
  ...(connection.revokedAt && { revokedAt: connection.revokedAt }),
});

/** What decides whether a connection is expired. Revoked connections can be read for `retentionDays`. */
export type RetentionContext = { clock: Clock; application: ClockId; retentionDays: number };

const toRetentionTime = ({ clock, application, retentionDays }: RetentionContext) => ({
  now: clock.now(application),
  real: clock.real(),
  retentionDays,
});

/** A connection of an application, by id. Throws NotFound or Forbidden. */
export const findConnection = async (
  db: Database,
  applicationId: string,
  id: string,
  retention: RetentionContext,
): Promise<Connection> => {
  const owner = isId('con', id) ? await findResourceOwner(db.read, id) : undefined;
  if (!owner) throw new NotFound('connection');
  if (owner.applicationId !== applicationId) throw new Forbidden();
  const connection = await findConnectionRow(db.read, { endUserId: owner.endUserId, id });
  if (!connection || isExpired(connection, toRetentionTime(retention))) throw new NotFound('connection');
  return connection;
};

/** What a scoped token gives access to: its Reader, and the connections that are readable during the request. */
export type Access = { reader: Reader; connections: ReadableConnection[]; retention: RetentionContext };

/** The access of a Reader. Throws Forbidden if its end user has no readable connection. */
export const openAccess = async (
  db: Database,
  reader: Reader,
  retention: RetentionContext,
): Promise<Access> => {
  const time = toRetentionTime(retention);
  const rows = await findConnectionRows(db.read, { endUserId: reader.endUserId });
  const connections = rows.filter((connection) => !isExpired(connection, time)).sort(oldestFirst);
  if (connections.length === 0) throw new Forbidden();
  return { reader, connections, retention };
};

const oldestFirst = (left: ReadableConnection, right: ReadableConnection): number =>
  compare(left.createdAt, right.createdAt) || compare(left.id, right.id);
const compare = (left: string, right: string): number => (left < right ? -1 : Number(left > right));

/** A connection that `access` covers, by id. Throws NotFound or Forbidden. */
export const findReadableConnection = async (
  db: Database,
  access: Access,
  id: string,
): Promise<ReadableConnection> => {
  const connection = access.connections.find((candidate) => candidate.id === id);
  return connection ?? throwNotFoundOrForbidden(db, access.reader, 'connection', id);
};

/** Throws Forbidden for a resource of another application or end user, and NotFound for any other id. */
export const throwNotFoundOrForbidden = async (
  db: Database,
  reader: Reader,
  kind: 'connection' | 'account',
  id: string,
): Promise<never> => {
  const owner = isId(kind === 'connection' ? 'con' : 'acc', id)
    ? await findResourceOwner(db.read, id)
    : undefined;
  const isForeign =
    owner && (owner.applicationId !== reader.applicationId || owner.endUserId !== reader.endUserId);
  throw isForeign ? new Forbidden() : new NotFound(kind);
};
