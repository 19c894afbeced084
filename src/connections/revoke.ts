// Revoking: no further access to the bank, from this moment. What was read stays readable for 30 days.
import type { Database } from '../db/open.ts';
import { findConnection, type Lifetime } from './find.ts';
import { markConnectionRevoked, withdrawWork } from './store.ts';

/**
 * Revokes a connection of this application and forgets its bank credentials. A refresh in progress loses its
 * lease and publishes nothing. Revoking again changes nothing. Throws NotFound or Forbidden.
 */
export const revokeConnection = async (
  db: Database,
  applicationId: string,
  connectionId: string,
  lifetime: Lifetime,
): Promise<void> => {
  const { id, endUserId } = await findConnection(db, applicationId, connectionId, lifetime);
  const now = lifetime.clock.now(lifetime.environment);
  await db.transaction(async (trx) => {
    // The work goes first, as in every transaction that touches both.
    await withdrawWork(trx, id);
    await markConnectionRevoked(trx, { endUserId, id }, now);
  });
};
