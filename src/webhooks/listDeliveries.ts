// Lists the deliveries to an endpoint for the dashboard, newest first. A cursor leads to the next page.
import type { Queries } from '../db/open.ts';
import { ValidationError } from '../errors.ts';
import { type DeliveryPosition, type DeliveryState, findDeliveries, type WebhookDelivery } from './store.ts';

export type DeliveryPage = { deliveries: WebhookDelivery[]; nextCursor?: string };

/** One page of the deliveries to an endpoint, of one state if it is given. Throws ValidationError for an invalid cursor. */
export const listDeliveries = async (
  db: Queries,
  endpointId: string,
  { state, cursor, limit }: { state?: DeliveryState; cursor?: string; limit: number },
): Promise<DeliveryPage> => {
  const after = cursor === undefined ? undefined : decodeCursor(cursor);
  const rows = await findDeliveries(db, endpointId, { state, after, limit: limit + 1 });
  const deliveries = rows.slice(0, limit);
  const last = rows.length > limit ? deliveries.at(-1) : undefined;
  return { deliveries, ...(last && { nextCursor: encodeCursor(last) }) };
};

// Cursors are not authenticated: they only contain a position in a list that the member may read anyway.
const encodeCursor = ({ createdAt, eventId }: DeliveryPosition): string =>
  Buffer.from(`${createdAt} ${eventId}`).toString('base64url');

const decodeCursor = (text: string): DeliveryPosition => {
  const form = /^(?<createdAt>\d{4}-\d\d-\d\dT[\d:.]{12}Z) (?<eventId>evt_[0-9A-Za-z]{22})$/;
  const position = form.exec(Buffer.from(text, 'base64url').toString())?.groups;
  if (position) return position as DeliveryPosition;
  const message = 'does not belong to this list';
  throw new ValidationError('invalid_cursor', [{ path: '/query/cursor', message }]);
};
