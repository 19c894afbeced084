// Revoking: no further access to the bank, from this moment. What was read stays readable for 30 days.
import type { Database, DbTransaction } from '../db/open.ts';
import { findConnection, type RetentionContext } from './access.ts';
import type { ConnectionEventActor } from './connectionEvent.ts';
import { recordConnectionEvent } from './events.ts';
import { deleteConnectionJobs, markConnectionRevoked } from './store.ts';

export type Revocation = {
  actor: ConnectionEventActor;
  /** How many of the connection's events are kept. */
  eventsMax: number;
  /** What else is written in the same transaction, if this is what revokes the connection. */
  inTransaction?: (trx: DbTransaction) => Promise<void>;
};

/**
 * Revokes a connection of this application and forgets its bank credentials. A refresh in progress loses its
 * lease and publishes nothing. Revoking again changes nothing. Throws NotFound or Forbidden.
 */
export const revokeConnection = async (
  db: Database,
  applicationId: string,
  connectionId: string,
  lifetime: RetentionContext,
  revocation: Revocation,
): Promise<void> => {
  const { id, endUserId } = await findConnection(db, applicationId, connectionId, lifetime);
  const now = lifetime.clock.now(lifetime.environment);
  const event = { kind: 'revoked', actor: revocation.actor, at: now, real: lifetime.clock.real() } as const;
  await db.transaction(async (trx) => {
    // The work goes first, as in every transaction that touches both.
    await deleteConnectionJobs(trx, id);
    if (!(await markConnectionRevoked(trx, { endUserId, id }, now))) return;
    await recordConnectionEvent(trx, { endUserId, connectionId: id }, event, revocation.eventsMax);
    await revocation.inTransaction?.(trx);
  });
};
