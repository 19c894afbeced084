// The operations on transactions.
import { listTransactions as list, readTransaction } from '../../read/listTransactions.ts';
import type { Operation } from './operation.ts';

export const listTransactions: Operation<'listTransactions'> = async (
  { path, query, access },
  { db, secrets, config, yieldTurn },
) =>
  list(
    db,
    access,
    { accountId: path.accountId, query },
    { cursorKeys: secrets.cursors, chunkRows: config.limits.streamChunkRows, yieldTurn },
  );

export const getTransaction: Operation<'getTransaction'> = async ({ path, access }, { db }) =>
  readTransaction(db, access, path);
