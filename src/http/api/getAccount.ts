import { readAccount } from '../../accounts/read.ts';
import type { Operation } from './operation.ts';

export const getAccount: Operation<'getAccount'> = async ({ path, reader, lifetime }, { db }) => ({
  account: await readAccount(db, reader, path.accountId, lifetime),
});
