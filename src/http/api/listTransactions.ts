import { listTransactions as list } from '../../transactions/readTransactions.ts';
import type { Operation } from './operation.ts';

export const listTransactions: Operation<'listTransactions'> = async (
  { path, query, access },
  { db, secrets, config, yieldTurn },
) =>
  list(
    db,
    access,
    { accountId: path.accountId, query },
    { cursorKey: secrets.cursors, chunkRows: config.limits.streamChunkRows, yieldTurn },
  );
