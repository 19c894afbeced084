// A refresh's queries for its connection and the connection's accounts.
import { verifyConnection } from '../../domain/connections/connection.ts';
import { type Connection, encodeIds } from '../../domain/connections/store.ts';
import { verifyEndUser } from '../../domain/users/endUser.ts';
import type { Queries } from '../../platform/db/open.ts';
import { sql } from '../../platform/db/sql.ts';
import type { AccountRow, EndUserRow } from '../../platform/db/tables.ts';
import type { ClockId } from '../../platform/values/clock.ts';
import type { PublicKey } from '../../platform/vault/keys.ts';
import type { Keyset } from '../../platform/vault/keyset.ts';
import { type Absences, LeaseLost } from './jobs.ts';

type ConnectionKey = Pick<EndUserRow, 'endUserId'> & { connectionId: string };

// The end user's tables are on one node, applications on every node.
const selectRefreshed = sql<ConnectionKey & { applicationId: string }, RefreshedConnection>(`
  select connections.id, connections.end_user_id as "endUserId", connections.application_id as "applicationId",
    connections.institution_id as "institutionId", connections.revoked_at as "revokedAt",
    connections.delivery_expires_at as "deliveryExpiresAt", connections.purge_started_at as "purgeStartedAt",
    connections.signature, connections.credentials, connections.fingerprint_key as "fingerprintKey",
    connections.fingerprint_key_id as "fingerprintKeyId", connections.reconnect_reason as "reconnectReason",
    connections.refreshed_at as "refreshedAt", connections.refreshed_fully_at as "refreshedFullyAt",
    connections.lagging_account_ids as "laggingAccountIds", connections.consent_expires_at as "consentExpiresAt",
    connections.offered_fingerprints as "offeredFingerprints",
    end_users.application_id as "userApplicationId", end_users.external_user_id as "externalUserId",
    end_users.public_key as "publicKey", end_users.signature as "userSignature",
    applications.id as "activeApplicationId"
  from connections
    left join end_users on end_users.end_user_id = connections.end_user_id
    left join applications on applications.id = :applicationId and applications.archived_at is null
  where connections.end_user_id = :endUserId and connections.id = :connectionId`);

/** A connection, its end user if it still exists, and the job's application if it is active. */
export type RefreshedConnection = Omit<
  Connection,
  'institutionName' | 'createdAt' | 'duplicateOf' | 'withdrawnTransactions' | 'doubtedReadings'
> & {
  offeredFingerprints: Buffer | null;
  userApplicationId: string;
  externalUserId: string | null;
  publicKey: Buffer | null;
  userSignature: Buffer;
  activeApplicationId: string | null;
};

/** Everything that a refresh needs to start, except the accounts. */
export const findRefreshedConnection = async (
  db: Queries,
  job: ConnectionKey & { applicationId: string },
): Promise<RefreshedConnection | undefined> => (await selectRefreshed(db, job))[0];

/**
 * The public key of the connection's end user, to which its data is sealed. Throws InvalidSignature if either row was changed,
 * and LeaseLost if the user was deleted.
 */
export const verifyOwners = (
  connection: RefreshedConnection,
  application: ClockId,
  signingKeys: Keyset<PublicKey>,
): Buffer => {
  verifyConnection(connection, application, signingKeys);
  const { publicKey, userApplicationId: applicationId, userSignature: signature } = connection;
  if (!publicKey) throw new LeaseLost();
  verifyEndUser({ ...connection, applicationId, publicKey, signature }, signingKeys);
  return publicKey;
};

const connectionRow = (db: Queries, { endUserId, connectionId }: ConnectionKey) =>
  db('connections').where({ endUserId, id: connectionId });

/** Stores the result of a refresh. Returns false if the connection was revoked or is being deleted. */
export const markRefreshed = async (
  db: Queries,
  key: ConnectionKey,
  change: {
    now: Date;
    full: boolean;
    laggingAccountIds: readonly string[];
    offeredFingerprints: Buffer | null;
  } & Absences,
): Promise<boolean> => {
  const changed = await connectionRow(db, key)
    .whereNull('revokedAt')
    .whereNull('purgeStartedAt')
    .update({
      refreshedAt: change.now.toISOString(),
      ...(change.full && { refreshedFullyAt: change.now.toISOString() }),
      laggingAccountIds: encodeIds(change.laggingAccountIds),
      offeredFingerprints: change.offeredFingerprints,
      withdrawnTransactions: db.raw('withdrawn_transactions + ?', [change.withdrawn]),
      doubtedReadings: db.raw('doubted_readings + ?', [change.doubted]),
      reconnectReason: null,
    });
  return changed === 1;
};

/** The columns of a stored account that a refresh needs. */
export type StoredAccountRow = Omit<AccountRow, 'sealed' | 'keySealed' | 'keyWrapped' | 'readAt'>;

/** A connection's accounts, in the order the bank listed them. */
export const findAccountRows = sql<ConnectionKey, StoredAccountRow>(`
  select id, end_user_id as "endUserId", connection_id as "connectionId", last_refresh_time as "lastRefreshTime", position,
    bank_id_fingerprint as "bankIdFingerprint", number_fingerprint as "numberFingerprint",
    currency_fingerprint as "currencyFingerprint", short_id as "shortId", starts_on as "startsOn", replaced_by as "replacedBy",
    next_seq as "nextSeq", balance_as_of as "balanceAsOf", last_seen_at as "lastSeenAt", read_to as "readTo",
    history_from as "historyFrom", missing_from as "missingFrom", deselected_at as "deselectedAt"
  from accounts where end_user_id = :endUserId and connection_id = :connectionId order by position, id`);

export const insertAccount = async (db: Queries, row: AccountRow): Promise<void> => {
  await db('accounts').insert(row);
};

/** Throws LeaseLost if a sweep deleted an account that the end user deselected. */
export const updateAccount = async (
  db: Queries,
  { endUserId, id }: { endUserId: string; id: string },
  change: Partial<AccountRow>,
): Promise<void> => {
  if ((await db('accounts').where({ endUserId, id }).update(change)) !== 1) throw new LeaseLost();
};

/** Stops sharing these accounts. */
export const deselectAccounts = async (
  db: Queries,
  endUserId: string,
  ids: readonly string[],
  now: Date,
): Promise<void> => {
  await db('accounts').where({ endUserId }).whereIn('id', ids).update({ deselectedAt: now.toISOString() });
};
