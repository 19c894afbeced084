// A process that dies between two calls to the database: from the chosen call on, none arrives any more.
import type { Database } from '../../src/db/open.ts';

export class Crash extends Error {}

/**
 * Runs `work` and lets the process "die" at the given call to the database; true where it died before it ended.
 * What the dead process had open is rolled back, as the database does for a lost connection.
 */
export const crashAtCall = async (
  db: Database,
  call: number,
  work: () => Promise<unknown>,
): Promise<boolean> => {
  let calls = 0;
  const listen = ({ sql }: { sql: string }): void => {
    calls += 1;
    // A death before COMMIT is one at the statement before it; the connection itself must come out clean.
    if (calls >= call && !/^(ROLLBACK|COMMIT)/.test(sql)) throw new Crash();
  };
  const doors = new Set([db.read, db.write]);
  for (const door of doors) door.on('query', listen);
  try {
    await work();
    return false;
  } catch (error) {
    if (error instanceof Crash) return true;
    throw error;
  } finally {
    for (const door of doors) door.removeListener('query', listen);
  }
};
