// Revokes a connection: the bank is not accessed any more. Data that was read before stays readable for 30 days.
import type { Database, DbTransaction } from '../db/open.ts';
import { findConnection, type RetentionContext } from './access.ts';
import type { ConnectionEventActor } from './events.ts';
import { recordConnectionEvent } from './events.ts';
import { deleteConnectionJobs, markConnectionRevoked } from './store.ts';

export type Revocation = {
  actor: ConnectionEventActor;
  /** How many events of a connection are kept. */
  eventsMax: number;
  /** Runs in the same transaction, unless the connection was revoked before. */
  inTransaction?: (trx: DbTransaction) => Promise<void>;
};

/**
 * Revokes a connection of an application and deletes its bank credentials. A running refresh loses its lease and
 * publishes nothing. Revoking again changes nothing. Throws NotFound or Forbidden.
 */
export const revokeConnection = async (
  db: Database,
  applicationId: string,
  connectionId: string,
  retention: RetentionContext,
  revocation: Revocation,
): Promise<void> => {
  const { id, endUserId } = await findConnection(db, applicationId, connectionId, retention);
  const now = retention.clock.now(retention.environment);
  const event = { kind: 'revoked', actor: revocation.actor, at: now, real: retention.clock.real() } as const;
  await db.transaction(async (trx) => {
    // Jobs are changed before connections in every transaction that changes both, so none can deadlock.
    await deleteConnectionJobs(trx, id);
    if (!(await markConnectionRevoked(trx, { endUserId, id }, now))) return;
    await recordConnectionEvent(trx, { endUserId, connectionId: id }, event, revocation.eventsMax);
    await revocation.inTransaction?.(trx);
  });
};
