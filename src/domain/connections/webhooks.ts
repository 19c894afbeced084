// Webhooks and audit events about a connection.

import type { DbTransaction } from '../../platform/db/open.ts';
import type { ActorAt } from '../audit/by.ts';
import type { AuditAction, AuditEntry } from '../audit/store.ts';
import { queueForEndpoints, type WebhookContent } from '../webhooks/outbox.ts';
import { findReceivingEndpoints } from '../webhooks/store.ts';
import type { ConnectionEventActor } from './store.ts';
import * as store from './store.ts';

export type WebhookSubject = { applicationId: string; endUserId: string; connectionId: string };

/** The type of an event about a connection, and its data without the connection's id. */
type ConnectionContent<Content extends WebhookContent> = Content extends { data: { connectionId: string } }
  ? Pick<Content, 'type'> & Omit<Content['data'], 'connectionId'>
  : never;

/**
 * Queues an event about a connection that this transaction changed. Nothing is queued until the page acknowledges the
 * connection, because nobody knows its id until then. Call it after the change, which locks the row, so that the
 * acknowledgement comes either before or after both. `real` is real time.
 */
export const queueConnectionWebhook = async (
  trx: DbTransaction,
  about: WebhookSubject,
  { type, ...data }: ConnectionContent<WebhookContent>,
  real: Date,
): Promise<void> => {
  const { applicationId, endUserId, connectionId } = about;
  const endpointIds = await findReceivingEndpoints(trx, applicationId, real.toISOString());
  // Checked first, because most applications have no endpoint.
  if (endpointIds.length === 0) return;
  const connection = await store.findConnectionRow(trx, { endUserId, id: connectionId });
  if (connection?.deliveryExpiresAt !== null) return;
  const content = { type, data: { connectionId, ...data } } as WebhookContent;
  await queueForEndpoints(trx, endpointIds, about, content, real);
};

/**
 * An audit event about a connection. It contains only the start and the end of the connection's id: audit events are kept
 * forever, but connections are not.
 */
export const connectionEntry = (
  { connectionId, applicationId }: Omit<WebhookSubject, 'endUserId'>,
  action: AuditAction,
): AuditEntry => ({ action, subject: shortenId(connectionId), details: { application: applicationId } });

/** The author in a connection's history; without `by`, the application itself. */
export const toEventActor = (by: ActorAt | undefined): ConnectionEventActor => {
  if (by === undefined) return 'api';
  if (by.actor.tokenId !== null) return 'token';
  return by.actor.memberId === null ? 'operator' : 'member';
};

const shortenId = (id: string): string => `${id.slice(0, 4)}…${id.slice(-6)}`;
