// Queues events for delivery. Each event is written in the transaction of its change, so that even after a crash there is
// exactly one event for each committed change, and no other.
import type { webhooks } from '../../../generated/api.ts';
import type { DbTransaction } from '../../platform/db/open.ts';
import { makeId } from '../../platform/values/ids.ts';
import * as store from './store.ts';

/** Queues an event for these endpoints under one id, and returns the id. `real` is real time. */
export const queueForEndpoints = async (
  trx: DbTransaction,
  endpointIds: readonly string[],
  { endUserId, connectionId }: { endUserId: string; connectionId: string | null },
  { type, data }: WebhookContent,
  real: Date,
): Promise<string> => {
  const eventId = makeId('evt');
  const createdAt = real.toISOString();
  const body = JSON.stringify({ type, timestamp: createdAt, data });
  const event = { endUserId, eventId, connectionId, type, body, createdAt };
  await store.insertDeliveries(trx, endpointIds, event);
  return eventId;
};

export type WebhookType = keyof webhooks;

type EventOf<Type extends WebhookType> = webhooks[Type]['post']['requestBody']['content']['application/json'];

/** The content of an event: its type, and the ids of its subjects. */
export type WebhookContent = {
  [Type in WebhookType]: Pick<EventOf<Type>, 'type' | 'data'>;
}[WebhookType];
