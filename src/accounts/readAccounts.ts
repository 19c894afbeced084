// Lists and gets accounts for a Reader.
import { type Access, findReadableConnection, throwNotFoundOrForbidden } from '../connections/connection.ts';
import type { Database, Queries } from '../db/open.ts';
import { isId } from '../ids.ts';
import type { Reader } from '../vault/scopedToken.ts';
import { unsealAccount } from './account.ts';
import {
  type AccountRef,
  findAccountRef,
  findReadableAccountRow,
  findReadableAccountRows,
  type ReadableAccountRow,
  saveWrappedAccountKey,
} from './store.ts';

type PublicAccount = ReturnType<typeof unsealAccount>;

/** The accounts of a connection, in the order the end user chose. Throws NotFound, Forbidden, CorruptData. */
export const listAccounts = async (
  db: Database,
  access: Access,
  connectionId: string,
): Promise<PublicAccount[]> => {
  const { id, endUserId } = await findReadableConnection(db, access, connectionId);
  const rows = await findReadableAccountRows(db.read, { endUserId, connectionId: id });
  return rows.map((row) => unsealRow(db, access.reader, row));
};

/** One account. Throws NotFound, Forbidden, CorruptData. */
export const readAccount = async (
  db: Database,
  access: Access,
  accountId: string,
): Promise<PublicAccount> => {
  const row = await findReadable(db, access, accountId, findReadableAccountRow);
  return unsealRow(db, access.reader, row);
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
