// List and get accounts, for a Reader.
import { findReadableConnection, type Lifetime } from '../connections/find.ts';
import type { Database } from '../db/open.ts';
import { Forbidden, NotFound } from '../errors.ts';
import { isId } from '../ids.ts';
import { makeKeyring } from '../users/dataKeys.ts';
import { findOwner } from '../users/store.ts';
import type { Reader } from '../vault/reader.ts';
import { type AccountRow, openAccount } from './account.ts';
import { findAccountRow, findAccountRows } from './store.ts';

type PublicAccount = ReturnType<typeof openAccount>;

/** The accounts of a connection, in the order in which the user saw them. Throws NotFound, Forbidden, Corrupt. */
export const listAccounts = async (
  db: Database,
  reader: Reader,
  connectionId: string,
  lifetime: Lifetime,
): Promise<PublicAccount[]> => {
  const connection = await findReadableConnection(db, reader, connectionId, lifetime);
  return openAccounts(
    db,
    reader,
    await findAccountRows(db.read, { endUserId: reader.endUserId, connectionId: connection.id }),
  );
};

/** One account. Throws NotFound, Forbidden, Corrupt. */
export const readAccount = async (
  db: Database,
  reader: Reader,
  accountId: string,
  lifetime: Lifetime,
): Promise<PublicAccount> => {
  const [account] = await openAccounts(db, reader, [
    await findReadableAccount(db, reader, accountId, lifetime),
  ]);
  return account!;
};

/** The row of an account that this reader may see. Throws NotFound or Forbidden. */
export const findReadableAccount = async (
  db: Database,
  reader: Reader,
  accountId: string,
  lifetime: Lifetime,
): Promise<AccountRow> => {
  const owner = isId('acc', accountId) ? await findOwner(db.read, accountId) : undefined;
  if (!owner) throw new NotFound('account');
  if (owner.applicationId !== reader.applicationId || owner.endUserId !== reader.endUserId)
    throw new Forbidden();
  const row = await findAccountRow(db.read, { endUserId: reader.endUserId, id: accountId });
  if (!row) throw new NotFound('account');
  try {
    await findReadableConnection(db, reader, row.connectionId, lifetime);
  } catch (error) {
    if (error instanceof NotFound) throw new NotFound('account');
    throw error;
  }
  return row;
};

const openAccounts = async (db: Database, reader: Reader, rows: AccountRow[]): Promise<PublicAccount[]> => {
  const keyring = makeKeyring(db.read, reader);
  await keyring.load(rows.flatMap((row) => [row.detailsKey, row.balanceKey]));
  return rows.map((row) => openAccount(row, keyring.get));
};
