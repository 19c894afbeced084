import { listAccounts as list } from '../../accounts/readAccounts.ts';
import type { Operation } from './operation.ts';

export const listAccounts: Operation<'listAccounts'> = async ({ path, access }, { db }) => ({
  accounts: await list(db, access, path.connectionId),
});
