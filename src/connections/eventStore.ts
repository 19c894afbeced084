// The questions asked about what happened to a connection.
import type { Queries } from '../db/open.ts';
import type { ConnectionEvent } from './event.ts';

type Of = { endUserId: string; connectionId: string };
const where = (of: Of) => ({ end_user_id: of.endUserId, connection_id: of.connectionId });

export const insertEvent = async (
  db: Queries,
  of: Of,
  event: ConnectionEvent & { id: string },
): Promise<void> => {
  await db('connection_events').insert({
    ...where(of),
    id: event.id,
    at: event.at,
    kind: event.kind,
    reason: event.reason,
    actor: event.by,
  });
};

/** Deletes all but the newest `kept`. */
export const trimEvents = async (db: Queries, of: Of, kept: number): Promise<void> => {
  const oldest = db('connection_events').where(where(of)).orderBy('id', 'desc').offset(kept).limit(1);
  await db('connection_events').where(where(of)).where('id', '<=', oldest.select('id')).delete();
};

/** The newest first. */
export const findEvents = async (db: Queries, of: Of): Promise<ConnectionEvent[]> =>
  db('connection_events')
    .where(where(of))
    .orderBy('id', 'desc')
    .select('at', 'kind', 'reason', { by: 'actor' });
