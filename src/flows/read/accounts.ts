// Lists and gets the accounts of a grant.
import { type PublicAccountRow, unsealAccount } from '../../domain/codec/account.ts';
import type { Database } from '../../platform/db/open.ts';
import { sql } from '../../platform/db/sql.ts';
import { NotFound } from '../../platform/values/errors.ts';
import { isId } from '../../platform/values/ids.ts';
import type { EndUserKeys } from '../../platform/vault/endUserKeys.ts';
import {
  type AccountRef,
  checkStillReadable,
  type ReadGrant,
  requireAccount,
  requireConnection,
} from './authorize.ts';

/** The columns of the public account, and its key. */
type ReadableAccountRow = PublicAccountRow &
  AccountRef &
  ({ keySealed: Buffer; keyWrapped: null } | { keySealed: null; keyWrapped: Buffer });

// A wrapped key does not need its sealed box, and each blob costs SQLite's driver more than 1 µs.
const selectAccounts = `
  select id, end_user_id as "endUserId", connection_id as "connectionId", short_id as "shortId",
    last_refresh_time as "lastRefreshTime", sealed, key_wrapped as "keyWrapped",
    replaced_by as "replacedBy", history_from as "historyFrom", deselected_at as "deselectedAt",
    case when key_wrapped is null then key_sealed end as "keySealed"
  from accounts where end_user_id = :endUserId`;
const selectAccount = sql<{ endUserId: string; id: string }, ReadableAccountRow>(
  `${selectAccounts} and id = :id`,
);
const selectAccountsOfConnection = sql<{ endUserId: string; connectionId: string }, ReadableAccountRow>(
  `${selectAccounts} and connection_id = :connectionId order by position, id`,
);

type PublicAccount = ReturnType<typeof unsealAccount>;

/** A connection's accounts, in the order the bank listed them. Throws NotFound, Forbidden, CorruptData. */
export const listAccounts = async (
  db: Database,
  grant: ReadGrant,
  connectionId: string,
): Promise<PublicAccount[]> => {
  const connection = await requireConnection(db, grant, connectionId);
  const accounts = await readAccountsWithRef(db, grant, connection);
  return accounts.map(({ account }) => account);
};

/** An account with the columns needed to list its transactions. */
export type AccountWithRef = { account: PublicAccount; ref: AccountRef };

/** A connection's accounts, with the columns needed to list their transactions. Throws NotFound, Forbidden, CorruptData. */
export const readAccountsWithRef = async (
  db: Database,
  grant: ReadGrant,
  { endUserId, id: connectionId }: { endUserId: string; id: string },
): Promise<AccountWithRef[]> => {
  const rows = await selectAccountsOfConnection(db.read, { endUserId, connectionId });
  await checkStillReadable(db, grant, connectionId);
  return rows.map((row) => ({ account: unsealRow(db, grant.userKeys, row), ref: row }));
};

/** Reads an account's row. Like `readGrantRows`, it may run before the credentials are checked. */
export const readAccountRow = async (
  db: Database,
  { endUserId, accountId }: { endUserId: string; accountId: string },
): Promise<ReadableAccountRow | undefined> => {
  const [row] = isId('acc', accountId) ? await selectAccount(db.read, { endUserId, id: accountId }) : [];
  return row;
};

/** The account in the path, from its row. Throws NotFound, Forbidden, CorruptData. */
export const readAccount = async (
  db: Database,
  grant: ReadGrant,
  accountId: string,
  ahead: ReturnType<typeof readAccountRow>,
): Promise<PublicAccount> => {
  await requireAccount(db, grant, accountId);
  const row = await ahead;
  // A sweep deleted it meanwhile.
  if (!row) throw new NotFound('account');
  return unsealRow(db, grant.userKeys, row);
};

const unsealRow = (db: Database, userKeys: EndUserKeys, row: ReadableAccountRow): PublicAccount => {
  const { id, endUserId, keySealed, keyWrapped } = row;
  const key = userKeys.openDataKey(
    keyWrapped ? { id, sealed: null, wrapped: keyWrapped } : { id, sealed: keySealed, wrapped: null },
  );
  const account = unsealAccount(row, key);
  // Not awaited, and a failure is ignored: the next reader then unseals the box again. No effect if a refresh replaced the key.
  if (keySealed) {
    const wrapped = db.write('accounts').where({ endUserId, id, keySealed }).whereNull('keyWrapped');
    wrapped.update({ keyWrapped: userKeys.wrapDataKey(id, key) }).then(ignore, ignore);
  }
  return account;
};

const ignore = (): void => {};
