// Queries for the counts that all processes share.
import type { Queries } from '../../platform/db/open.ts';
import { inBatches } from '../../platform/loops/fairScheduler.ts';

export type RateLimitCount = { key: string; minute: number; count: number };

/** Adds to the shared counts and returns the sums by key. */
export const addRateLimitCounts = async (
  db: Queries,
  counts: readonly RateLimitCount[],
): Promise<Map<string, number>> => {
  // Sorted so that two processes writing the same rows do not deadlock.
  const rows = counts.toSorted((left, right) => (left.key < right.key ? -1 : 1));
  const totals = new Map<string, number>();
  await inBatches(rows, async (batch) => {
    const sums: RateLimitCount[] = await db('rate_limit_counters')
      .insert(batch)
      .onConflict(['key', 'minute'])
      .merge({ count: db.raw('rate_limit_counters.count + excluded.count') })
      .returning(['key', 'minute', 'count']);
    for (const { key, count } of sums) totals.set(key, count);
  });
  return totals;
};

export const deleteRateLimitCountsBefore = async (db: Queries, minute: number): Promise<void> => {
  await db('rate_limit_counters').where('minute', '<', minute).delete();
};
