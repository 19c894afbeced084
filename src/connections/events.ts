// The event log of a connection, as the dashboard shows it: codes and times, no data of the bank. Each event is written
// in the same transaction as the change that it records. Only the newest events are kept.
import type { Queries } from '../db/open.ts';
import type { ConnectionEventRow } from '../db/tables.ts';
import { makeSortableId } from '../ids.ts';

export type ConnectionEventKind = ConnectionEventRow['kind'];

/** Who requested the change. */
export type ConnectionEventActor = NonNullable<ConnectionEventRow['actor']>;

export type ConnectionEvent = Pick<ConnectionEventRow, 'at' | 'kind' | 'reason' | 'actor'>;

type ConnectionRef = { endUserId: string; connectionId: string };
const where = ({ endUserId, connectionId }: ConnectionRef): ConnectionRef => ({ endUserId, connectionId });

/**
 * Writes an event and deletes all but the newest `eventsMax`. `at` is the application's time, `real` the time by which
 * events are sorted.
 */
export const recordConnectionEvent = async (
  trx: Queries,
  connection: ConnectionRef,
  event: { kind: ConnectionEventKind; at: Date; real: Date; reason?: string; actor?: ConnectionEventActor },
  eventsMax: number,
): Promise<void> => {
  const { kind, at, real, reason = null, actor = null } = event;
  const row = { id: makeSortableId(real), at: at.toISOString(), kind, reason, actor };
  await trx('connection_events').insert({ ...where(connection), ...row });
  await deleteOldEvents(trx, connection, eventsMax);
};

const deleteOldEvents = async (trx: Queries, connection: ConnectionRef, eventsMax: number): Promise<void> => {
  const events = () => trx('connection_events').where(where(connection));
  const newestToDelete = events().orderBy('id', 'desc').offset(eventsMax).limit(1).select('id');
  await events().where('id', '<=', newestToDelete).delete();
};

/** The events of a connection, newest first. */
export const findConnectionEvents = async (
  db: Queries,
  connection: ConnectionRef,
): Promise<ConnectionEvent[]> =>
  db('connection_events')
    .where(where(connection))
    .orderBy('id', 'desc')
    .select('at', 'kind', 'reason', 'actor');
