// List and get accounts, for a Reader.
import { type Access, findReadableConnection, refuse } from '../connections/find.ts';
import type { Database } from '../db/open.ts';
import { isId } from '../ids.ts';
import { makeKeyring } from '../users/dataKeys.ts';
import type { Reader } from '../vault/reader.ts';
import { type AccountRow, openAccount } from './account.ts';
import { findAccountRow, findAccountRows } from './store.ts';

type PublicAccount = ReturnType<typeof openAccount>;

/** The accounts of a connection, in the order in which the user saw them. Throws NotFound, Forbidden, Corrupt. */
export const listAccounts = async (
  db: Database,
  access: Access,
  connectionId: string,
): Promise<PublicAccount[]> => {
  const { id, endUserId } = await findReadableConnection(db, access, connectionId);
  return openAccounts(db, access.reader, await findAccountRows(db.read, { endUserId, connectionId: id }));
};

/** One account. Throws NotFound, Forbidden, Corrupt. */
export const readAccount = async (
  db: Database,
  access: Access,
  accountId: string,
): Promise<PublicAccount> => {
  const row = await findReadableAccount(db, access, accountId);
  const [account] = await openAccounts(db, access.reader, [row]);
  return account!;
};

/** The row of an account that an access covers. Throws NotFound or Forbidden. */
export const findReadableAccount = async (
  db: Database,
  { reader, connections }: Access,
  accountId: string,
): Promise<AccountRow> => {
  const row = isId('acc', accountId)
    ? await findAccountRow(db.read, { endUserId: reader.endUserId, id: accountId })
    : undefined;
  if (row && connections.some((connection) => connection.id === row.connectionId)) return row;
  return refuse(db, reader, 'account', accountId);
};

const openAccounts = async (db: Database, reader: Reader, rows: AccountRow[]): Promise<PublicAccount[]> => {
  const keyring = makeKeyring(db.read, reader);
  await keyring.load(rows.flatMap((row) => [row.detailsKey, row.balanceKey]));
  return rows.map((row) => openAccount(row, keyring.get));
};
