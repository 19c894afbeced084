// Finds and deletes data that refreshes stored but nothing refers to: blocks, rows of accounts that were never published, and
// staged texts.
import { abandonedRows, rowsAhead } from '../../domain/codec/block.ts';
import type { DbTransaction, Queries } from '../../platform/db/open.ts';
import type { BlockDeletionRow, StagedTextRow } from '../../platform/db/tables.ts';

/** Blocks that are due for deletion. */
export const findBlockDeletions = async (
  db: Queries,
  now: string,
  limit: number,
): Promise<BlockDeletionRow[]> =>
  db('block_deletions').where('deleteAfter', '<=', now).limit(limit).select('*');

/** Prevents the publication of rows that were stored before their account. Returns false if they were published meanwhile. */
export const abandonRowsAhead = async (
  db: Queries,
  { endUserId, accountShortId, block }: BlockDeletionRow,
): Promise<boolean> => {
  if (block === abandonedRows) return true;
  const ahead = { endUserId, accountShortId, block: rowsAhead };
  return (await db('block_deletions').where(ahead).update({ block: abandonedRows })) === 1;
};

/** Deletes a block unless it was published or deleted meanwhile. Returns the number of deleted rows. */
export const deleteBlock = async (
  trx: DbTransaction,
  { endUserId, accountShortId, block }: BlockDeletionRow,
): Promise<number> => {
  const key = { endUserId, accountShortId, block };
  const isDue = (await trx('block_deletions').where(key).delete()) === 1;
  return isDue ? trx('transaction_blocks').where(key).delete() : 0;
};

export type StagedRefresh = Pick<StagedTextRow, 'endUserId' | 'refreshId'>;

/** Refreshes with staged texts for these accounts. */
export const findStagedOf = async (db: Queries, accountIds: readonly string[]): Promise<StagedRefresh[]> =>
  db('staged_texts').whereIn('accountId', accountIds).distinct('endUserId', 'refreshId');

/** Refreshes with texts staged before a time. */
export const findStagedBefore = async (db: Queries, time: string, limit: number): Promise<StagedRefresh[]> =>
  db('staged_texts').where('createdAt', '<', time).distinct('endUserId', 'refreshId').limit(limit);
