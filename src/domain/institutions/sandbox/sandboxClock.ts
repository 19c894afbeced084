// Each organization's Sandbox applications share a clock. Its offset from real time is in the database, so that every process
// has the new time within a second. Clocks only move forward, because published transactions must not end up in the future.

import type { Database } from '../../../platform/db/open.ts';
import { startLoop } from '../../../platform/loops/loop.ts';
import {
  type Clock,
  days,
  type SandboxOffsets,
  seconds,
  systemClock,
} from '../../../platform/values/clock.ts';
import { OperatorError, UsageError } from '../../../platform/values/errors.ts';
import * as store from './store.ts';

export type SandboxClocks = {
  /** The last known offsets. */
  offsets(): SandboxOffsets;
  /** Stops polling. */
  stop(): Promise<void>;
};

/** Reads the offsets at once and then every `everyMs`; calls `onMoved` when one changes. */
export const watchSandboxClocks = async (
  db: Database,
  options: { everyMs: number; onMoved: () => void },
): Promise<SandboxClocks> => {
  let offsets = await readOffsets(db);
  const { stop } = startLoop(
    () => options.everyMs,
    async () => {
      // While the database does not respond, the last offsets stay in use.
      const current = await readOffsets(db).catch(() => offsets);
      const isMoved = [...current].some(([organizationId, offset]) => offset !== offsets.get(organizationId));
      offsets = current;
      if (isMoved) options.onMoved();
    },
  );
  return { offsets: () => offsets, stop };
};

/** The clock of all applications, unless `override` replaces it. */
export const startClock = async (
  db: Database,
  override: Clock | undefined,
  options: Parameters<typeof watchSandboxClocks>[1],
): Promise<{ clock: Clock; stop(): Promise<void> }> => {
  if (override) return { clock: override, stop: async () => {} };
  const { offsets, stop } = await watchSandboxClocks(db, options);
  return { clock: systemClock(offsets), stop };
};

const readOffsets = async (db: Database): Promise<SandboxOffsets> => {
  const rows = await store.findSandboxOffsets(db.read);
  return new Map(rows.map(({ organizationId, offsetSeconds }) => [organizationId, seconds(offsetSeconds)]));
};

// Keeps the year at four digits.
const offsetMax = days(10_000);

/**
 * Advances an organization's Sandbox clock and returns its new offset in milliseconds. Throws OperatorError if the offset would
 * not grow or would exceed 10,000 days.
 */
export const advanceSandboxClock = async (
  db: Database,
  request: { organizationId: string; milliseconds: number; now: Date },
): Promise<number> => {
  const { organizationId, milliseconds, now } = request;
  if (!(milliseconds > 0)) {
    throw new UsageError('The sandbox clock only goes forward: set --days or --hours.');
  }
  const tooFar = new OperatorError(
    `The sandbox clock cannot be more than ${offsetMax / days(1)} days ahead.`,
  );
  if (milliseconds > offsetMax) throw tooFar;
  return db.transaction(async (trx) => {
    const added = Math.ceil(milliseconds / 1000);
    const offset = seconds(await store.addSandboxOffset(trx, organizationId, added, now));
    if (offset > offsetMax) throw tooFar;
    return offset;
  });
};
