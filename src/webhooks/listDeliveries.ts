// Lists the deliveries to an endpoint for the dashboard, newest first. A cursor leads to the next page.
import type { Queries } from '../db/open.ts';
import { decodeTimeAndId, encodeTimeAndId, toListPage } from '../listPage.ts';
import type { DeliveryPosition, DeliveryState, WebhookDelivery } from './store.ts';
import * as store from './store.ts';

export type DeliveryPage = { deliveries: WebhookDelivery[]; nextCursor?: string };

/** One page of the deliveries to an endpoint, of one state if it is given. Throws ValidationError for an invalid cursor. */
export const listDeliveries = async (
  db: Queries,
  endpointId: string,
  { state, cursor, limit }: { state?: DeliveryState; cursor?: string; limit: number },
): Promise<DeliveryPage> => {
  const after = cursor === undefined ? undefined : toPosition(cursor);
  const rows = await store.findDeliveries(db, endpointId, { state, after, limit: limit + 1 });
  const { page, next } = toListPage(rows, limit, (last) => encodeTimeAndId(last.createdAt, last.eventId));
  return { deliveries: page, ...next };
};

const toPosition = (cursor: string): DeliveryPosition => {
  const { createdAt, id: eventId } = decodeTimeAndId(cursor, 'evt');
  return { createdAt, eventId };
};
