// Whether the end user of an import has connected some of its accounts already. Only the worker can tell: each connection has a
// fingerprint key that is sealed to it.
import { findActiveConnections } from '../connections/store.ts';
import { CorruptData } from '../errors.ts';
import { openFingerprintKey } from '../merge/fingerprints.ts';
import { matchAccounts } from '../refresh/fetchAccounts.ts';
import type { JobDeps } from '../refresh/jobs.ts';
import { findAccountRows, findRefreshedConnection, verifyOwners } from '../refresh/queries.ts';
import type { Duplicate, ImportRequest } from './linkSession.ts';
import { findMissing } from './reconnectConnection.ts';

/** The oldest connection of an end user at the same institution that has one of the selected accounts. */
export const findDuplicate = async (
  deps: JobDeps,
  endUserId: string,
  request: ImportRequest,
): Promise<Duplicate | undefined> => {
  const active = await findActiveConnections(deps.db.read, endUserId, deps.clock.real());
  for (const { id } of active.filter(({ deliveryExpiresAt }) => deliveryExpiresAt === null)) {
    const duplicate = await compareWith(deps, { endUserId, connectionId: id }, request).catch((error) => {
      // The row of another connection was changed: nothing is known of its accounts.
      if (!(error instanceof CorruptData)) throw error;
      return undefined;
    });
    if (duplicate) return duplicate;
  }
  return undefined;
};

const compareWith = async (
  { db, signingKeys, workerKeys }: JobDeps,
  key: { endUserId: string; connectionId: string },
  request: ImportRequest,
): Promise<Duplicate | undefined> => {
  const { connectionId } = key;
  const connection = await findRefreshedConnection(db.read, { ...key, applicationId: request.applicationId });
  if (connection?.institutionId !== request.institution.id) return undefined;
  verifyOwners(connection, request, signingKeys);
  const fingerprintKey = openFingerprintKey(connection, workerKeys);
  const rows = await findAccountRows(db.read, key);
  const matched = matchAccounts({ connectionId, fingerprintKey }, rows, request.accounts);
  const accountIds = matched.map(({ incoming }) => incoming.id);
  if (!accountIds.some((id) => request.accountIds.includes(id))) return undefined;
  return { connectionId, accountIds, canReconnect: findMissing(connection, rows, matched).length === 0 };
};
