// Makes requests run concurrently: all wait for the same row, and continue in the order in which they reached it.
import { vi } from 'vitest';
import type { Database } from '../../src/platform/db/open.ts';

type HeldTable =
  | 'api_keys'
  | 'connections'
  | 'link_sessions'
  | 'members'
  | 'simplefin_accesses'
  | 'webhook_endpoints';

/** Locks a row until the returned function is called. On SQLite every write waits. */
export const holdRow = async (
  db: Database,
  table: HeldTable,
  where: { id: string } | { email: string },
): Promise<() => Promise<void>> => {
  // A cluster locks one row of an end user only if the statement names the user.
  const row = await db.read(table).where(where).first('*');
  const key = row && 'endUserId' in row && row.endUserId ? { ...where, endUserId: row.endUserId } : where;
  const locked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const holding = db.transaction(async (trx) => {
    await trx(table).where(key).forUpdate().first('id');
    locked.resolve();
    await released.promise;
  });
  await Promise.race([locked.promise, holding]);
  return async () => {
    released.resolve();
    await holding;
  };
};

/** Waits until this many statements and transactions of a database wait for a lock. */
export const untilWaiting = (db: Database, count: number): Promise<unknown> =>
  vi.waitUntil(async () => (await countWaiting(db)) >= count, { timeout: 30_000, interval: 10 });

const waitingQuery =
  "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";

const countWaiting = async (db: Database): Promise<number> => {
  if (db.dialect === 'sqlite') return db.pools()[0]!.waiting;
  const [row] = await db.read.raw<{ count: number }[]>(
    process.env.TEST_DISTRIBUTED_URL
      ? `select sum(result::integer) as count from run_command_on_all_nodes($$${waitingQuery}$$)`
      : waitingQuery,
  );
  return Number(row!.count);
};
