// What happened to a connection, as the dashboard shows it: codes and moments, nothing of what the bank said. Each
// event is written in the transaction of what it tells. Only the newest are kept.
import type { Queries } from '../db/open.ts';
import { makeSortableId } from '../ids.ts';
import type { ConnectionEventActor, ConnectionEventKind } from './connectionEvent.ts';
import { insertConnectionEvent, trimConnectionEvents } from './eventStore.ts';

/** Writes an event. `at` is the application's time, `real` the time that events are ordered by. */
export const recordConnectionEvent = async (
  trx: Queries,
  of: { endUserId: string; connectionId: string },
  event: { kind: ConnectionEventKind; at: Date; real: Date; reason?: string; actor?: ConnectionEventActor },
  kept: number,
): Promise<void> => {
  const { kind, at, real, reason = null, actor = null } = event;
  await insertConnectionEvent(trx, of, {
    id: makeSortableId(real),
    kind,
    at: at.toISOString(),
    reason,
    actor,
  });
  await trimConnectionEvents(trx, of, kept);
};
