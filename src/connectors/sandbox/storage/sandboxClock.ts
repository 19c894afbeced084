// The sandbox's clock: how far it is ahead of real time stands in the database, so that every process has the
// same time within a second of a move. It goes forward only, because what was published cannot become future.
import { setTimeout as sleep } from 'node:timers/promises';
import { days, seconds } from '../../../clock.ts';
import type { Database } from '../../../db/open.ts';
import { OperatorError } from '../../../errors.ts';
import { addSandboxOffset, findSandboxOffset } from './store.ts';

export type SandboxClock = {
  /** By how many milliseconds the sandbox is ahead, as the database last said. */
  offset(): number;
  /** Stops asking the database. */
  stop(): Promise<void>;
};

/** Reads the offset now, and again every `everyMs`; says when somebody has moved the clock. */
export const watchSandboxClock = async (
  db: Database,
  options: { everyMs: number; onMoved: () => void },
): Promise<SandboxClock> => {
  const stopping = new AbortController();
  let offset = seconds(await findSandboxOffset(db.read));
  const follow = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await sleep(options.everyMs, undefined, { signal: stopping.signal, ref: false }).catch(() => {});
      if (stopping.signal.aborted) return;
      // A database that does not answer now keeps the time that it gave last.
      const found = seconds(await findSandboxOffset(db.read).catch(() => offset / 1000));
      if (found === offset) continue;
      offset = found;
      options.onMoved();
    }
  };
  const following = follow();
  return {
    offset: () => offset,
    stop: async () => {
      stopping.abort();
      await following;
    },
  };
};

// Far enough for anybody, and near enough that a year keeps its four digits.
const offsetMax = days(10_000);

/** Moves the clock of all Sandbox applications forward; returns its offset in milliseconds. Throws OperatorError. */
export const advanceSandboxClock = async (
  db: Database,
  move: { milliseconds: number; now: Date },
): Promise<number> => {
  if (!(move.milliseconds > 0)) {
    throw new OperatorError('The sandbox clock only goes forward: say how far with --days or --hours.');
  }
  const tooFar = new OperatorError(
    `The sandbox clock cannot be more than ${offsetMax / days(1)} days ahead.`,
  );
  if (move.milliseconds > offsetMax) throw tooFar;
  return db.transaction(async (trx) => {
    const offset = seconds(await addSandboxOffset(trx, Math.ceil(move.milliseconds / 1000), move.now));
    if (offset > offsetMax) throw tooFar;
    return offset;
  });
};
