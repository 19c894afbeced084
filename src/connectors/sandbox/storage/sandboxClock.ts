// The clock of all Sandbox applications. Its offset from real time is in the database, so that every process has the
// new time within a second. It only goes forward: published transactions must not end up in the future.
import { setTimeout as sleep } from 'node:timers/promises';
import { days, seconds } from '../../../clock.ts';
import type { Database } from '../../../db/open.ts';
import { OperatorError } from '../../../errors.ts';
import { addSandboxOffset, findSandboxOffset } from './store.ts';

export type SandboxClock = {
  /** How many milliseconds the sandbox is ahead of real time, as last read. */
  offset(): number;
  /** Stops polling. */
  stop(): Promise<void>;
};

/** Reads the offset now and then every `everyMs`; calls `onMoved` when it has changed. */
export const watchSandboxClock = async (
  db: Database,
  options: { everyMs: number; onMoved: () => void },
): Promise<SandboxClock> => {
  const stopping = new AbortController();
  let offset = seconds(await findSandboxOffset(db.read));
  const poll = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await sleep(options.everyMs, undefined, { signal: stopping.signal, ref: false }).catch(() => {});
      if (stopping.signal.aborted) return;
      // While the database does not respond, the last offset stays.
      const current = seconds(await findSandboxOffset(db.read).catch(() => offset / 1000));
      if (current === offset) continue;
      offset = current;
      options.onMoved();
    }
  };
  const polling = poll();
  return {
    offset: () => offset,
    stop: async () => {
      stopping.abort();
      await polling;
    },
  };
};

// Keeps the year at four digits.
const offsetMax = days(10_000);

/**
 * Advances the clock of all Sandbox applications and returns its new offset in milliseconds. Throws OperatorError if
 * the offset would not grow or would exceed 10,000 days.
 */
export const advanceSandboxClock = async (
  db: Database,
  request: { milliseconds: number; now: Date },
): Promise<number> => {
  if (!(request.milliseconds > 0)) {
    throw new OperatorError('The sandbox clock only goes forward: set --days or --hours.');
  }
  const tooFar = new OperatorError(
    `The sandbox clock cannot be more than ${offsetMax / days(1)} days ahead.`,
  );
  if (request.milliseconds > offsetMax) throw tooFar;
  return db.transaction(async (trx) => {
    const offset = seconds(await addSandboxOffset(trx, Math.ceil(request.milliseconds / 1000), request.now));
    if (offset > offsetMax) throw tooFar;
    return offset;
  });
};
