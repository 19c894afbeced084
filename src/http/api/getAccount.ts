import { readAccount } from '../../accounts/readAccounts.ts';
import type { Operation } from './operation.ts';

export const getAccount: Operation<'getAccount'> = async ({ path, access }, { db }) => ({
  account: await readAccount(db, access, path.accountId),
});
