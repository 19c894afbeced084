// The events of openapi.yaml's `webhooks`.
import type { webhooks } from '../../generated/api.ts';

export type WebhookType = keyof webhooks;

type EventOf<Type extends WebhookType> = webhooks[Type]['post']['requestBody']['content']['application/json'];

/** What an event says: its type and the ids that it is about. */
export type WebhookContent = {
  [Type in WebhookType]: Pick<EventOf<Type>, 'type' | 'data'>;
}[WebhookType];
