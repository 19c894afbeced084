// Webhooks and audit events about a connection.
import type { By, OrganizationBy } from '../audit/by.ts';
import { type AuditAction, recordAuditEvent } from '../audit/store.ts';
import type { DbTransaction, Queries } from '../db/open.ts';
import { queueForEndpoints, type WebhookContent } from '../webhooks/outbox.ts';
import { findReceivingEndpoints } from '../webhooks/store.ts';
import type { ConnectionEventActor } from './store.ts';
import * as store from './store.ts';

export type WebhookSubject = { applicationId: string; endUserId: string; connectionId: string };

/**
 * Queues an event about a connection that this transaction has changed. Nothing is queued until the page has acknowledged
 * the connection, because nobody knows its id. To be called after the change, which locks the row: the acknowledgement then
 * comes either before or after both. `real` is real time.
 */
export const queueConnectionWebhook = async (
  trx: DbTransaction,
  about: WebhookSubject,
  content: WebhookContent,
  real: Date,
): Promise<void> => {
  const endpointIds = await findReceivingEndpoints(trx, about.applicationId, real.toISOString());
  // First, because most applications have none.
  if (endpointIds.length === 0) return;
  const connection = await store.findConnectionRow(trx, {
    endUserId: about.endUserId,
    id: about.connectionId,
  });
  if (connection?.deliveryExpiresAt === null) await queueForEndpoints(trx, endpointIds, about, content, real);
};

/** Queues that a connection needs its end user, and what the bank said. */
export const queueNeedsReconnect = (
  trx: DbTransaction,
  about: WebhookSubject,
  reason: string,
  real: Date,
): Promise<void> => {
  const data = { connectionId: about.connectionId, reason };
  return queueConnectionWebhook(trx, about, { type: 'connection.needs_reconnect', data }, real);
};

/** Queues that a connection which needed its end user is refreshed again. */
export const queueRestored = (trx: DbTransaction, about: WebhookSubject, real: Date): Promise<void> => {
  const data = { connectionId: about.connectionId };
  return queueConnectionWebhook(trx, about, { type: 'connection.restored', data }, real);
};

/**
 * Adds an audit event about a connection. It contains only the beginning and the end of the connection's id: audit
 * events are kept forever, and connections are not.
 */
export const recordConnectionAudit = (
  trx: Queries,
  connection: { id: string; applicationId: string },
  action: AuditAction,
  by: OrganizationBy,
): Promise<void> => {
  const details = { application: connection.applicationId };
  return recordAuditEvent(trx, by, action, { subject: shortenId(connection.id), details });
};

/** How the history of a connection names who acts; without `by` the application itself. */
export const toEventActor = (by: By | undefined): ConnectionEventActor => {
  if (by === undefined) return 'api';
  return by.actor.memberId === null ? 'operator' : 'member';
};

const shortenId = (id: string): string => `${id.slice(0, 4)}…${id.slice(-6)}`;
