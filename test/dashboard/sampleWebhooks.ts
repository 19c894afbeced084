// Sample webhook endpoints and deliveries of the last few days: one endpoint works, one fails, one is disabled.

import { makeEndpoint } from '../../src/domain/webhooks/endpoints.ts';
import { insertEndpoint, type WebhookEndpoint } from '../../src/domain/webhooks/store.ts';
import type { WebhookDeliveryRow } from '../../src/platform/db/tables.ts';
import { addMilliseconds, seconds } from '../../src/platform/values/clock.ts';
import { makeId } from '../../src/platform/values/ids.ts';
import type { Service } from '../../src/service.ts';

type SampleTarget = { applicationId: string; connectionIds: string[] };

const types = ['transactions.updated', 'transactions.updated', 'connection.created'] as const;

/** Returns the id of the endpoint that fails. */
export const insertSampleWebhooks = async (
  { db, secrets }: Service,
  { applicationId, connectionIds }: SampleTarget,
): Promise<string> => {
  const now = new Date();
  const ago = (minutes: number): string => addMilliseconds(now, -seconds(60 * minutes)).toISOString();
  const addEndpoint = async (url: string, more: Partial<WebhookEndpoint> = {}): Promise<string> => {
    const { endpoint } = makeEndpoint(applicationId, { url, now }, secrets.workerPublicKeys.current());
    await insertEndpoint(db.write, { ...endpoint, ...more });
    return endpoint.id;
  };
  const addDelivery = async (
    endpointId: string,
    at: number,
    more: Partial<WebhookDeliveryRow>,
  ): Promise<void> => {
    const createdAt = ago(at);
    await db.write('webhook_deliveries').insert({
      ...{ endUserId: '', eventId: makeId('evt'), endpointId, body: '{}', createdAt },
      connectionId: connectionIds[at % connectionIds.length]!,
      type: types[at % types.length]!,
      ...{ state: 'delivered', attempts: 1, lastAttemptAt: createdAt, lastStatus: 204 },
      ...more,
    });
  };
  const works = await addEndpoint('https://shop.example/webhooks', { createdAt: ago(60_000) });
  for (let at = 0; at < 40; at++) await addDelivery(works, 30 + at * 90, {});
  await addEndpoint('https://old-crm.example/events/bank?source=connections', {
    ...{ createdAt: ago(50_000), failingSince: ago(9000), disabledAt: ago(1800), disabledReason: 'failing' },
  });
  const fails = await addEndpoint('https://ledger.example/webhooks', {
    ...{ createdAt: ago(5000), failingSince: ago(47) },
  });
  for (let at = 0; at < 12; at++) await addDelivery(fails, 60 + at * 200, {});
  const refused = { state: 'pending', lastStatus: 500, attempts: 3, dueAt: ago(-14) } as const;
  await addDelivery(fails, 47, refused);
  const unreached = { lastStatus: null, lastError: 'timeout', attempts: 4, dueAt: ago(-95) } as const;
  await addDelivery(fails, 53, { ...refused, ...unreached });
  await addDelivery(fails, 3200, { state: 'failed', attempts: 8, lastStatus: 503 });
  return fails;
};
