// The operations on accounts.
import { listAccounts as list, readAccount } from '../../read/listAccounts.ts';
import type { Operation } from './operation.ts';

export const listAccounts: Operation<'listAccounts'> = async ({ path, access }, { db }) => ({
  accounts: await list(db, access, path.connectionId),
});

export const getAccount: Operation<'getAccount'> = async ({ path, access }, { db }) => ({
  account: await readAccount(db, access, path.accountId),
});
