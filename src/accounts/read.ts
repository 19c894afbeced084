// List and get accounts, for a Reader.
import { type Access, findReadableConnection, refuse } from '../connections/find.ts';
import type { Database, Queries } from '../db/open.ts';
import { isId } from '../ids.ts';
import { makeKeyring } from '../users/dataKeys.ts';
import type { Reader } from '../vault/reader.ts';
import { openAccount, type ShownAccount } from './account.ts';
import { type AccountPlace, findAccountPlace, findShownAccount, findShownAccounts } from './store.ts';

type PublicAccount = ReturnType<typeof openAccount>;

/** The accounts of a connection, in the order in which the user saw them. Throws NotFound, Forbidden, Corrupt. */
export const listAccounts = async (
  db: Database,
  access: Access,
  connectionId: string,
): Promise<PublicAccount[]> => {
  const { id, endUserId } = await findReadableConnection(db, access, connectionId);
  return openAccounts(db, access.reader, await findShownAccounts(db.read, { endUserId, connectionId: id }));
};

/** One account. Throws NotFound, Forbidden, Corrupt. */
export const readAccount = async (
  db: Database,
  access: Access,
  accountId: string,
): Promise<PublicAccount> => {
  const row = await readable(db, access, accountId, findShownAccount);
  const [account] = await openAccounts(db, access.reader, [row]);
  return account!;
};

/** Where an account that an access covers belongs, and how far it was refreshed. Throws NotFound or Forbidden. */
export const findReadableAccount = (db: Database, access: Access, accountId: string): Promise<AccountPlace> =>
  readable(db, access, accountId, findAccountPlace);

const readable = async <Row extends { connectionId: string }>(
  db: Database,
  { reader, connections }: Access,
  id: string,
  find: (db: Queries, key: { endUserId: string; id: string }) => Promise<Row | undefined>,
): Promise<Row> => {
  const row = isId('acc', id) ? await find(db.read, { endUserId: reader.endUserId, id }) : undefined;
  if (row && connections.some((connection) => connection.id === row.connectionId)) return row;
  return refuse(db, reader, 'account', id);
};

const openAccounts = async (db: Database, reader: Reader, rows: ShownAccount[]): Promise<PublicAccount[]> => {
  const keyring = makeKeyring(db, reader);
  await keyring.load(rows.flatMap((row) => [row.detailsKey, row.balanceKey]));
  return rows.map((row) => openAccount(row, keyring.get));
};
