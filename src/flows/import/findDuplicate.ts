// Finds out whether an end user has already connected some of an import's accounts. Only the worker can, because each
// connection's fingerprint key is sealed to it.
import { CorruptData } from '../../platform/values/errors.ts';
import type { Duplicate, ImportRequest } from '../link/linkSession.ts';
import { openFingerprintKey } from '../merge/fingerprints.ts';
import { findAccountRows, findRefreshedConnection, verifyOwners } from '../refresh/accountStore.ts';
import type { JobDeps } from '../refresh/jobs.ts';
import { findMissing, matchAccounts } from '../refresh/matchAccounts.ts';

/** The end user's first connection at the same institution that has one of the selected accounts. */
export const findDuplicate = async (
  deps: JobDeps,
  { endUserId, connectionIds }: { endUserId: string; connectionIds: readonly string[] },
  request: ImportRequest,
): Promise<Duplicate | undefined> => {
  for (const connectionId of connectionIds) {
    const duplicate = await compareWith(deps, { endUserId, connectionId }, request).catch((error) => {
      // Somebody changed the row of another connection, so nothing is known about its accounts.
      if (!(error instanceof CorruptData)) throw error;
      return undefined;
    });
    if (duplicate) return duplicate;
  }
  return undefined;
};

const compareWith = async (
  { db, registry, signingKeys, workerKeys }: JobDeps,
  { endUserId, connectionId }: { endUserId: string; connectionId: string },
  request: ImportRequest,
): Promise<Duplicate | undefined> => {
  const key = { endUserId, connectionId, applicationId: request.applicationId };
  const connection = await findRefreshedConnection(db.read, key);
  if (!connection) return undefined;
  // A connection keeps the id that its institution had when it was linked.
  const currentId = (id: string) => registry.find(request.environment, id)?.institution.id ?? id;
  if (currentId(connection.institutionId) !== currentId(request.institution.id)) return undefined;
  verifyOwners(connection, request, signingKeys);
  const fingerprintKey = openFingerprintKey(connection, workerKeys);
  const rows = await findAccountRows(db.read, key);
  const match = matchAccounts({ connectionId, fingerprintKey }, rows, request.accounts);
  const accountIds = match.matched.map(({ incoming }) => incoming.id);
  if (!accountIds.some((id) => request.accountIds.includes(id))) return undefined;
  return { connectionId, accountIds, canReconnect: findMissing(connection, match).length === 0 };
};
