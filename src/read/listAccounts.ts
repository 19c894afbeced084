// Lists and gets accounts for a Reader.

import { unsealAccount } from '../codec/account.ts';
import type { Database } from '../db/open.ts';
import { NotFound } from '../errors.ts';
import type { Reader } from '../vault/scopedToken.ts';
import { type Access, requireAccount, requireConnection } from './authorize.ts';
import {
  type AccountRef,
  findReadableAccountRow,
  findReadableAccountRows,
  type ReadableAccountRow,
  saveWrappedAccountKey,
} from './store.ts';

type PublicAccount = ReturnType<typeof unsealAccount>;

/** The accounts of a connection, in the order in which the bank listed them. Throws NotFound, Forbidden, CorruptData. */
export const listAccounts = async (
  db: Database,
  access: Access,
  connectionId: string,
): Promise<PublicAccount[]> => {
  const connection = await requireConnection(db, access, connectionId);
  const accounts = await readAccountsWithRef(db, access.reader, connection);
  return accounts.map(({ account }) => account);
};

/** An account with what listing its transactions needs. */
export type AccountWithRef = { account: PublicAccount; ref: AccountRef };

/** The same accounts with what listing their transactions needs. Throws CorruptData. */
export const readAccountsWithRef = async (
  db: Database,
  reader: Reader,
  connection: { endUserId: string; id: string },
): Promise<AccountWithRef[]> => {
  const owner = { endUserId: connection.endUserId, connectionId: connection.id };
  const rows = await findReadableAccountRows(db.read, owner);
  return rows.map((row) => ({ account: unsealRow(db, reader, row), ref: row }));
};

/** The account in the path. Throws NotFound, Forbidden, CorruptData. */
export const readAccount = async (
  db: Database,
  access: Access,
  accountId: string,
): Promise<PublicAccount> => {
  const { id, endUserId } = await requireAccount(db, access, accountId);
  const row = await findReadableAccountRow(db.read, { endUserId, id });
  // A sweep has deleted it since.
  if (!row) throw new NotFound('account');
  return unsealRow(db, access.reader, row);
};

const unsealRow = (db: Database, reader: Reader, row: ReadableAccountRow): PublicAccount => {
  const { id, keySealed, keyWrapped } = row;
  const key = reader.openDataKey(
    keyWrapped ? { id, sealed: null, wrapped: keyWrapped } : { id, sealed: keySealed, wrapped: null },
  );
  const account = unsealAccount(row, key);
  // Not awaited, and a failure is ignored: the next reader then unseals the box again.
  if (keySealed) {
    const { endUserId } = row;
    void saveWrappedAccountKey(db.write, { endUserId, id, keySealed }, reader.wrapDataKey(id, key)).catch(
      () => {},
    );
  }
  return account;
};
