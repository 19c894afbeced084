// Lists the deliveries to an endpoint for the dashboard, newest first. A cursor leads to the next page.
import type { Queries } from '../db/open.ts';
import { type ListRange, readListPage } from '../listPage.ts';
import type { DeliveryState, WebhookDelivery } from './store.ts';
import * as store from './store.ts';

export type DeliveryPage = { deliveries: WebhookDelivery[]; nextCursor?: string };

/** One page of the deliveries to an endpoint, of one state if it is given. Throws ValidationError for an invalid cursor. */
export const listDeliveries = async (
  db: Queries,
  endpointId: string,
  { state, ...request }: { state?: DeliveryState; cursor?: string; limit: number },
): Promise<DeliveryPage> => {
  const find = (range: ListRange) => store.findDeliveries(db, endpointId, { state, ...range });
  const { page, next } = await readListPage('evt', request, find, ({ eventId }) => eventId);
  return { deliveries: page, ...next };
};
