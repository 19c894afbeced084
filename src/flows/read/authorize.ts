// Authorizes reads with a scoped token. One statement reads everything needed to decide: the token's end user, the user's
// connections, and the account in the path. It may run before the credentials are verified, because its result is used only
// afterwards. Throws NotFound for an unknown resource, and Forbidden for another application's or end user's.

import { isExpired, type RetentionContext } from '../../domain/connections/connection.ts';
import type { ReadableConnection } from '../../domain/connections/store.ts';
import { findResourceOwner } from '../../domain/users/store.ts';
import type { Database } from '../../platform/db/open.ts';
import { sql } from '../../platform/db/sql.ts';
import type { AccountRow, EndUserRow } from '../../platform/db/tables.ts';
import { seconds } from '../../platform/values/clock.ts';
import { Forbidden, InvalidScopedToken, NotFound } from '../../platform/values/errors.ts';
import { isId } from '../../platform/values/ids.ts';
import { type EndUserKeys, makeEndUserKeys } from '../../platform/vault/endUserKeys.ts';

/** The end user's keys, the connections readable during the request, and the account in the path if one of them has it. */
export type ReadGrant = {
  userKeys: EndUserKeys;
  connections: ReadableConnection[];
  account: AccountRef | undefined;
  retention: RetentionContext;
  /** When the rows were read, by `performance.now`. */
  readAt: number;
};

/** The account columns needed to list its transactions. */
export type AccountRef = Pick<
  AccountRow,
  'id' | 'endUserId' | 'connectionId' | 'shortId' | 'lastRefreshTime'
>;

// One row per connection, or a single row without one. Not sorted, because sorting takes SQLite 25 µs, even for one row.
const selectGrant = sql<{ endUserId: string; accountId: string }, GrantRow>(`
  select end_users.end_user_id as "endUserId", end_users.application_id as "applicationId", public_key as "publicKey",
    connections.id, institution_id as "institutionId", institution_name as "institutionName",
    connections.created_at as "createdAt", refreshed_at as "refreshedAt", revoked_at as "revokedAt",
    delivery_expires_at as "deliveryExpiresAt", reconnect_reason as "reconnectReason",
    lagging_account_ids as "laggingAccountIds", duplicate_of as "duplicateOf", consent_expires_at as "consentExpiresAt", purge_started_at as "purgeStartedAt",
    accounts.id as "accountId", accounts.connection_id as "accountConnectionId", short_id as "shortId",
    last_refresh_time as "lastRefreshTime"
  from end_users
  left join connections on connections.end_user_id = end_users.end_user_id
  left join accounts on accounts.end_user_id = end_users.end_user_id and accounts.id = :accountId
  where end_users.end_user_id = :endUserId`);

type GrantRow = Pick<EndUserRow, 'endUserId' | 'applicationId' | 'publicKey'> &
  (ReadableConnection | { id: null }) & { accountId: string | null; accountConnectionId: string } & Pick<
    AccountRef,
    'shortId' | 'lastRefreshTime'
  >;

type GrantRows = { rows: readonly GrantRow[]; readAt: number };

/** Reads the rows that `openGrant` checks. */
export const readGrantRows = async (
  db: Database,
  { endUserId, accountId = '' }: { endUserId: string; accountId: string | undefined },
): Promise<GrantRows> => {
  const readAt = performance.now();
  const rows = await selectGrant(db.read, { endUserId, accountId: isId('acc', accountId) ? accountId : '' });
  return { rows, readAt };
};

/**
 * The data that an application can read with a scoped token's secret. Throws InvalidScopedToken if the end user does not exist,
 * belongs to another application or has another secret, and Forbidden if no connection is readable.
 */
export const openGrant = (
  read: GrantRows,
  secret: Buffer,
  applicationId: string,
  retention: RetentionContext,
): ReadGrant => {
  const [user] = read.rows;
  if (user?.applicationId !== applicationId) throw new InvalidScopedToken();
  const userKeys = makeEndUserKeys(user, secret);
  if (!userKeys) throw new InvalidScopedToken();
  return toGrant(read, userKeys, retention);
};

const toGrant = (
  { rows, readAt }: GrantRows,
  userKeys: EndUserKeys,
  retention: RetentionContext,
): ReadGrant => {
  const connections = rows.filter(
    (row): row is GrantRow & ReadableConnection => row.id !== null && !isExpired(row, retention),
  );
  const [first] = connections;
  if (!first) throw new Forbidden();
  const { endUserId, accountId: id, accountConnectionId: connectionId, shortId, lastRefreshTime } = first;
  const isReadable = id !== null && connections.some((connection) => connection.id === connectionId);
  return {
    userKeys,
    connections: connections.sort(oldestFirst),
    account: isReadable ? { id, endUserId, connectionId, shortId, lastRefreshTime } : undefined,
    retention,
    readAt,
  };
};

const oldestFirst = (left: ReadableConnection, right: ReadableConnection): number =>
  left.createdAt + left.id < right.createdAt + right.id ? -1 : 1;

/**
 * Throws Forbidden or NotFound if the sweep may have deleted rows while a list of an account or connection was being read. The sweep
 * deletes no row until `sweepGraceSeconds` after it hid the connection, so a shorter read is complete.
 */
export const checkStillReadable = async (
  db: Database,
  { userKeys, retention, readAt }: ReadGrant,
  id: string,
): Promise<void> => {
  if (performance.now() - readAt < seconds(retention.limits.sweepGraceSeconds)) return;
  const read = await readGrantRows(db, { endUserId: userKeys.endUserId, accountId: id });
  const grant = toGrant(read, userKeys, retention);
  await (isId('acc', id) ? requireAccount(db, grant, id) : requireConnection(db, grant, id));
};

/** The account in the path. Throws NotFound or Forbidden if the grant does not cover it. */
export const requireAccount = async (db: Database, grant: ReadGrant, id: string): Promise<AccountRef> =>
  grant.account?.id === id ? grant.account : throwNotFoundOrForbidden(db, grant.userKeys, 'account', id);

/** A connection that the grant covers, by id. Throws NotFound or Forbidden. */
export const requireConnection = async (
  db: Database,
  grant: ReadGrant,
  id: string,
): Promise<ReadableConnection> => {
  const connection = grant.connections.find((candidate) => candidate.id === id);
  return connection ?? throwNotFoundOrForbidden(db, grant.userKeys, 'connection', id);
};

const throwNotFoundOrForbidden = async (
  db: Database,
  userKeys: EndUserKeys,
  kind: 'connection' | 'account',
  id: string,
): Promise<never> => {
  const owner = isId(kind === 'connection' ? 'con' : 'acc', id)
    ? await findResourceOwner(db.read, id)
    : undefined;
  const hasOtherOwner =
    owner && (owner.applicationId !== userKeys.applicationId || owner.endUserId !== userKeys.endUserId);
  throw hasOtherOwner ? new Forbidden() : new NotFound(kind);
};
