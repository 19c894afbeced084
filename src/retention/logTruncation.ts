// Truncates SQLite's write-ahead log every few seconds: rows that were deleted or replaced, such as the credentials of a
// revoked connection, otherwise stay in it until later writes happen to overwrite them. Each process that serves or
// works does it, so it does not matter which process deleted, nor whether that one still runs.
import { seconds } from '../clock.ts';
import type { Database } from '../db/open.ts';
import { type Loop, startLoop } from '../loops/loop.ts';
import type { Limits } from '../settings/limits.ts';

/** The next attempt if another process was reading or writing. */
const retryMs = 200;

type LogTruncationDeps = {
  db: Database;
  limits: Limits;
  log: { warn(failure: { err: unknown }, message: string): void };
};

/** Truncates the log until stopped. */
export const startLogTruncation = ({ db, limits, log }: LogTruncationDeps): Loop => {
  let isTruncated = true;
  return startLoop(
    () => (isTruncated ? seconds(limits.logTruncateSeconds) : retryMs),
    async () => {
      isTruncated = await db.truncateLog().catch((err) => {
        log.warn({ err }, 'write-ahead log not truncated');
        return true;
      });
    },
  );
};
