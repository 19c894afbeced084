// Lets what is sent at once meet: both wait for the same row, and continue in the order in which they came to it.
import type { Database } from '../../src/db/open.ts';

/** Locks a row until the returned function is called. On SQLite every write waits. */
export const holdRow = async (
  db: Database,
  table: 'members' | 'webhook_endpoints',
  where: { id: string } | { email: string },
): Promise<() => Promise<void>> => {
  const locked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const holding = db.transaction(async (trx) => {
    await trx(table).where(where).forUpdate().first('id');
    locked.resolve();
    await released.promise;
  });
  await Promise.race([locked.promise, holding]);
  return async () => {
    released.resolve();
    await holding;
  };
};
