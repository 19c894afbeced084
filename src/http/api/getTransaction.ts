import { readTransaction } from '../../transactions/read.ts';
import type { Operation } from './operation.ts';

export const getTransaction: Operation<'getTransaction'> = async ({ path, reader, lifetime }, { db }) =>
  readTransaction(db, reader, path, lifetime);
