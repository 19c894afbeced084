import { readTransaction } from '../../transactions/readTransactions.ts';
import type { Operation } from './operation.ts';

export const getTransaction: Operation<'getTransaction'> = async ({ path, access }, { db }) =>
  readTransaction(db, access, path);
