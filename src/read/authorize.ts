// What a request with a scoped token may read. One query reads what decides it: the end user of the token, the user's
// connections, and the account in the path. It may start before the credentials are verified: nothing of its result is used
// before. Throws NotFound for a resource that does not exist and Forbidden for one of another application or end user.

import { isExpired, type RetentionContext, toRetentionTime } from '../connections/connection.ts';
import type { ReadableConnection } from '../connections/store.ts';
import type { Database } from '../db/open.ts';
import { Forbidden, InvalidScopedToken, NotFound } from '../errors.ts';
import { isId } from '../ids.ts';
import { findResourceOwner } from '../users/store.ts';
import { makeReader, type Reader } from '../vault/scopedToken.ts';
import { type AccessRows, type AccountRef, findAccessRows } from './store.ts';

/** A Reader, the connections that are readable during the request, and the account in its path, if it is one of theirs. */
export type Access = {
  reader: Reader;
  connections: ReadableConnection[];
  account: AccountRef | undefined;
  retention: RetentionContext;
};

/** Reads what `openAccess` checks. */
export const readAccessRows = (
  db: Database,
  { endUserId, accountId = '' }: { endUserId: string; accountId: string | undefined },
): Promise<AccessRows | undefined> =>
  findAccessRows(db.read, { endUserId, accountId: isId('acc', accountId) ? accountId : '' });

/**
 * The access that the secret of a scoped token gives to an application. Throws InvalidScopedToken if the end user does not
 * exist, belongs to another application or has another secret, and Forbidden if no connection is readable.
 */
export const openAccess = (
  rows: AccessRows | undefined,
  secret: Buffer,
  applicationId: string,
  retention: RetentionContext,
): Access => {
  if (rows?.user.applicationId !== applicationId) throw new InvalidScopedToken();
  const reader = makeReader(rows.user, secret);
  if (!reader) throw new InvalidScopedToken();
  return toAccess(rows, reader, retention);
};

const toAccess = (rows: AccessRows | undefined, reader: Reader, retention: RetentionContext): Access => {
  const time = toRetentionTime(retention);
  const connections = (rows?.connections ?? []).filter((connection) => !isExpired(connection, time));
  if (connections.length === 0) throw new Forbidden();
  const isReadable = connections.some(({ id }) => id === rows?.account?.connectionId);
  return {
    reader,
    connections: connections.sort(oldestFirst),
    account: isReadable ? rows?.account : undefined,
    retention,
  };
};

const oldestFirst = (left: ReadableConnection, right: ReadableConnection): number =>
  compare(left.createdAt, right.createdAt) || compare(left.id, right.id);
const compare = (left: string, right: string): number => (left < right ? -1 : Number(left > right));

/** Throws Forbidden or NotFound if the account of an access cannot be read any more. */
export const checkStillReadable = async (
  db: Database,
  { reader, retention }: Access,
  accountId: string,
): Promise<void> => {
  const rows = await readAccessRows(db, { endUserId: reader.endUserId, accountId });
  await requireAccount(db, toAccess(rows, reader, retention), accountId);
};

/** The account in the path. Throws NotFound or Forbidden if `access` does not cover it. */
export const requireAccount = async (db: Database, access: Access, id: string): Promise<AccountRef> =>
  access.account ?? throwNotFoundOrForbidden(db, access.reader, 'account', id);

/** A connection that `access` covers, by id. Throws NotFound or Forbidden. */
export const requireConnection = async (
  db: Database,
  access: Access,
  id: string,
): Promise<ReadableConnection> => {
  const connection = access.connections.find((candidate) => candidate.id === id);
  return connection ?? throwNotFoundOrForbidden(db, access.reader, 'connection', id);
};

const throwNotFoundOrForbidden = async (
  db: Database,
  reader: Reader,
  kind: 'connection' | 'account',
  id: string,
): Promise<never> => {
  const owner = isId(kind === 'connection' ? 'con' : 'acc', id)
    ? await findResourceOwner(db.read, id)
    : undefined;
  const isForeign =
    owner && (owner.applicationId !== reader.applicationId || owner.endUserId !== reader.endUserId);
  throw isForeign ? new Forbidden() : new NotFound(kind);
};
