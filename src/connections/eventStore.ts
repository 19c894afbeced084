// The questions asked about what happened to a connection.
import type { Queries } from '../db/open.ts';
import type { ConnectionEvent } from './connectionEvent.ts';

type ConnectionRef = { endUserId: string; connectionId: string };
const where = (of: ConnectionRef) => ({ end_user_id: of.endUserId, connection_id: of.connectionId });

export const insertConnectionEvent = async (
  db: Queries,
  of: ConnectionRef,
  event: ConnectionEvent & { id: string },
): Promise<void> => {
  await db('connection_events').insert({
    ...where(of),
    id: event.id,
    at: event.at,
    kind: event.kind,
    reason: event.reason,
    actor: event.actor,
  });
};

/** Deletes all but the newest `kept`. */
export const trimConnectionEvents = async (db: Queries, of: ConnectionRef, kept: number): Promise<void> => {
  const oldest = db('connection_events').where(where(of)).orderBy('id', 'desc').offset(kept).limit(1);
  await db('connection_events').where(where(of)).where('id', '<=', oldest.select('id')).delete();
};

/** The newest first. */
export const findConnectionEvents = async (db: Queries, of: ConnectionRef): Promise<ConnectionEvent[]> =>
  db('connection_events').where(where(of)).orderBy('id', 'desc').select('at', 'kind', 'reason', 'actor');
