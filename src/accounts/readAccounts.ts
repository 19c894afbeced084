// Lists and gets accounts for a Reader.
import { type Access, findReadableConnection, throwNotFoundOrForbidden } from '../connections/connection.ts';
import type { Database, Queries } from '../db/open.ts';
import { isId } from '../ids.ts';
import { makeKeyring } from '../users/dataKeys.ts';
import type { Reader } from '../vault/scopedToken.ts';
import { type PublicAccountRow, unsealAccount } from './account.ts';
import { type AccountRef, findAccountRef, findPublicAccountRow, findPublicAccountRows } from './store.ts';

type PublicAccount = ReturnType<typeof unsealAccount>;

/** The accounts of a connection, in the order the end user chose. Throws NotFound, Forbidden, CorruptData. */
export const listAccounts = async (
  db: Database,
  access: Access,
  connectionId: string,
): Promise<PublicAccount[]> => {
  const { id, endUserId } = await findReadableConnection(db, access, connectionId);
  const rows = await findPublicAccountRows(db.read, { endUserId, connectionId: id });
  return unsealAccounts(db, access.reader, rows);
};

/** One account. Throws NotFound, Forbidden, CorruptData. */
export const readAccount = async (
  db: Database,
  access: Access,
  accountId: string,
): Promise<PublicAccount> => {
  const row = await findReadable(db, access, accountId, findPublicAccountRow);
  const [account] = await unsealAccounts(db, access.reader, [row]);
  return account!;
};

/** The connection and the last refresh of an account that `access` covers. Throws NotFound or Forbidden. */
export const findReadableAccount = (db: Database, access: Access, accountId: string): Promise<AccountRef> =>
  findReadable(db, access, accountId, findAccountRef);

const findReadable = async <Row extends { connectionId: string }>(
  db: Database,
  { reader, connections }: Access,
  id: string,
  find: (db: Queries, key: { endUserId: string; id: string }) => Promise<Row | undefined>,
): Promise<Row> => {
  const row = isId('acc', id) ? await find(db.read, { endUserId: reader.endUserId, id }) : undefined;
  if (row && connections.some((connection) => connection.id === row.connectionId)) return row;
  return throwNotFoundOrForbidden(db, reader, 'account', id);
};

const unsealAccounts = async (
  db: Database,
  reader: Reader,
  rows: PublicAccountRow[],
): Promise<PublicAccount[]> => {
  const keyring = makeKeyring(db, reader);
  await keyring.load(rows.flatMap((row) => [row.detailsKeyId, row.balanceKeyId]));
  return rows.map((row) => unsealAccount(row, keyring.get));
};
