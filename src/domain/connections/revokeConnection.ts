// Revoking a connection ends all access to the bank. Stored data stays readable for 30 days.

import type { Database } from '../../platform/db/open.ts';
import type { Environment } from '../../platform/values/clock.ts';
import type { AuditContext } from '../audit/by.ts';
import { audited } from '../audit/store.ts';
import { findConnection, type findConnectionOwner, type RetentionContext } from './connection.ts';
import { removeJob } from './jobs.ts';
import { insertRevocation } from './revocationStore.ts';
import * as store from './store.ts';
import { connectionEntry, queueConnectionWebhook, toEventActor } from './webhooks.ts';

export type Revocation = {
  /** Absent for requests by the application itself, which are not audited. */
  by?: AuditContext;
  /** The number of the connection's events to keep. */
  eventsMax: number;
  /** True if an institution's connector can revoke consents. */
  canRevoke(environment: Environment, institutionId: string): boolean;
  /** The result of `findConnectionOwner`, if it is already known. */
  connectionOwner?: ReturnType<typeof findConnectionOwner>;
};

/**
 * Revokes an application's connection, records the audit event, and deletes the bank credentials. If the consent must also be
 * revoked at the bank, the credentials stay sealed to the worker until then. A running refresh loses its lease and publishes
 * nothing. Revoking it again changes nothing. Throws NotFound or Forbidden.
 */
export const revokeConnection = async (
  db: Database,
  retention: RetentionContext,
  connectionId: string,
  { by, eventsMax, canRevoke, connectionOwner }: Revocation,
): Promise<void> => {
  const { clock, application } = retention;
  const found = await findConnection(db, retention, connectionId, connectionOwner);
  const { endUserId, revokedAt, institutionId, credentials } = found;
  const now = clock.now(application);
  const real = clock.real();
  const about = { applicationId: application.id, endUserId, connectionId };
  const event = { kind: 'revoked', actor: toEventActor(by), at: now, real } as const;
  if (!revokedAt) await db.markVacuumNeeded();
  await audited(db, by, async (trx) => {
    if (!(await store.markConnectionRevoked(trx, { endUserId, id: connectionId }, now))) return undefined;
    await removeJob(trx, connectionId);
    const { id: applicationId, organizationId, environment } = application;
    if (credentials && canRevoke(environment, institutionId)) {
      const [createdAt, dueAt] = [real.toISOString(), real.toISOString()];
      const bank = { applicationId, organizationId, environment, institutionId };
      await insertRevocation(trx, { id: connectionId, ...bank, credentials, createdAt, dueAt });
    }
    await store.recordConnectionEvent(trx, about, event, eventsMax);
    await queueConnectionWebhook(trx, about, { type: 'connection.revoked' }, real);
    return connectionEntry(about, 'connection_revoked');
  });
};
