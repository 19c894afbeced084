// What happened to a connection, as the dashboard shows it: codes and moments, nothing of what the bank said. Each
// event is written in the transaction of what it tells. Only the newest are kept.
import type { Queries } from '../db/open.ts';
import { makeTimedId } from '../ids.ts';
import type { By, EventKind } from './event.ts';
import { insertEvent, trimEvents } from './eventStore.ts';

/** Writes an event. `at` is the application's time, `real` the time that events are ordered by. */
export const noteEvent = async (
  trx: Queries,
  of: { endUserId: string; connectionId: string },
  event: { kind: EventKind; at: Date; real: Date; reason?: string; by?: By },
  kept: number,
): Promise<void> => {
  const { kind, at, real, reason = null, by = null } = event;
  await insertEvent(trx, of, { id: makeTimedId(real), kind, at: at.toISOString(), reason, by });
  await trimEvents(trx, of, kept);
};
