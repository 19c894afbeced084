import { listAccounts as list } from '../../accounts/read.ts';
import type { Operation } from './operation.ts';

export const listAccounts: Operation<'listAccounts'> = async ({ path, reader, lifetime }, { db }) => ({
  accounts: await list(db, reader, path.connectionId, lifetime),
});
