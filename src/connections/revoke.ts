// Revoking: no further access to the bank, from this moment. What was read stays readable for 30 days.
import type { Database, Transaction } from '../db/open.ts';
import type { By } from './event.ts';
import { noteEvent } from './events.ts';
import { findConnection, type Lifetime } from './find.ts';
import { markConnectionRevoked, withdrawWork } from './store.ts';

export type Revocation = {
  by: By;
  /** How many of the connection's events are kept. */
  eventsMax: number;
  /** What else is written in the same transaction, if this is what revokes the connection. */
  also?: (trx: Transaction) => Promise<void>;
};

/**
 * Revokes a connection of this application and forgets its bank credentials. A refresh in progress loses its
 * lease and publishes nothing. Revoking again changes nothing. Throws NotFound or Forbidden.
 */
export const revokeConnection = async (
  db: Database,
  applicationId: string,
  connectionId: string,
  lifetime: Lifetime,
  revocation: Revocation,
): Promise<void> => {
  const { id, endUserId } = await findConnection(db, applicationId, connectionId, lifetime);
  const now = lifetime.clock.now(lifetime.environment);
  const event = { kind: 'revoked', by: revocation.by, at: now, real: lifetime.clock.real() } as const;
  await db.transaction(async (trx) => {
    // The work goes first, as in every transaction that touches both.
    await withdrawWork(trx, id);
    if (!(await markConnectionRevoked(trx, { endUserId, id }, now))) return;
    await noteEvent(trx, { endUserId, connectionId: id }, event, revocation.eventsMax);
    await revocation.also?.(trx);
  });
};
