// Notifies applications before the consent of a connection ends at the bank, and stops refreshes after its end.
import { consentColumns } from '../../domain/connections/consentColumns.ts';
import { removeRefresh } from '../../domain/connections/jobs.ts';
import * as store from '../../domain/connections/store.ts';
import { queueConnectionWebhook } from '../../domain/connections/webhooks.ts';
import type { Database } from '../../platform/db/open.ts';
import type { Limits } from '../../platform/settings/limits.ts';
import type { Clock } from '../../platform/values/clock.ts';
import { applicationTimes } from './deadlines.ts';

type Deps = { db: Database; clock: Clock; limits: Limits };

const batchSize = 50;

/**
 * Notifies each due application, by real time and by the clock of each Sandbox that is ahead. Throws the signal's reason if
 * aborted.
 */
export const notifyExpiringConsents = async (deps: Deps, signal: AbortSignal): Promise<void> => {
  const { db, clock } = deps;
  for (const { now, organizationId } of applicationTimes(clock)) {
    let due: Awaited<ReturnType<typeof store.findConsentsDue>>;
    do {
      due = await store.findConsentsDue(db.write, { at: now.toISOString(), organizationId }, batchSize);
      for (const connection of due) await notify(deps, connection, now);
      signal.throwIfAborted();
    } while (due.length === batchSize);
  }
};

const notify = async (
  { db, clock, limits }: Deps,
  {
    id,
    endUserId,
    applicationId,
    consentExpiresAt,
    reconnectReason,
  }: Awaited<ReturnType<typeof store.findConsentsDue>>[number],
  now: Date,
): Promise<void> => {
  const [at, real] = [now.toISOString(), clock.real()];
  const about = { applicationId, endUserId, connectionId: id };
  const hasEnded = consentExpiresAt === null || consentExpiresAt <= at;
  const next = hasEnded ? null : consentColumns(consentExpiresAt, now, limits).consentDueAt;
  await db.transaction(async (trx) => {
    if (!(await store.moveConsentDue(trx, { endUserId, id }, { at, next }))) return;
    // The application already knows that the end user must reconnect.
    if (reconnectReason !== null) return;
    if (!hasEnded) {
      await queueConnectionWebhook(trx, about, { type: 'connection.expiring', consentExpiresAt }, real);
      return;
    }
    const reason = 'consent_expired';
    await store.markNeedsReconnect(trx, { endUserId, id }, reason);
    await removeRefresh(trx, id);
    const event = { kind: 'refresh_refused', reason, at: now, real } as const;
    await store.recordConnectionEvent(trx, about, event, limits.connectionEventsMax);
    await queueConnectionWebhook(trx, about, { type: 'connection.needs_reconnect', reason }, real);
  });
};
